/// How a merchant changes a plan of its own, by a request to which the customer agrees (ACM-3).
public struct MerchantModification: Hashable, Sendable {
    /// An item that comes.
    public struct Item: Hashable, Sendable {
        public var line: Plan.Line
        /// What it costs for the rest of the running period, in milliunits; nil for its share of
        /// the price.
        public var proratedPrice: Int64?

        public init(_ line: Plan.Line, proratedPrice: Int64? = nil) {
            self.line = line
            self.proratedPrice = proratedPrice
        }
    }

    /// An item that takes the place of another, or of itself with something changed.
    public struct Change: Hashable, Sendable {
        /// What it takes the place of.
        public var currentSKU: String
        public var item: Item
        /// Whether it does so at once, and not with the next renewal.
        public var isImmediate: Bool

        public init(of currentSKU: String, to item: Item, isImmediate: Bool) {
            self.currentSKU = currentSKU
            self.item = item
            self.isImmediate = isImmediate
        }
    }

    /// Something else that changes, at once or with the next renewal.
    public struct Dated<Value: Hashable & Sendable>: Hashable, Sendable {
        public var value: Value
        public var isImmediate: Bool

        public init(_ value: Value, isImmediate: Bool) {
            self.value = value
            self.isImmediate = isImmediate
        }
    }

    /// Items that come at once.
    public var added: [Item] = []
    public var changed: [Change] = []
    /// SKUs that go: with the next renewal, or at once where a new cycle begins.
    public var removed: [String] = []
    public var period: Dated<CalendarPeriod>?
    public var texts: Dated<DisplayTexts>?
    public var taxCode: String?
    /// Whether the renewal date stays; otherwise a new cycle begins at once (ACM-4).
    public var keepsCycle: Bool
    /// The UUID of the request, in lower case.
    public var requestID: String

    public init(keepsCycle: Bool, requestID: String) {
        self.keepsCycle = keepsCycle
        self.requestID = requestID
    }

    /// How many items a plan has at most.
    public static let mostItems = 100

    /// Whether something begins at once that is paid for.
    var isPaidNow: Bool {
        !keepsCycle || !added.isEmpty || changed.contains(where: \.isImmediate)
    }

    /// Whether it changes nothing but what things are called.
    var isWordsAlone: Bool {
        added.isEmpty && changed.isEmpty && removed.isEmpty && period == nil
    }

    /// The SKUs of the running plan that it is about.
    fileprivate var touched: [String] { changed.map(\.currentSKU) + removed }

    /// What stays what it is, without an offer, goes on at the price that runs: a higher one takes
    /// its course (ACS-6). Where a new cycle begins it is paid as it was sent (ACS-7).
    func atRunningPrices(of plan: Plan) -> MerchantModification {
        guard keepsCycle else { return self }
        var request = self
        for (place, change) in changed.enumerated() where change.item.line.offer == nil {
            guard change.currentSKU == change.item.line.sku,
                let line = plan.line(change.currentSKU)
            else { continue }
            request.changed[place].item.line.price = line.price
        }
        return request
    }

    /// The items that begin at once, by SKU.
    var immediate: [String: Item] {
        let items = added + changed.filter(\.isImmediate).map(\.item)
        return Dictionary(items.map { ($0.line.sku, $0) }) { first, _ in first }
    }
}

/// Why a merchant's plan is not changed.
public enum MerchantModificationRefusal: Hashable, Sendable, CaseIterable {
    /// Nothing runs, or a payment is missing.
    case notActive
    /// An item that is to change is not there.
    case changedItemMissing
    /// An item that is to go is not there.
    case removedItemMissing
    /// Nothing would be left.
    case nothingLeft
    /// An item that is to come is there already.
    case itemExists
    /// There would be more items than a plan has.
    case tooManyItems
    /// Another period changes every item.
    case itemsOfPeriodMissing
    /// An offer runs on an item that is to change in the middle of its cycle.
    case offerRuns
    /// An offer would end on another day than the cycle, or with one item and not with another.
    case misaligned
    /// The price of an item that stays what it is changes by another request (ACP-7).
    case priceChange
    /// With an offer an item is sent at the price of its increase (ACS-6).
    case notTheIncreasedPrice
    /// Renewal is on, and every item renews or every one that is named does.
    case renewsAlready
    /// An item would be called as the whole is.
    case sameName
}

