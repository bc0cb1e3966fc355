import AsyncHTTPClient
import HTTPAnswers
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks a store over HTTP.
public final class HTTPTransport: StoreTransport {
    private let base: String
    private let client: HTTPClient

    /// The largest answer that is read, in bytes.
    private static let mostBytes = 16 << 20

    /// - Parameter url: the store's address without a path, such as `http://127.0.0.1:8081`.
    public init(url: String) {
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(10)
        // A redirect would carry the token of the sign-in to wherever it leads.
        configuration.redirectConfiguration = .disallow
        // A store that is away is an outcome: how often it is asked again is decided above.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = AnswerGuard.add
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    public func send(_ request: StoreRequest) async throws -> StoreResponse {
        guard base.hasPrefix("http://") || base.hasPrefix("https://") else {
            throw TransportFailure.unreachable("\(base) is no address of HTTP")
        }
        do {
            return try await Self.within(request.timeout) { try await self.exchange(request) }
        } catch let failure as TransportFailure {
            throw failure
        } catch let error as HTTPClientError {
            throw Self.failure(error)
        } catch is NIOTooManyBytesError {
            throw TransportFailure.garbage("it is larger than \(Self.mostBytes) bytes")
        } catch let error as CancellationError {
            throw error
        } catch let error as NIOConnectionError {
            throw TransportFailure.unreachable("no connection to \(error.host):\(error.port)")
        } catch let error as IOError where Self.isUnreachable(error.errnoCode) {
            throw TransportFailure.unreachable("error \(error.errnoCode) of the system")
        } catch {
            throw TransportFailure.interrupted("\(type(of: error))")
        }
    }

    /// Sends a request and reads its whole answer, however long that takes.
    private func exchange(_ request: StoreRequest) async throws -> StoreResponse {
        var message = HTTPClientRequest(url: base + request.path)
        message.method = .init(rawValue: request.method)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(message, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: Self.mostBytes)
        let headers = response.headers.map { ($0.name.lowercased(), $0.value) }
        return StoreResponse(
            status: Int(response.status.code),
            headers: Dictionary(headers, uniquingKeysWith: { first, _ in first }),
            body: Array(body.readableBytesView))
    }

    /// Does something in a time. The client's own deadline is over with the head of an answer,
    /// behind which a body may take for ever.
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

    /// Errors of a connection that was never made.
    private static func isUnreachable(_ code: CInt) -> Bool {
        [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(code)
    }

    private static func failure(_ error: HTTPClientError) -> any Error {
        switch error {
        case .cancelled: CancellationError()
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .emptyHost,
            .emptyScheme, .invalidURL, .alreadyShutdown:
            TransportFailure.unreachable(error.shortDescription)
        case .deadlineExceeded, .readTimeout, .writeTimeout: TransportFailure.timedOut
        default: TransportFailure.interrupted(error.shortDescription)
        }
    }

    deinit {
        // The client insists on being shut down, also where nobody closed the session.
        client.shutdown { _ in }
    }

    public func close() async { try? await client.shutdown() }
}
