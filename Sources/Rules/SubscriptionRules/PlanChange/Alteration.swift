/// What became of a subscription, or is going to become of it: of one item of its plan, or of the
/// whole.
public struct Alteration: Hashable, Sendable {
    /// What happens. The raw values are what `/connect` says.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An item comes.
        case added
        /// An item goes.
        case removed
        /// Another item takes its place, or it goes on with an offer under another name.
        case replaced
        /// It is called something else, and costs the same.
        case renamed
        /// It costs something else.
        case repriced
        /// An offer begins on it.
        case offered
        /// What was to become of it is taken back.
        case kept
        /// It was paid for.
        case paid
        /// What was paid for it was given back, in full or in part.
        case refunded
        /// What was given back was taken again.
        case refundReversed

        /// Another product of the catalogue, or another way to pay for it.
        case plan
        /// Another period.
        case period
        /// The whole is called something else.
        case described
        /// Another tax code.
        case taxed
        /// Renewal was turned off, or on.
        case renewalOff, renewalOn
        /// It ends.
        case ends
        /// The running period is longer than it was agreed.
        case extended

        /// Whether it is about one item.
        public var isOfItem: Bool {
            switch self {
            case .added, .removed, .replaced, .renamed, .repriced, .offered, .kept, .paid,
                .refunded, .refundReversed:
                true
            case .plan, .period, .described, .taxed, .renewalOff, .renewalOn, .ends, .extended:
                false
            }
        }
    }

    /// How far a new price has come with the subscriber.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case waiting, planned, asked, accepted, declined

        init(_ phase: PendingIncrease.Phase) {
            switch phase {
            case .waiting: self = .waiting
            case .planned: self = .planned
            case .asked: self = .asked
            case .accepted: self = .accepted
            case .declined: self = .declined
            }
        }
    }

    public var kind: Kind
    /// The item, by the SKU that it has then; nil for the whole.
    public var sku: String?
    /// The SKU that it had; nil where that stays.
    public var formerSKU: String?
    /// What customers read of it then.
    public var displayName: String?
    /// What a period of it costs then, in milliunits, offers aside.
    public var price: Int64?
    /// What it cost before.
    public var formerPrice: Int64?
    /// What was paid or given back, in milliunits.
    public var amount: Int64?
    /// When it takes effect; nil for what did at once, and while nothing is planned.
    public var from: Instant?
    /// How far a new price has come; nil for what is none.
    public var status: Status?
    /// What the subscriber is asked about a new price.
    public var path: ConsentDecision.Path?
    /// When the subscriber first hears of it, or did.
    public var announcement: Instant?
    /// Items that end with this one where its price is refused or unanswered (ACS-3).
    public var dependents: [String] = []
    /// How the offer is paid that begins.
    public var offerMode: Offer.Mode?
    /// What it is then, where that is no item: a product, a period, a tax code.
    public var value: String?

    /// Makes what says nothing but what happens, and to which item.
    public init(_ kind: Kind, of sku: String? = nil, from: Instant? = nil) {
        self.kind = kind
        self.sku = sku
        self.from = from
    }
}

extension Alteration {
    fileprivate init(_ kind: Kind, _ line: Plan.Line, from: Instant?) {
        self.init(kind, of: line.sku, from: from)
        displayName = line.texts?.displayName
        price = line.price
        offerMode = line.offer?.mode
    }

    /// What differs between two states of a plan's items.
    ///
    /// - Parameters:
    ///   - successors: which SKU takes the place of which.
    ///   - moment: when the new ones are delivered; nil for at once.
    static func between(
        _ old: [Plan.Line], _ new: [Plan.Line], successors: [String: String] = [:],
        from moment: Instant? = nil
    ) -> [Alteration] {
        let before = Dictionary(old.map { ($0.sku, $0) }) { first, _ in first }
        let former = Dictionary(successors.map { ($1, $0) }) { first, _ in first }
        var gone = Set(before.keys)
        var found: [Alteration] = []
        for line in new {
            let place = former[line.sku] ?? line.sku
            guard let was = before[place] else {
                found.append(Alteration(.added, line, from: moment))
                continue
            }
            gone.remove(place)
            found += between(was, line, from: moment)
        }
        let removed = old.filter { gone.contains($0.sku) }.map { line in
            var one = Alteration(.removed, of: line.sku, from: moment)
            one.displayName = line.texts?.displayName
            one.formerPrice = line.price
            return one
        }
        return found + removed
    }

    private static func between(
        _ was: Plan.Line, _ line: Plan.Line, from moment: Instant?
    ) -> [Alteration] {
        let offerBegins =
            line.offer.map { offer in
                was.offer.map { ($0.kind, $0.id, $0.price) != (offer.kind, offer.id, offer.price) }
                    ?? true
            } ?? false
        func alteration(_ kind: Kind) -> Alteration {
            var one = Alteration(kind, line, from: moment)
            if was.sku != line.sku { one.formerSKU = was.sku }
            if was.price != line.price { one.formerPrice = was.price }
            return one
        }
        guard was.sku == line.sku else {
            return [alteration(offerBegins || was.price != line.price ? .replaced : .renamed)]
        }
        var found: [Alteration] = []
        if was.texts != line.texts { found.append(alteration(.renamed)) }
        if was.price != line.price { found.append(alteration(.repriced)) }
        if offerBegins { found.append(alteration(.offered)) }
        return found
    }
}

