/// An offer on an Advanced Commerce item (JWS-6).
public struct AdvancedCommerceOffer: WireEncodable, Decodable, Hashable, Sendable {
    /// The length of one offer period.
    public var period: AdvancedCommerceOfferPeriod?
    /// How many of them.
    public var periodCount: Int
    /// The price in milliunits, in place of the item's.
    public var price: Int64
    /// Why it is given.
    public var reason: AdvancedCommerceOfferReason

    /// Makes an offer; what is not given stays absent.
    public init(
        period: AdvancedCommerceOfferPeriod? = nil, periodCount: Int, price: Int64,
        reason: AdvancedCommerceOfferReason
    ) {
        self.period = period
        self.periodCount = periodCount
        self.price = price
        self.reason = reason
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("period", period)
            json.field("periodCount", periodCount)
            json.field("price", price)
            json.field("reason", reason)
        }
    }
}
