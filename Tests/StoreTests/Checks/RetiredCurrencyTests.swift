import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

private typealias World = TestSupport.World

@Suite("Currencies in which nothing is sold any more")
struct RetiredCurrencyTests {
    /// Silver for 9.99 in Bulgaria, bought when prices there were in leva.
    private static func inLeva(
        _ backend: Backend
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let world = try await World(backend)
        let ada = try await world.device("ada", storefront: "BGR")
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.database.write { session in
            _ = try session.execute("UPDATE store_transaction SET currency = 'BGN'")
            _ = try session.execute(
                "UPDATE subscription SET plan = REPLACE(plan, '\"EUR\"', '\"BGN\"')")
        }
        _ = world.listener.takeArrivals()
        return (world, ada, id)
    }

    @Test("What was bought in leva is shown and renewed in leva", arguments: Backend.available)
    func renewed(_ backend: Backend) async throws {
        let (world, _, id) = try await Self.inLeva(backend)
        #expect(try await world.store.unknownNames().isEmpty)
        try await world.advance(by: "P1M", expecting: ["DID_RENEW"])
        #expect(world.store.rowsSetAside.isEmpty)
        let history = try await world.history("\(id)")
        #expect(history.map(\.currency) == ["BGN", "BGN"])
        #expect(history.map(\.price) == [9_990, 9_990])
        #expect(history.map(\.storefront) == ["BGR", "BGR"])
        let lines = try await world.store.proceeds(
            bundleID: World.bundleID, from: nil, to: nil, in: .production)
        #expect(lines.map(\.currency.code) == ["BGN", "BGN"])
        #expect(lines.map(\.paid) == [9_990, 9_990])
    }

    @Test("The unused share of it is given back in leva", arguments: Backend.available)
    func refunded(_ backend: Backend) async throws {
        let (world, _, id) = try await Self.inLeva(backend)
        try await world.advance(to: "2026-01-17", expecting: [])
        _ = try await world.store.refund(
            transaction: id, .prorated, reason: .other, in: .production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        // 15 of 31 days were left of 9.99.
        #expect(
            try await world.books() == [
                "2026-01-01 charge -9.990 +6.993 +2.997",
                "2026-01-17 refund +4.830 -3.381 -1.449",
            ])
        #expect(try await world.history("\(id)").map(\.currency) == ["BGN"])
    }

    @Test(
        "An upgrade gives leva back and is charged in euros, in which all is sold now",
        arguments: Backend.available)
    func upgraded(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.inLeva(backend)
        _ = try await world.subscribe("gold.monthly", by: ada)
        let history = try await world.history("\(id)")
        // The one that changed last comes last.
        #expect(history.map(\.currency) == ["EUR", "BGN"])
        #expect(history.map(\.price) == [19_990, 9_990])
        // At the first instant all of it goes back.
        #expect(try await world.books()[1].hasPrefix("2026-01-01 proration +9.990"))
    }

    @Test(
        "A price in euros reaches nobody who pays leva: the two cannot be compared",
        arguments: Backend.available, [8_990, 11_990])
    func scheduled(_ backend: Backend, _ price: Int64) async throws {
        let (world, _, id) = try await Self.inLeva(backend)
        let bulgaria = try #require(Storefront(code: "BGR"))
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: bulgaria, price: price, existing: .apply),
            bundleID: World.bundleID)
        try await world.advance(by: "P2M", expecting: ["DID_RENEW", "DID_RENEW"])
        #expect(try await world.history("\(id)").map(\.price) == [9_990, 9_990, 9_990])
    }

    @Test("Nothing new is sold in leva", arguments: Backend.available)
    func notOffered(_ backend: Backend) async throws {
        let (world, _, _) = try await Self.inLeva(backend)
        let bob = try await world.device("bob", storefront: "BGR")
        let id = try await world.subscribe("silver.monthly", by: bob)
        #expect(try await world.history("\(id)").map(\.currency) == ["EUR"])
    }
}
