/// An in-app request: lets a subscription renew again whose renewal is off.
public struct AdvancedCommerceSubscriptionReactivateInAppRequest: WireEncodable, Hashable, Sendable
{
    /// Any transaction of the subscription.
    public var transactionId: String
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The items that are to renew; absent for all.
    public var items: [AdvancedCommerceSubscriptionReactivateItem]?
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?

    /// Makes the value; what is not given stays absent.
    public init(
        transactionId: String, requestInfo: AdvancedCommerceRequestInfo,
        items: [AdvancedCommerceSubscriptionReactivateItem]? = nil, storefront: String? = nil
    ) {
        self.transactionId = transactionId
        self.requestInfo = requestInfo
        self.items = items
        self.storefront = storefront
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        let info = try object.header(Self.operation)
        try self.init(
            transactionId: object.transactionID(), requestInfo: info,
            items: object.items("items", AdvancedCommerceSubscriptionReactivateItem.init(reading:)),
            storefront: object.storefront())
        try object.requireOnce(items?.map(\.sku) ?? [])
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("operation", Self.operation)
            json.field("version", "1")
            json.field("transactionId", transactionId)
            json.field("requestInfo", requestInfo)
            json.field("items", items)
            json.field("storefront", storefront)
        }
    }

    /// The operation's name on the wire.
    public static let operation = "REACTIVATE_SUBSCRIPTION"
}
