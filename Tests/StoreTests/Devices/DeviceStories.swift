import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: devices")
struct DeviceStories {
    /// What a device gets to see: `silver.monthly until 2026-02-01`.
    private static func lines(
        _ world: World, _ device: DeviceSession, unfinishedOnly: Bool = false
    ) async throws -> [String] {
        try await world.store.transactions(
            for: device, unfinishedOnly: unfinishedOnly, after: 0, limit: 100
        ).map { found in
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(found.signed)
            guard let end = transaction.expiresDate else { return found.productID }
            return "\(found.productID) until \(World.text(end))"
        }
    }

    @Test(
        "A phone that was in a drawer finds the renewals of two months waiting",
        arguments: Backend.available)
    func drawer(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.finish(transaction: id, by: ada)
        #expect(try await Self.lines(world, ada, unfinishedOnly: true).isEmpty)
        // Nobody is there, and the store renews.
        try await world.advance(to: "2026-03-15", expecting: ["DID_RENEW", "DID_RENEW"])
        #expect(
            try await Self.lines(world, ada, unfinishedOnly: true) == [
                "silver.monthly until 2026-03-01", "silver.monthly until 2026-04-01",
            ])
        let waiting = try await world.store.transactions(
            for: ada, unfinishedOnly: true, after: 0, limit: 10)
        for transaction in waiting {
            try await world.store.finish(transaction: transaction.id, by: ada)
        }
        #expect(try await Self.lines(world, ada, unfinishedOnly: true).isEmpty)
    }

    @Test(
        "Restoring on another device brings every period of two years, and what is for ever",
        arguments: Backend.available)
    func restored(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-03-05", isListening: false)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let lifetime = try await world.subscribe("lifetime", by: ada)
        for transaction in [id, lifetime] {
            try await world.store.finish(transaction: transaction, by: ada)
        }
        _ = try await world.store.advance(to: World.instant("2028-02-20"))
        let other = try await world.device()
        let restored = try await Self.lines(world, other)
        #expect(restored.count == 25)
        #expect(restored.count { $0 == "lifetime" } == 1)
        // Each on the fifth.
        let ends = (0..<24).map { period in
            let month = (3 + period) % 12 + 1
            return "silver.monthly until \(2026 + (3 + period) / 12)-"
                + "\(month < 10 ? "0" : "")\(month)-05"
        }
        #expect(restored.filter { $0 != "lifetime" } == ends)
        #expect(
            try await world.store.entitlements(for: other).map(\.productID) == [
                "lifetime", "silver.monthly",
            ])
        // Both are told of what comes.
        _ = try await world.store.advance(to: World.instant("2028-03-05"))
        for device in [ada, other] {
            #expect(
                try await Self.lines(world, device, unfinishedOnly: true).last
                    == "silver.monthly until 2028-04-05")
        }
    }

    @Test("Nothing that is consumed is ever an entitlement", arguments: Backend.available)
    func consumed(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let coins = try await world.subscribe("coins", by: ada)
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        #expect(try await Self.lines(world, ada, unfinishedOnly: true) == ["coins"])
        try await world.store.finish(transaction: coins, by: ada)
        let other = try await world.device()
        #expect(try await Self.lines(world, other, unfinishedOnly: true).isEmpty)
        #expect(try await world.store.entitlements(for: other).isEmpty)
    }

    @Test(
        "Off sale nobody buys and nothing renews; what was bought is restored and served",
        arguments: Backend.available)
    func offSale(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.subscribe("lifetime", by: ada)
        for product in ["silver.monthly", "lifetime"] {
            try await world.store.setAvailability(
                false, product: product, storefront: nil, bundleID: World.bundleID)
        }
        let bob = try await world.device("bob")
        for product in ["silver.monthly", "lifetime"] {
            await #expect(throws: StoreError.purchase(.notForSale(product))) {
                try await world.store.purchase(PurchaseRequest(productID: product), by: bob)
            }
        }
        let other = try await world.device()
        #expect(
            try await Self.lines(world, other) == [
                "silver.monthly until 2026-02-01", "lifetime",
            ])
        let again = try await world.store.buy(PurchaseRequest(productID: "lifetime"), by: other)
        #expect(again.isDeliveredAgain)
        try await world.advance(to: "2026-01-31", telling: [])
        #expect(
            try await world.store.entitlements(for: other).map(\.productID) == [
                "silver.monthly", "lifetime",
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: [
                "2026-02-01 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-02-01"
            ])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-02-01 intent 4"])
        #expect(
            try await world.store.entitlements(for: other).map(\.productID) == ["lifetime"])
        #expect(
            try await Self.lines(world, other) == [
                "silver.monthly until 2026-02-01", "lifetime",
            ])
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-01-01 +49.99"])
    }

    @Test(
        "What is off sale for a while leaves renewal on, and renews if it is back in time",
        arguments: Backend.available)
    func backOnSale(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = try await world.subscribe("silver.monthly", by: world.device())
        for isForSale in [false, true] {
            try await world.store.setAvailability(
                isForSale, product: "silver.monthly", storefront: nil, bundleID: World.bundleID)
            #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
        }
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
    }

    @Test(
        "A server that asks later learns the last good period, be it over or taken back",
        arguments: Backend.available)
    func lastGood(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device("ada")
        let bob = try await world.device("bob")
        let left = try await world.subscribe("silver.monthly", by: ada)
        let cancelled = try await world.subscribe("silver.monthly", by: bob)
        _ = try await world.store.advance(to: World.instant("2026-02-11"))
        try await world.store.change(subscription: left, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.cancel(
            subscription: cancelled, .full, reason: .other, in: .production)
        // Support's cancellation is seen at once, a month before the end of what was paid.
        #expect(try await world.status("\(cancelled)").status == .revoked)
        #expect(try await world.store.entitlements(for: bob).isEmpty)
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        for (id, status, until) in [
            (left, Status.expired, "2026-03-01"), (cancelled, .revoked, "2026-03-01"),
        ] {
            let response = try await world.store.statuses(
                anyTransaction: id, [], for: world.caller())
            let item = try #require(response.data.first?.lastTransactions.first)
            let newest: JWSTransactionDecodedPayload = try JWSText.decode(
                item.signedTransactionInfo)
            #expect(item.status == status)
            #expect(World.text(newest.expiresDate) == until)
        }
    }
}
