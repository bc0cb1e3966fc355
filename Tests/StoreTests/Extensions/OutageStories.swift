import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: an outage is made up for")
struct OutageStories {
    private static let outage = "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"

    private static func order(days: Int) throws -> MassExtensionOrder {
        MassExtensionOrder(
            productID: "silver.monthly",
            request: try ExtensionRequest(days: days, reasonCode: 3), requestIdentifier: outage)
    }

    /// Extends a subscription and gives its new end.
    private static func extend(
        _ world: World, _ id: Int64, days: Int, _ identifier: String
    ) async throws -> String {
        let extended = try await world.store.extend(
            originalTransaction: id, try ExtensionRequest(days: days, reasonCode: 3),
            requestIdentifier: identifier, for: world.caller())
        return World.text(extended.effective)
    }

    @Test(
        "What was extended stays extended, whatever is asked for afterwards",
        arguments: Backend.available)
    func irreversible(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        #expect(try await Self.extend(world, id, days: 30, "outage") == "2026-03-17")
        try await world.settle(
            telling: ["2026-01-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-17"])
        for days in [0, -1, -30] {
            #expect(throws: ExtensionRefusal.invalidDays) {
                try ExtensionRequest(days: days, reasonCode: 3)
            }
        }
        #expect(try await Self.extend(world, id, days: 1, "outage") == "2026-03-17")
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.store.change(subscription: id, [.renewal(isOn: true)], by: ada)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
            ])
        try await world.advance(to: "2026-03-16", telling: [])
        #expect(try await world.ledger() == ["2026-01-15 +9.99"])
        try await world.advance(
            to: "2026-03-17",
            telling: ["2026-03-17 DID_RENEW 1 silver.monthly 9.99 until 2026-04-17"])
    }

    @Test("One that is refused is told of in the answer alone", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_FAIL_TO_RENEW 3 silver.monthly 9.99 until 2026-02-15"])
        await #expect(throws: StoreError.refused(.notExtended(.inBillingRetry))) {
            _ = try await Self.extend(world, id, days: 10, "outage")
        }
        try await world.settle(telling: [])
    }

    @Test(
        "Each of a customer's subscriptions has two in a year, also for who left and came back",
        arguments: Backend.available)
    func counted(_ backend: Backend) async throws {
        let (world, ada, club) = try await PriceIncreaseStories.subscribed(backend)
        let news = try await world.subscribe("news.monthly", by: ada)
        #expect(try await Self.extend(world, club, days: 1, "first") == "2026-02-16")
        #expect(try await Self.extend(world, club, days: 1, "second") == "2026-02-17")
        try await world.store.change(subscription: club, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        _ = world.listener.takeArrivals()
        try await world.buy(
            "silver.monthly", by: ada,
            telling: ["2026-03-01 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-04-01"])
        await #expect(throws: StoreError.refused(.notExtended(.limitReached))) {
            _ = try await Self.extend(world, club, days: 1, "third")
        }
        #expect(try await Self.extend(world, news, days: 1, "first") == "2026-03-16")
        #expect(try await Self.extend(world, news, days: 1, "second") == "2026-03-17")
        // 365 days after the first two, with a renewal on the first of each month.
        _ = try await world.store.advance(to: World.instant("2027-01-15"))
        #expect(try await Self.extend(world, club, days: 1, "third") == "2027-02-02")
    }

    @Test(
        "Discounted periods are paid ones, and their renewal date is extended like any other",
        arguments: Backend.available,
        [
            ("silver.intro", "2026-02-25", "1.99 PAY_AS_YOU_GO"),
            ("silver.upfront", "2026-07-25", "29.99 PAY_UP_FRONT"),
        ])
    func discounted(_ backend: Backend, _ plan: (product: String, end: String, paid: String))
        async throws
    {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend, to: plan.product)
        #expect(try await Self.extend(world, id, days: 10, "outage") == plan.end)
        try await world.settle(
            telling: [
                "2026-01-15 RENEWAL_EXTENDED 1 \(plan.product) \(plan.paid) until \(plan.end)"
            ])
    }

    @Test(
        "A failure names its subscription, which the single call extends once it is active",
        arguments: Backend.available)
    func retried(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        _ = try await world.subscribe("silver.monthly", by: world.device("ada"))
        let bob = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.pays(.declines(until: nil, left: nil), account: "bob")
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW", "DID_FAIL_TO_RENEW"])
        try await world.store.massExtend(try Self.order(days: 10), for: world.caller())
        try await world.store.settle()
        let arrivals = world.listener.takeArrivals()
        #expect(
            arrivals.map(\.line) == [
                "2026-02-16 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-25",
                "2026-02-16 RENEWAL_EXTENSION/FAILURE 3 silver.monthly 9.99 until 2026-02-15",
                "2026-02-16 RENEWAL_EXTENSION/SUMMARY",
            ])
        let failed = arrivals.first { $0.notification.subtype == .failure }
        let named = try #require(Int64(failed?.transaction?.originalTransactionId ?? ""))
        #expect(named == bob)
        await #expect(throws: StoreError.refused(.notExtended(.inBillingRetry))) {
            _ = try await Self.extend(world, named, days: 10, Self.outage)
        }
        try await world.pays(
            .approves, account: "bob",
            telling: [
                "2026-02-16 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 until 2026-03-16"
            ])
        #expect(try await Self.extend(world, named, days: 10, Self.outage) == "2026-03-26")
        try await world.settle(
            telling: ["2026-02-16 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-26"])
    }
}
