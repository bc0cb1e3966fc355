/// The app of a notification without a purchase: member `appData` (JWS-5).
public struct AppData: WireEncodable, Decodable, Hashable, Sendable {
    /// The app's Apple id; production.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The environment that signed it.
    public var environment: Environment
    /// The signed ``AppTransaction``.
    public var signedAppTransactionInfo: String

    /// Makes the data; what is not given stays absent.
    public init(
        appAppleId: Int64? = nil, bundleId: String, environment: Environment,
        signedAppTransactionInfo: String
    ) {
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.environment = environment
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("appAppleId", appAppleId)
            json.field("bundleId", bundleId)
            json.field("environment", environment)
            json.field("signedAppTransactionInfo", signedAppTransactionInfo)
        }
    }
}
