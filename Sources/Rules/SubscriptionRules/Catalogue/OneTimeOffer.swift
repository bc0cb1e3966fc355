/// A lower price of something that is bought once, for whoever redeems a code: of a consumable, a
/// non-consumable or a non-renewing subscription (COD-6).
public struct OneTimeOffer: Hashable, Sendable {
    /// The groups of customers that may redeem its codes, by what they paid for in the app.
    public enum Audience: String, Hashable, Sendable, CaseIterable {
        /// Nothing ever.
        case nonSpender
        /// Something in the last thirty days.
        case activeSpender
        /// Something, and nothing in the last thirty days.
        case churnedSpender
    }

    /// How many an app can have at a time.
    public static let mostPerApp = 10
    /// The text of `offerDiscountType` (OFF-1).
    public static let mode = "ONE_TIME"
    /// For how long who has paid for something is an active spender.
    static let activity = Span.days(30)

    /// The offer identifier.
    public var id: String
    public var referenceName: String
    /// What it costs with the offer, in milliunits, as a number in every currency; 0 when free.
    public var basePrice: Int64
    /// What it costs in single storefronts, in milliunits, by alpha-3 code.
    public var prices: [String: Int64]
    /// When and where codes can be redeemed.
    public var availability: OfferAvailability
    public var audiences: [Audience]

    public init(
        id: String, referenceName: String = "", basePrice: Int64 = 0,
        prices: [String: Int64] = [:], availability: OfferAvailability = OfferAvailability(),
        audiences: [Audience]
    ) {
        self.id = id
        self.referenceName = referenceName
        self.basePrice = basePrice
        self.prices = prices
        self.availability = availability
        self.audiences = audiences
    }

    /// What one costs with it in a storefront.
    public func price(in storefront: Storefront) -> Money {
        let currency = storefront.currency
        return Money(
            milliunits: prices[storefront.code] ?? currency.rounded(basePrice), currency)
    }

    /// Why a customer cannot have it; nil where it can be had.
    ///
    /// - Parameter lastPaid: when the customer last paid for something in the app; nil for never.
    public func refusal(
        in storefront: Storefront, lastPaid: Instant?, at now: Instant
    ) -> OfferRefusal? {
        guard availability.covers(now, in: storefront.code) else { return .notAvailable }
        return audiences.contains(Audience(lastPaid: lastPaid, at: now)) ? nil : .notAmongSpenders
    }
}

extension OneTimeOffer.Audience {
    /// The one that a customer belongs to.
    public init(lastPaid: Instant?, at now: Instant) {
        guard let lastPaid else {
            self = .nonSpender
            return
        }
        self = now <= lastPaid + OneTimeOffer.activity ? .activeSpender : .churnedSpender
    }
}
