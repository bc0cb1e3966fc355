/// Body of Set App Account Token (API-5.5).
public struct UpdateAppAccountTokenRequest: WireEncodable, Decodable, Hashable, Sendable {
    /// The developer's UUID for the customer.
    public var appAccountToken: String

    /// Makes a body.
    public init(appAccountToken: String) {
        self.appAccountToken = appAccountToken
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("appAccountToken", appAccountToken)
        }
    }
}
