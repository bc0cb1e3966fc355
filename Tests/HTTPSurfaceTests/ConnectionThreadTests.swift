import AppStoreWire
import HTTPSurface
import Hummingbird
import HummingbirdTesting
import Logging
import NIOPosix
import SubscriptionRules
import Testing

@Suite("Threads of requests")
struct ConnectionThreadTests {
    private static let surface = Surface(
        "threads", "Where a request is answered.", root: "threads",
        errors: CodedErrors(program: "threads", translate: { _ in nil }))

    /// Answers whether it runs on a thread that reads and writes connections, before and after it
    /// has waited for others.
    private static func endpoint(_ path: String, isBrief: Bool) -> Endpoint<Int> {
        Endpoint(
            .get, path, path, on: surface, isBrief: isBrief,
            description: OperationDescription(
                .tools, "Say where it runs.", success: .ok("Where.", .anything("Where.")))
        ) { _ in
            let before = MultiThreadedEventLoopGroup.currentEventLoop != nil
            await Task.yield()
            let after = MultiThreadedEventLoopGroup.currentEventLoop != nil
            return .text("\(before) \(after)", contentType: "text/plain")
        }
    }

    @Test("What is brief runs on a thread of connections, and nothing else does")
    func threads() async throws {
        let server = EndpointServer(
            0, name: ServerName("server", "threads"),
            table: RouteTable(
                [Self.endpoint("/brief", isBrief: true), Self.endpoint("/long", isBrief: false)],
                at: "threads", elsewhere: Self.surface),
            limits: ServerLimits(), machineTime: { Instant(milliseconds: 0) },
            log: Logger(label: "threads"))
        try await server.application(port: 0).test(.live) { app in
            // Its own client gives up after twenty seconds, which a busy machine takes.
            try await TestClient.withClient(
                host: "localhost", port: try #require(app.port),
                configuration: .init(timeout: .seconds(300))
            ) { client in
                for (path, expected) in [("/brief", "true true"), ("/long", "false false")] {
                    for _ in 0..<20 {
                        let response = try await client.execute(
                            TestClient.Request(path, method: .get, authority: "localhost"))
                        #expect(response.body.map { String(buffer: $0) } == expected, "\(path)")
                    }
                }
            }
        }
    }
}
