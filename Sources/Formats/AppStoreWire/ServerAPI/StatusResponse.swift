/// Reply of Get All Subscription Statuses (API-5.3).
public struct StatusResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The environment asked.
    public var environment: Environment
    /// The app.
    public var bundleId: String
    /// The app's Apple id; normally absent in sandbox.
    public var appAppleId: Int64?
    /// One entry per subscription group.
    public var data: [SubscriptionGroupIdentifierItem]

    /// Makes a reply; what is not given stays absent.
    public init(
        environment: Environment, bundleId: String, appAppleId: Int64? = nil,
        data: [SubscriptionGroupIdentifierItem]
    ) {
        self.environment = environment
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.data = data
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("environment", environment)
            json.field("bundleId", bundleId)
            json.field("appAppleId", appAppleId)
            json.field("data", data)
        }
    }
}
