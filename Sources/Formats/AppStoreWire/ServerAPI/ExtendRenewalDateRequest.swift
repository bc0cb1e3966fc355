/// Body of Extend a Subscription Renewal Date (API-5.12).
public struct ExtendRenewalDateRequest: WireEncodable, Decodable, Hashable, Sendable {
    /// By how many days: 1 to 90.
    public var extendByDays: Int
    /// Why.
    public var extendReasonCode: ExtendReasonCode
    /// A text of at most 128 characters; the same one again is the same request.
    public var requestIdentifier: String

    /// Makes a body.
    public init(extendByDays: Int, extendReasonCode: ExtendReasonCode, requestIdentifier: String) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("extendByDays", extendByDays)
            json.field("extendReasonCode", extendReasonCode)
            json.field("requestIdentifier", requestIdentifier)
        }
    }
}
