/// Ends a subscription at once and asks for a refund.
public struct AdvancedCommerceSubscriptionRevokeRequest: WireEncodable, Hashable, Sendable {
    /// Which request this is.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// Why.
    public var refundReason: AdvancedCommerceRefundReason
    /// How much is given back: all, or what is unused.
    public var refundType: AdvancedCommerceRefundType
    /// Whether the store may ask for consumption data before it decides.
    public var refundRiskingPreference: Bool
    /// The storefront, in ISO 3166-1 alpha-3.
    public var storefront: String?

    /// Makes the value; what is not given stays absent.
    public init(
        requestInfo: AdvancedCommerceRequestInfo, refundReason: AdvancedCommerceRefundReason,
        refundType: AdvancedCommerceRefundType, refundRiskingPreference: Bool,
        storefront: String? = nil
    ) {
        self.requestInfo = requestInfo
        self.refundReason = refundReason
        self.refundType = refundType
        self.refundRiskingPreference = refundRiskingPreference
        self.storefront = storefront
    }

    /// Reads and checks what can be judged without knowing the store.
    public init(_ json: JSONValue) throws(APIError) {
        try self.init(reading: RequestObject(json))
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            requestInfo: object.requestInfo(), refundReason: object.refundReason(),
            refundType: object.refundType(),
            refundRiskingPreference: object.flag(
                "refundRiskingPreference", or: Refusal.nullRefundRisking),
            storefront: object.storefront())
        try object.require(refundType != .custom, or: Refusal.invalidRefundType)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestInfo", requestInfo)
            json.field("refundReason", refundReason)
            json.field("refundType", refundType)
            json.field("refundRiskingPreference", refundRiskingPreference)
            json.field("storefront", storefront)
        }
    }
}
