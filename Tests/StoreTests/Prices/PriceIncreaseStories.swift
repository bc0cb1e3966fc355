import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Silver, a month for 9.99 USD, bought on 15 January 2026, and a higher price that goes live:
/// the App Store Connect rows of TAB-21.
@Suite("Stories: price increases")
struct PriceIncreaseStories {
    static func subscribed(
        _ backend: Backend, to product: String = "silver.monthly", at start: String = "2026-01-15",
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let world = try await World(backend, at: start, configure: configure)
        let ada = try await world.device()
        let id = try await world.subscribe(product, by: ada)
        return (world, ada, id)
    }

    static let untilApril = [
        "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15",
        "2026-03-15 DID_RENEW 1 silver.monthly 9.99 until 2026-04-15",
    ]
    private static let asked =
        "2026-03-19 PRICE_INCREASE/PENDING 1 silver.monthly 9.99 until 2026-04-15"

    @Test("A small increase is told 27 days ahead", arguments: Backend.available)
    func notice(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        try await world.advance(to: "2026-03-18", telling: Self.untilApril)
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-15 9.99"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        try await world.advance(
            to: "2026-03-19",
            telling: [
                "2026-03-19 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-04-15"
            ])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-15 10.99 agreed"])
        let message = try #require(
            try await world.store.priceIncreaseMessages(for: ada).first)
        #expect(!message.needsConsent)
        #expect(message.renewal == World.instant("2026-04-15"))
        try await world.advance(
            to: "2026-05-15",
            telling: [
                "2026-04-15 DID_RENEW 1 silver.monthly 10.99 until 2026-05-15",
                "2026-05-15 DID_RENEW 1 silver.monthly 10.99 until 2026-06-15",
            ])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-06-15 10.99"])
        #expect(
            try await world.ledger() == [
                "2026-01-15 +9.99", "2026-02-15 +9.99", "2026-03-15 +9.99", "2026-04-15 +10.99",
                "2026-05-15 +10.99",
            ])
    }

    @Test(
        "What goes live too near a renewal waits for the next one (INC-3)",
        arguments: Backend.available)
    func tooNear(_ backend: Backend) async throws {
        let (world, _, _) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-04-01")
        try await world.advance(
            to: "2026-05-15",
            telling: Self.untilApril + [
                "2026-04-15 DID_RENEW 1 silver.monthly 9.99 until 2026-05-15",
                "2026-04-18 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-05-15",
                "2026-05-15 DID_RENEW 1 silver.monthly 10.99 until 2026-06-15",
            ])
    }

    @Test(
        "Without consent it ends at the renewal that would charge more (INC-4)",
        arguments: Backend.available)
    func unanswered(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-03-19", telling: Self.untilApril + [Self.asked])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-15 19.99 asked"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).map(\.needsConsent) == [true])
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 EXPIRED/PRICE_INCREASE 2 silver.monthly 9.99 until 2026-04-15"])
        #expect(
            try await world.shows(id) == ["2 silver.monthly off 2026-04-15 asked intent 3"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        // Whoever comes back pays the price of the day (PRC-9).
        try await world.buy(
            "silver.monthly", by: ada,
            telling: ["2026-04-15 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 19.99 until 2026-05-15"])
        #expect(try await world.ledger().count == 4)
    }

    @Test("Who agrees pays more from the renewal on", arguments: Backend.available)
    func agreed(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-04-14", telling: Self.untilApril + [Self.asked])
        try await world.change(
            id, .priceIncrease(agrees: true), by: ada,
            telling: ["2026-04-14 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-04-15"])
        try await world.change(id, .priceIncrease(agrees: true), by: ada, telling: [])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-15 19.99 agreed"])
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 DID_RENEW 1 silver.monthly 19.99 until 2026-05-15"])
    }

    @Test("Who declines is served to the end and not renewed", arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-04-01", telling: Self.untilApril + [Self.asked])
        try await world.change(
            id, .priceIncrease(agrees: false), by: ada,
            telling: [
                """
                2026-04-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 9.99 \
                until 2026-04-15
                """
            ])
        #expect(try await world.shows(id) == ["1 silver.monthly off 2026-04-15 9.99"])
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 EXPIRED/VOLUNTARY 2 silver.monthly 9.99 until 2026-04-15"])
    }

    @Test(
        "While another plan waits, nobody is asked about the price of the one that it replaces",
        arguments: Backend.available)
    func otherPlan(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-03-19", telling: Self.untilApril + [Self.asked])
        try await world.change(
            id, .product("bronze.monthly"), by: ada,
            telling: [
                """
                2026-03-19 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 \
                until 2026-04-15
                """
            ])
        #expect(
            try await world.shows(id) == ["1 silver.monthly>bronze.monthly on 2026-04-15 4.99"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        await #expect(throws: StoreError.refused(.noPriceIncrease)) {
            try await world.change(id, .priceIncrease(agrees: true), by: ada, telling: [])
        }
        try await world.change(
            id, .product("silver.monthly"), by: ada,
            telling: ["2026-03-19 DID_CHANGE_RENEWAL_PREF 1 silver.monthly 9.99 until 2026-04-15"])
        // What was announced stays announced.
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-15 19.99 asked"])
    }

    @Test("Declining can be taken back before the renewal", arguments: Backend.available)
    func changeOfMind(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-04-01", telling: Self.untilApril + [Self.asked])
        try await world.store.change(
            subscription: id, [.priceIncrease(agrees: false)], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/ACCEPTED",
            ])
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 DID_RENEW 1 silver.monthly 19.99 until 2026-05-15"])
    }

    @Test(
        "Who cancels after a notice is told no more, and from the start after coming back",
        arguments: Backend.available)
    func cancelled(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        try await world.advance(
            to: "2026-03-20",
            telling: Self.untilApril + [
                "2026-03-19 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-04-15"
            ])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        #expect(try await world.shows(id) == ["1 silver.monthly off 2026-04-15 9.99"])
        try await world.advance(to: "2026-03-30", expecting: [])
        try await world.store.change(subscription: id, [.renewal(isOn: true)], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"])
        // 16 days are left of the 27 needed, so one more period at the old price.
        try await world.advance(
            to: "2026-05-15",
            telling: [
                "2026-04-15 DID_RENEW 1 silver.monthly 9.99 until 2026-05-15",
                "2026-04-18 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-05-15",
                "2026-05-15 DID_RENEW 1 silver.monthly 10.99 until 2026-06-15",
            ])
    }

    @Test(
        "After a recovery comes one more period at the old price (INC-7)",
        arguments: Backend.available)
    func recovered(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-04-01", telling: Self.untilApril + [Self.asked])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.settle(expecting: ["PRICE_INCREASE/ACCEPTED"])
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-04-20",
            telling: ["2026-04-15 DID_FAIL_TO_RENEW 3 silver.monthly 9.99 until 2026-04-15"])
        try await world.pays(
            .approves,
            telling: [
                "2026-04-20 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 until 2026-05-20"
            ])
        try await world.advance(
            to: "2026-05-20",
            telling: [
                "2026-04-23 PRICE_INCREASE/PENDING 1 silver.monthly 9.99 until 2026-05-20",
                "2026-05-20 EXPIRED/PRICE_INCREASE 2 silver.monthly 9.99 until 2026-05-20",
            ])
    }

    @Test("A second increase within twelve months needs consent", arguments: Backend.available)
    func frequency(_ backend: Backend) async throws {
        let (world, _, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        try await world.advance(
            to: "2026-05-01",
            telling: Self.untilApril + [
                "2026-03-19 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-04-15",
                "2026-04-15 DID_RENEW 1 silver.monthly 10.99 until 2026-05-15",
            ])
        try await world.schedule("silver.monthly", 11_990, live: "2026-05-02")
        try await world.advance(
            to: "2026-05-19",
            telling: [
                "2026-05-15 DID_RENEW 1 silver.monthly 10.99 until 2026-06-15",
                "2026-05-19 PRICE_INCREASE/PENDING 1 silver.monthly 10.99 until 2026-06-15",
            ])
        let explanation = try #require(
            try await world.store.explainPriceIncrease(subscription: id, in: .production))
        #expect(explanation.decision.path == .consent)
        #expect(explanation.decision.decidingReasons.map(\.rule) == ["THR-1 c"])
        #expect(explanation.firstRenewalAtNewPrice == World.instant("2026-06-15"))
    }

    @Test("A weekly plan pays more from the fourth renewal", arguments: Backend.available)
    func weekly(_ backend: Backend) async throws {
        let (world, _, _) = try await Self.subscribed(
            backend, to: "bronze.weekly", at: "2026-01-29")
        try await world.schedule("bronze.weekly", 1_090, live: "2026-02-06")
        try await world.advance(
            to: "2026-03-05",
            telling: [
                "2026-02-05 DID_RENEW 1 bronze.weekly 0.99 until 2026-02-12",
                "2026-02-06 PRICE_INCREASE/ACCEPTED 1 bronze.weekly 0.99 until 2026-02-12",
                "2026-02-12 DID_RENEW 1 bronze.weekly 0.99 until 2026-02-19",
                "2026-02-19 DID_RENEW 1 bronze.weekly 0.99 until 2026-02-26",
                "2026-02-26 DID_RENEW 1 bronze.weekly 0.99 until 2026-03-05",
                "2026-03-05 DID_RENEW 1 bronze.weekly 1.09 until 2026-03-12",
            ])
    }

    @Test("A yearly plan is asked 60 days ahead", arguments: Backend.available)
    func yearly(_ backend: Backend) async throws {
        let (world, _, _) = try await Self.subscribed(
            backend, to: "silver.yearly", at: "2025-12-31")
        try await world.schedule("silver.yearly", 199_990, live: "2026-06-01")
        try await world.advance(
            to: "2026-12-31",
            telling: [
                "2026-11-01 PRICE_INCREASE/PENDING 1 silver.yearly 99.99 until 2026-12-31",
                "2026-12-31 EXPIRED/PRICE_INCREASE 2 silver.yearly 99.99 until 2026-12-31",
            ])
    }

    @Test(
        "In a trial the price shown at sign-up is charged once first", arguments: Backend.available)
    func trial(_ backend: Backend) async throws {
        let (world, _, _) = try await Self.subscribed(
            backend, to: "silver.trial", at: "2026-03-01")
        try await world.schedule("silver.trial", 10_990, live: "2026-03-02")
        try await world.advance(
            to: "2026-05-08",
            telling: [
                "2026-03-08 DID_RENEW 1 silver.trial 9.99 until 2026-04-08",
                "2026-03-12 PRICE_INCREASE/ACCEPTED 1 silver.trial 9.99 until 2026-04-08",
                "2026-04-08 DID_RENEW 1 silver.trial 10.99 until 2026-05-08",
                "2026-05-08 DID_RENEW 1 silver.trial 10.99 until 2026-06-08",
            ])
    }

    @Test("An upgrade makes the increase of the old plan void", arguments: Backend.available)
    func upgraded(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-04-01", telling: Self.untilApril + [Self.asked])
        try await world.buy(
            "gold.monthly", by: ada, expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(try await world.shows(id) == ["1 gold.monthly on 2026-05-01 19.99"])
        await #expect(throws: StoreError.refused(.noPriceIncrease)) {
            try await world.store.change(
                subscription: id, [.priceIncrease(agrees: true)], by: ada)
        }
        try await world.advance(
            to: "2026-05-01",
            telling: ["2026-05-01 DID_RENEW 1 gold.monthly 19.99 until 2026-06-01"])
    }

    @Test(
        "Another plan that waits for the renewal needs no consent to the old one's price",
        arguments: Backend.available)
    func downgraded(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(to: "2026-04-01", telling: Self.untilApril + [Self.asked])
        try await world.buy(
            "bronze.monthly", by: ada, expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 DID_RENEW 1 bronze.monthly 4.99 until 2026-05-15"])
        #expect(try await world.shows(id) == ["1 bronze.monthly on 2026-05-15 4.99"])
    }

    @Test(
        "Whoever is over gets a price for the way back, and is not counted as a subscriber",
        arguments: Backend.available)
    func countsWhoIsThere(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.subscribed(backend)
        let bob = try await world.device("bob")
        try await world.buy("silver.monthly", by: bob, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.schedule("silver.monthly", 7_990, live: "2026-03-01", .preserve)
        _ = try await world.store.advance(to: World.instant("2026-03-02"))
        let change = try await world.store.scheduledPrices(
            product: "silver.monthly", limit: 1, bundleID: World.bundleID
        ).first
        #expect(change?.subscribers == 1)
        #expect(try await world.store.subscription(id).1.plan.price.milliunits == 7_990)
    }
}
