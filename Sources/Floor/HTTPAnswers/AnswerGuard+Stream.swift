public import NIOCore
import NIOHTTP2

extension AnswerGuard {
    /// Puts a guard behind the codec of one stream of HTTP/2: the client traps there as well.
    @Sendable public static func addToStream(_ stream: any Channel) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            let pipeline = stream.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
            try pipeline.addHandler(AnswerGuard(), position: .after(codec))
        }
    }
}
