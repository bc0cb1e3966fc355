import AsyncHTTPClient
import HTTPAnswers
import NIOCore
import NIOHTTP1
import TimeAndChance

/// A request with everything but its token.
struct APIRequest: Sendable {
    let method: HTTPMethod
    let url: String
    /// JSON; nil where nothing is sent.
    let body: [UInt8]?
}

/// What a server answered.
struct APIAnswer: Sendable {
    let status: Int
    /// The field `Retry-After` as it came.
    let retryAfter: String?
    let body: [UInt8]
}

/// Sends requests over HTTP, each once, and reads whole answers.
final class APIConnection: Sendable {
    private let client: HTTPClient
    private let timeout: Duration

    /// The largest answer that is read, in bytes; twenty notifications are a tenth of it.
    private static let mostBytes = 4 << 20

    /// - Parameter timeout: how long a whole answer may take, by the machine's clock.
    init(timeout: Duration) {
        self.timeout = timeout
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(10)
        // A redirect would carry the token to wherever it leads.
        configuration.redirectConfiguration = .disallow
        // A server that is away is an outcome: how often it is asked again is decided above.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The one protocol in which `AnswerGuard` stands before the client.
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = AnswerGuard.add
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// - Parameter token: nil where the request shows none.
    func send(_ request: APIRequest, token: String?) async throws(ServerAPIError) -> APIAnswer {
        do {
            return try await withinTimeout { try await self.exchange(request, token) }
        } catch let error as ServerAPIError {
            throw error
        } catch let error as HTTPClientError {
            throw Self.failure(error)
        } catch is HTTPParserError {
            throw ServerAPIError(.unreadableReply, "it is no HTTP.")
        } catch is NIOTooManyBytesError {
            throw ServerAPIError(
                .unreadableReply, "it is larger than \(Self.mostBytes) bytes.")
        } catch is CancellationError {
            throw ServerAPIError(.cancelled)
        } catch {
            throw ServerAPIError(.connectionLost, "\(type(of: error)).")
        }
    }

    private func exchange(_ request: APIRequest, _ token: String?) async throws -> APIAnswer {
        var message = HTTPClientRequest(url: request.url)
        message.method = request.method
        if let token { message.headers.add(name: "Authorization", value: "Bearer \(token)") }
        message.headers.add(name: "Accept", value: "application/json")
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: "application/json")
            message.body = .bytes(ByteBuffer(bytes: body))
        }
        let response = try await client.execute(message, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: Self.mostBytes)
        return APIAnswer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After"),
            body: Array(body.readableBytesView))
    }

    /// Does something in time. The client's own deadline is over with the head of an answer,
    /// behind which a body may take for ever.
    private func withinTimeout(
        _ body: @escaping @Sendable () async throws -> APIAnswer
    ) async throws -> APIAnswer {
        let timeout = timeout
        return try await withThrowingTaskGroup(of: APIAnswer.self) { group in
            group.addTask(operation: body)
            group.addTask {
                await SystemTime.wait(timeout)
                try Task.checkCancellation()
                throw ServerAPIError(.timedOut)
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else {
                preconditionFailure("two tasks came to nothing")
            }
            return answer
        }
    }

    private static func failure(_ error: HTTPClientError) -> ServerAPIError {
        switch error {
        case .cancelled: ServerAPIError(.cancelled)
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout:
            ServerAPIError(.timedOut)
        case .emptyHost, .emptyScheme, .invalidURL:
            ServerAPIError(.unusableRequest, "\(error.shortDescription).")
        default: ServerAPIError(.connectionLost, "\(error.shortDescription).")
        }
    }

    deinit {
        // The client insists on being shut down.
        client.shutdown { _ in }
    }
}
