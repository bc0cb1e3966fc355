import Letters
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A database that fails at any one point of some months of letters, after which the same is asked
/// for again: each letter is there once.
@Suite("Crashes of letters")
struct LetterCrashTests {
    private struct Told {
        let tables: Tables
        let letters: [String]
        let counts: (statements: Int, changes: Int)
    }

    private func tell(
        _ backend: Backend, failingAt fault: FaultyDatabase.Fault?
    ) async throws -> Told {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(
            database: database, at: "2026-01-15", catalogue: ReminderStories.catalogue,
            isListening: false, batchSize: 2, mailroom: .lines())
        let people = [
            try await world.device("anna@example.com"), try await world.device("bob@example.com"),
        ]
        for person in people { _ = try await world.subscribe("silver.monthly", by: person) }
        _ = try await world.subscribe("news.monthly", by: people[0])
        try await world.schedule("silver.monthly", 19_990, live: "2026-02-20")
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "bob@example.com", in: .production)
        database.arm(fault)
        let end = World.instant("2026-03-20")
        do {
            _ = try await world.store.advance(to: end)
        } catch let error as StorageError where error.code == .connectionLost {
            _ = try await world.store.advance(to: end)
        }
        #expect(fault == nil || database.hasFailed, "\(String(describing: fault)) never came")
        let counts = database.counts
        database.arm(nil)
        try await world.check()
        return Told(
            tables: try await Tables.comparable(database), letters: try await world.letters(),
            counts: counts)
    }

    @Test("A failure at any statement or commit leaves no trace", arguments: Backend.available)
    func anywhere(_ backend: Backend) async throws {
        let undisturbed = try await tell(backend, failingAt: nil)
        #expect(undisturbed.letters.contains { $0.contains("anna push agree?") })
        #expect(undisturbed.letters.contains { $0.contains("bob mail cannot pay") })
        #expect(Set(undisturbed.letters).count == undisturbed.letters.count)
        // A schema takes long on PostgreSQL, so there it is few of them.
        let step = backend == .postgres ? 29 : 5
        let statements = stride(from: 1, through: undisturbed.counts.statements, by: step)
            .map(FaultyDatabase.Fault.statement)
        let commits = stride(
            from: 1, through: undisturbed.counts.changes, by: backend == .postgres ? 5 : 1
        ).map(FaultyDatabase.Fault.beforeCommit)
        for fault in statements + commits {
            let outcome = try await tell(backend, failingAt: fault)
            #expect(outcome.letters == undisturbed.letters, "\(fault)")
            #expect(outcome.tables.differences(from: undisturbed.tables) == [], "\(fault)")
        }
    }
}
