import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What was chosen at one price and begins at another: nobody is surprised, and nobody escapes an
/// increase that is for all subscribers (PRC-5).
@Suite("Stories: chosen before an increase")
struct ChosenBeforeStories {
    /// Ada has gold, and silver for 9.99 waits for the renewal on 15 February.
    private static func waiting(
        _ backend: Backend
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(
            backend, to: "gold.monthly")
        try await world.store.change(subscription: id, [.product("silver.monthly")], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        return (world, ada, id)
    }

    private static let firstPeriod =
        "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"

    @Test(
        "A plan that waits costs what was shown for a period, and is then raised with notice",
        arguments: Backend.available)
    func raised(_ backend: Backend) async throws {
        let (world, _, id) = try await Self.waiting(backend)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-20")
        try await world.advance(to: "2026-02-01", expecting: [])
        #expect(
            try await world.shows(id) == ["1 gold.monthly>silver.monthly on 2026-02-15 9.99"])
        try await world.advance(
            to: "2026-03-15",
            telling: [
                Self.firstPeriod,
                "2026-02-16 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-03-15",
                "2026-03-15 DID_RENEW 1 silver.monthly 11.99 until 2026-04-15",
            ])
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map { [$0.price, $0.subscribers, $0.moving] } == [[11_990, 1, 0]])
        try await world.check()
    }

    @Test(
        "Of several prices that go live meanwhile the last one holds",
        arguments: Backend.available,
        [
            // A cohort of its own is not moved, and a lower price ends the increase.
            ([(11_990, .apply), (13_990, .preserve)], 11_990),
            ([(11_990, .apply), (13_990, .apply)], 13_990),
            ([(11_990, .preserve), (13_990, .apply)], 9_990),
            ([(11_990, .apply), (9_990, .preserve)], 9_990),
            ([(11_990, .apply), (8_990, .preserve)], 8_990),
        ] as [([(Int64, ScheduledPrice.Existing)], Int64)])
    func several(
        _ backend: Backend, _ course: (changes: [(Int64, ScheduledPrice.Existing)], pays: Int64)
    ) async throws {
        let (world, _, _) = try await Self.waiting(backend)
        for (day, change) in zip(["2026-01-20", "2026-01-25"], course.changes) {
            try await world.schedule("silver.monthly", change.0, live: day, change.1)
            _ = try await world.store.advance(to: World.instant(day))
        }
        _ = try await world.store.advance(to: World.instant("2026-06-20"))
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map { [$0.price, $0.subscribers, $0.moving] } == [[course.pays, 1, 0]])
        try await world.check()
    }

    @Test(
        "What goes live while the first renewal as the plan is still to be paid comes after it",
        arguments: Backend.available)
    func whilePending(_ backend: Backend) async throws {
        let (world, _, _) = try await Self.waiting(backend)
        try await world.pays(.answersLater(after: .hours(12), isPaid: true))
        try await world.schedule("silver.monthly", 11_990, live: "2026-02-15T06:00:00Z")
        try await world.advance(to: "2026-02-15T20:00:00Z", telling: [Self.paidAtNoon])
        try await world.pays(.approves)
        _ = try await world.store.advance(to: World.instant("2026-05-01"))
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map { [$0.price, $0.subscribers, $0.moving] } == [[11_990, 1, 0]])
        try await world.check()
    }

    private static let paidAtNoon =
        "2026-02-15 12:00 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"

    /// After a failed renewal the plan that waits is bought at once, and its price goes live before
    /// the bank has answered.
    @Test(
        "A plan that waited and is bought by hand is raised once, counted from the payment",
        arguments: Backend.available)
    func boughtByHand(_ backend: Backend) async throws {
        let (world, ada, _) = try await Self.waiting(backend)
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_FAIL_TO_RENEW 3 gold.monthly 19.99 until 2026-02-15"])
        try await world.pays(.answersLater(after: .hours(1), isPaid: false))
        _ = try await world.store.advance(to: World.instant("2026-02-15T02:00:00Z"))
        let silver = PurchaseRequest(productID: "silver.monthly")
        let bill = try #require(try await world.store.buy(silver, by: ada).pendingBill)
        try await world.schedule("silver.monthly", 11_990, live: "2026-02-15T02:20:00Z")
        _ = try await world.store.advance(to: World.instant("2026-02-15T02:40:00Z"))
        _ = try await world.store.answer(bill: bill, .paid, in: .production)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        try await world.pays(.approves)
        // The first renewal is 28 days after the payment.
        _ = try await world.store.advance(to: World.instant("2026-03-16"))
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map { [$0.price, $0.subscribers, $0.moving] } == [[11_990, 1, 0]])
        try await world.check()
    }

    @Test("Chosen again it costs what it costs that day", arguments: Backend.available)
    func chosenAgain(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.waiting(backend)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-20")
        try await world.advance(to: "2026-01-21", expecting: [])
        try await world.store.change(subscription: id, [.product("silver.monthly")], by: ada)
        try await world.advance(
            to: "2026-03-15",
            telling: [
                "2026-02-15 DID_RENEW 1 silver.monthly 11.99 until 2026-03-15",
                "2026-03-15 DID_RENEW 1 silver.monthly 11.99 until 2026-04-15",
            ])
    }

    @Test(
        "A purchase that is paid after the increase is raised with notice, or preserved",
        arguments: Backend.available, [ScheduledPrice.Existing.apply, .preserve])
    func paidLater(_ backend: Backend, _ existing: ScheduledPrice.Existing) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        try await world.pays(.answersLater(after: .hours(12), isPaid: true))
        _ = try await world.store.buy(PurchaseRequest(productID: "silver.monthly"), by: ada)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-15T06:00:00Z", existing)
        try await world.advance(
            to: "2026-01-15T20:00:00Z",
            telling: [
                """
                2026-01-15 12:00 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 \
                until 2026-02-15 12:00
                """
            ])
        try await world.pays(.approves)
        _ = try await world.store.advance(to: World.instant("2026-05-01"))
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map(\.price) == [existing == .apply ? 11_990 : 9_990])
        try await world.check()
    }

    @Test(
        "Nobody is told of a price that is off sale; back on sale it is told after a renewal",
        arguments: Backend.available)
    func offSale(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-01-20")
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
        func sell(_ isForSale: Bool) async throws {
            try await world.store.setAvailability(
                isForSale, product: "silver.monthly", storefront: nil, bundleID: World.bundleID)
        }
        // Its day is 16 February.
        try await sell(false)
        try await world.advance(to: "2026-03-14", telling: [])
        try await sell(true)
        try await world.advance(
            to: "2026-03-20",
            telling: [
                "2026-03-15 DID_RENEW 1 silver.monthly 9.99 until 2026-04-15",
                "2026-03-19 PRICE_INCREASE/PENDING 1 silver.monthly 9.99 until 2026-04-15",
            ])
        try await sell(false)
        try await world.advance(
            to: "2026-04-15",
            telling: [
                "2026-04-15 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-04-15"
            ])
        try await world.check()
    }

    @Test(
        "Back on sale a weekly plan gets its whole notice, counted from the next renewal",
        arguments: Backend.available)
    func offSaleWeekly(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend, to: "bronze.weekly")
        func sell(_ isForSale: Bool) async throws {
            try await world.store.setAvailability(
                isForSale, product: "bronze.weekly", storefront: nil, bundleID: World.bundleID)
        }
        try await world.schedule("bronze.weekly", 1_090, live: "2026-01-17")
        try await world.advance(to: "2026-01-22", telling: [Self.week("2026-01-22", "2026-01-29")])
        // Its day is 23 January, 27 days before the renewal of 19 February.
        try await sell(false)
        try await world.advance(to: "2026-01-24", telling: [])
        try await sell(true)
        try await world.advance(
            to: "2026-02-26",
            telling: [
                Self.week("2026-01-29", "2026-02-05"),
                "2026-01-30 PRICE_INCREASE/ACCEPTED 1 bronze.weekly 0.99 until 2026-02-05",
                Self.week("2026-02-05", "2026-02-12"), Self.week("2026-02-12", "2026-02-19"),
                Self.week("2026-02-19", "2026-02-26"),
                "2026-02-26 DID_RENEW 1 bronze.weekly 1.09 until 2026-03-05",
            ])
        try await world.check()
    }

    private static func week(_ start: String, _ end: String) -> String {
        "\(start) DID_RENEW 1 bronze.weekly 0.99 until \(end)"
    }
}
