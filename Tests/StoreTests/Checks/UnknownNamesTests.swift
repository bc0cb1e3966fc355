import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

private typealias World = TestSupport.World

@Suite("Names that this version does not know")
struct UnknownNamesTests {
    private static func subscribed(_ backend: Backend) async throws -> (World, ids: [Int64]) {
        let world = try await World(backend)
        var ids: [Int64] = []
        for account in ["ada", "bob"] {
            ids.append(
                try await world.subscribe(
                    "bronze.weekly", by: try await world.device(account)))
        }
        return (world, ids)
    }

    @Test("A world of known names has none", arguments: Backend.available)
    func none(_ backend: Backend) async throws {
        #expect(try await Self.subscribed(backend).0.store.unknownNames().isEmpty)
    }

    @Test(
        "A storefront or a currency that is none is named with its row",
        arguments: Backend.available,
        [
            ("subscription", "storefront", "'QQQ'", "storefront", "QQQ"),
            ("store_transaction", "storefront", "'QQQ'", "storefront", "QQQ"),
            ("store_transaction", "currency", "'XTS'", "currency", "XTS"),
            (
                "subscription", "plan", "REPLACE(plan, '\"USD\"', '\"XTS\"')", "currency", "XTS"
            ),
            ("subscription", "storefront", "'no name at all'", "storefront", nil),
        ] as [(String, String, String, String, String?)])
    func unknown(
        _ backend: Backend,
        _ damage: (table: String, column: String, value: String, kind: String, name: String?)
    ) async throws {
        let (world, ids) = try await Self.subscribed(backend)
        try await world.damage(damage.table, ids[1], damage.column, damage.value)
        let found = try await world.store.unknownNames()
        #expect(found.map(\.place) == ["\(damage.table) \(ids[1])"])
        #expect(found.map(\.kind) == [damage.kind])
        #expect(found.map(\.name) == [damage.name])
        guard damage.table == "subscription" else { return }
        // The row is passed over, every other one is served.
        _ = world.listener.takeArrivals()
        try await world.advance(by: "P8D", expecting: ["DID_RENEW"])
    }

    @Test("A price change and an order for all are looked at as well", arguments: Backend.available)
    func otherTables(_ backend: Backend) async throws {
        let (world, _) = try await Self.subscribed(backend)
        try await world.store.schedule(
            PriceOrder(
                productID: "bronze.weekly", storefront: Storefront.usa, price: 1_990,
                start: World.instant("2026-03-01"), existing: .preserve),
            bundleID: World.bundleID)
        try await world.database.write { session in
            _ = try session.execute("UPDATE price_change SET storefront = 'QQQ'")
        }
        #expect(try await world.store.unknownNames().map(\.name) == ["QQQ"])
    }
}
