import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The requests of one `HTTPTransport` that are under way, with what has come of their answers.
final class HTTPExchanges: NSObject, URLSessionDataDelegate {
    private typealias Continuation = CheckedContinuation<StoreResponse, any Error>

    private enum Exchange {
        case waiting(Continuation)
        /// It was cancelled before anybody waited.
        case cancelled
    }

    private struct State {
        var exchanges: [Int: Exchange] = [:]
        var bodies: [Int: [UInt8]] = [:]
    }

    private let state = Mutex(State())

    /// The largest answer that is read, in bytes.
    private static let mostBytes = 16 << 20

    /// Sends a request and reads its whole answer, however long that takes.
    func answer(to task: URLSessionDataTask) async throws -> StoreResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if begin(task, continuation) {
                    task.resume()
                } else {
                    continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            cancel(task)
        }
    }

    private func begin(_ task: URLSessionTask, _ continuation: Continuation) -> Bool {
        state.withLock { state in
            let id = task.taskIdentifier
            guard state.exchanges[id] == nil else {
                state.exchanges[id] = nil
                return false
            }
            state.exchanges[id] = .waiting(continuation)
            return true
        }
    }

    private func cancel(_ task: URLSessionTask) {
        let id = task.taskIdentifier
        let waiting = state.withLock { state -> Continuation? in
            guard case .waiting(let continuation)? = state.exchanges[id] else {
                state.exchanges[id] = .cancelled
                return nil
            }
            state.exchanges[id] = nil
            state.bodies[id] = nil
            return continuation
        }
        task.cancel()
        waiting?.resume(throwing: CancellationError())
    }

    /// Ends whatever is under way.
    func endAll() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return Array(state.exchanges.values)
        }
        for case .waiting(let continuation) in waiting {
            continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: What the system says

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @Sendable @escaping (URLRequest?) -> Void
    ) {
        // A redirect would carry the token of the sign-in to wherever it leads.
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let tooLarge = state.withLock { state -> Continuation? in
            guard case .waiting(let continuation)? = state.exchanges[id] else { return nil }
            state.bodies[id, default: []].append(contentsOf: data)
            guard state.bodies[id, default: []].count > Self.mostBytes else { return nil }
            state.exchanges[id] = nil
            state.bodies[id] = nil
            return continuation
        }
        guard let tooLarge else { return }
        dataTask.cancel()
        tooLarge.resume(
            throwing: TransportFailure.garbage("it is larger than \(Self.mostBytes) bytes"))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let id = task.taskIdentifier
        let (waiting, body) = state.withLock { state -> (Continuation?, [UInt8]) in
            let body = state.bodies.removeValue(forKey: id) ?? []
            guard case .waiting(let continuation)? = state.exchanges[id] else { return (nil, body) }
            state.exchanges[id] = nil
            return (continuation, body)
        }
        guard let waiting else { return }
        if let error {
            waiting.resume(throwing: Self.failure(error))
        } else if let response = Self.response(task.response, body) {
            waiting.resume(returning: response)
        } else {
            waiting.resume(throwing: TransportFailure.interrupted("no status of HTTP came"))
        }
    }

    // MARK: What comes of it

    private static func response(_ response: URLResponse?, _ body: [UInt8]) -> StoreResponse? {
        guard let response = response as? HTTPURLResponse,
            (200...999).contains(response.statusCode)
        else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            headers["\(name)".lowercased()] = "\(value)"
        }
        return StoreResponse(status: response.statusCode, headers: headers, body: body)
    }

    private static func failure(_ error: any Error) -> any Error {
        guard let code = (error as? URLError)?.code else {
            return TransportFailure.interrupted("\(type(of: error))")
        }
        switch code {
        case .cancelled: return CancellationError()
        case .timedOut: return TransportFailure.timedOut
        case .dataLengthExceedsMaximum: return TransportFailure.garbage("it is too large")
        case .badURL, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
            .notConnectedToInternet, .secureConnectionFailed, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            return TransportFailure.unreachable("error \(code.rawValue) of the system")
        default: return TransportFailure.interrupted("error \(code.rawValue) of the system")
        }
    }
}
