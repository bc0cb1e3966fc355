/// What a merchant's request makes of a plan (ACM-3, ACM-4).
public struct Modification: Hashable, Sendable {
    /// An item that comes at once.
    public struct Addition: Hashable, Sendable {
        public var line: HeldLine
        /// What the rest of the running period of it costs; nil for its share of the price.
        public var prorated: Int?

        public init(_ line: HeldLine, prorated: Int? = nil) {
            (self.line, self.prorated) = (line, prorated)
        }
    }

    /// An item that takes the place of another, or of itself.
    public struct Change: Hashable, Sendable {
        public var current: String
        public var line: HeldLine
        public var prorated: Int?
        public var isNow: Bool

        public init(of current: String, to line: HeldLine, prorated: Int? = nil, isNow: Bool) {
            self.current = current
            self.line = line
            self.prorated = prorated
            self.isNow = isNow
        }
    }

    public var added: [Addition] = []
    public var changed: [Change] = []
    public var removed: [String] = []
    public var length: Length?
    public var title: String?
    /// Whether the title holds at once.
    public var isTitleNow = true
    /// Whether the renewal date stays.
    public var keepsCycle: Bool

    public init(keepsCycle: Bool) { self.keepsCycle = keepsCycle }

    /// Whether something is paid for at once.
    var isPaidNow: Bool { !keepsCycle || !added.isEmpty || changed.contains(where: \.isNow) }

    /// Whether it changes nothing but what things are called.
    var isWordsAlone: Bool {
        added.isEmpty && changed.isEmpty && removed.isEmpty && length == nil
    }
}

extension Modification {
    /// What the customer did not have.
    var coming: [String] {
        added.map(\.line.sku) + changed.filter { $0.current != $0.line.sku }.map(\.line.sku)
    }

    /// Every amount that was sent.
    var amounts: [Int] {
        let lines = added.map(\.line) + changed.map(\.line)
        return lines.map(\.price) + lines.map(\.cost)
            + (added.map(\.prorated) + changed.map(\.prorated)).compactMap(\.self)
    }

    /// What stays what it is, without an offer, goes on at the price that runs; its increase takes
    /// its course (ACS-6). With a new cycle it costs what was sent (ACS-7).
    func atRunningPrices(of plan: HeldPlan) -> Modification {
        guard keepsCycle else { return self }
        var change = self
        for (place, one) in changed.enumerated() where one.current == one.line.sku {
            guard one.line.offer == nil, let line = plan.line(one.current) else { continue }
            change.changed[place].line.price = line.price
        }
        return change
    }

    /// What a plan becomes: as it runs from now on, and as it renews. What waits for the renewal
    /// goes on to, but for the items that change again.
    func made(of life: Life, request: Int) -> (now: HeldPlan, next: HeldPlan) {
        var (now, next) = (life.plan, life.waiting ?? life.plan.afterwards)
        for sku in changed.map(\.current) + removed {
            next.restore(sku, of: now)
        }
        for one in changed {
            var line = one.line
            if one.isNow {
                now.put(line, inPlaceOf: one.current)
                next.put(line.afterwards, inPlaceOf: one.current)
            } else {
                line.replaces = one.current
                next.put(line, inPlaceOf: one.current)
            }
        }
        next.lines.removeAll { removed.contains($0.sku) }
        if !keepsCycle { now.lines.removeAll { removed.contains($0.sku) } }
        now.lines += added.map(\.line)
        next.lines += added.map(\.line.afterwards)
        if let length {
            next.length = length
            if !keepsCycle { now.length = length }
        }
        if let title {
            next.title = title
            if isTitleNow { now.title = title }
        }
        next.request = request
        if isPaidNow || title != nil && isTitleNow { now.request = request }
        return (now, next)
    }
}

extension HeldLine {
    /// Whether it is changed at once to have an offer that it had not.
    func isGivenOfferNow(in plan: HeldPlan) -> Bool {
        guard let line = plan.line(sku), line.offer != nil else { return false }
        return line.offer != offer || line.offersLeft != offersLeft
    }

    /// Whether it comes with the renewal with an offer that does not go on from now.
    func isGivenOffer(in next: HeldPlan?) -> Bool {
        guard let line = next?.successor(of: sku), line.offer != nil else { return false }
        return line.offer != afterwards.offer || line.offersLeft != afterwards.offersLeft
    }
}

extension HeldPlan {
    fileprivate mutating func put(_ line: HeldLine, inPlaceOf sku: String) {
        guard let place = lines.firstIndex(where: { $0.sku == sku }) else { return }
        lines[place] = line
    }
}
