import Logging
import Storage
import Synchronization
import Testing

@testable import DueWork

@Suite("Setbacks of background work")
struct SetbackTests {
    /// Keeps what is logged.
    private struct Log: LogHandler {
        final class Lines: Sendable {
            let all = Mutex<[(level: Logger.Level, words: String)]>([])
        }

        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.all.withLock { $0.append((event.level, "\(event.message)")) }
        }
    }

    @Test("What fails again and again is said once, tried at longer intervals, and said to go on")
    func saysOnce() {
        let lines = Log.Lines()
        let setbacks = Setbacks("events", log: Logger(label: "test") { _ in Log(lines: lines) })
        let away = StorageError(.connectionLost, "away")
        let pauses = (1...6).map { _ in setbacks.met(away) }
        #expect(pauses == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        func loud() -> [Logger.Level] {
            lines.all.withLock { lines in lines.map(\.level).filter { $0 > .debug } }
        }
        #expect(loud() == [.error])
        _ = setbacks.met(StorageError(.busy, "busy"))
        #expect(loud() == [.error, .error])
        setbacks.isOver()
        setbacks.isOver()
        #expect(loud() == [.error, .error, .notice])
        #expect(setbacks.met(away) == .seconds(1))
    }
}
