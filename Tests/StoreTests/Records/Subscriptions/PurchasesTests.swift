import AppStoreWire
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

@Suite("What an account bought besides subscriptions")
struct PurchasesTests {
    /// Buys coins.
    ///
    /// - Returns: the transaction.
    private func coins(_ count: Int, _ world: World, _ device: DeviceSession) async throws -> Int64
    {
        let bought = try await world.buy("coins", by: device, quantity: count, expecting: [])
        return try #require(bought.flatMap { Int64($0.transactionId) })
    }

    @Test(
        "What changed last comes first, a refund being a change; subscriptions are not among it",
        arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15", isListening: false)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let first = try await coins(3, world, ada)
        let second = try await coins(1, world, ada)
        _ = try await coins(1, world, world.device("bob"))
        var found = try await world.store.purchases(
            account: "ada", in: .production, limit: 10)
        #expect(found.map(\.transactionID) == [second, first])
        #expect(found.map(\.quantity) == [1, 3])
        #expect(found.allSatisfy { $0.bundleID == World.bundleID && $0.revoked == nil })
        try await world.store.refund(
            transaction: first, .full, reason: .other, in: .production)
        found = try await world.store.purchases(account: "ada", in: .production, limit: 1)
        #expect(found.map(\.transactionID) == [first])
        #expect(found.first?.revoked == World.instant("2026-01-15"))
    }

    @Test("Nobody's purchases are asked for in vain", arguments: Backend.available)
    func unknown(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15", isListening: false)
        _ = try await world.device("ada", in: .sandbox)
        await #expect(throws: StoreError.unknown(.account, "ada")) {
            try await world.store.purchases(account: "ada", in: .production, limit: 1)
        }
        #expect(
            try await world.store.purchases(account: "ada", in: .sandbox, limit: 1).isEmpty)
    }
}
