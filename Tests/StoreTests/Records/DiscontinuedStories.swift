import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: products that are deleted")
struct DiscontinuedStories {
    private static let silver = "silver.monthly"

    private func delete(_ product: String, in world: World) async throws {
        try await AvailabilityStories.remove(product, .deleted, in: world)
    }

    @Test("What is on sale anywhere is not deleted", arguments: Backend.available)
    func stillForSale(_ backend: Backend) async throws {
        let world = try await World(backend)
        func refuse() async {
            await #expect(throws: StoreError.setting(.stillForSale(Self.silver))) {
                try await world.store.deleteProduct(Self.silver, bundleID: World.bundleID)
            }
        }
        await refuse()
        try await world.store.setAvailability(
            false, product: Self.silver, storefront: .usa, bundleID: World.bundleID)
        await refuse()
        await #expect(throws: StoreError.unknown(.product, "nothing")) {
            try await world.store.deleteProduct("nothing", bundleID: World.bundleID)
        }
        await #expect(throws: StoreError.unknown(.app, "nobody")) {
            try await world.store.deleteProduct(Self.silver, bundleID: "nobody")
        }
        #expect(
            try await world.store.app(bundleID: World.bundleID).product(Self.silver)?.deleted
                == nil)
    }

    @Test(
        "Nothing is set for it any more, and its identifier never comes back",
        arguments: Backend.available)
    func neverBack(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await delete(Self.silver, in: world)
        let before = try await world.store.app(bundleID: World.bundleID)
        #expect(before.product(Self.silver)?.deleted == World.instant("2026-01-01"))
        let refusals: [@Sendable () async throws -> Void] = [
            { try await world.store.deleteProduct(Self.silver, bundleID: World.bundleID) },
            {
                try await world.store.setAvailability(
                    true, product: Self.silver, storefront: nil, bundleID: World.bundleID)
            },
            {
                try await world.store.setPrice(
                    4_990, product: Self.silver, storefront: .usa, bundleID: World.bundleID)
            },
            { try await world.schedule(Self.silver, 4_990, live: "2026-02-01") },
            {
                try await world.store.importCatalogue(
                    SampleCatalogue.all, bundleID: World.bundleID)
            },
            {
                try await world.store.importCatalogue(
                    Catalogue(products: [
                        Product(id: "new", type: .consumable, basePrice: 990),
                        Product(id: Self.silver, type: .consumable, basePrice: 990),
                    ]), bundleID: World.bundleID)
            },
        ]
        for command in refusals {
            await #expect(throws: StoreError.setting(.productDeleted(Self.silver))) {
                try await command()
            }
        }
        let after = try await World(database: world.database).store.app(bundleID: World.bundleID)
        #expect(after.catalogue == before.catalogue)
        // What else there is goes on being sold and imported.
        try await world.store.importCatalogue(
            Catalogue(products: [Product(id: "new", type: .consumable, basePrice: 990)]),
            bundleID: World.bundleID)
        try await world.check()
    }

    @Test(
        "Who waits for a change to it ends with the period, unless the change is withdrawn",
        arguments: Backend.available, [true, false])
    func waitingChange(_ backend: Backend, _ isWithdrawn: Bool) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe(Self.silver, by: ada)
        try await world.change(
            id, .product("bronze.monthly"), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        try await delete("bronze.monthly", in: world)
        #expect(try await world.shows(id) == ["1 silver.monthly>bronze.monthly on 2026-02-01 4.99"])
        if isWithdrawn {
            try await world.change(
                id, .product(Self.silver), by: ada,
                telling: [
                    "2026-01-01 DID_CHANGE_RENEWAL_PREF 1 silver.monthly 9.99 until 2026-02-01"
                ]
            )
        }
        try await world.advance(
            to: "2026-02-01",
            telling: [
                isWithdrawn
                    ? "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"
                    : "2026-02-01 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 "
                        + "until 2026-02-01"
            ])
        try await world.check()
    }

    @Test(
        "Whose own product is deleted may change to another one, and goes on",
        arguments: Backend.available)
    func changesAway(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe(Self.silver, by: ada)
        try await delete(Self.silver, in: world)
        try await world.change(
            id, .product("bronze.monthly"), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_PREF/DOWNGRADE 1 silver.monthly 9.99 \
                until 2026-02-01
                """
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 bronze.monthly 4.99 until 2026-03-01"])
        #expect(
            try await world.historyLines(id) == [
                "silver.monthly 9.99 until 2026-02-01", "bronze.monthly 4.99 until 2026-03-01",
            ])
    }

    @Test(
        "What was asked for before is delivered when it is paid, and not renewed",
        arguments: Backend.available, AvailabilityStories.Way.allCases)
    func pending(_ backend: Backend, _ way: AvailabilityStories.Way) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.pays(.answersLater(after: nil, isPaid: true))
        var bills: [Int64] = []
        for product in [Self.silver, "coins"] {
            bills.append(
                try #require(
                    try await world.store.buy(PurchaseRequest(productID: product), by: ada)
                        .pendingBill))
            try await AvailabilityStories.remove(product, way, in: world)
        }
        for bill in bills { try await world.store.answer(bill: bill, .paid, in: .production) }
        try await world.settle(
            telling: [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01",
                "2026-01-01 ONE_TIME_CHARGE coins 0.99",
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: [
                "2026-02-01 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-02-01"
            ])
        try await world.check()
    }

    @Test("Nobody is told of a price of what will not be renewed", arguments: Backend.available)
    func prices(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 10_990, live: "2026-03-10")
        try await world.advance(
            to: "2026-03-16", telling: PriceIncreaseStories.untilApril)
        // Live on 10 March, told on the 19th; another one is still to go live.
        try await world.schedule(Self.silver, 12_990, live: "2026-04-01")
        try await delete(Self.silver, in: world)
        let listed = try await world.store.scheduledPrices(
            product: Self.silver, limit: 10, bundleID: World.bundleID)
        #expect(listed.map(\.state) == [.done, .done])
        #expect(listed.first?.withdrawn == World.instant("2026-03-16"))
        try await world.advance(
            to: "2026-04-15",
            telling: [
                "2026-04-15 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-04-15"
            ])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-04-15 intent 4"])
        try await world.check()
    }

    @Test(
        "A renewal that failed is not tried again once it is deleted",
        arguments: Backend.available)
    func retry(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe(Self.silver, by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-02-01T12:00:00Z",
            telling: ["2026-02-01 DID_FAIL_TO_RENEW 3 silver.monthly 9.99 until 2026-02-01"])
        try await delete(Self.silver, in: world)
        try await world.pays(.approves, telling: [])
        try await world.advance(
            to: "2026-02-02",
            telling: [
                "2026-02-02 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-02-01"
            ])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-02-01 intent 4"])
    }

    @Test("What is due by then is renewed before it is deleted", arguments: Backend.available)
    func dueBefore(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(backend, mode: .running, machine: machine)
        let ada = try await world.device()
        let id = try await world.subscribe(Self.silver, by: ada)
        machine.set(World.instant("2026-02-01"))
        try await delete(Self.silver, in: world)
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-03-01 9.99"])
    }

    @Test(
        "A world in which deleted products are sold, or priced anew, is damaged",
        arguments: Backend.available)
    func damage(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await delete(Self.silver, in: world)
        try await world.schedule("gold.monthly", 9_990, live: "2026-02-01")
        try await world.check()
        try await world.database.write { session in
            _ = try session.execute("DELETE FROM product_storefront")
            _ = try session.execute("UPDATE price_change SET product_id = 'silver.monthly'")
        }
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(
            Set(report.findings.map(\.what)) == [
                "one was deleted that is for sale",
                "it is scheduled for a product that was deleted",
            ])
    }
}
