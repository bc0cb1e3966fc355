import Logging
import Storage
import Synchronization
import TestFloor
import TestSupport
import Testing

@testable import Store

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

    private final class Looks: Sendable {
        let count = Atomic(0)
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

    @Test(
        "A later version that migrates the database ends the work of this one, which says so",
        arguments: Backend.available)
    func newerSchema(_ backend: Backend) async throws {
        let world = try await World(backend)
        let looks = Looks()
        let timekeeper = Timekeeper(world.store) { _ in
            looks.count.add(1, ordering: .relaxed)
            await Task.yield()
        }
        let working = Task { try await timekeeper.run() }
        while looks.count.load(ordering: .relaxed) < 10 { await Task.yield() }
        // An addition is what the work can go on beside until it has seen it.
        try await world.database.migrate(
            Schema.migrations + [Migration("of a later version") { _ in [] }])
        let error = await #expect(throws: StorageError.self) { try await working.value }
        #expect(error?.code == .newerSchema)
        #expect(error?.message.contains("of a later version") == true)
    }
}
