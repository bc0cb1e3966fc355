/// What came of one attempt to deliver a notification (API-5.16).
public struct SendAttemptResult: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Status 200 to 206.
    public static let success = SendAttemptResult(rawValue: "SUCCESS")
    /// No reply in time.
    public static let timedOut = SendAttemptResult(rawValue: "TIMED_OUT")
    /// Handshake or certificate failure.
    public static let tlsIssue = SendAttemptResult(rawValue: "TLS_ISSUE")
    /// A redirect loop.
    public static let circularRedirect = SendAttemptResult(rawValue: "CIRCULAR_REDIRECT")
    /// Connected, no valid HTTP reply.
    public static let noResponse = SendAttemptResult(rawValue: "NO_RESPONSE")
    /// A network error.
    public static let socketIssue = SendAttemptResult(rawValue: "SOCKET_ISSUE")
    /// The reply's charset is unknown.
    public static let unsupportedCharset = SendAttemptResult(rawValue: "UNSUPPORTED_CHARSET")
    /// The reply could not be parsed.
    public static let invalidResponse = SendAttemptResult(rawValue: "INVALID_RESPONSE")
    /// The connection closed while sending.
    public static let prematureClose = SendAttemptResult(rawValue: "PREMATURE_CLOSE")
    /// Any other status.
    public static let unsuccessfulHTTPResponseCode = SendAttemptResult(
        rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    /// Anything else.
    public static let other = SendAttemptResult(rawValue: "OTHER")

    /// The published values, in the order of the reference.
    public static let known: [SendAttemptResult] = [
        .success, .timedOut, .tlsIssue, .circularRedirect, .noResponse, .socketIssue,
        .unsupportedCharset, .invalidResponse, .prematureClose, .unsuccessfulHTTPResponseCode,
        .other,
    ]
}
