/// An item that is to renew again.
public struct AdvancedCommerceSubscriptionReactivateItem: WireEncodable, Hashable, Sendable {
    /// The developer's product, at most 128 characters.
    public var sku: String

    /// Makes the value.
    public init(sku: String) {
        self.sku = sku
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(sku: object.sku())
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
        }
    }
}
