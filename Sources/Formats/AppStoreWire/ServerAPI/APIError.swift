/// An error reply of the App Store Server API (API-3 and API-7).
///
/// Callers branch on the code; the message is for people and may change.
public struct APIError: Error, Sendable, Hashable {
    /// Seven digits, of which the first three are the HTTP status: `errorCode` on the wire.
    public let code: Int64
    /// Apple's name of the error, without the trailing `Error`; not on the wire.
    public let name: String
    /// What is wrong and what to do: `errorMessage` on the wire.
    public let message: String

    /// The HTTP status of the reply.
    public var status: Int { Int(code / 10_000) }

    /// Makes an error of a code that has no constant here (other surfaces have codes of their own).
    public init(code: Int64, name: String, message: String) {
        self.code = code
        self.name = name
        self.message = message
    }

    init(_ code: Int64, _ name: String, _ message: String) {
        self.init(code: code, name: name, message: message)
    }

    /// The same error with words that fit the case at hand better.
    public func saying(_ message: String) -> APIError {
        APIError(code: code, name: name, message: message)
    }

    /// Whether Apple calls it retryable: the same request may succeed later (API-3).
    public var isRetryable: Bool {
        let retryable: [APIError] = [
            .accountNotFoundRetryable, .appNotFoundRetryable,
            .originalTransactionIdNotFoundRetryable, .generalInternalRetryable,
            .rateLimitExceeded,
        ]
        return retryable.contains { $0.code == code }
    }

    /// Every error of API-7, by code.
    public static let all: [Int64: APIError] = Dictionary(
        uniqueKeysWithValues: (requestErrors + dataErrors + forbiddenErrors + notFoundErrors)
            .map { ($0.code, $0) })
}

extension APIError: WireEncodable {
    /// Writes `errorCode` and `errorMessage` and nothing else: one more member and Apple's Java
    /// client loses the code (LIB-2).
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("errorCode", code)
            json.field("errorMessage", message)
        }
    }
}

extension APIError: CustomStringConvertible {
    /// Code, name and message in one line, for logs.
    public var description: String { "\(code) \(name): \(message)" }
}
