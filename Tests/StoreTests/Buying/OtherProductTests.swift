import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Other products")
struct OtherProductTests {
    @Test("Consumables come in quantities of one to ten", arguments: Backend.available, 1...10)
    func consumable(_ backend: Backend, _ quantity: Int) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let price = World.units(Int64(quantity) * 990)
        let many = quantity == 1 ? "" : " × \(quantity)"
        let bought = try #require(
            try await world.buy(
                "coins", by: ada, quantity: quantity,
                telling: ["2026-01-01 ONE_TIME_CHARGE coins \(price)\(many)"]))
        #expect(bought.originalTransactionId == bought.transactionId)
        #expect(bought.type == .consumable)
        #expect(try await world.ledger() == ["2026-01-01 +\(price)"])
    }

    @Test(
        "Consumables and seasons can be bought again and again", arguments: Backend.available,
        ["coins", "season"])
    func again(_ backend: Backend, _ product: String) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        var identifiers: Set<String> = []
        for _ in 1...3 {
            let bought = try await world.buy(product, by: ada, expecting: ["ONE_TIME_CHARGE"])
            identifiers.insert(try #require(bought).transactionId)
        }
        #expect(identifiers.count == 3)
        #expect(try await world.ledger().count == 3)
    }

    @Test(
        "A non-consumable that is owned is delivered again without payment",
        arguments: Backend.available)
    func nonConsumable(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        let first = try #require(
            try await world.buy(
                "lifetime", by: ada, telling: ["2026-01-01 ONE_TIME_CHARGE lifetime 49.99"]))
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(to: "2027-01-01", telling: [])
        let again = try await world.store.buy(PurchaseRequest(productID: "lifetime"), by: ada)
        #expect(again.isDeliveredAgain)
        let second = try #require(try await world.buy("lifetime", by: ada, telling: []))
        #expect(second.transactionId == first.transactionId)
        #expect(second.purchaseDate == first.purchaseDate)
        #expect(try await world.ledger() == ["2026-01-01 +49.99"])
        // Somebody else pays for it.
        let hers = try #require(
            try await world.buy(
                "lifetime", by: bea, telling: ["2027-01-01 ONE_TIME_CHARGE lifetime 49.99"]))
        #expect(hers.transactionId != first.transactionId)
    }

    @Test("The store knows no end of a non-renewing subscription", arguments: Backend.available)
    func nonRenewing(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bought = try #require(
            try await world.buy(
                "season", by: ada, telling: ["2026-01-01 ONE_TIME_CHARGE season 14.99"]))
        #expect(bought.expiresDate == nil)
        #expect(bought.subscriptionGroupIdentifier == nil)
        try await world.advance(to: "2030-01-01", telling: [])
        #expect(try await world.store.entitlements(for: ada).map(\.productID) == ["season"])
    }

    @Test(
        "What is unfinished stays in the queue until it is finished, once",
        arguments: Backend.available)
    func queue(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let coins = try await world.subscribe("coins", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        func queue(after: Int64 = 0, limit: Int = 10) async throws -> [String] {
            try await world.store.transactions(
                for: ada, unfinishedOnly: true, after: after, limit: limit
            ).map(\.productID)
        }
        #expect(try await queue() == ["silver.monthly", "coins", "silver.monthly"])
        #expect(try await queue(limit: 2) == ["silver.monthly", "coins"])
        #expect(try await queue(after: coins) == ["silver.monthly"])
        try await world.store.finish(transaction: coins, by: ada)
        #expect(try await queue() == ["silver.monthly", "silver.monthly"])
        let before = try await Tables(world.database)
        try await world.store.finish(transaction: coins, by: ada)
        try await world.store.finish(
            transaction: coins, bundleID: World.bundleID, in: .production)
        #expect(try await Tables(world.database) == before)
        try await world.store.finish(transaction: id, bundleID: World.bundleID, in: .production)
        #expect(try await queue() == ["silver.monthly"])
        let all = try await world.store.transactions(
            for: ada, unfinishedOnly: false, after: 0, limit: 10)
        #expect(all.map(\.isFinished) == [true, true, false])
    }

    @Test("Entitlements are what one has access to now", arguments: Backend.available)
    func entitlements(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        for product in ["coins", "lifetime", "season", "silver.monthly", "news.monthly"] {
            _ = try await world.subscribe(product, by: ada)
        }
        let before = try await world.store.entitlements(for: ada).map(\.productID)
        #expect(before == ["lifetime", "season", "silver.monthly", "news.monthly"])
        try await world.buy(
            "gold.monthly", by: ada, expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        try await world.pays(.declines(until: nil, left: nil))
        #expect(
            Set(try await world.store.entitlements(for: ada).map(\.productID)) == [
                "lifetime", "season", "gold.monthly", "news.monthly",
            ])
        _ = try await world.store.advance(to: World.instant("2026-02-02"))
        #expect(
            try await world.store.entitlements(for: ada).map(\.productID) == ["lifetime", "season"])
    }
}
