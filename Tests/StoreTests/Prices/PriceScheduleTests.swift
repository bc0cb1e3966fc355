import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Scheduled prices, cohorts and decreases")
struct PriceScheduleTests {
    @Test(
        "A lower price is charged to everybody, and nobody is told (PRC-4)",
        arguments: Backend.available)
    func decrease(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 7_990, live: "2026-02-10", .preserve)
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 7.99 until 2026-03-15"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-03-15 7.99"])
    }

    @Test("A price is live for the renewals of its very moment", arguments: Backend.available)
    func sameMoment(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 7_990, live: "2026-02-15")
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 7.99 until 2026-03-15"])
    }

    @Test(
        "A preserved price stays, and comes back within 60 days of the end (PRC-5)",
        arguments: Backend.available)
    func preserve(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10", .preserve)
        let bob = try await world.device("bob")
        try await world.advance(to: "2026-03-15", telling: PriceIncreaseStories.untilApril)
        try await world.buy("silver.monthly", by: bob, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        #expect(
            try await world.store.priceCohorts(product: "silver.monthly", bundleID: World.bundleID)
                .map { [$0.price, $0.subscribers] } == [[9_990, 1], [19_990, 1]])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        try await world.advance(
            to: "2026-06-14",
            telling: [
                "2026-04-15 EXPIRED/VOLUNTARY 2 silver.monthly 9.99 until 2026-04-15",
                "2026-04-15 DID_RENEW 1 silver.monthly 19.99 until 2026-05-15",
                "2026-05-15 DID_RENEW 1 silver.monthly 19.99 until 2026-06-15",
            ])
        // Exactly 60 days after the end; the price shown is the one that is charged.
        let shown = try await world.store.products(["silver.monthly"], for: ada).products
        #expect(shown.map(\.price.milliunits) == [9_990])
        try await world.buy(
            "silver.monthly", by: ada,
            telling: ["2026-06-14 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-07-14"])
    }

    @Test("After more than 60 days a preserved price is gone", arguments: Backend.available)
    func preservedTooLong(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-01-20", .preserve)
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.advance(
            to: "2026-04-16T00:00:01Z",
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY"])
        let bought = try await world.buy(
            "silver.monthly", by: ada, expecting: ["SUBSCRIBED/RESUBSCRIBE"])
        #expect(bought?.price == 19_990)
    }

    @Test(
        "Billing retry belongs to the 60 days for which a preserved price comes back",
        arguments: Backend.available)
    func preservedThroughRetry(_ backend: Backend) async throws {
        let (world, ada, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-01-20", .preserve)
        let april = World.instant("2026-04-17")
        try await world.store.setPaymentMethod(
            .declines(until: april, left: nil), account: "ada", in: .production)
        try await world.advance(
            to: "2026-04-17", expecting: ["DID_FAIL_TO_RENEW", "EXPIRED/BILLING_RETRY"])
        // Expired on 16 April, paid until 15 February: 61 days.
        let bought = try await world.buy(
            "silver.monthly", by: ada, expecting: ["SUBSCRIBED/RESUBSCRIBE"])
        #expect(bought?.price == 19_990)
    }

    @Test(
        "The same price again changes nothing, least of all what was agreed",
        arguments: Backend.available)
    func again(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-01-16")
        try await world.advance(to: "2026-01-25", expecting: ["PRICE_INCREASE/PENDING"])
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.settle(expecting: ["PRICE_INCREASE/ACCEPTED"])
        try await world.schedule("silver.monthly", 19_990, live: "2026-01-25")
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 19.99 until 2026-03-15"])
    }

    @Test(
        "A plan that waits for the renewal gets a lower price as well, and is preserved (PRC-4)",
        arguments: Backend.available, [(7_990, "7.99"), (11_990, "9.99")] as [(Int64, String)])
    func waitingPlan(_ backend: Backend, _ change: (price: Int64, charged: String)) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(
            backend, to: "gold.monthly")
        try await world.store.change(
            subscription: id, [.product("silver.monthly")], by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        try await world.schedule("silver.monthly", change.price, live: "2026-01-20", .preserve)
        try await world.advance(to: "2026-01-21", expecting: [])
        #expect(
            try await world.shows(id) == [
                "1 gold.monthly>silver.monthly on 2026-02-15 \(change.charged)"
            ])
        try await world.advance(
            to: "2026-03-15",
            telling: [
                "2026-02-15 DID_RENEW 1 silver.monthly \(change.charged) until 2026-03-15",
                "2026-03-15 DID_RENEW 1 silver.monthly \(change.charged) until 2026-04-15",
            ])
    }

    @Test(
        "Who is on the way to another price has left the cohort", arguments: Backend.available)
    func moving(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 12_990, live: "2026-01-16")
        try await world.advance(to: "2026-01-20", expecting: ["PRICE_INCREASE/ACCEPTED"])
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map { [$0.price, $0.subscribers, $0.moving] } == [[9_990, 1, 1]])
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: Storefront(code: "USA")!,
                price: 11_990, existing: .apply, cohortPrice: 9_990),
            bundleID: World.bundleID)
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 12.99 until 2026-03-15"])
    }

    @Test(
        "A cohort that is no longer preserved pays more after its own notice (PRC-6)",
        arguments: Backend.available)
    func unpreserve(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-20", .preserve)
        try await world.advance(
            to: "2026-02-16", telling: [PriceIncreaseStories.untilApril[0]])
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: Storefront(code: "USA")!,
                price: 11_990, existing: .preserve, cohortPrice: 9_990),
            bundleID: World.bundleID)
        try await world.advance(
            to: "2026-03-15",
            telling: [
                "2026-02-16 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-03-15",
                "2026-03-15 DID_RENEW 1 silver.monthly 11.99 until 2026-04-15",
            ])
    }

    @Test("Moving one cohort leaves those who pay more alone", arguments: Backend.available)
    func unpreserveOne(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 12_990, live: "2026-01-16", .preserve)
        try await world.advance(to: "2026-01-17", expecting: [])
        _ = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: Storefront(code: "USA")!,
                price: 10_990, existing: .apply, cohortPrice: 9_990),
            bundleID: World.bundleID)
        try await world.advance(
            to: "2026-03-17",
            expecting: [
                "PRICE_INCREASE/ACCEPTED", "DID_RENEW", "DID_RENEW", "DID_RENEW", "DID_RENEW",
            ])
        let cohorts = try await world.store.priceCohorts(
            product: "silver.monthly", bundleID: World.bundleID)
        #expect(cohorts.map(\.price) == [10_990, 12_990])
    }

    @Test(
        "A later order takes the place of one that is not live (PRC-2)",
        arguments: Backend.available)
    func overwrite(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-02-10")
        try await world.schedule("silver.monthly", 8_990, live: "2026-02-12")
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 8.99 until 2026-03-15"])
    }

    @Test(
        "An increase on its way gives way to the next price (PRC-2)", arguments: Backend.available)
    func replaced(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(
            to: "2026-04-01",
            telling: PriceIncreaseStories.untilApril + [
                "2026-03-19 PRICE_INCREASE/PENDING 1 silver.monthly 9.99 until 2026-04-15"
            ])
        try await world.schedule("silver.monthly", 10_990, live: "2026-04-02")
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 DID_RENEW 1 silver.monthly 9.99 until 2026-05-15"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-05-15 9.99"])
        try await world.advance(
            to: "2026-05-15",
            telling: [
                "2026-04-18 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-05-15",
                "2026-05-15 DID_RENEW 1 silver.monthly 10.99 until 2026-06-15",
            ])
    }

    @Test(
        "A list price that rises for subscribers reaches no preserved cohort (PRC-5)",
        arguments: Backend.available)
    func preservedWhileOthersPay(_ backend: Backend) async throws {
        let (world, _, ada) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-16", .preserve)
        try await world.advance(to: "2026-01-17", expecting: [])
        let bob = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.schedule("silver.monthly", 12_990, live: "2026-01-18")
        try await world.advance(
            to: "2026-03-17",
            telling: [
                "2026-01-21 PRICE_INCREASE/ACCEPTED 1 silver.monthly 11.99 until 2026-02-17",
                "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15",
                "2026-02-17 DID_RENEW 1 silver.monthly 12.99 until 2026-03-17",
                "2026-03-15 DID_RENEW 1 silver.monthly 9.99 until 2026-04-15",
                "2026-03-17 DID_RENEW 1 silver.monthly 12.99 until 2026-04-17",
            ])
        #expect(try await world.shows(ada) == ["1 silver.monthly on 2026-04-15 9.99"])
        #expect(try await world.shows(bob) == ["1 silver.monthly on 2026-04-17 12.99"])
    }

    @Test(
        "A list price that falls below a preserved one is charged to that cohort too (PRC-4)",
        arguments: Backend.available, [ScheduledPrice.Existing.preserve, .apply])
    func fallsBelowPreserved(
        _ backend: Backend, _ existing: ScheduledPrice.Existing
    ) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-16", .preserve)
        try await world.advance(to: "2026-01-17", expecting: [])
        _ = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.schedule("silver.monthly", 8_990, live: "2026-01-18", existing)
        try await world.advance(
            to: "2026-02-17",
            telling: [
                "2026-02-15 DID_RENEW 1 silver.monthly 8.99 until 2026-03-15",
                "2026-02-17 DID_RENEW 1 silver.monthly 8.99 until 2026-03-17",
            ])
    }

    @Test(
        "A list price that falls to between two cohorts leaves the cheaper one (PRC-4)",
        arguments: Backend.available)
    func fallsBetween(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 11_990, live: "2026-01-16", .preserve)
        try await world.advance(to: "2026-01-17", expecting: [])
        _ = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.schedule("silver.monthly", 10_990, live: "2026-01-18")
        try await world.advance(
            to: "2026-02-17",
            telling: [
                "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15",
                "2026-02-17 DID_RENEW 1 silver.monthly 10.99 until 2026-03-17",
            ])
    }

    @Test(
        "Who pays what is said for a price that rises, and need not be for others",
        arguments: Backend.available)
    func unsaid(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        func schedule(_ price: Int64) async throws -> ScheduledPrice {
            try await world.store.schedule(
                PriceOrder(
                    productID: "silver.monthly", storefront: Storefront(code: "USA")!,
                    price: price, start: World.instant("2026-02-01"), existing: nil),
                bundleID: World.bundleID)
        }
        #expect(try await schedule(9_990).existing == .preserve)
        #expect(try await schedule(7_990).cohortPrice == 9_990)
        let before = try await Tables(world.database)
        await #expect(
            throws: StoreError.setting(
                .invalid(
                    "existing",
                    reason: "10.00 USD is more than the list price, 9.99 USD: preserve what "
                        + "subscribers pay, or apply it to them too"))
        ) { _ = try await schedule(10_000) }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 7.99 until 2026-03-15"])
    }

    @Test("A price starts now or later, not in the past", arguments: Backend.available)
    func past(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(
            backend, at: "2026-01-15T10:00:59Z")
        func schedule(_ start: String, cohort: Int64? = nil) async throws -> Instant {
            try await world.store.schedule(
                PriceOrder(
                    productID: "silver.monthly", storefront: Storefront(code: "USA")!,
                    price: 7_990, start: World.instant(start), existing: .apply,
                    cohortPrice: cohort),
                bundleID: World.bundleID
            ).start
        }
        let before = try await Tables(world.database)
        for start in ["2026-01-15T09:59:59Z", "2026-01-15", "2020-01-01"] {
            await #expect(
                throws: StoreError.setting(
                    .invalid(
                        "start", reason: "it is past: the store's clock shows 2026-01-15 10:00:59"))
            ) { _ = try await schedule(start) }
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        let now = World.instant("2026-01-15T10:00:59Z")
        #expect(try await schedule("2026-01-15T10:00:59.001Z") > now)
        // The minute that the clock shows is now.
        #expect(try await schedule("2026-01-15T10:00:00Z") == now)
        try await world.store.settle()
        #expect(try await schedule("2026-01-15T10:00:59Z") == now)
    }

    @Test("A price holds in its own storefront only", arguments: Backend.available)
    func storefront(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 1_000, live: "2026-02-01", storefront: "DEU")
        try await world.advance(
            to: "2026-02-15", telling: [PriceIncreaseStories.untilApril[0]])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-03-15 9.99"])
    }

    @Test("What cannot be scheduled changes nothing", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        let before = try await Tables(world.database)
        let japan = Storefront(code: "JPN")!
        await #expect(throws: StoreError.self) {
            try await world.store.schedule(
                PriceOrder(
                    productID: "silver.monthly", storefront: japan, price: 1_500,
                    existing: .apply),
                bundleID: World.bundleID)
        }
        await #expect(throws: StoreError.unknown(.product, "none")) {
            try await world.store.schedule(
                PriceOrder(
                    productID: "none", storefront: japan, price: 1_000, existing: .apply),
                bundleID: World.bundleID)
        }
        await #expect(throws: StoreError.unknown(.scheduledPrice, "silver.monthly")) {
            try await world.store.withdrawScheduledPrice(
                product: "silver.monthly", storefront: japan, bundleID: World.bundleID)
        }
        await #expect(throws: StoreError.self) {
            try await world.store.schedule(
                PriceOrder(
                    productID: "silver.monthly", storefront: Storefront(code: "USA")!,
                    price: 12_990, existing: .apply, cohortPrice: 8_990),
                bundleID: World.bundleID)
        }
        await #expect(throws: RefusalTests.isNeverFree) {
            try await world.store.schedule(
                PriceOrder(
                    productID: "silver.monthly", storefront: japan, price: 0, existing: .apply),
                bundleID: World.bundleID)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }
}
