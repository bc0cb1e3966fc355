/// What a one-time charge is for.
public struct AdvancedCommerceOneTimeChargeItem: WireEncodable, Hashable, Sendable {
    /// The developer's product, at most 128 characters.
    public var sku: String
    /// What the customer sees, at most 30 characters.
    public var displayName: String
    /// What is said of it, at most 45 characters; not shown.
    public var description: String
    /// In milliunits.
    public var price: Int64

    /// Makes the value.
    public init(sku: String, displayName: String, description: String, price: Int64) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
        self.price = price
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            sku: object.sku(), displayName: object.displayName(),
            description: object.description(), price: object.price())
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
            json.field("price", price)
        }
    }
}
