/// Another price of an item, from a renewal on.
public struct AdvancedCommerceSubscriptionPriceChangeItem: WireEncodable, Hashable, Sendable {
    /// The developer's product, at most 128 characters.
    public var sku: String
    /// In milliunits.
    public var price: Int64
    /// Items that end where the increase of this one is refused or not answered.
    public var dependentSKUs: [String]?

    /// Makes the value; what is not given stays absent.
    public init(sku: String, price: Int64, dependentSKUs: [String]? = nil) {
        self.sku = sku
        self.price = price
        self.dependentSKUs = dependentSKUs
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            sku: object.sku(), price: object.price(), dependentSKUs: object.dependentSKUs())
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("price", price)
            json.field("dependentSKUs", dependentSKUs)
        }
    }
}