extension Subscription {
    /// What is going to become of it as things are: at the next renewal, or where a commitment
    /// runs when that ends; new prices at their own. Nothing where it is over.
    ///
    /// - Parameter zone: where its months are counted.
    public func pendingAlterations(in zone: BillingZone) -> [Alteration] {
        guard !isOver else { return [] }
        let term = termsMayChange(in: zone).moment
        var found: [Alteration] = []
        if newestPeriod.extended.milliseconds > 0, state == .active {
            var one = Alteration(.extended, from: newestPeriod.end)
            one.value = (newestPeriod.end - newestPeriod.extended).iso8601
            found.append(one)
        }
        if !renewsAutomatically { found.append(Alteration(.ends, from: term)) }
        if let nextPlan { found += alterations(to: nextPlan, at: term) }
        return found
            + comingIncreases.map { line, increase in
                var one = Alteration(.repriced, of: line.sku, from: increase.schedule?.renewal)
                one.displayName = line.texts?.displayName
                (one.formerPrice, one.price) = (line.price, increase.price)
                one.status = Alteration.Status(increase.phase)
                // Of a lower price nobody is told (ACP-12).
                if increase.price > line.price {
                    one.path = increase.schedule?.path
                    one.announcement = increase.schedule?.announcement
                }
                one.dependents = increase.dependents
                return one
            }
    }

    /// What a plan that waits brings.
    private func alterations(to next: Plan, at term: Instant) -> [Alteration] {
        var found: [Alteration] = []
        if next.productID != plan.productID || next.billing != plan.billing {
            var one = Alteration(.plan, from: term)
            one.value = next.productID
            (one.formerPrice, one.price) = (plan.price.milliunits, next.price.milliunits)
            return [one]
        }
        found += plan.alterations(to: next, at: term)
        let renewed = plan.changingLines { $0 = $0.afterRenewal }
        return found
            + Alteration.between(
                renewed.lines, next.lines, successors: next.successors, from: term)
    }

    /// What an event made of it, at once or from a renewal on.
    ///
    /// - Parameters:
    ///   - before: as it was before the event; nil where it began.
    ///   - renaming: the SKUs that a merchant's request replaced at once, each with its successor.
    ///   - zone: where its months are counted.
    public func alterations(
        since before: Subscription?, renaming: [String: String] = [:], in zone: BillingZone
    ) -> [Alteration] {
        guard let before else {
            return Alteration.between([], plan.lines)
        }
        let isRenewed = newestPeriod.transactionID != before.newestPeriod.transactionID
        let waiting = isRenewed && renaming.isEmpty ? before.nextPlan?.successors ?? [:] : [:]
        var found = before.plan.alterations(to: plan, at: nil)
        found += Alteration.between(
            before.plan.lines, plan.lines, successors: renaming.merging(waiting) { one, _ in one })
        if !isOver, !before.isOver, renewsAutomatically != before.renewsAutomatically {
            found.append(Alteration(renewsAutomatically ? .renewalOn : .renewalOff))
        }
        let (then, now) = (before.pendingAlterations(in: zone), pendingAlterations(in: zone))
        found += now.filter { $0.kind != .ends && !then.contains($0) }
        guard !isOver else { return found }
        let told = Set(
            (found + now).flatMap { [$0.sku, $0.formerSKU].compactMap(\.self) })
        var kept: Set<String> = []
        for one in then {
            guard let sku = one.formerSKU ?? one.sku, plan.line(sku) != nil, !told.contains(sku),
                kept.insert(sku).inserted
            else { continue }
            found.append(Alteration(.kept, of: sku))
        }
        return found
    }

    /// What the newest transaction charged, item by item; nothing where it is no new one.
    public func payments(since before: Subscription?) -> [Alteration] {
        guard newestPeriod.transactionID != before?.newestPeriod.transactionID else { return [] }
        return zip(plan.lines, newestPeriod.charges).compactMap { line, charge in
            guard newestPeriod.carried[line.sku] == nil else { return nil }
            var one = Alteration(.paid, of: line.sku)
            one.amount = charge
            one.offerMode = line.offer?.mode
            return one
        }
    }
}

extension Plan {
    /// Of a plan that waits: which SKU takes the place of which.
    fileprivate var successors: [String: String] {
        Dictionary(
            lines.compactMap { line in line.replaces.map { ($0, line.sku) } }
        ) { first, _ in first }
    }

    /// What differs as a whole, where the product is the same.
    fileprivate func alterations(to other: Plan, at moment: Instant?) -> [Alteration] {
        var found: [Alteration] = []
        func add(_ kind: Alteration.Kind, _ value: String?, name: String? = nil) {
            var one = Alteration(kind, from: moment)
            (one.value, one.displayName) = (value, name)
            found.append(one)
        }
        guard let merchant, let others = other.merchant else { return [] }
        if period != other.period { add(.period, other.period.iso8601) }
        if merchant.texts != others.texts {
            add(.described, nil, name: others.texts.displayName)
        }
        if merchant.taxCode != others.taxCode, moment == nil { add(.taxed, others.taxCode) }
        return found
    }
}
