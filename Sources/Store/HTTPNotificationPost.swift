public import AppStoreWire
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Posts notifications over HTTP.
public struct HTTPNotificationPost: NotificationPost {
    private let client: HTTPClient
    private let timeout: TimeAmount

    /// - Parameter seconds: how long a server may take to answer; Apple publishes no limit.
    public init(timeout seconds: Int64 = 10) {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.read = .seconds(seconds)
        // A redirect must carry the notification along, not turn into a request without a body.
        configuration.redirectConfiguration = .follow(
            configuration: .init(
                max: 5, allowCycles: false, retainHTTPMethodAndBodyOn301: true,
                retainHTTPMethodAndBodyOn302: true))
        // A server that is down is an outcome, to be tried again on the store's clock.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        timeout = .seconds(seconds)
    }

    public func post(_ body: [UInt8], to url: String) async -> SendAttemptResult {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            let response = try await client.execute(request, timeout: timeout)
            // The reply's body means nothing and is left unread; a redirect by 303 asked for
            // something else than what was posted.
            let wasPosted = response.history.last.map { $0.request.method == .POST } ?? true
            return wasPosted && (200...206).contains(response.status.code)
                ? .success : .unsuccessfulHTTPResponseCode
        } catch let error as HTTPClientError {
            return outcome(of: error)
        } catch is ChannelError {
            return .socketIssue
        } catch let error {
            return "\(type(of: error))".contains("SSL") ? .tlsIssue : .socketIssue
        }
    }

    private func outcome(of error: HTTPClientError) -> SendAttemptResult {
        switch error {
        case .deadlineExceeded, .readTimeout, .connectTimeout, .writeTimeout:
            .timedOut
        case .redirectCycleDetected, .redirectLimitReached:
            .circularRedirect
        case .remoteConnectionClosed:
            .prematureClose
        case .tlsHandshakeTimeout:
            .tlsIssue
        case .emptyHost, .emptyScheme, .invalidURL:
            .other
        default:
            .noResponse
        }
    }

    /// Lets go of all connections.
    public func close() async {
        try? await client.shutdown()
    }
}
