import AppStoreWire
import HTTPSurface
import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceLifecycle
import TimeAndChance

/// How something comes along, sent to a page as it does (server-sent events).
package enum EventStream {
    /// How far something has come.
    package struct Step: Sendable, Hashable {
        package var text: String
        /// In thousandths.
        package var permille: Int
        /// Whether it is over: the page is loaded anew then, and the stream ends.
        package var isDone: Bool

        package init(_ text: String, permille: Int, isDone: Bool) {
            self.text = text
            self.permille = permille
            self.isDone = isDone
        }
    }

    /// How often it is looked, so that a page that is left open costs little.
    private static let pause = Duration.milliseconds(400)
    /// After how many looks without news something is sent, so that nobody closes the connection.
    private static let patience = 35
    /// How long one stream lasts; the browser asks again by itself.
    private static let longest = 1500

    /// A stream that says each new step: only ever the latest, so that a slow reader costs no
    /// memory.
    ///
    /// - Parameters:
    ///   - request: whose connection ends the stream when it is closed.
    ///   - step: looks how far it is.
    package static func response(
        to request: Request, _ step: @escaping @Sendable () async throws -> Step
    ) -> Response {
        var fields = PageHeaders.all
        fields[.contentType] = "text/event-stream"
        if let name = HTTPField.Name("X-Accel-Buffering") { fields[name] = "no" }
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { writer in
                try await withGracefulShutdownHandler {
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await send(to: &writer, step)
                    }
                } onGracefulShutdown: {
                }
                try await writer.finish(nil)
            })
    }

    private static func send(
        to writer: inout any ResponseBodyWriter, _ step: @Sendable () async throws -> Step
    ) async throws {
        var last: Step?
        var silence = 0
        for _ in 0..<longest {
            guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
            let now = try await step()
            if now != last {
                try await writer.write(event(now))
                (last, silence) = (now, 0)
            } else if silence >= patience {
                try await writer.write(ByteBuffer(string: ":\n\n"))
                silence = 0
            }
            if now.isDone { return }
            silence += 1
            await SystemTime.wait(pause)
        }
    }

    private static func event(_ step: Step) -> ByteBuffer {
        var json = JSONWriter()
        json.object { json in
            json.field("text", step.text)
            json.field("permille", step.permille)
            json.field("isDone", step.isDone)
        }
        return ByteBuffer(string: "data: \(String(decoding: json.bytes, as: UTF8.self))\n\n")
    }
}
