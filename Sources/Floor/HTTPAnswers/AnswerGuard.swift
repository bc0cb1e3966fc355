public import NIOCore
public import NIOHTTP1

/// Breaks a connection off whose server answers what no HTTP server may.
///
/// The client takes a status below 200 for an interim answer and waits for another head. The
/// decoder thinks so from 100 on alone: of an answer with status 42 the client gets a body and an
/// end to no answer that it knows of, and traps. So nothing reaches it here but interim answers,
/// then one answer from head to end.
public final class AnswerGuard: ChannelInboundHandler, RemovableChannelHandler {
    public typealias InboundIn = HTTPClientResponsePart
    public typealias InboundOut = HTTPClientResponsePart

    private enum State {
        case beforeAnswer
        case inAnswer
        case broken
    }

    private var state = State.beforeAnswer

    /// Puts a guard behind a connection's decoder.
    @Sendable public static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(
                type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(AnswerGuard(), position: .after(decoder))
        }
    }

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .broken else { return }
        guard let next = state(after: unwrapInboundIn(data)) else {
            state = .broken
            context.fireErrorCaught(HTTPParserError.invalidStatus)
            context.close(promise: nil)
            return
        }
        state = next
        context.fireChannelRead(data)
    }

    private func state(after part: HTTPClientResponsePart) -> State? {
        switch (part, state) {
        case (.head(let head), .beforeAnswer):
            switch head.status.code {
            case 101, 200...999: .inAnswer
            case 100..<200: .beforeAnswer
            default: nil
            }
        case (.body, .inAnswer): .inAnswer
        case (.end, .inAnswer): .beforeAnswer
        case (.head, _), (.body, _), (.end, _): nil
        }
    }
}
