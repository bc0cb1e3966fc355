import AsyncHTTPClient
import HTTPAnswers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SubscriptionRules
import TimeAndChance

/// Hands pushes to APNs over HTTP/2, on one connection that stays open.
///
/// APNs binds a connection to the team and the topics of its first pushes: make a client for each
/// team, environment and set of topics, with one `ProviderTokens` for all clients of a team.
package final class APNsClient: PushService {
    private let settings: APNsSettings
    private let tokens: ProviderTokens
    private let client: HTTPClient

    /// The largest answer that is read, in bytes; a reason and a moment are a hundredth of it.
    private static let mostBytes = 16 << 10

    package init(_ settings: APNsSettings, _ tokens: ProviderTokens) {
        self.settings = settings
        self.tokens = tokens
        var encryption = TLSConfiguration.makeClientConfiguration()
        encryption.minimumTLSVersion = .tlsv12
        if let file = settings.authorityFile { encryption.trustRoots = .file(file) }
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = encryption
        configuration.timeout.connect = .seconds(10)
        // A redirect would carry the token to wherever it leads.
        configuration.redirectConfiguration = .disallow
        // A server that is away is an outcome: when it is asked again is the caller's decision.
        configuration.connectionPool.retryConnectionEstablishment = false
        // One connection has as many streams as APNs allows, and APNs takes many connections that
        // come and go for an attack.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
        configuration.connectionPool.idleTimeout = .minutes(30)
        configuration.httpVersion = .automatic
        configuration.http1_1ConnectionDebugInitializer = AnswerGuard.add
        configuration.http2StreamChannelDebugInitializer = AnswerGuard.addToStream
        configuration.http2ConnectionDebugInitializer = Self.limitSilence
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package func send(_ push: Push) async -> PushOutcome {
        do throws(PushTrouble) {
            let token = tokens.token()
            let answer = try await ask(push, token)
            guard answer.asksForNewToken, let next = tokens.token(insteadOf: token) else {
                return answer.outcome(of: push)
            }
            return try await ask(push, next).outcome(of: push)
        } catch {
            return .retry(after: .zero, error)
        }
    }

    private func ask(_ push: Push, _ token: String) async throws(PushTrouble) -> APNsAnswer {
        do {
            return try await withinTimeout { try await self.exchange(push, token) }
        } catch {
            throw Self.trouble(error)
        }
    }

    private func exchange(_ push: Push, _ token: String) async throws -> APNsAnswer {
        var message = HTTPClientRequest(
            url: "\(settings.server.text)/3/device/\(push.device.text)")
        message.method = .POST
        message.headers.add(contentsOf: HTTPHeaders(push.fields))
        message.headers.add(name: "authorization", value: "bearer \(token)")
        message.body = .bytes(ByteBuffer(bytes: push.payload))
        let response = try await client.execute(message, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: Self.mostBytes)
        return APNsAnswer(
            status: Int(response.status.code), apnsID: response.headers.first(name: "apns-id"),
            body: Array(body.readableBytesView))
    }

    /// Does something in time. The client's own deadline is over with the head of an answer,
    /// behind which a body may take for ever.
    private func withinTimeout(
        _ body: @escaping @Sendable () async throws -> APNsAnswer
    ) async throws -> APNsAnswer {
        let timeout = settings.timeout
        return try await withThrowingTaskGroup(of: APNsAnswer.self) { group in
            group.addTask(operation: body)
            group.addTask {
                await SystemTime.wait(timeout)
                try Task.checkCancellation()
                throw PushTrouble.timedOut
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else {
                preconditionFailure("two tasks came to nothing")
            }
            return answer
        }
    }

    /// A connection whose other end is gone looks open as long as nothing is said, and for a
    /// quarter of an hour afterwards: Linux breaks it off once what was sent stays unconfirmed.
    @Sendable private static func limitSilence(_ channel: any Channel) -> EventLoopFuture<Void> {
        #if os(Linux)
            // TCP_USER_TIMEOUT, in milliseconds.
            let option = NIOBSDSocket.Option(rawValue: 18)
            return channel.setOption(.tcpOption(option), value: 20_000).recover { _ in }
        #else
            return channel.eventLoop.makeSucceededVoidFuture()
        #endif
    }

    // MARK: Failures

    private static func trouble(_ error: any Error) -> PushTrouble {
        switch error {
        case let trouble as PushTrouble: trouble
        case let error as HTTPClientError: clientTrouble(error)
        case is CancellationError: .stopped
        case is HTTPParserError, is NIOTooManyBytesError: .noHTTP
        // The server closed the connection without taking leave.
        case NIOSSLError.uncleanShutdown: .connectionLost
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError, is NIOTLSUnwrappingError,
            is NIOSSLCloseTimedOutError:
            .tls
        case is NIOConnectionError: .noConnection
        default: .connectionLost
        }
    }

    private static func clientTrouble(_ error: HTTPClientError) -> PushTrouble {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut
        case .connectTimeout, .getConnectionFromPoolTimeout: .noConnection
        case .tlsHandshakeTimeout: .tls
        // The client says so as well of a request that met a connection's end.
        case .cancelled: Task.isCancelled ? .stopped : .connectionLost
        case .remoteConnectionClosed, .requestStreamCancelled: .connectionLost
        default: .other(error.shortDescription)
        }
    }

    deinit {
        // The client insists on being shut down.
        client.shutdown { _ in }
    }

    /// Lets go of the connection, also for good where the key was revoked: APNs keeps to the key
    /// that a connection began with.
    package func close() async {
        try? await client.shutdown()
    }
}

extension Push {
    /// The fields of the request, but for the provider token.
    package var fields: [(String, String)] {
        var fields = [
            ("apns-id", id), ("apns-topic", topic), ("apns-push-type", content.type),
            ("apns-priority", "\(priority.rawValue)"),
            ("apns-expiration", "\(expires.map { $0.milliseconds / 1000 } ?? 0)"),
        ]
        if let collapseID { fields.append(("apns-collapse-id", collapseID)) }
        return fields
    }
}
