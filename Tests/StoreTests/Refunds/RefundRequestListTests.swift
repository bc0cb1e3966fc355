import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("The list of requests for refunds")
struct RefundRequestListTests {
    /// What a request for a refund of four packs of coins shows, from one moment to the next.
    private struct Asked {
        let world: World
        let coins: Int64
        let request: RefundRequest

        init(_ backend: Backend) async throws {
            world = try await World(backend) { $0.refundPolicy = .operatorDecides }
            let ada = try await world.device()
            let bought = try await world.buy(
                "coins", by: ada, quantity: 4, expecting: ["ONE_TIME_CHARGE"])
            coins = try #require((bought?.transactionId).flatMap { Int64($0) })
            request = try await world.store.requestRefund(transaction: coins, .other, by: ada)
        }

        func listed() async throws -> RefundRequestEntry {
            try #require(
                try await world.store.refundRequests(
                    nil, before: nil, limit: 10, in: .production
                ).first)
        }
    }

    @Test(
        "A granted request says what was given back and which share that is, until it is reversed",
        arguments: Backend.available)
    func share(_ backend: Backend) async throws {
        let asked = try await Asked(backend)
        let open = try await asked.listed()
        #expect(open.quantity == 4)
        #expect(open.price.milliunits == 3_960)
        #expect(open.refunded == nil)
        #expect(open.percentage == nil)
        // A quarter was used up: 3.96 × 3 / 4 = 2.97.
        try await asked.world.store.consumption(
            of: asked.coins, Consumption(preference: nil, percentage: 25_000, body: "{}"),
            for: asked.world.caller())
        try await asked.world.store.decide(
            refundRequest: asked.request.id, granting: .prorated, in: .production)
        let granted = try await asked.listed()
        #expect(granted.refunded?.milliunits == 2_970)
        #expect(granted.percentage == 75_000)
        try await asked.world.store.reverseRefund(
            transaction: asked.coins, in: .production)
        let reversed = try await asked.listed()
        #expect(reversed.refunded == nil)
        #expect(reversed.percentage == nil)
    }

    @Test("A declined request shows no refund that comes later", arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let asked = try await Asked(backend)
        try await asked.world.store.decide(
            refundRequest: asked.request.id, granting: nil, in: .production)
        try await asked.world.store.refund(
            transaction: asked.coins, .full, reason: .other, in: .production)
        #expect(try await asked.listed().refunded == nil)
    }
}
