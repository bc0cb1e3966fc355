import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Who pays what")
struct PriceCohortTests {
    @Test("Cohorts are counted by environment", arguments: Backend.available)
    func environments(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        for account in ["bea", "cid"] {
            _ = try await world.subscribe(
                "silver.monthly", by: world.device(account, in: .sandbox))
        }
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(
            cohorts.map { [$0.price, $0.subscribers, $0.sandboxSubscribers] } == [[9_990, 3, 2]])
        #expect(cohorts.map { [$0.moving, $0.sandboxMoving] } == [[0, 0]])
        try await world.schedule("silver.monthly", 12_990, live: "2026-01-15")
        let moving = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(moving.map { [$0.moving, $0.sandboxMoving] } == [[3, 2]])
    }
}
