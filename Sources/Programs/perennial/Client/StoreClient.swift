import AppStoreWire
import AsyncHTTPClient
import ConnectAnswers
import NIOCore
import NIOHTTP1

/// Asks a running store.
struct StoreClient: Sendable {
    let address: StoreAddress
    /// The app that was named on the command line.
    let bundleID: String?
    /// The names that a command was given, for those that it proposes.
    private(set) var names: [Remedies.Name: String] = [:]
    /// Whether only JSON is wanted, so that nothing is said in words on the way.
    let isSilent: Bool
    /// Whether a change is over only when the notifications that it caused were tried.
    private let waits: Bool

    /// How many seconds a change waits for that.
    static let usualWait = 10

    /// - Parameter patience: for how long an answer is waited for. Moving a clock by years may take
    ///   long; nothing else does.
    init(
        _ address: StoreAddress, bundleID: String? = nil, isSilent: Bool = true,
        waits: Bool = true, patience: TimeAmount = .hours(24)
    ) {
        self.address = address
        self.patience = patience
        self.bundleID = bundleID
        self.isSilent = isSilent
        self.waits = waits
    }

    /// The same for something about names that no path holds.
    func naming(_ names: [Remedies.Name: String?]) -> StoreClient {
        var named = self
        named.names.merge(names.compactMapValues(\.self)) { _, new in new }
        return named
    }

    private let patience: TimeAmount
    private static let largestAnswer = 256 * 1024 * 1024

    /// Never shut down: it lives as long as the process. The library's shared one tries for a
    /// minute and a half where nobody listens.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Reads something as the operator.
    func get(_ path: StorePath) async throws -> Answer {
        try await ask(.GET, path, nil, token: address.operatorToken)
    }

    /// Changes something as the operator; `body` writes the members of the request.
    func send(
        _ method: HTTPMethod, _ path: StorePath, _ body: (inout JSONWriter) -> Void
    ) async throws -> Answer {
        try await ask(method, path, Self.members(body), token: address.operatorToken)
    }

    /// Does something as the operator that takes no members.
    func send(_ method: HTTPMethod, _ path: StorePath) async throws -> Answer {
        try await ask(method, path, nil, token: address.operatorToken)
    }

    /// Reads something that is no JSON as the operator.
    func text(_ path: StorePath) async throws -> String {
        let (status, bytes) = try await fetch(.GET, path, nil, token: address.operatorToken)
        guard (200..<300).contains(status.code) else {
            throw refusal(status, try? JSONValue(parsing: bytes), source: "GET \(path.text)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Asks with a token.
    ///
    /// - Parameter body: the request's JSON, if it has any.
    /// - Throws: `Failure`: unreachable where nothing answers, refused where the store says no.
    func ask(
        _ method: HTTPMethod, _ path: StorePath, _ body: [UInt8]?, token: String?
    ) async throws -> Answer {
        let (status, bytes) = try await fetch(method, path, body, token: token)
        let source = "\(method.rawValue) \(path.text)"
        let value = bytes.isEmpty ? .object([:]) : try? JSONValue(parsing: bytes)
        guard (200..<300).contains(status.code) else {
            throw await explained(refusal(status, value, source: source), path)
        }
        guard let value else { throw notAStore(status) }
        return Answer(value: value, source: source)
    }

    /// Asks with a token, whatever is answered.
    func fetch(
        _ method: HTTPMethod, _ path: StorePath, _ body: [UInt8]?, token: String?
    ) async throws -> (HTTPResponseStatus, [UInt8]) {
        var request = HTTPClientRequest(url: address.url + path.text)
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        if waits, method != .GET {
            request.headers.add(name: "Prefer", value: "wait=\(Self.usualWait)")
        }
        return try await execute(request)
    }

    /// An object as JSON.
    static func members(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(write)
        return json.bytes
    }

    private func execute(
        _ request: HTTPClientRequest
    ) async throws -> (HTTPResponseStatus, [UInt8]) {
        do {
            let response = try await Self.http.execute(request, timeout: patience)
            let body = try await response.body.collect(upTo: Self.largestAnswer)
            if request.headers.contains(name: "Prefer"), (200..<300).contains(response.status.code),
                !response.headers.contains(name: "Preference-Applied")
            {
                Output.complain(
                    "Not every notification was tried within \(Self.usualWait) seconds: "
                        + "`perennial notifications` shows which wait.")
            }
            return (response.status, Array(body.readableBytesView))
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Failure.unreachable(
                "No store answers at \(address.url) (\(Self.reason(error))); start one with "
                    + "`perennial serve`, or say where it is with --ready or --url.")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? HTTPClientError else {
            return "\(error)".contains("refused") ? "connection refused" : "connection failed"
        }
        switch error {
        case .connectTimeout, .deadlineExceeded, .readTimeout: return "it takes too long"
        case .remoteConnectionClosed: return "it closed the connection"
        case .invalidURL, .emptyHost, .emptyScheme: return "this is no URL"
        default: return "the connection failed"
        }
    }

    func notAStore(_ status: HTTPResponseStatus) -> Failure {
        .unreachable(
            "What answers at \(address.url) is no Perennial store (status \(status.code)); say "
                + "where one is with --ready or --url.")
    }

    private func refusal(
        _ status: HTTPResponseStatus, _ value: JSONValue?, source: String
    ) -> Failure {
        guard let value, value["error"] != nil else { return notAStore(status) }
        let answer = Answer(value: value, source: source)
        return Refusal.failure(
            status, code: answer.optionalText("error") ?? "",
            message: answer.optionalText("message") ?? "The store refuses \(source).",
            problem: answer.optionalText("problem"), member: answer.optionalText("field"),
            answer.appleError)
    }
}

extension Answer {
    /// The error of Apple's that a refusal names; nil where it names none.
    fileprivate var appleError: APIError? {
        guard let code = optionalInteger("errorCode") else { return nil }
        return APIError(
            code: code, name: optionalText("errorName") ?? "",
            message: optionalText("message") ?? "")
    }
}
