import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: changes of plan")
struct PlanChangeStories {
    @Test(
        "An upgrade starts at once, and the unused share of the old plan is given back",
        arguments: Backend.available)
    func upgrade(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let first = try #require(
            try await world.buy(
                "silver.monthly", by: ada,
                telling: [
                    "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"
                ]))
        try await world.advance(to: "2026-01-11", telling: [])
        let second = try #require(
            try await world.buy(
                "gold.monthly", by: ada,
                telling: [
                    """
                    2026-01-11 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 until \
                    2026-02-11
                    """
                ]))
        #expect(second.originalTransactionId == first.transactionId)
        #expect(second.transactionReason == .purchase)
        try await world.advance(
            to: "2026-02-11",
            telling: ["2026-02-11 DID_RENEW 1 gold.monthly 19.99 until 2026-03-11"])

        let id = Int64(first.transactionId)!
        #expect(
            try await world.historyLines(id) == [
                "gold.monthly 19.99 until 2026-02-11",
                "silver.monthly 9.99 until 2026-02-01 upgraded",
                "gold.monthly 19.99 until 2026-03-11",
            ])
        // 9.99 × 21 ÷ 31 (TAB-21).
        #expect(
            try await world.ledger() == [
                "2026-01-01 +9.99", "2026-01-11 +19.99 -6.77", "2026-02-11 +19.99",
            ])
        #expect(try await world.shows(id) == ["1 gold.monthly on 2026-03-11 19.99"])
        let entitlements = try await world.store.entitlements(for: ada)
        #expect(entitlements.map(\.productID) == ["gold.monthly"])
    }

    @Test(
        "A crossgrade of the same duration starts at once, as an upgrade does",
        arguments: Backend.available)
    func sameDuration(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await world.change(
            id, .product("silver.other"), by: ada,
            telling: [
                "2026-01-11 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 silver.other 8.99 until 2026-02-11"
            ])
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-01-11 +8.99 -6.77"])
        try await world.advance(
            to: "2026-02-11", telling: ["2026-02-11 DID_RENEW 1 silver.other 8.99 until 2026-03-11"]
        )
    }

    @Test(
        "Downgrades and crossgrades of another duration wait for the renewal and cost nothing now",
        arguments: Backend.available,
        [
            ("bronze.monthly", "4.99", "2026-03-01"), ("bronze.weekly", "0.99", "2026-02-08"),
            ("silver.yearly", "99.99", "2027-02-01"),
        ])
    func atRenewal(_ backend: Backend, _ next: (product: String, price: String, end: String))
        async throws
    {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        let bought = try await world.buy(
            next.product, by: ada,
            telling: [
                """
                2026-01-11 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        #expect(bought == nil)
        #expect(
            try await world.shows(id) == [
                "1 silver.monthly>\(next.product) on 2026-02-01 \(next.price)"
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 \(next.product) \(next.price) until \(next.end)"])
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-02-01 +\(next.price)"])
        let history = try await world.history("\(id)")
        #expect(history.map(\.transactionReason) == [.purchase, .renewal])
        #expect(history.map(\.isUpgraded) == [nil, nil])
    }

    @Test(
        "A downgrade that waits is withdrawn by choosing the current plan",
        arguments: Backend.available)
    func withdrawn(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.change(
            id, .product("bronze.monthly"), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        try await world.change(
            id, .product("silver.monthly"), by: ada,
            telling: ["2026-01-01 DID_CHANGE_RENEWAL_PREF 1 silver.monthly 9.99 until 2026-02-01"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
    }

    @Test("Of two waiting changes the last choice wins (CHG-7)", arguments: Backend.available)
    func lastChoice(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let told = "DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 until 2026-02-01"
        try await world.change(
            id, .product("bronze.monthly"), by: ada, telling: ["2026-01-01 \(told)"])
        try await world.change(
            id, .product("silver.yearly"), by: ada, telling: ["2026-01-01 \(told)"])
        try await world.change(id, .product("silver.yearly"), by: ada, telling: [])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.yearly 99.99 until 2027-02-01"])
    }

    @Test("An upgrade clears a downgrade that waits (CHG-7)", arguments: Backend.available)
    func upgradeClears(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.change(
            id, .product("bronze.monthly"), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        try await world.change(
            id, .product("gold.monthly"), by: ada,
            telling: [
                "2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 until 2026-02-01"
            ])
        // At the first instant everything is given back (TAB-21).
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-01-01 +19.99 -9.99"])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 gold.monthly 19.99 until 2026-03-01"])
    }

    @Test(
        "Choosing a plan while renewal is off turns it on again", arguments: Backend.available)
    func whileCancelled(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let silver = "silver.monthly 9.99 until 2026-02-01"
        try await world.change(
            id, .renewal(isOn: false), by: ada,
            telling: ["2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 \(silver)"])
        try await world.change(
            id, .product("bronze.monthly"), by: ada,
            telling: [
                "2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1 \(silver)",
                "2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 \(silver)",
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 bronze.monthly 4.99 until 2026-03-01"])
    }

    @Test("A plan change that the bank declines changes nothing", arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await world.store.change(subscription: id, [.product("gold.monthly")], by: ada)
        }
        // That the bank declined is kept (0016), and nothing else.
        let after = try await Tables(world.database)
        #expect(after.differences(from: before, besides: ["bill", "journal", "world"]).isEmpty)
    }

    @Test(
        "What an upgrade cut short counts to the year of paid service as far as it was served",
        arguments: Backend.available)
    func commission(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2025-01-15", isListening: false)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.yearly", by: ada)
        _ = try await world.store.advance(to: World.instant("2025-02-14"))
        _ = try await world.store.purchase(PurchaseRequest(productID: "gold.monthly"), by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-14"))
        // 30 days of silver; with eleven months of gold they are 364, with twelve 395.
        #expect(
            try await world.books().filter { $0.contains("charge -19.990") }.suffix(2) == [
                "2026-01-14 charge -19.990 +13.993 +5.997",
                "2026-02-14 charge -19.990 +16.992 +2.998",
            ])
    }
}
