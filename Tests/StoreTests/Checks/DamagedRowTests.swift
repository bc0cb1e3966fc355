import DueWork
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

@Suite("Damaged rows")
struct DamagedRowTests {
    /// Values that no version of the store has written, column by column.
    static let damages = [
        ("plan", "'{}'"), ("plan", "'{\"product\":'"), ("next_plan", "'x'"),
        ("storefront", "'ZZZ'"), ("term_end", "9223372036854775807"), ("term_start", "-1"),
        ("term_commission", "99"), ("term_offer", "'{\"kind\":1}'"), ("cycle_elapsed", "-1"),
        ("cycle_elapsed", "9223372036854775807"), ("cycle_unit", "'eons'"),
        ("renewal_count", "-9"), ("increase", "'{\"price\":-1}'"), ("environment", "7"),
        ("served", "9223372036854775807"), ("next_change", "next_change - 1000"),
        ("product_id", "'other'"), ("instalment", "3"),
    ]

    @Test(
        "A damaged subscription is set aside, named once, and every other one renews",
        arguments: Backend.available, damages)
    func setAside(_ backend: Backend, _ damage: (column: String, value: String)) async throws {
        let world = try await World(backend)
        var ids: [Int64] = []
        for account in ["ada", "bob", "eve"] {
            ids.append(
                try await world.subscribe(
                    "bronze.weekly", by: try await world.device(account)))
        }
        try await world.damage("subscription", ids[1], damage.column, damage.value)
        _ = world.listener.takeArrivals()
        try await world.advance(by: "P8D", expecting: ["DID_RENEW", "DID_RENEW"])
        #expect(world.store.rowsSetAside.map(\.id) == [ids[1]])
        #expect(world.store.rowsSetAside.first?.table == "subscription")
        #expect(
            world.store.rowsSetAside.first?.reason.contains("subscription \(ids[1])") == true)
        try await world.advance(by: "P7D", expecting: ["DID_RENEW", "DID_RENEW"])
        // Who needs the row is told; everybody else is served.
        let error = await #expect(throws: StorageError.self) {
            try await world.store.subscription(ids[1])
        }
        #expect(error?.code == .corrupt)
        #expect(try await world.store.subscription(ids[0]).1.renewalCount == 2)
        #expect(try await world.store.subscription(ids[2]).1.renewalCount == 2)
    }

    @Test("A row that was repaired is worked on after the next start", arguments: Backend.available)
    func repaired(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = try await world.subscribe("bronze.weekly", by: try await world.device())
        try await world.damage("subscription", id, "cycle_unit", "'eons'")
        _ = world.listener.takeArrivals()
        try await world.advance(by: "P8D", expecting: [])
        try await world.damage("subscription", id, "cycle_unit", "'days'")
        let again = try await World(database: world.database)
        try await again.settle(expecting: ["DID_RENEW"])
        #expect(again.store.rowsSetAside.isEmpty)
    }

    @Test(
        "What is missing beside a subscription sets it aside, and nothing else",
        arguments: Backend.available)
    func missing(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device("ada")
        let id = try await world.subscribe("bronze.weekly", by: ada)
        let other = try await world.subscribe("bronze.weekly", by: try await world.device("bob"))
        try await world.database.write { session in
            _ = try session.execute(
                "DELETE FROM customer_app WHERE customer = \(ada.customer)")
        }
        _ = world.listener.takeArrivals()
        let before = try await world.store.subscription(id).1
        try await world.advance(by: "P8D", expecting: ["DID_RENEW"])
        #expect(world.store.rowsSetAside.map(\.id) == [id])
        // Nothing of what failed was kept.
        #expect(try await world.store.subscription(id).1 == before)
        #expect(try await world.store.subscription(other).1.renewalCount == 1)
    }

    @Test(
        "A damaged notification holds up no other", arguments: Backend.available,
        [
            ["particulars": "'x'"], ["app": "999"], ["environment": "7"],
            // It can be read, and not be signed.
            ["subkind": "'SUMMARY'", "detail": "'x'"],
        ])
    func notification(_ backend: Backend, _ damage: [String: String]) async throws {
        let world = try await World(backend)
        for account in ["ada", "bob", "eve"] {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"),
                by: try await world.device(account))
        }
        let ids = try await world.database.read { session in
            try session.rows("SELECT id FROM notification ORDER BY id").map { try $0.integer(0) }
        }
        for (column, value) in damage {
            try await world.damage("notification", ids[0], column, value)
        }
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY"])
        #expect(world.store.rowsSetAside.map(\.table) == ["notification"])
        #expect(world.store.rowsSetAside.map(\.id) == [ids[0]])
    }

    @Test("A damaged price change and a damaged fault hold up nobody", arguments: Backend.available)
    func jobs(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = try await world.subscribe("bronze.weekly", by: try await world.device())
        try await world.database.write { session in
            try session.execute(
                """
                INSERT INTO price_change (id, app, product_id, storefront, price, for_cohort,
                    starts_at, existing, state, reached, subscribers)
                SELECT 900, MIN(id), 'bronze.weekly', 'ZZZ', 1990, 0,
                    \(World.instant("2026-01-02")), 'apply', 'scheduled', 0, 0
                FROM app
                """)
            try session.execute(
                """
                INSERT INTO fault (id, environment, kind, percent, seed, candidates, applied,
                    created_at)
                VALUES (901, 0, 'unheardOf', 100, 'x', 0, 0, 0)
                """)
        }
        _ = world.listener.takeArrivals()
        try await world.advance(by: "P8D", expecting: ["DID_RENEW"])
        #expect(world.store.rowsSetAside.map(\.table) == ["fault", "price_change"])
        _ = try await world.subscribe("silver.monthly", by: try await world.device("bob"))
        #expect(try await world.store.subscription(id).1.renewalCount == 1)
    }

    @Test("A mass extension counts a damaged subscription as failed", arguments: Backend.available)
    func massExtension(_ backend: Backend) async throws {
        let world = try await World(backend)
        var ids: [Int64] = []
        for account in ["ada", "bob", "eve"] {
            ids.append(
                try await world.subscribe(
                    "silver.monthly", by: try await world.device(account)))
        }
        try await world.damage("subscription", ids[0], "cycle_unit", "'eons'")
        try await world.store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly", storefronts: nil,
                request: try ExtensionRequest(days: 10, reasonCode: 1),
                requestIdentifier: "758883e8-151b-47b7-abd0-60c4d804c2f5"), for: world.caller())
        _ = world.listener.takeArrivals()
        try await world.settle(
            expecting: ["RENEWAL_EXTENDED", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY"])
        let orders = try await world.store.massExtensions(
            before: nil, limit: 10, in: .production)
        #expect(orders.first?.0.succeeded == 2)
        #expect(orders.first?.0.failed == 1)
    }

    @Test("A damaged world's row is an error in words", arguments: Backend.available)
    func world(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.damage("world", 1, "settings_version", "-5")
        let error = await #expect(throws: StorageError.self) {
            try await world.store.clockReading()
        }
        #expect(
            error?.message == "world 1, column settings_version: -5 is impossible there")
    }
}

extension TestSupport.World {
    /// Puts a value into a column that the store would not write.
    func damage(_ table: String, _ id: Int64, _ column: String, _ value: String) async throws {
        try await database.write { session in
            _ = try session.execute(
                "UPDATE \(raw: table) SET \(raw: column) = \(raw: value) WHERE id = \(id)")
        }
    }
}
