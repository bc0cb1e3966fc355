/// One item of the next period (JWS-6).
public struct AdvancedCommerceRenewalItem: WireEncodable, Decodable, Hashable, Sendable {
    /// The developer's product.
    public var sku: String
    /// What the customer sees.
    public var displayName: String
    /// What the customer reads about it.
    public var description: String
    /// The price in milliunits, before the offer.
    public var price: Int64
    /// The offer of the next period.
    public var offer: AdvancedCommerceOffer?
    /// A price increase to come (since version 1.19).
    public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    private enum CodingKeys: String, CodingKey {
        case sku = "SKU"
        case displayName, description, price, offer, priceIncreaseInfo
    }

    /// Makes an item; what is not given stays absent.
    public init(
        sku: String, displayName: String, description: String, price: Int64,
        offer: AdvancedCommerceOffer? = nil,
        priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.priceIncreaseInfo = priceIncreaseInfo
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
            json.field("price", price)
            json.field("offer", offer)
            json.field("priceIncreaseInfo", priceIncreaseInfo)
        }
    }
}
