import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A developer's server that answers everything with 200, at once or after a while.
final class Listener: Sendable {
    private let channel: any Channel
    private let requests: Requests

    /// Listens on a free port of this machine.
    init(delay: TimeAmount) async throws {
        let requests = Requests()
        self.requests = requests
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        Answerer(delay: delay, requests: requests))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/notifications" }

    /// How many requests came.
    var count: Int { requests.count.load(ordering: .relaxed) }

    func close() async { try? await channel.close() }

    private final class Requests: Sendable {
        let count = Atomic(0)
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let delay: TimeAmount
        private let requests: Requests

        init(delay: TimeAmount, requests: Requests) {
            self.delay = delay
            self.requests = requests
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            requests.count.add(1, ordering: .relaxed)
            guard delay > .nanoseconds(0) else { return answer(context) }
            context.eventLoop.assumeIsolated().scheduleTask(in: delay) { self.answer(context) }
        }

        private func answer(_ context: ChannelHandlerContext) {
            let head = HTTPResponseHead(
                version: .http1_1, status: .ok,
                headers: ["Content-Length": "0", "Connection": "close"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
