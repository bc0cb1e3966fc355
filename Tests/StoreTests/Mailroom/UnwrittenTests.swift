import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Letters: who is not written to costs nothing")
struct UnwrittenTests {
    /// How many statements a renewal of so many subscriptions takes.
    private func statements(_ backend: Backend, _ count: Int, mails: Bool) async throws -> Int {
        let log = StatementLog(try await backend.makeDatabase())
        let world = try await World(
            database: log, at: "2026-01-15", isListening: false,
            mailroom: mails ? .lines() : nil)
        for number in 0..<count {
            _ = try await world.subscribe(
                "silver.monthly", by: world.device("nobody \(number)"))
        }
        log.clear()
        _ = try await world.store.advance(to: World.instant("2026-02-15"))
        #expect(try await world.store.mailbox(in: .production).isEmpty)
        return log.count
    }

    @Test("No statement is added to a renewal", arguments: Backend.available)
    func statements(_ backend: Backend) async throws {
        let few =
            try await statements(backend, 2, mails: true)
            - (try await statements(backend, 2, mails: false))
        let many =
            try await statements(backend, 30, mails: true)
            - (try await statements(backend, 30, mails: false))
        // One look for a whole batch.
        #expect(many == few)
        #expect((1...4).contains(few))
    }

    @Test("The next letter is found by an index, however many customers there are")
    func clock() async throws {
        let plans = Plans(try await Backend.sqlite.makeDatabase())
        let world = try await World(
            database: plans, at: "2026-01-15", isListening: false, mailroom: .lines())
        plans.watch()
        _ = try await world.store.clockReading()
        #expect(plans.scans == [])
    }

    @Test(
        "In Sandbox nobody is written to unless the app wants it (SBX-6)",
        arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines())
        let anna = try await world.device("anna@example.com", in: .sandbox)
        _ = try await world.subscribe("silver.yearly", by: anna)
        try await world.schedule("silver.yearly", 199_990, live: "2026-01-15T00:01:00Z")
        _ = try await world.store.advance(to: World.instant("2026-01-15T02:00:00Z"))
        #expect(try await world.letters(in: .sandbox).isEmpty)
        try await world.store.configure(bundleID: World.bundleID) { $0.sandboxMails = true }
        let eve = try await world.device("eve@example.com", in: .sandbox)
        _ = try await world.subscribe("silver.yearly", by: eve)
        try await world.schedule("silver.yearly", 299_990, live: "2026-01-15T02:01:00Z")
        _ = try await world.store.advance(to: World.instant("2026-01-15T05:00:00Z"))
        let letters = try await world.letters(in: .sandbox).filter { $0.contains(" eve ") }
        // Of prices there is the sheet alone.
        #expect(letters.contains { $0.contains("inApp agree?") })
        #expect(!letters.contains { $0.contains("mail agree?") || $0.contains("push agree?") })
        try await world.check()
    }
}
