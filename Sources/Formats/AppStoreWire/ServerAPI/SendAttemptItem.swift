/// One attempt to deliver a notification (API-5.16).
public struct SendAttemptItem: WireEncodable, Decodable, Hashable, Sendable {
    /// When, in milliseconds.
    public var attemptDate: Int64
    /// What came of it.
    public var sendAttemptResult: SendAttemptResult

    /// Makes an attempt.
    public init(attemptDate: Int64, sendAttemptResult: SendAttemptResult) {
        self.attemptDate = attemptDate
        self.sendAttemptResult = sendAttemptResult
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("attemptDate", attemptDate)
            json.field("sendAttemptResult", sendAttemptResult)
        }
    }
}