/// A merchant's plan once it is modified: as it runs from now on, and as it renews.
struct ModifiedPlan {
    private(set) var now: Plan
    private(set) var next: Plan

    /// What waits for the renewal goes on to wait for it, but for what is changed again.
    init(_ plan: Plan, waiting: Plan?, _ request: MerchantModification) {
        now = plan
        next = waiting ?? plan.changingLines { $0 = $0.afterRenewal }
        for sku in request.touched { restore(sku) }
        for change in request.changed {
            var line = change.item.line
            if change.isImmediate {
                now.replace(change.currentSKU, by: line)
                next.replace(change.currentSKU, by: line.afterRenewal)
            } else {
                line.replaces = change.currentSKU
                next.replace(change.currentSKU, by: line)
            }
        }
        next.lines.removeAll { request.removed.contains($0.sku) }
        if !request.keepsCycle { now.lines.removeAll { request.removed.contains($0.sku) } }
        now.lines += request.added.map(\.line)
        next.lines += request.added.map(\.line.afterRenewal)
        describe(request)
    }

    /// Only those items renew.
    init(_ plan: Plan, keeping skus: [String]?) {
        now = plan
        next = plan.changingLines { $0 = $0.afterRenewal }
        if let skus { next.lines.removeAll { !skus.contains($0.sku) } }
    }

    /// Those items renew as they are, beside what waits for the renewal.
    init(_ plan: Plan, waiting: Plan, restoring skus: [String]) {
        now = plan
        next = waiting
        for sku in skus { restore(sku) }
        // Where everything is as it was nothing waits any more, whichever request was the last.
        let same = plan.changingLines { $0 = $0.afterRenewal }
        if next.renews(as: same) { next = same }
    }

    /// What comes with the renewal; nil where it is what runs.
    var waiting: Plan? { next == now.changingLines { $0 = $0.afterRenewal } ? nil : next }

    /// Takes back what waits for an item.
    private mutating func restore(_ sku: String) {
        guard let line = now.line(sku)?.afterRenewal else { return }
        // What takes its place, or is called so.
        let place =
            next.lines.firstIndex { ($0.replaces ?? $0.sku) == sku }
            ?? next.lines.firstIndex { $0.sku == sku }
        if let place {
            next.lines[place] = line
        } else {
            next.lines.append(line)
        }
    }

    private mutating func describe(_ request: MerchantModification) {
        if let period = request.period {
            next.period = period.value
            if period.isImmediate { now.period = period.value }
        }
        if let texts = request.texts {
            next.merchant?.texts = texts.value
            if texts.isImmediate { now.merchant?.texts = texts.value }
        }
        if let code = request.taxCode {
            next.merchant?.taxCode = code
            now.merchant?.taxCode = code
        }
        let changesNow =
            request.isPaidNow || request.taxCode != nil || request.texts?.isImmediate == true
        next.merchant?.requestID = request.requestID
        if changesNow { now.merchant?.requestID = request.requestID }
    }
}

extension Plan {
    /// The SKUs of the running plan that go on in this one, which waits for the renewal: as what
    /// they are, or as what takes their place.
    var continued: [String] { lines.map { $0.replaces ?? $0.sku } }

    /// Whether two plans renew as the same, whichever requests made them.
    func renews(as other: Plan) -> Bool {
        guard var merchant, let others = other.merchant else { return self == other }
        merchant.requestID = others.requestID
        var plan = self
        plan.merchant = merchant
        plan.lines = other.lines
        return plan == other && lines.count == other.lines.count
            && Set(lines) == Set(other.lines)
    }

    /// Whether an item is called as the whole is, which no customer could tell apart.
    var callsItemAsWhole: Bool {
        guard let merchant else { return false }
        return lines.contains { $0.texts?.displayName == merchant.texts.displayName }
    }

    fileprivate mutating func replace(_ sku: String, by line: Line) {
        guard let place = lines.firstIndex(where: { $0.sku == sku }) else { return }
        lines[place] = line
    }
}
