/// An item that is added to a subscription, at once.
public struct AdvancedCommerceSubscriptionModifyAddItem: WireEncodable, Hashable, Sendable {
    /// The developer's product, at most 128 characters.
    public var sku: String
    /// What the customer sees, at most 30 characters.
    public var displayName: String
    /// What is said of it, at most 45 characters; not shown.
    public var description: String
    /// In milliunits.
    public var price: Int64
    /// The offer that is given with it.
    public var offer: AdvancedCommerceOffer?
    /// What is charged at once for the rest of the period, in milliunits.
    public var proratedPrice: Int64?

    /// Makes the value; what is not given stays absent.
    public init(
        sku: String, displayName: String, description: String, price: Int64,
        offer: AdvancedCommerceOffer? = nil, proratedPrice: Int64? = nil
    ) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
        self.offer = offer
        self.proratedPrice = proratedPrice
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            sku: object.sku(), displayName: object.displayName(),
            description: object.description(), price: object.price())
        offer = try object.offer(itemPrice: price)
        proratedPrice = try object.proratedPrice(of: price)
        try object.require(
            offer == nil || proratedPrice == nil, or: Refusal.multiplePrices)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
            json.field("price", price)
            json.field("offer", offer)
            json.field("proratedPrice", proratedPrice)
        }
    }
}
