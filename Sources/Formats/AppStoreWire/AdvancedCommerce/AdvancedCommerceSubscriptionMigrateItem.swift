/// An item that an ordinary subscription becomes; its price is the old one.
public struct AdvancedCommerceSubscriptionMigrateItem: WireEncodable, Hashable, Sendable {
    /// The developer's product, at most 128 characters.
    public var sku: String
    /// What the customer sees, at most 30 characters.
    public var displayName: String
    /// What is said of it, at most 45 characters; not shown.
    public var description: String

    /// Makes the value.
    public init(sku: String, displayName: String, description: String) {
        self.sku = sku
        self.displayName = displayName
        self.description = description
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            sku: object.sku(), displayName: object.displayName(),
            description: object.description())
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("displayName", displayName)
            json.field("description", description)
        }
    }
}
