import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// HTTP/1 as Hummingbird speaks it, with a guard before each connection, on its own thread.
struct GuardedChannel: ServerChildChannel {
    private let channel: HTTP1Channel

    init(_ channel: HTTP1Channel) { self.channel = channel }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        self.channel.setup(channel: channel, logger: logger).flatMapThrowing { value in
            try RequestGuard.add(to: channel)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(ConnectionThread(value.channel.eventLoop)) {
            await channel.handle(value: value, logger: logger)
        }
    }
}

/// What RFC 9112 asks of a server and neither the decoder nor Hummingbird does: HTTP/1.1 names its
/// host once, a request takes no more bytes than are reasonable for what it says, and a connection
/// ends with the last answer that the client asked for.
///
/// Refusals go on as parsing errors, which are answered with 400.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let meter: ByteMeter
    /// How many requests still get an answer.
    private var unanswered = 0
    /// Whether a request has begun to arrive and has not ended.
    private var isReading = false
    /// Whether no further request is taken.
    private var isLast = false

    private init(_ meter: ByteMeter) { self.meter = meter }

    /// Puts a guard around a connection's decoder.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
        let meter = ByteMeter()
        try pipeline.addHandler(meter, position: .before(decoder))
        try pipeline.addHandler(RequestGuard(meter), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLast || isReading else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            meter.begin()
            guard RequestGuard.namesHost(head) else {
                errorCaught(context: context, error: HTTPParserError.invalidHeaderToken)
                return
            }
            unanswered += 1
            isReading = true
            isLast = !head.isKeepAlive || head.version == .http1_0
        case .body(let bytes):
            meter.count(body: bytes.readableBytes)
        case .end:
            meter.begin()
            isReading = false
        }
        context.fireChannelRead(data)
    }

    /// Whoever speaks HTTP/1.1 names the host, and nobody names two (RFC 9112 section 3.2): of two
    /// a proxy in front may have gone by the other one.
    private static func namesHost(_ head: HTTPRequestHead) -> Bool {
        let count = head.headers["Host"].count
        return count == 1 || (count == 0 && head.version == .http1_0)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A request that cannot even be read is answered too.
        if !isLast, !isReading { unanswered += 1 }
        isLast = true
        isReading = false
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard unanswered > 0 else {
            // A second answer, to the rest of a request that has had its own.
            promise?.succeed()
            context.close(promise: nil)
            return
        }
        let closes = isLast && unanswered == 1
        switch unwrapOutboundIn(data) {
        case .head(var head) where closes:
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body:
            context.write(data, promise: promise)
        case .end:
            unanswered -= 1
            guard closes else {
                context.write(data, promise: promise)
                return
            }
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        }
    }
}

/// Counts a request's bytes before they are decoded: what is no body, as extensions of chunks are,
/// is thrown away by the decoder, however much it is.
final class ByteMeter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What a request may take besides its body: more than the head that the decoder allows.
    static let allowance = 128 * 1024
    /// For each byte of the body as much again: a chunk of one byte takes five others.
    static let perByte = 8

    private var bytes = 0
    private var body = 0
    private var isOver = false

    /// A request begins or ends.
    func begin() { (bytes, body) = (0, 0) }

    func count(body count: Int) { body += count }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        bytes += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        guard bytes - body > ByteMeter.allowance + ByteMeter.perByte * body else { return }
        isOver = true
        context.fireErrorCaught(HTTPParserError.headerOverflow)
    }
}
