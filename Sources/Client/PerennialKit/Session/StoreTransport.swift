/// Carries requests to a store: HTTP (``HTTPTransport``), or whatever a test wants.
public protocol StoreTransport: Sendable {
    /// Sends one request, once.
    ///
    /// - Throws: ``TransportFailure`` where there is no whole answer; any other error counts as
    ///   ``TransportFailure/interrupted(_:)``.
    func send(_ request: StoreRequest) async throws -> StoreResponse

    /// Lets go of all connections.
    func close() async
}

/// A request to a store.
public struct StoreRequest: Sendable, Hashable {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    public let method: String
    /// Path and query, percent-encoded, from `/storefront/v1` on.
    public let path: String
    /// Names as they are sent: `Authorization`, `Idempotency-Key`, `Content-Type`.
    public let headers: [String: String]
    /// JSON; nil where nothing is sent.
    public let body: [UInt8]?
    /// How long the whole answer may take.
    public let timeout: Duration

    public init(
        method: String, path: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: Duration = .seconds(15)
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// What a store answered.
public struct StoreResponse: Sendable, Hashable {
    /// The status code of HTTP.
    public let status: Int
    /// Their names are in lower case.
    public let headers: [String: String]
    public let body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no answer.
public enum TransportFailure: Error, Sendable, Hashable {
    /// Nobody was there: nothing was sent.
    case unreachable(String)
    /// It took too long; the store may have acted.
    case timedOut
    /// The connection broke; the store may have acted.
    case interrupted(String)
    /// What came is no HTTP, or too large; the store may have acted.
    case garbage(String)
}

extension TransportFailure: CustomStringConvertible {
    /// What happened, in one sentence.
    public var description: String {
        switch self {
        case .unreachable(let reason): "The store cannot be reached (\(reason))."
        case .timedOut: "The store took too long to answer."
        case .interrupted(let reason): "The connection to the store broke (\(reason))."
        case .garbage(let reason): "What came from the store is no answer (\(reason))."
        }
    }
}
