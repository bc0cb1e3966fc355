import AppStoreWire
public import SubscriptionRules

/// Why a call of the App Store Server API failed.
public struct ServerAPIError: Error, Sendable, Hashable {
    /// What failed.
    public enum Kind: String, Sendable, Hashable {
        /// The server answered with an error: ``ServerAPIError/status`` and, where it gives one,
        /// ``ServerAPIError/errorCode`` say which.
        case refused
        /// The server did not answer in time; it may have done what was asked.
        case timedOut
        /// There was no connection, or it broke; the server may have done what was asked.
        case connectionLost
        /// The answer is not one that the API documents.
        case unreadableReply
        /// The request cannot be sent as it is: the URL, a value in the path, or the key is wrong.
        case unusableRequest
        /// The task was cancelled.
        case cancelled
    }

    public let kind: Kind
    /// The HTTP status of the answer; nil without one.
    public let status: Int?
    /// Apple's number of the error, such as 4040010; nil where the answer has none, as with 401.
    public let errorCode: Int64?
    /// What the server says about it, or what went wrong without an answer: for people.
    public let errorMessage: String?
    /// The moment before which the server takes no such request, where it names one.
    public let retryAfter: Instant?

    init(
        _ kind: Kind, status: Int? = nil, errorCode: Int64? = nil, _ errorMessage: String? = nil,
        retryAfter: Instant? = nil
    ) {
        self.kind = kind
        self.status = status
        self.errorCode = errorCode
        self.errorMessage = errorMessage
        self.retryAfter = retryAfter
    }

    /// Reads an answer whose status is not 2xx.
    init(_ answer: APIAnswer) {
        let body = try? JSONValue(parsing: answer.body)
        // A moment in UNIX milliseconds. Seconds or a date are no words of Apple's (API-3).
        var moment = answer.retryAfter.flatMap { Int64($0) }.map(Instant.init(milliseconds:))
        if let named = moment, named < Instant.earliest || named >= Instant.latest { moment = nil }
        self.init(
            .refused, status: answer.status, errorCode: body?["errorCode"]?.integer,
            body?["errorMessage"]?.string, retryAfter: moment)
    }

    /// Whether the same request may succeed later: a code that Apple calls retryable, 429, 503, a
    /// connection that broke, no answer in time. Every call may be repeated: the second time
    /// changes nothing, or no more than a second test notification.
    public var canBeRetried: Bool {
        switch kind {
        case .timedOut, .connectionLost: true
        case .refused:
            status == 429 || status == 503
                || errorCode.map { APIError.all[$0]?.isRetryable ?? false } ?? false
        case .unreadableReply, .unusableRequest, .cancelled: false
        }
    }
}

extension ServerAPIError: CustomStringConvertible {
    /// What happened, in one sentence, for logs.
    public var description: String {
        let detail = errorMessage.map { ": \($0)" } ?? "."
        return switch kind {
        case .refused:
            "The server answered \(status ?? 0)"
                + (errorCode.map { " with error \($0)" } ?? "") + detail
        case .timedOut: "The server did not answer in time" + detail
        case .connectionLost: "There is no connection to the server" + detail
        case .unreadableReply: "The server's answer cannot be read" + detail
        case .unusableRequest: "The request cannot be sent" + detail
        case .cancelled: "The call was cancelled" + detail
        }
    }
}
