import AsyncHTTPClient
import HTTPAnswers
import NIOCore
import NIOHTTP1
import NIOSSL
public import Outbox

/// Posts messages over HTTP: whatever a server answers is an outcome.
public final class HTTPPost: Post {
    private let client: HTTPClient
    private let timeout: TimeAmount

    /// How many redirects are followed.
    private static let mostRedirects = 5

    /// - Parameter seconds: how long a server may take to answer.
    public init(timeout seconds: Int64 = 10) {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.read = .seconds(seconds)
        // How many posts are under way is the outbox's decision, lane by lane. A pool that had a
        // smaller number of its own would let a server that is dead at one URL hold up another.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = .max
        // The client would go wherever a server sends it.
        configuration.redirectConfiguration = .disallow
        // A server that is down is an outcome, to be tried again on the program's clock.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The one protocol in which `AnswerGuard` stands before the client.
        configuration.httpVersion = .http1Only
        configuration.http1_1ConnectionDebugInitializer = AnswerGuard.add
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        timeout = .seconds(seconds)
    }

    public func post(_ body: [UInt8], to url: String) async -> PostOutcome {
        // One that was kept before they were checked must not reach the client, which traps.
        guard var url = PostURL(url) else { return .unusable }
        var seen: Set = [url]
        do {
            while true {
                let response = try await client.execute(request(body, to: url), timeout: timeout)
                // The reply's body means nothing and is left unread.
                guard let next = redirect(of: response, from: url) else {
                    return .answered(status: Int(response.status.code))
                }
                guard seen.count <= Self.mostRedirects, seen.insert(next).inserted else {
                    return .circularRedirect
                }
                url = next
            }
        } catch let error as HTTPClientError {
            return outcome(of: error)
        } catch is HTTPParserError {
            return .invalidResponse
        } catch {
            return Self.isTLS(error) ? .tlsIssue : .socketIssue
        }
    }

    private func request(_ body: [UInt8], to url: PostURL) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        // One connection a post. What a server sends behind an answer would be read as the start
        // of the answer to the next post, and one that a server closes while it is idle
        // would fail an attempt that the server never saw.
        request.headers.add(name: "Connection", value: "close")
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }

    /// Where the message is carried on to; nil where the answer stands. A redirect by 303
    /// asks for something else than what was posted.
    private func redirect(
        of response: HTTPClientResponse, from url: PostURL
    ) -> PostURL? {
        guard [301, 302, 307, 308].contains(response.status.code) else { return nil }
        return response.headers.first(name: "Location").flatMap(url.redirected)
    }

    /// Whether the TLS library failed; its errors have no type in common.
    private static func isTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError
            || error is NIOTLSUnwrappingError || error is NIOSSLCloseTimedOutError
    }

    private func outcome(of error: HTTPClientError) -> PostOutcome {
        switch error {
        case .deadlineExceeded, .readTimeout, .connectTimeout, .writeTimeout:
            .timedOut
        case .remoteConnectionClosed:
            .prematureClose
        case .tlsHandshakeTimeout:
            .tlsIssue
        case .emptyHost, .emptyScheme, .invalidURL:
            .unusable
        default:
            .noResponse
        }
    }

    deinit {
        // The client insists on being shut down, also where nobody closed it.
        client.shutdown { _ in }
    }

    /// Lets go of all connections.
    public func close() async {
        try? await client.shutdown()
    }
}
