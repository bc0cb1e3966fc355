import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// The table of what works while a product is not for sale, row by row: taken off sale, and
/// deleted. Ada bought silver and what lasts for ever on 1 January 2026.
@Suite("Stories: what works while a product is not for sale")
struct AvailabilityStories {
    /// How it came that a product is not for sale.
    enum Way: CaseIterable {
        case offSaleThere, offSaleEverywhere, deleted
    }

    static func remove(_ product: String, _ way: Way, in world: World) async throws {
        try await world.store.setAvailability(
            false, product: product, storefront: way == .offSaleThere ? .usa : nil,
            bundleID: World.bundleID)
        if way == .deleted {
            try await world.store.deleteProduct(product, bundleID: World.bundleID)
        }
    }

    private func bought(
        _ backend: Backend, _ way: Way, in environment: StoreEnvironment = .production,
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let world = try await World(backend, configure: configure)
        let ada = try await world.device(in: environment)
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "lifetime"), by: ada)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        for product in ["silver.monthly", "lifetime"] {
            try await Self.remove(product, way, in: world)
        }
        return (world, ada, id)
    }

    @Test("New purchase: no", arguments: Backend.available, Way.allCases)
    func purchase(_ backend: Backend, _ way: Way) async throws {
        let (world, _, _) = try await bought(backend, way)
        let bea = try await world.device("bea")
        for product in ["silver.monthly", "lifetime"] {
            await #expect(throws: StoreError.purchase(.notForSale(product))) {
                try await world.store.purchase(PurchaseRequest(productID: product), by: bea)
            }
        }
        let gold = try await world.subscribe("gold.monthly", by: bea)
        await #expect(throws: StoreError.purchase(.notForSale("silver.monthly"))) {
            try await world.store.change(
                subscription: gold, [.product("silver.monthly")], by: bea)
        }
        let listed = try await world.store.products([], for: bea).products.map(\.product.id)
        #expect(!listed.contains("silver.monthly") && !listed.contains("lifetime"))
        #expect(listed.contains("gold.monthly"))
        try await world.check()
    }

    @Test("Delivery: yes, access lasts to the end", arguments: Backend.available, Way.allCases)
    func delivery(_ backend: Backend, _ way: Way) async throws {
        let (world, ada, id) = try await bought(backend, way)
        try await world.advance(to: "2026-01-31T23:59:59Z", telling: [])
        #expect(try await world.shows(id).count == 1)
        #expect(
            Set(try await world.store.entitlements(for: ada).map(\.productID))
                == ["silver.monthly", "lifetime"])
        // What is unfinished is delivered and finished.
        let queue = try await world.store.transactions(
            for: ada, unfinishedOnly: true, after: 0, limit: 10)
        #expect(queue.map(\.productID) == ["silver.monthly", "lifetime"])
        for one in queue { try await world.store.finish(transaction: one.id, by: ada) }
    }

    @Test(
        "Restore: yes, and what is owned is delivered again for nothing",
        arguments: Backend.available, Way.allCases)
    func restore(_ backend: Backend, _ way: Way) async throws {
        let (world, ada, id) = try await bought(backend, way)
        let all = try await world.store.transactions(
            for: ada, unfinishedOnly: false, after: 0, limit: 10)
        #expect(all.map(\.productID) == ["silver.monthly", "lifetime"])
        let again = try await world.store.buy(PurchaseRequest(productID: "lifetime"), by: ada)
        #expect(again.isDeliveredAgain)
        try await world.settle(telling: [])
        #expect(try await world.ledger() == ["2026-01-01 +9.99", "2026-01-01 +49.99"])
        #expect(
            try await world.historyLines(id) == [
                "silver.monthly 9.99 until 2026-02-01", "lifetime 49.99",
            ])
    }

    @Test("Auto-renew: no, it ends with its period", arguments: Backend.available, Way.allCases)
    func renewal(_ backend: Backend, _ way: Way) async throws {
        let (world, ada, id) = try await bought(backend, way)
        try await world.advance(
            to: "2026-02-01",
            telling: [
                "2026-02-01 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-02-01"
            ])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-02-01 intent 4"])
        #expect(try await world.store.entitlements(for: ada).map(\.productID) == ["lifetime"])
        try await world.check()
    }

    @Test(
        "Sandbox: ignored, but for what was deleted", arguments: Backend.available, Way.allCases)
    func sandbox(_ backend: Backend, _ way: Way) async throws {
        let (world, ada, id) = try await bought(backend, way, in: .sandbox)
        let isSold = way != .deleted
        try await world.advance(
            to: "2026-01-01T00:05:00Z",
            telling: [
                isSold
                    ? """
                    2026-01-01 00:05 DID_RENEW 1 silver.monthly 9.99 until 2026-01-01 00:10
                    """
                    : """
                    2026-01-01 00:05 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 \
                    until 2026-01-01 00:05
                    """
            ])
        let listed = try await world.store.products(["silver.monthly"], for: ada).products
        #expect(listed.count == (isSold ? 1 : 0))
        let place = try await world.store.subscription(id).place
        #expect(place.isNextForSale == isSold)
        #expect((place.productDeleted == nil) == isSold)
    }

    @Test("Sandbox: heeded where the app says so", arguments: Backend.available, Way.allCases)
    func heeded(_ backend: Backend, _ way: Way) async throws {
        let (world, ada, _) = try await bought(backend, way, in: .sandbox) {
            $0.sandboxIgnoresAvailability = false
        }
        await #expect(throws: StoreError.purchase(.notForSale("lifetime"))) {
            try await world.store.purchase(
                PurchaseRequest(productID: "lifetime"),
                by: try await world.device("bea", in: .sandbox))
        }
        #expect(try await world.store.products(["silver.monthly"], for: ada).products.isEmpty)
        try await world.advance(
            to: "2026-01-01T00:05:00Z",
            telling: [
                """
                2026-01-01 00:05 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 \
                until 2026-01-01 00:05
                """
            ])
    }

    @Test("Extending: yes", arguments: Backend.available, Way.allCases)
    func extending(_ backend: Backend, _ way: Way) async throws {
        let (world, _, id) = try await bought(backend, way)
        _ = try await world.store.extend(
            originalTransaction: id, ExtensionRequest(days: 10, reasonCode: 1),
            requestIdentifier: "a", for: world.caller())
        try await world.advance(
            to: "2026-02-11",
            telling: [
                "2026-01-01 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-02-11",
                "2026-02-11 EXPIRED/PRODUCT_NOT_FOR_SALE 2 silver.monthly 9.99 until 2026-02-11",
            ])
    }

    @Test("Refunds: yes", arguments: Backend.available, Way.allCases)
    func refunds(_ backend: Backend, _ way: Way) async throws {
        let (world, _, id) = try await bought(backend, way)
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.store.settle()
        #expect(
            world.listener.takeArrivals().map(\.name)
                == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await world.check()
    }

    @Test("Status: yes", arguments: Backend.available, Way.allCases)
    func status(_ backend: Backend, _ way: Way) async throws {
        let (world, _, id) = try await bought(backend, way)
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-01 9.99"])
    }
}
