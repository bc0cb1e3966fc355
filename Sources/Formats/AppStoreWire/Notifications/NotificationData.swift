/// App and subscription of a notification: member `data` (JWS-5).
public struct NotificationData: WireEncodable, Decodable, Hashable, Sendable {
    /// The app's Apple id; production.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: String
    /// The app's version, when known.
    public var bundleVersion: String?
    /// The environment that signed it.
    public var environment: Environment
    /// The signed transaction; in all types except TEST.
    public var signedTransactionInfo: String?
    /// The signed renewal information; auto-renewable subscriptions only.
    public var signedRenewalInfo: String?
    /// The state at signing; auto-renewable subscriptions only.
    public var status: Status?
    /// Why a refund is asked for; CONSUMPTION_REQUEST.
    public var consumptionRequestReason: ConsumptionRequestReason?

    /// Makes the data; what is not given stays absent.
    public init(
        appAppleId: Int64? = nil, bundleId: String, bundleVersion: String? = nil,
        environment: Environment, signedTransactionInfo: String? = nil,
        signedRenewalInfo: String? = nil, status: Status? = nil,
        consumptionRequestReason: ConsumptionRequestReason? = nil
    ) {
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.bundleVersion = bundleVersion
        self.environment = environment
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
        self.status = status
        self.consumptionRequestReason = consumptionRequestReason
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("appAppleId", appAppleId)
            json.field("bundleId", bundleId)
            json.field("bundleVersion", bundleVersion)
            json.field("environment", environment)
            json.field("signedTransactionInfo", signedTransactionInfo)
            json.field("signedRenewalInfo", signedRenewalInfo)
            json.field("status", status)
            json.field("consumptionRequestReason", consumptionRequestReason)
        }
    }
}
