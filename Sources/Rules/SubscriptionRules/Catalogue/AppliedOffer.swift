/// An offer as it applies to one period of a line, and how much of it is left.
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
    public init(_ offer: Offer, in storefront: Storefront) {
        self.init(
            kind: offer.kind, id: offer.id, mode: offer.mode, period: offer.period,
            wholePeriod: offer.wholePeriod, price: offer.price(in: storefront).milliunits,
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

/// That an offer was taken up, which decides about the next one (TAB-5.2, INT-2).
public struct OfferUse: Hashable, Sendable {
    public let kind: Offer.Kind
    /// The offer identifier; empty for introductory offers.
    public let id: String
    /// When its first period was paid for.
    public let at: Instant

    public init(kind: Offer.Kind, id: String, at: Instant) {
        self.kind = kind
        self.id = id
        self.at = at
    }
}
