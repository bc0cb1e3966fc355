/// A price increase of an item (JWS-6), since version 1.19.
public struct AdvancedCommercePriceIncreaseInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// The new price in milliunits.
    public var price: Int64
    /// How far it is.
    public var status: AdvancedCommercePriceIncreaseStatus
    /// Items whose increase depends on this one.
    public var dependentSKUs: [String]?

    /// Makes an increase; what is not given stays absent.
    public init(
        price: Int64, status: AdvancedCommercePriceIncreaseStatus, dependentSKUs: [String]? = nil
    ) {
        self.price = price
        self.status = status
        self.dependentSKUs = dependentSKUs
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("price", price)
            json.field("status", status)
            json.field("dependentSKUs", dependentSKUs)
        }
    }
}
