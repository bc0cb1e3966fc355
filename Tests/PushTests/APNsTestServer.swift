import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A server of HTTP/2 over TLS that plays APNs, and answers as a test wants.
final class APNsTestServer: Sendable {
    /// A request as it came.
    struct Request: Sendable {
        let method: String
        let path: String
        let fields: [String: String]
        let body: String
        /// Which request it is, from 1.
        let number: Int
        /// On which connection it came, from 1.
        let connection: Int

        /// The provider token.
        var token: String { String((fields["authorization"] ?? "").dropFirst("bearer ".count)) }
    }

    /// What becomes of a request.
    enum Reply: Sendable {
        case answer(Int, body: String = "", fields: [String: String] = [:])
        /// The connection ends.
        case closes
        /// The connection ends, after the server said so.
        case goesAway
        case staysSilent
    }

    /// What all connections write down.
    final class Log: Sendable {
        let requests = Mutex<[Request]>([])
        let connections = Mutex(0)
    }

    private let channel: any Channel
    private let log: Log

    /// - Parameter streams: how many requests it allows at once on a connection.
    init(
        streams: Int = 100, _ reply: @escaping @Sendable (Request) -> Reply
    ) async throws {
        let log = Log()
        self.log = log
        let context = try NIOSSLContext(configuration: Self.encryption())
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streams)
        ]
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [connection] channel in
                let number = log.connections.withLock { count in
                    count += 1
                    return count
                }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: connection,
                        streamConfiguration: NIOHTTP2Handler.StreamConfiguration()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            let pipeline = stream.pipeline.syncOperations
                            try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                            try pipeline.addHandler(APNsTestStream(log, number, reply))
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    /// Everything that was asked, in order.
    var requests: [Request] { log.requests.withLock { $0 } }

    /// Of this host the certificate speaks.
    var url: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }

    /// Listens no more.
    func close() async throws { try await channel.close() }

    /// A certificate of localhost that vouches for itself.
    static func certificateFile() throws -> String { try file("localhost.pem") }

    private static func encryption() throws -> TLSConfiguration {
        let certificates = try NIOSSLCertificate.fromPEMFile(certificateFile())
        let key = try NIOSSLPrivateKey(file: file("localhost.key"), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.applicationProtocols = ["h2"]
        return configuration
    }

    private static func file(_ name: String) throws -> String {
        let folder = try #require(Bundle.module.resourceURL)
        return folder.appendingPathComponent("Certificates").appendingPathComponent(name).path
    }
}

/// One request's stream.
private final class APNsTestStream: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: APNsTestServer.Log
    private let connection: Int
    private let reply: @Sendable (APNsTestServer.Request) -> APNsTestServer.Reply
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(
        _ log: APNsTestServer.Log, _ connection: Int,
        _ reply: @escaping @Sendable (APNsTestServer.Request) -> APNsTestServer.Reply
    ) {
        self.log = log
        self.connection = connection
        self.reply = reply
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part): body += Array(part.readableBytesView)
        case .end:
            guard let head else { return }
            answer(head, context)
        }
    }

    /// A client that breaks a request off is no concern of the server.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let fields = Dictionary(
            head.headers.map { ($0.name.lowercased(), $0.value) },
            uniquingKeysWith: { "\($0), \($1)" })
        let text = String(decoding: body, as: UTF8.self)
        let connection = connection
        let request = log.requests.withLock { requests in
            let request = APNsTestServer.Request(
                method: head.method.rawValue, path: head.uri, fields: fields, body: text,
                number: requests.count + 1, connection: connection)
            requests.append(request)
            return request
        }
        switch reply(request) {
        case .answer(let status, let text, let fields): send(status, text, fields, context)
        case .closes: context.channel.parent?.close(promise: nil)
        case .goesAway: goAway(context)
        case .staysSilent: break
        }
    }

    private func send(
        _ status: Int, _ text: String, _ fields: [String: String],
        _ context: ChannelHandlerContext
    ) {
        let head = HTTPResponseHead(
            version: HTTPVersion(major: 2, minor: 0),
            status: HTTPResponseStatus(statusCode: status),
            headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !text.isEmpty {
            let part = ByteBuffer(string: text)
            context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Says that no request was looked at, and ends the connection.
    private func goAway(_ context: ChannelHandlerContext) {
        guard let parent = context.channel.parent else { return }
        let frame = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
        parent.writeAndFlush(frame, promise: nil)
        parent.close(promise: nil)
    }
}
