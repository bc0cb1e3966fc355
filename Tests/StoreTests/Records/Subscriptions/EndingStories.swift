import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: endings and returns")
struct EndingStories {
    private static let silver = "silver.monthly 9.99 until 2026-02-01"
    private static let disabled =
        "2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 \(silver)"

    @Test(
        "A cancelled subscription runs to its end, and whoever comes back keeps its identifier",
        arguments: Backend.available)
    func cancelAndReturn(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.change(
            id, .renewal(isOn: false), by: ada, telling: [Self.disabled])
        #expect(try await world.shows(id) == ["1 silver.monthly off 2026-02-01 9.99"])
        #expect(try await world.store.entitlements(for: ada).count == 1)
        try await world.advance(
            to: "2026-03-01", telling: ["2026-02-01 EXPIRED/VOLUNTARY 2 \(Self.silver)"])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-02-01 intent 1"])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        let back = try #require(
            try await world.buy(
                "gold.monthly", by: ada,
                telling: ["2026-03-01 SUBSCRIBED/RESUBSCRIBE 1 gold.monthly 19.99 until 2026-04-01"]
            ))
        #expect(back.originalTransactionId == "\(id)")
        #expect(back.transactionReason == .purchase)
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-03-01 +19.99"])
    }

    @Test(
        "Renewal that was turned off can be turned on again without a charge",
        arguments: Backend.available, [true, false])
    func reenable(_ backend: Backend, _ byBuying: Bool) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.change(id, .renewal(isOn: false), by: ada, telling: [Self.disabled])
        // Off once more changes nothing, so nobody is told.
        try await world.change(id, .renewal(isOn: false), by: ada, telling: [])
        try await world.advance(to: "2026-01-31", telling: [])
        let enabled = "2026-01-31 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1 \(Self.silver)"
        if byBuying {
            let bought = try await world.buy("silver.monthly", by: ada, telling: [enabled])
            #expect(bought == nil)
        } else {
            try await world.change(id, .renewal(isOn: true), by: ada, telling: [enabled])
        }
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-02-01 +9.99"])
    }

    @Test("A product that is not for sale is not renewed", arguments: Backend.available)
    func notForSale(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let kenji = try await world.device("kenji", storefront: "JPN")
        let id = try await world.subscribe("silver.monthly", by: ada)
        let other = try await world.subscribe("silver.monthly", by: kenji)
        try await world.store.setAvailability(
            false, product: "silver.monthly", storefront: .usa, bundleID: World.bundleID)
        try await world.advance(
            to: "2026-02-02",
            telling: [
                "2026-02-01 EXPIRED/PRODUCT_NOT_FOR_SALE 2 \(Self.silver)",
                "2026-02-01 DID_RENEW 1 silver.monthly 10.00 JPY until 2026-03-01",
            ])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-02-01 intent 4"])
        #expect(try await world.shows(other) == ["1 silver.monthly on 2026-03-01 10.00 JPY"])
        await #expect(throws: StoreError.purchase(.notForSale("silver.monthly"))) {
            try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        }
        try await world.store.setAvailability(
            true, product: "silver.monthly", storefront: .usa, bundleID: World.bundleID)
        try await world.buy(
            "silver.monthly", by: ada,
            telling: ["2026-02-02 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-03-02"])
    }

    @Test("The operator can end a subscription at once", arguments: Backend.available)
    func ended(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await world.store.end(subscription: id)
        try await world.settle(
            telling: ["2026-01-11 EXPIRED 2 silver.monthly 9.99 until 2026-01-11"])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-01-11 intent 5"])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        #expect(try await world.ledger() == ["2026-01-01 +9.99"])
        await #expect(throws: StoreError.refused(.notActive)) {
            try await world.store.end(subscription: id)
        }
    }

    @Test("Two groups are billed and ended independently", arguments: Backend.available)
    func twoGroups(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let club = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        let news = try #require(
            try await world.buy(
                "news.monthly", by: ada,
                telling: ["2026-01-11 SUBSCRIBED/INITIAL_BUY 1 news.monthly 2.99 until 2026-02-11"])
        )
        #expect(news.originalTransactionId == news.transactionId)
        try await world.change(
            club, .renewal(isOn: false), by: ada,
            telling: [
                "2026-01-11 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 \(Self.silver)"
            ])
        try await world.advance(
            to: "2026-02-11",
            telling: [
                "2026-02-01 EXPIRED/VOLUNTARY 2 \(Self.silver)",
                "2026-02-11 DID_RENEW 1 news.monthly 2.99 until 2026-03-11",
            ])
        #expect(
            try await world.shows(club) == [
                "2 silver.monthly off 2026-02-01 intent 1", "1 news.monthly on 2026-03-11 2.99",
            ])
    }

    @Test(
        "What a customer has already cannot be bought a second time", arguments: Backend.available)
    func alreadySubscribed(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.refused(.alreadySubscribed)) {
            try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "Moments of a customer's life that come together come in order",
        arguments: Backend.available)
    func severalCustomers(_ backend: Backend) async throws {
        let world = try await World(backend)
        for name in ["ada", "bea", "cleo"] {
            let device = try await world.device(name)
            _ = try await world.subscribe("bronze.weekly", by: device)
            try await world.advance(
                by: "PT1H", expecting: [])
        }
        // Three customers, three weeks, an hour apart within each week.
        let times = ["", " 01:00", " 02:00"]
        let weeks = ["2026-01-08", "2026-01-15", "2026-01-22", "2026-01-29"]
        let lines = weeks.indices.dropLast().flatMap { week in
            times.map {
                "\(weeks[week])\($0) DID_RENEW 1 bronze.weekly 0.99 until \(weeks[week + 1])\($0)"
            }
        }
        try await world.advance(to: "2026-01-23", telling: lines)
    }
}
