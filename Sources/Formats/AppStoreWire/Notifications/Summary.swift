/// The outcome of a mass extension: member `summary` (JWS-5).
public struct Summary: WireEncodable, Decodable, Hashable, Sendable {
    /// The UUID of the request.
    public var requestIdentifier: String
    /// The environment that signed it.
    public var environment: Environment
    /// The app's Apple id; production.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The product extended.
    public var productId: String
    /// The storefronts, alpha-3; absent means all.
    public var storefrontCountryCodes: [String]?
    /// How many were extended.
    public var succeededCount: Int64
    /// How many were not.
    public var failedCount: Int64

    /// Makes a summary; what is not given stays absent.
    public init(
        requestIdentifier: String, environment: Environment, appAppleId: Int64? = nil,
        bundleId: String, productId: String, storefrontCountryCodes: [String]? = nil,
        succeededCount: Int64, failedCount: Int64
    ) {
        self.requestIdentifier = requestIdentifier
        self.environment = environment
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.productId = productId
        self.storefrontCountryCodes = storefrontCountryCodes
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("requestIdentifier", requestIdentifier)
            json.field("environment", environment)
            json.field("appAppleId", appAppleId)
            json.field("bundleId", bundleId)
            json.field("productId", productId)
            json.field("storefrontCountryCodes", storefrontCountryCodes)
            json.field("succeededCount", succeededCount)
            json.field("failedCount", failedCount)
        }
    }
}
