/// One notification of the history (API-5.17).
public struct NotificationHistoryResponseItem: WireEncodable, Decodable, Hashable, Sendable {
    /// The payload as it was sent.
    public var signedPayload: String
    /// At most 6 attempts.
    public var sendAttempts: [SendAttemptItem]
    /// What came of the first attempt; deprecated.
    public var firstSendAttemptResult: SendAttemptResult?

    /// Makes an entry; what is not given stays absent.
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
