/// Reply of Get Test Notification Status (API-5.16).
public struct CheckTestNotificationResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The signed TEST notification.
    public var signedPayload: String
    /// At most 6 attempts.
    public var sendAttempts: [SendAttemptItem]
    /// What came of the first attempt; deprecated.
    public var firstSendAttemptResult: SendAttemptResult?

    /// Makes a reply; what is not given stays absent.
    public init(
        signedPayload: String, sendAttempts: [SendAttemptItem],
        firstSendAttemptResult: SendAttemptResult? = nil
    ) {
        self.signedPayload = signedPayload
        self.sendAttempts = sendAttempts
        self.firstSendAttemptResult = firstSendAttemptResult
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("signedPayload", signedPayload)
            json.field("sendAttempts", sendAttempts)
            json.field("firstSendAttemptResult", firstSendAttemptResult)
        }
    }
}
