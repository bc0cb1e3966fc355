import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks a store over HTTP, by the system's `URLSession`: no package comes along for it.
public final class HTTPTransport: StoreTransport {
    private let base: String
    private let exchanges = HTTPExchanges()
    /// Nil once it was closed: a session that ended traps where a task is asked of it.
    private let session: Mutex<URLSession?>

    /// - Parameter url: the store's address without a path, such as `http://127.0.0.1:8081`.
    public init(url: String) {
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // Calls that wait for changes hold a connection each.
        configuration.httpMaximumConnectionsPerHost = 32
        session = Mutex(
            URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil))
    }

    public func send(_ request: StoreRequest) async throws -> StoreResponse {
        let message = try message(for: request)
        return try await Self.within(request.timeout) { [self] in
            guard let task = session.withLock({ $0?.dataTask(with: message) }) else {
                throw TransportFailure.unreachable("the transport was closed")
            }
            return try await exchanges.answer(to: task)
        }
    }

    private func message(for request: StoreRequest) throws -> URLRequest {
        guard let address = URL(string: base), let host = address.host(), !host.isEmpty,
            ["http", "https"].contains(address.scheme ?? ""),
            let url = URL(string: base + request.path)
        else { throw TransportFailure.unreachable("\(base) is no address of HTTP") }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        // Silence ends here later than an answer's time does, which counts.
        message.timeoutInterval = Double(request.timeout.components.seconds) + 10
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        if let body = request.body { message.httpBody = Data(body) }
        return message
    }

    /// Does something in a time. The session's own timeout begins anew with each piece of an
    /// answer.
    private static func within(
        _ time: Duration, _ body: @escaping @Sendable () async throws -> StoreResponse
    ) async throws -> StoreResponse {
        try await withThrowingTaskGroup { group in
            group.addTask(operation: body)
            group.addTask {
                try await MachineClock().wait(time)
                throw TransportFailure.timedOut
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() else {
                preconditionFailure("two tasks came to nothing")
            }
            return response
        }
    }

    deinit { end() }

    public func close() async { end() }

    /// The system keeps a session until it is told to let go of it.
    private func end() {
        let ended = session.withLock { session in
            defer { session = nil }
            return session
        }
        ended?.invalidateAndCancel()
        exchanges.endAll()
    }
}
