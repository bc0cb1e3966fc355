/// One item of an Advanced Commerce transaction (JWS-6).
public struct AdvancedCommerceTransactionItem: WireEncodable, Decodable, Hashable, Sendable {
    /// The developer's product.
    public var sku: String
    /// What the customer sees.
    public var displayName: String
    /// What the customer reads about it.
    public var description: String
    /// The price in milliunits, before the offer.
    public var price: Int64
    /// The offer applied.
    public var offer: AdvancedCommerceOffer?
    /// What was refunded.
    public var refunds: [AdvancedCommerceRefund]?
    /// When it was revoked, in milliseconds.
    public var revocationDate: Int64?

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case displayName, description, price, offer, refunds, revocationDate
    }

    /// Makes an item; what is not given stays absent.
    public init(
        sku: String, displayName: String, description: String, price: Int64,
        offer: AdvancedCommerceOffer? = nil, refunds: [AdvancedCommerceRefund]? = nil,
        revocationDate: Int64? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.refunds = refunds
        self.revocationDate = revocationDate
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
            json.field("price", price)
            json.field("offer", offer)
            json.field("refunds", refunds)
            json.field("revocationDate", revocationDate)
        }
    }
}
