import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Commands: prices and availability")
struct PriceTests {
    private func set(
        _ world: World, _ price: Int64, _ product: String, in storefront: String
    ) async throws {
        try await world.store.setPrice(
            price, product: product, storefront: Storefront(code: storefront)!,
            bundleID: World.bundleID)
    }

    @Test(
        "The same number is charged in each storefront's currency, rounded to its decimals",
        arguments: Backend.available,
        [
            ("USA", "9.99"), ("DEU", "9.99 EUR"), ("GBR", "9.99 GBP"), ("JPN", "10.00 JPY"),
            ("KOR", "10.00 KRW"), ("SWE", "10.00 SEK"), ("BRA", "9.99 BRL"), ("CHE", "9.99 CHF"),
        ])
    func storefronts(_ backend: Backend, _ example: (code: String, price: String)) async throws {
        let world = try await World(backend)
        let device = try await world.device("ada", storefront: example.code)
        let bought = try #require(
            try await world.buy(
                "silver.monthly", by: device,
                telling: [
                    """
                    2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly \(example.price) \
                    until 2026-02-01
                    """
                ]))
        #expect(bought.storefront == example.code)
        #expect(bought.storefrontId == Storefront(code: example.code)?.id)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly \(example.price) until 2026-03-01"])
    }

    @Test("Offers and quantities follow the storefront's rounding", arguments: Backend.available)
    func roundedOffers(_ backend: Backend) async throws {
        let world = try await World(backend)
        let kenji = try await world.device("kenji", storefront: "JPN")
        try await world.buy(
            "silver.intro", by: kenji,
            telling: [
                """
                2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.intro 2.00 JPY PAY_AS_YOU_GO \
                until 2026-02-01
                """
            ])
        try await world.buy(
            "coins", by: kenji, quantity: 3,
            telling: ["2026-01-01 ONE_TIME_CHARGE coins 3.00 × 3 JPY"])
    }

    @Test("A prorated refund is rounded to the currency", arguments: Backend.available)
    func roundedRefund(_ backend: Backend) async throws {
        let world = try await World(backend)
        let kenji = try await world.device("kenji", storefront: "JPN")
        try await set(world, 1_000_000, "silver.monthly", in: "JPN")
        let id = try await world.subscribe("silver.monthly", by: kenji)
        _ = try await world.store.advance(to: World.instant("2026-01-21T12:00:00Z"))
        _ = try await world.store.purchase(PurchaseRequest(productID: "gold.monthly"), by: kenji)
        // 1000 × 10.5 ÷ 31 is 338.7 yen.
        let entries = try await world.store.timeline(subscription: id, after: 0, limit: 10)
        #expect(entries.map(\.refunded) == [nil, 339_000])
    }

    @Test(
        "A price that is set holds for new purchases, in its storefront only",
        arguments: Backend.available)
    func newPrice(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        let carl = try await world.device("carl", storefront: "DEU")
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await set(world, 14_990, "silver.monthly", in: "USA")
        try await world.buy(
            "silver.monthly", by: bea,
            telling: ["2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 14.99 until 2026-02-01"])
        try await world.buy(
            "silver.monthly", by: carl,
            telling: [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 EUR until 2026-02-01"
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: [
                "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01",
                "2026-02-01 DID_RENEW 1 silver.monthly 14.99 until 2026-03-01",
                "2026-02-01 DID_RENEW 1 silver.monthly 9.99 EUR until 2026-03-01",
            ])
        let shown = try await world.store.products(["silver.monthly"], for: ada).products
        #expect(shown.map(\.price.milliunits) == [14_990])
        // Set again, it replaces what was set.
        try await set(world, 5_990, "silver.monthly", in: "USA")
        let again = try await world.store.products(["silver.monthly"], for: ada).products
        #expect(again.map(\.price.milliunits) == [5_990])
    }

    @Test(
        "A product off sale is neither shown nor sold, until it is back",
        arguments: Backend.available)
    func availability(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let carl = try await world.device("carl", storefront: "DEU")
        func sale(_ isForSale: Bool, in storefront: String?) async throws {
            try await world.store.setAvailability(
                isForSale, product: "coins", storefront: storefront.flatMap(Storefront.init(code:)),
                bundleID: World.bundleID)
        }
        func shown(_ device: DeviceSession) async throws -> Bool {
            try await !world.store.products(["coins"], for: device).products.isEmpty
        }
        #expect(try await [shown(ada), shown(carl)] == [true, true])
        try await sale(false, in: "DEU")
        #expect(try await [shown(ada), shown(carl)] == [true, false])
        await #expect(throws: StoreError.purchase(.notForSale("coins"))) {
            try await world.store.purchase(PurchaseRequest(productID: "coins"), by: carl)
        }
        try await sale(false, in: nil)
        #expect(try await [shown(ada), shown(carl)] == [false, false])
        try await sale(true, in: nil)
        #expect(try await [shown(ada), shown(carl)] == [true, false])
        try await sale(true, in: "DEU")
        #expect(try await [shown(ada), shown(carl)] == [true, true])
    }

    @Test(
        "What was chosen for the renewal is not sold once it is off sale",
        arguments: Backend.available)
    func nextPlanOffSale(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "bronze.monthly"), by: ada)
        try await world.store.setAvailability(
            false, product: "bronze.monthly", storefront: nil, bundleID: World.bundleID)
        try await world.advance(
            to: "2026-02-01",
            expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "EXPIRED/PRODUCT_NOT_FOR_SALE"])
    }

    @Test(
        "Whoever has moved keeps the storefront of a running subscription",
        arguments: Backend.available)
    func movedStorefront(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.setStorefront(
            Storefront(code: "JPN")!, account: "ada", in: .production)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
        _ = try await world.store.purchase(PurchaseRequest(productID: "gold.monthly"), by: ada)
        let newest = try #require(
            try await world.history("\(id)").first { $0.productId == "gold.monthly" })
        let home = Storefront(code: newest.storefront ?? "")
        #expect(newest.currency == home?.currency.code)
    }

    @Test(
        "Whoever comes back after a move buys in the new storefront", arguments: Backend.available)
    func returnAfterMove(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.end(subscription: id)
        try await world.store.setStorefront(
            Storefront(code: "JPN")!, account: "ada", in: .production)
        await #expect(throws: StoreError.refused(.notActive)) {
            try await world.store.change(
                subscription: id, [.product("silver.monthly")], by: ada)
        }
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: ada)
        let newest = try #require(try await world.history("\(id)").last)
        #expect(newest.currency == "JPY")
        #expect(newest.storefront == "JPN")
    }

    @Test(
        "An expired subscription to a product off sale cannot be resumed",
        arguments: Backend.available)
    func resumeOffSale(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.end(subscription: id)
        try await world.store.setAvailability(
            false, product: "silver.monthly", storefront: nil, bundleID: World.bundleID)
        await #expect(throws: StoreError.refused(.notActive)) {
            try await world.store.change(
                subscription: id, [.product("silver.monthly")], by: ada)
        }
    }

    @Test(
        "What is bought once or renews by hand may be free", arguments: Backend.available,
        ["coins", "lifetime", "season"])
    func free(_ backend: Backend, _ product: String) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await set(world, 0, product, in: "USA")
        let bought = try #require(
            try await world.buy(product, by: ada, expecting: ["ONE_TIME_CHARGE"]))
        #expect(bought.price == 0)
    }

    @Test(
        "What nobody subscribes to has a scheduled price for purchases alone",
        arguments: Backend.available, ["coins", "lifetime", "season"])
    func purchases(_ backend: Backend, _ product: String) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        func schedule(
            _ existing: ScheduledPrice.Existing?, cohort: Int64? = nil
        ) async throws {
            try await world.store.schedule(
                PriceOrder(
                    productID: product, storefront: .usa, price: 99_990,
                    start: World.instant("2026-02-01"), existing: existing, cohortPrice: cohort),
                bundleID: World.bundleID)
        }
        let before = try await Tables(world.database)
        let reason =
            "\(product) is no auto-renewable subscription, so that nobody goes on paying for it: "
            + "a price is for purchases alone"
        for existing in [ScheduledPrice.Existing.apply, .preserve] {
            await #expect(throws: StoreError.setting(.invalid("existing", reason: reason))) {
                try await schedule(existing)
            }
        }
        await #expect(throws: StoreError.setting(.invalid("cohortPrice", reason: reason))) {
            try await schedule(nil, cohort: 990)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        // Nobody is asked what others pay, although the price rises.
        try await schedule(nil)
        try await world.advance(to: "2026-02-01", telling: [])
        let bought = try #require(
            try await world.buy(product, by: ada, expecting: ["ONE_TIME_CHARGE"]))
        #expect(bought.price == 99_990)
    }

    @Test(
        "The price of today, scheduled, is brought to those who pay more",
        arguments: Backend.available)
    func samePrice(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.store.setPrice(
            7_990, product: "silver.monthly", storefront: .usa, bundleID: World.bundleID)
        try await world.schedule("silver.monthly", 7_990, live: "2026-02-01")
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 7.99 until 2026-03-15"])
    }
}
