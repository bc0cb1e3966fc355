import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Commands: repeated requests")
struct IdempotencyTests {
    private func request(
        _ product: String, key: String = "key", quantity: Int = 1
    ) -> PurchaseRequest {
        PurchaseRequest(productID: product, quantity: quantity, idempotencyKey: key)
    }

    private func identifier(_ signed: String?) throws -> String {
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        return transaction.transactionId
    }

    @Test(
        "A repeated purchase gives the same transaction and charges once",
        arguments: Backend.available,
        ["coins", "season", "lifetime", "silver.monthly", "silver.trial"])
    func repeated(_ backend: Backend, _ product: String) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let first = try await identifier(world.store.purchase(request(product), by: ada))
        let before = try await Tables(world.database)
        let second = try await identifier(world.store.purchase(request(product), by: ada))
        #expect(first == second)
        #expect(try await Tables(world.database) == before)
        #expect(try await world.ledger().count == 1)
    }

    @Test("A repeat finds its purchase months later", arguments: Backend.available)
    func repeatedLate(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let first = try await identifier(world.store.purchase(request("silver.monthly"), by: ada))
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        let second = try await identifier(world.store.purchase(request("silver.monthly"), by: ada))
        #expect(first == second)
        #expect(try await world.ledger().count == 6)
    }

    @Test(
        "Another key, or another customer with the same key, buys again",
        arguments: Backend.available)
    func otherKey(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        let bought = [
            try await identifier(world.store.purchase(request("coins"), by: ada)),
            try await identifier(world.store.purchase(request("coins", key: "other"), by: ada)),
            try await identifier(world.store.purchase(request("coins"), by: bea)),
        ]
        #expect(Set(bought).count == 3)
    }

    @Test("A key that bought something else is refused", arguments: Backend.available)
    func reused(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.purchase(request("silver.monthly"), by: ada)
        let before = try await Tables(world.database)
        for product in ["coins", "gold.monthly", "lifetime"] {
            await #expect(throws: StoreError.request(.commandIDReused)) {
                try await world.store.purchase(request(product), by: ada)
            }
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "A key under which a change waits is refused for another product",
        arguments: Backend.available)
    func reusedAfterDeferral(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        #expect(try await world.store.purchase(request("bronze.monthly"), by: ada) == nil)
        #expect(try await world.store.purchase(request("bronze.monthly"), by: ada) == nil)
        await #expect(throws: StoreError.request(.commandIDReused)) {
            try await world.store.purchase(request("coins"), by: ada)
        }
    }

    @Test("A key that bought another quantity is refused", arguments: Backend.available)
    func reusedForQuantity(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.purchase(request("coins", quantity: 1), by: ada)
        await #expect(throws: StoreError.request(.commandIDReused)) {
            try await world.store.purchase(request("coins", quantity: 10), by: ada)
        }
    }

    @Test("A key that got an owned product is used up too", arguments: Backend.available)
    func reusedAfterOwned(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.purchase(request("lifetime", key: "first"), by: ada)
        _ = try await world.store.purchase(request("lifetime"), by: ada)
        await #expect(throws: StoreError.request(.commandIDReused)) {
            try await world.store.purchase(request("coins"), by: ada)
        }
    }

    @Test(
        "A purchase that was refused can be tried again under its key", arguments: Backend.available
    )
    func refusedFirst(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.pays(.declines(until: nil, left: nil))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await world.store.purchase(request("coins"), by: ada)
        }
        try await world.pays(.approves)
        #expect(try await world.store.purchase(request("coins"), by: ada) != nil)
    }

    @Test(
        "Twenty concurrent repeats give one transaction and one charge",
        arguments: Backend.available,
        ["coins", "lifetime", "silver.monthly"])
    func concurrent(_ backend: Backend, _ product: String) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 1...20 {
                group.addTask {
                    do {
                        return try await identifier(
                            world.store.purchase(request(product), by: ada))
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(outcomes.count == 20)
        #expect(Set(outcomes).count == 1, "\(Set(outcomes))")
        #expect(try await world.ledger().count == 1)
        #expect(try await Tables(world.database).counts["store_transaction"] == 1)
    }
}
