/// What a subscription delivers and charges each period: a list of items with one period.
///
/// An ordinary subscription has one item, its product. Prices and offers hang on the item; dates
/// and renewal hang on the subscription.
public struct Plan: Hashable, Sendable {
    /// The store product that is sold.
    public var productID: String
    /// The level of service in its group; 1 is the highest (GRP-3).
    public var level: Int
    /// How long one period lasts.
    public var period: CalendarPeriod
    /// What is delivered; never empty.
    public var items: [Item]
    /// The currency of every price in the plan.
    public var currency: Currency

    public init(
        productID: String, level: Int, period: CalendarPeriod, items: [Item], currency: Currency
    ) {
        precondition(!items.isEmpty, "a plan delivers at least one item")
        self.productID = productID
        self.level = level
        self.period = period
        self.items = items
        self.currency = currency
    }

    /// A plan of one product at one price, the ordinary case.
    public init(productID: String, level: Int, period: CalendarPeriod, price: Money) {
        self.init(
            productID: productID, level: level, period: period,
            items: [Item(sku: productID, price: price.milliunits)], currency: price.currency)
    }

    /// The standard price of one period: what the items cost together.
    public var price: Money {
        Money(milliunits: items.reduce(0) { $0 + $1.price }, currency)
    }

    /// The same plan of one product at another price, in milliunits.
    func repriced(to price: Int64) -> Plan {
        precondition(items.count == 1, "a plan of several items has no single price")
        var plan = self
        plan.items[0].price = price
        return plan
    }

    /// One thing that a plan delivers.
    public struct Item: Hashable, Sendable {
        /// The product identifier, or the merchant's own SKU.
        public var sku: String
        /// What this subscriber pays for it each period, in milliunits, offers aside.
        public var price: Int64

        public init(sku: String, price: Int64) {
            self.sku = sku
            self.price = price
        }
    }
}

/// An offer as it applies to one period of a subscription, and how much of it is left.
public struct AppliedOffer: Hashable, Sendable {
    public var kind: Offer.Kind
    /// The offer identifier; empty for introductory offers.
    public var id: String
    public var mode: Offer.Mode
    /// The length of one discounted period.
    public var period: CalendarPeriod
    /// The whole discounted time, as `offerPeriod` gives it.
    public var wholePeriod: CalendarPeriod
    /// What one discounted period costs, in milliunits of the plan's currency.
    public var price: Int64
    /// How many discounted periods follow the one it is applied to.
    public var periodsLeft: Int

    public init(
        kind: Offer.Kind, id: String, mode: Offer.Mode, period: CalendarPeriod,
        wholePeriod: CalendarPeriod, price: Int64, periodsLeft: Int
    ) {
        self.kind = kind
        self.id = id
        self.mode = mode
        self.period = period
        self.wholePeriod = wholePeriod
        self.price = price
        self.periodsLeft = periodsLeft
    }

    /// An offer applied to its first period.
    public init(_ offer: Offer, in currency: Currency) {
        self.init(
            kind: offer.kind, id: offer.id, mode: offer.mode, period: offer.period,
            wholePeriod: offer.wholePeriod, price: offer.price(in: currency).milliunits,
            periodsLeft: offer.periodCount - 1)
    }

    /// How long the period lasts that it applies to: the whole length of a free trial or of an
    /// offer paid up front, one discounted period otherwise (CAL-12).
    public var runningLength: CalendarPeriod {
        switch mode {
        case .freeTrial, .payUpFront: wholePeriod
        case .payAsYouGo: period
        }
    }

    /// The same offer in the period after this one, or nil when it is used up.
    public var next: AppliedOffer? {
        guard periodsLeft > 0 else { return nil }
        var later = self
        later.periodsLeft -= 1
        return later
    }
}
