import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

@Suite("Checking a world")
struct WorldCheckTests {
    @Test("A world in which much happened has nothing wrong", arguments: Backend.available)
    func sound(_ backend: Backend) async throws {
        let world = try await Self.life(backend)
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.isEmpty)
        let counts = Dictionary(uniqueKeysWithValues: report.rows.map { ($0.table, $0.count) })
        #expect(counts["subscription"] == 2)
        #expect(counts["customer"] == 2)
        #expect(counts["store_transaction"]! > 4)
        #expect(counts["journal"]! > 8)
    }

    @Test("Checking changes nothing", arguments: Backend.available)
    func readsOnly(_ backend: Backend) async throws {
        let world = try await Self.life(backend)
        let before = try await Tables(world.database)
        _ = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "What is damaged is found and named by table and row", arguments: Backend.available,
        [
            ("subscription", "cycle_unit = 'eons'", "column cycle_unit"),
            ("subscription", "storefront = 'ZZZ'", "column storefront"),
            ("subscription", "next_change = next_change + 1", "next change"),
            ("subscription", "paid_periods = 99", "not what the journal says"),
            ("subscription", "term_transaction = 5", "store_transaction that is not there"),
            ("store_transaction", "currency = 'QQQ'", "column currency"),
            ("store_transaction", "price = price + 1000", "another amount"),
            ("store_transaction", "original_id = 5", "store_transaction that is not there"),
            ("store_transaction", "is_upgraded = 1 - is_upgraded", "is_upgraded"),
            ("ledger", "customer = customer - 1, store = store + 1", "another amount"),
            ("journal", "detail = '{'", "column detail"),
            ("journal", "at = -1", "column at"),
            ("customer", "sandbox_speed = 77", "column sandbox_speed"),
            ("customer_app", "acquired_at = -1", "column acquired_at"),
            ("notification", "status = -7", "column status"),
            ("product", "definition = '{}'", "column definition"),
        ])
    func finds(
        _ backend: Backend, _ damage: (table: String, change: String, what: String)
    ) async throws {
        let world = try await Self.life(backend)
        try await world.database.write { session in
            _ = try session.execute(
                "UPDATE \(raw: damage.table) SET \(raw: damage.change)")
        }
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.contains { $0.what.contains(damage.what) })
        #expect(report.findings.allSatisfy { !$0.place.isEmpty })
    }

    @Test("Numbers that would be given out again are a finding", arguments: Backend.available)
    func numbers(_ backend: Backend) async throws {
        let world = try await Self.life(backend)
        try await world.database.write { session in
            switch backend {
            case .sqlite: try session.execute("UPDATE world SET next_number = 3")
            case .postgres: try session.execute("SELECT setval('store_number', 3, false)")
            }
        }
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.contains { $0.what.contains("still to be given out") })
    }

    @Test("Other certificates than the world's are a finding", arguments: Backend.available)
    func foreign(_ backend: Backend) async throws {
        let world = try await Self.life(backend)
        let own = WorldOwnership(rootDER: [1], mustExist: true, adopts: false)
        let other = WorldOwnership(rootDER: [2], mustExist: true, adopts: false)
        try await world.database.write { try own.check(in: $0) }
        #expect(
            try await WorldCheck(world.database, ownership: own) { _, _ in }.run().findings
                .isEmpty)
        let found = try await WorldCheck(world.database, ownership: other) { _, _ in }.run()
        #expect(found.findings.map(\.place) == ["world 1"])
        await #expect(throws: WorldIsForeign.self) {
            try await world.database.write { try other.check(in: $0) }
        }
    }

    @Test(
        "A database of another version is not checked", arguments: Backend.available,
        [StorageError.Code.invalidStatement, .newerSchema])
    func version(_ backend: Backend, _ code: StorageError.Code) async throws {
        let database = try await backend.makeDatabase()
        let later = Migration("of a later version") { _ in [] }
        try await database.migrate(
            code == .newerSchema
                ? Schema.migrations + [later] : Array(Schema.migrations.dropLast()))
        let error = await #expect(throws: StorageError.self) {
            try await WorldCheck(database, ownership: nil) { _, _ in }.run()
        }
        #expect(error?.code == code)
    }

    /// Two customers, an upgrade, renewals, a decline and a refund.
    private static func life(_ backend: Backend) async throws -> World {
        let world = try await World(backend)
        let ada = try await world.device("ada")
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.subscribe("bronze.weekly", by: try await world.device("bob"))
        _ = try await world.store.advance(to: World.instant("2026-01-10"))
        try await world.store.change(subscription: id, [.product("gold.monthly")], by: ada)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: 2), account: "bob", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-20"))
        _ = world.listener.takeArrivals()
        return world
    }
}
