import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Rehearsing a price increase on a fork")
struct RehearsalTests {
    @Test(
        "Who agrees renews at the new price, who does not ends, and the original hears nothing",
        arguments: Backend.available)
    func increase(_ backend: Backend) async throws {
        let world = try await World(backend)
        let devices = (
            ada: try await world.device(), bea: try await world.device("bea"),
            eve: try await world.device("eve")
        )
        let ada = try await world.subscribe("silver.monthly", by: devices.ada)
        let bea = try await world.subscribe("silver.monthly", by: devices.bea)
        let eve = try await world.subscribe("silver.monthly", by: devices.eve)
        let before = try await Tables(world.database)
        try await world.store.fork("campaign")
        let fork = try await World(database: try await world.store.openFork("campaign"))
        // 60 per cent and 6 dollars more need consent; the first renewal 27 days ahead is 1 March.
        try await fork.schedule("silver.monthly", 15_990, live: "2026-01-15")
        _ = try await fork.store.advance(to: World.instant("2026-02-10"))
        try await fork.store.change(
            subscription: ada, [.priceIncrease(agrees: true)], by: devices.ada)
        try await fork.store.change(
            subscription: bea, [.priceIncrease(agrees: false)], by: devices.bea)
        _ = try await fork.store.advance(to: World.instant("2026-04-15"))

        #expect(try await prices(ada, fork) == [9_990, 9_990, 15_990, 15_990])
        #expect(try await fork.shows(ada).map { $0.hasPrefix("1 silver.monthly") } == [true])
        // Who declines has ended it (intent 1); who says nothing is ended by the increase (3).
        for (id, intent) in [(bea, "intent 1"), (eve, "intent 3")] {
            #expect(try await prices(id, fork) == [9_990, 9_990])
            let shown = try await fork.shows(id)
            #expect(shown.map { $0.hasPrefix("2 ") && $0.contains(intent) } == [true], "\(shown)")
        }
        let told = try await Books.notifications(after: 0, in: fork.database).map(\.kind)
        #expect(told.count { $0 == "PRICE_INCREASE/PENDING" } == 3)
        #expect(told.count { $0 == "PRICE_INCREASE/ACCEPTED" } == 1)
        #expect(told.count { $0 == "EXPIRED/PRICE_INCREASE" } == 1)

        #expect(fork.listener.takeArrivals().isEmpty)
        #expect(world.listener.takeArrivals().isEmpty)
        #expect(try await Tables(world.database) == before)
        try await fork.check()
        await fork.database.close()
        try await world.store.removeFork("campaign")
        #expect(try await Tables(world.database) == before)
        try await world.advance(
            to: "2026-02-15", expecting: ["DID_RENEW", "DID_RENEW", "DID_RENEW"])
    }

    private func prices(_ subscription: Int64, _ world: World) async throws -> [Int64?] {
        try await world.history("\(subscription)").map(\.price)
    }
}
