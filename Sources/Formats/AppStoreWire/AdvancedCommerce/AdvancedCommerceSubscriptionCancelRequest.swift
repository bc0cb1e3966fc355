/// Turns a subscription's renewal off; access goes on until the period ends.
public struct AdvancedCommerceSubscriptionCancelRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?

    /// Makes the value; what is not given stays absent.
    public init(requestInfo: AdvancedCommerceRequestInfo, storefront: String? = nil) {
        self.requestInfo = requestInfo
        self.storefront = storefront
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(requestInfo: object.requestInfo(), storefront: object.storefront())
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestInfo", requestInfo)
            json.field("storefront", storefront)
        }
    }
}
