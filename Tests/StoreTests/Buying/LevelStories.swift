import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: levels of a group")
struct LevelStories {
    @Test(
        "A week's plan gives its unused days back for a month's of a higher level",
        arguments: Backend.available)
    func weekToMonth(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("bronze.weekly", by: ada)
        try await world.advance(to: "2026-01-05", telling: [])
        try await world.buy(
            "silver.monthly", by: ada,
            telling: [
                "2026-01-05 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 silver.monthly 9.99 until 2026-02-05"
            ])
        // 0.99 × 3 ÷ 7, and the month's whole price at once.
        #expect(try await world.ledger() == ["2026-01-01 +0.99", "2026-01-05 +9.99 -0.42"])
        try await world.advance(
            to: "2026-02-05",
            telling: ["2026-02-05 DID_RENEW 1 silver.monthly 9.99 until 2026-03-05"])
        #expect(
            try await world.historyLines(id) == [
                "silver.monthly 9.99 until 2026-02-05",
                "bronze.weekly 0.99 until 2026-01-08 upgraded",
                "silver.monthly 9.99 until 2026-03-05",
            ])
    }

    /// Every plan of the group but silver for a month, and what choosing it instead of that is.
    private static let choices = [
        ("gold.monthly", "UPGRADE"), ("silver.yearly", "DOWNGRADE"), ("silver.other", "UPGRADE"),
        ("bronze.monthly", "DOWNGRADE"), ("bronze.weekly", "DOWNGRADE"),
        ("silver.trial", "UPGRADE"), ("silver.intro", "UPGRADE"), ("silver.upfront", "UPGRADE"),
    ]

    @Test(
        "A subscriber sees every plan of the group, and can choose each",
        arguments: Backend.available)
    func everyPlan(_ backend: Backend) async throws {
        let world = try await World(backend)
        for (place, choice) in Self.choices.enumerated() {
            let device = try await world.device("customer \(place)")
            let id = try await world.subscribe("silver.monthly", by: device)
            let shown = try await world.store.products([], for: device).products.filter {
                $0.product.subscription?.groupID == "club"
            }
            #expect(
                shown.map(\.product.id).filter { $0 != "silver.monthly" }.sorted()
                    == Self.choices.map(\.0).sorted())
            try await world.store.change(
                subscription: id, [.product(choice.0)], by: device)
            try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/\(choice.1)"])
        }
    }

    @Test("A plan of another group is none to change to", arguments: Backend.available)
    func otherGroup(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let before = try await Tables(world.database)
        await #expect(
            throws: StoreError.subscription(.wrongGroup(product: "news.monthly", group: "club"))
        ) {
            try await world.store.change(subscription: id, [.product("news.monthly")], by: ada)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }

    @Test(
        "Whether it is an upgrade goes by the level alone, whatever it costs",
        arguments: Backend.available)
    func cheapUpgrade(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("bronze.monthly", by: ada)
        try await world.store.setPrice(
            0_490, product: "silver.monthly", storefront: .usa, bundleID: World.bundleID)
        // It costs less than bronze and is as long, but it is of a higher level.
        try await world.change(
            id, .product("silver.monthly"), by: ada,
            telling: [
                "2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 silver.monthly 0.49 until 2026-02-01"
            ])
        #expect(try await world.ledger() == ["2026-01-01 +4.99", "2026-01-01 +0.49 -4.99"])
    }

    @Test(
        "A crossgrade of the same length leaves all the marks of an upgrade",
        arguments: Backend.available)
    func crossgrade(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await world.buy(
            "silver.other", by: ada,
            telling: [
                "2026-01-11 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 silver.other 8.99 until 2026-02-11"
            ])
        #expect(
            try await world.historyLines(id) == [
                "silver.other 8.99 until 2026-02-11",
                "silver.monthly 9.99 until 2026-02-01 upgraded",
            ])
        // 9.99 × 21 ÷ 31, as from an upgrade on that day.
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-01-11 +8.99 -6.77"])
        #expect(
            try await world.store.entitlements(for: ada).map(\.productID) == ["silver.other"])
    }

    @Test(
        "What was upgraded is marked and not revoked, what was refunded is revoked and not marked",
        arguments: Backend.available)
    func marks(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device("ada")
        let upgraded = try await world.subscribe("silver.monthly", by: ada)
        let refunded = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.advance(to: "2026-01-11", telling: [])
        try await world.buy(
            "gold.monthly", by: ada, expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        _ = try await world.store.refund(
            transaction: refunded, .full, reason: .other, in: .production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        #expect(
            try await world.historyLines(upgraded).last
                == "silver.monthly 9.99 until 2026-02-01 upgraded")
        #expect(
            try await world.historyLines(refunded)
                == ["silver.monthly 9.99 until 2026-02-01 REFUND_FULL 2026-01-11"])
        #expect(try await world.ledger("ada") == ["2026-01-01 +9.99", "2026-01-11 +19.99 -6.77"])
        #expect(try await world.ledger("bob") == ["2026-01-01 +9.99", "2026-01-11 -9.99"])
    }
}
