/// Body of Extend for All Active Subscribers (API-5.13).
public struct MassExtendRenewalDateRequest: WireEncodable, Decodable, Hashable, Sendable {
    /// A UUID; the same one again is the same request.
    public var requestIdentifier: String
    /// By how many days: 1 to 90.
    public var extendByDays: Int
    /// Why.
    public var extendReasonCode: ExtendReasonCode
    /// The product whose subscribers are extended.
    public var productId: String
    /// Codes of three letters (ISO 3166-1), at least one; absent for all storefronts.
    public var storefrontCountryCodes: [String]?

    /// Makes a body; what is not given stays absent.
    public init(
        requestIdentifier: String, extendByDays: Int, extendReasonCode: ExtendReasonCode,
        productId: String, storefrontCountryCodes: [String]? = nil
    ) {
        self.requestIdentifier = requestIdentifier
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.productId = productId
        self.storefrontCountryCodes = storefrontCountryCodes
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestIdentifier", requestIdentifier)
            json.field("extendByDays", extendByDays)
            json.field("extendReasonCode", extendReasonCode)
            json.field("productId", productId)
            json.field("storefrontCountryCodes", storefrontCountryCodes)
        }
    }
}
