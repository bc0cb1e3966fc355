import AppStoreSigning
import HTTPTypes
import Logging
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@Suite("The log of refused request tokens")
struct RefusedTokenTests {
    /// Keeps what is logged at the level that `serve` has unless told otherwise, and above.
    private struct Lines: LogHandler {
        final class Kept: Sendable {
            let lines = Mutex<[String]>([])
        }

        let kept: Kept
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        init(_ kept: Kept) { self.kept = kept }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { kept.lines.withLock { $0.append("\(event.message)") } }
    }

    @Test("A 401 says nothing of its cause; the log has one line that does")
    func reasons() async throws {
        let kept = Lines.Kept()
        let world = HTTPWorld(
            try await World(.sqlite, isListening: false),
            log: Logger(label: "test") { _ in Lines(kept) })
        let path = "/inApps/v1/transactions/7"
        let late = try world.token(lifetime: 300)
        let long = try world.token(lifetime: 4000)
        world.machine.now = world.machine.now + Span.seconds(400)
        try await world.with { client in
            for credential in [.nothing, .bearer("x"), .bearer(late), .bearer(long)]
                as [Client.Credential]
            {
                let reply = try await client.send(.get, path, as: credential)
                #expect(reply.status == 401 && reply.text == "Unauthenticated\n")
            }
        }
        #expect(
            kept.lines.withLock { $0 } == [
                "Answered 401: there is no `Authorization: Bearer` header with a token.",
                "Answered 401: the token is not a JWT.",
                "Answered 401: `exp` has passed by this machine's clock.",
                "Answered 401: `exp` is more than 60 minutes after `iat`.",
            ])
    }
}
