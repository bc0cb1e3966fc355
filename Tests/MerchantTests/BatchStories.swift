import AppStoreSigning
import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Many notifications at a time, and what reads cost.
@Suite("Merchant: batches", .timeLimit(.minutes(15)))
struct BatchStories {
    private static let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"

    /// Notifications of so many coins, and a merchant that knows whose they are.
    private func coins(
        _ count: Int, _ backend: Backend
    ) async throws -> (MerchantWorld, Merchant, FaultyDatabase, [Listener.Arrival]) {
        let world = try await MerchantWorld(backend)
        let ada = try await world.world.device()
        for _ in 1...count {
            _ = try await world.world.store.purchase(
                PurchaseRequest(productID: "coins", appAccountToken: Self.token), by: ada)
        }
        try await world.world.store.settle()
        let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let merchant = try await MerchantWorld.merchant(in: database, of: world.world)
        return (world, merchant, database, world.world.listener.takeArrivals())
    }

    @Test("What waits is written a hundred at a time", arguments: Backend.available)
    func many(_ backend: Backend) async throws {
        let (_, merchant, database, arrivals) = try await coins(120, backend)
        for arrival in arrivals {
            _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
        }
        database.arm(nil)
        try await merchant.settle()
        // Two batches; where several processes may be at it, the claim besides.
        #expect(database.counts.changes == (backend == .postgres ? 3 : 2))
        let signed = try #require(arrivals[0].notification.data?.signedTransactionInfo)
        let ada = try await merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        #expect(ada.balances == ["coins": 120])
        #expect(try await merchant.deadLetters(limit: 1).isEmpty)
    }

    @Test(
        "One that the database does not take keeps no other from being processed",
        arguments: Backend.available)
    func damaged(_ backend: Backend) async throws {
        let (_, merchant, _, arrivals) = try await coins(9, backend)
        for (index, arrival) in arrivals.enumerated() {
            let payload = index == 4 ? try damaged(arrival) : arrival.signedPayload
            #expect(try await merchant.receive(payload, for: World.bundleID) == .kept)
        }
        try await merchant.settle()
        let dead = try await merchant.deadLetters(limit: 10)
        #expect(dead.map(\.uuid) == [arrivals[4].notification.notificationUUID])
        let signed = try #require(arrivals[0].notification.data?.signedTransactionInfo)
        let ada = try await merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        #expect(ada.balances == ["coins": 8])
    }

    /// The same, about a product whose name no database keeps.
    private func damaged(_ arrival: Listener.Arrival) throws -> String {
        let signer = JWSSigner(chain: World.chain)
        let text = try #require(arrival.notification.data?.signedTransactionInfo)
        var transaction = try JWSText.members(text)
        transaction["productId"] = .string("co\u{0}ins")
        var outer = try JWSText.members(arrival.signedPayload)
        var data = try #require(outer["data"]?.object)
        data["signedTransactionInfo"] = .string(
            try signer.sign(JSONValue.object(transaction)))
        outer["data"] = .object(data)
        return try signer.sign(JSONValue.object(outer))
    }

    @Test("What an account has is read in two statements", arguments: Backend.available)
    func reading(_ backend: Backend) async throws {
        let (world, merchant, database, arrivals) = try await coins(3, backend)
        let signed = try #require(arrivals[0].notification.data?.signedTransactionInfo)
        _ = try await merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        let ada = try await world.world.device()
        let plan = try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: "gold.monthly"), by: ada))
        _ = try await merchant.take(transaction: plan, from: "ada", of: World.bundleID)
        database.arm(nil)
        let customer = try await merchant.customer("ada", of: World.bundleID)
        #expect(customer.lines == ["club active until 2026-02-01"])
        #expect(customer.balances == ["coins": 1])
        #expect(database.counts.statements == 2)
    }
}
