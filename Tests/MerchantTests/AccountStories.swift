import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Whose a purchase is.
@Suite("Merchant: accounts", .timeLimit(.minutes(15)))
struct AccountStories {
    private static let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"

    private func buy(
        _ product: String, in world: MerchantWorld, as account: String = "ada",
        token: String? = nil, at environment: StoreEnvironment = .production
    ) async throws -> String {
        let device = try await world.world.device(account, in: environment)
        return try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: product, appAccountToken: token), by: device))
    }

    @Test(
        "A purchase is the account's that sends it first, before or after its notification",
        arguments: Backend.available)
    func first(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("gold.monthly", in: world)
        try await world.deliver()
        #expect(try await world.access().isEmpty)
        let customer = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        #expect(customer.lines == ["club active until 2026-02-01 renews"])
        #expect(customer.purchases.map(\.boundBy) == ["app"])
        // Once more changes nothing.
        let again = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        #expect(again == customer)
    }

    @Test(
        "Another account is refused, unless the customer restores; both change",
        arguments: Backend.available)
    func restore(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("gold.monthly", in: world)
        let before = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        await #expect(throws: MerchantError.ownedByAnother) {
            try await world.merchant.take(transaction: signed, from: "bea", of: World.bundleID)
        }
        #expect(try await world.merchant.customer("bea", of: World.bundleID).purchases.isEmpty)
        let bea = try await world.merchant.take(
            transaction: signed, from: "bea", of: World.bundleID, restores: true)
        #expect(bea.lines == ["club active until 2026-02-01"])
        #expect(bea.purchases.map(\.boundBy) == ["restore"])
        let ada = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(ada.purchases.isEmpty)
        #expect(ada.version > before.version)
        // Renewals go on for the new owner.
        try await world.advance(to: "2026-02-02")
        #expect(try await world.access(of: "bea") == ["club active until 2026-03-01 renews"])
        #expect(try await world.access().isEmpty)
    }

    @Test(
        "A registered account keeps what it has, whoever is signed in at the store",
        arguments: Backend.available)
    func registered(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("season", in: world)
        let kept = try await world.merchant.take(
            transaction: signed, from: "reader-17", of: World.bundleID)
        #expect(kept.lines == ["season owned"])
        let bea = try await world.world.device("bea")
        #expect(try await world.world.store.entitlements(for: bea).isEmpty)
        let later = try await world.merchant.customer("reader-17", of: World.bundleID)
        #expect(later.lines == ["season owned"])
        #expect(try await world.access().isEmpty)
    }

    @Test(
        "A token that an account has shown binds what is bought with it later",
        arguments: Backend.available)
    func token(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("gold.monthly", in: world, token: Self.token)
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        _ = try await buy("lifetime", in: world, token: Self.token)
        try await world.deliver()
        #expect(
            try await world.access() == [
                "club active until 2026-02-01 renews", "lifetime owned",
            ])
        let customer = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(customer.purchases.map(\.boundBy) == ["token", "app"])
    }

    @Test(
        "A token binds what was bought with it before the account showed it",
        arguments: Backend.available)
    func laterToken(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        _ = try await buy("lifetime", in: world, token: Self.token)
        let signed = try await buy("gold.monthly", in: world, token: Self.token)
        try await world.deliver()
        #expect(try await world.access().isEmpty)
        let customer = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        #expect(customer.lines == ["club active until 2026-02-01 renews", "lifetime owned"])
        #expect(customer.purchases.map(\.boundBy) == ["app", "token"])
        // Nobody else gets them by showing it.
        await #expect(throws: MerchantError.ownedByAnother) {
            try await world.merchant.take(transaction: signed, from: "bea", of: World.bundleID)
        }
    }

    @Test("Sandbox is kept apart from Production", arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("lifetime", in: world, at: .sandbox)
        let coins = try await buy("coins", in: world, at: .sandbox)
        for text in [signed, coins] {
            _ = try await world.merchant.take(transaction: text, from: "ada", of: World.bundleID)
        }
        let customer = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(customer.entitlements.map(\.environment) == [.sandbox])
        #expect(customer.balances.isEmpty)
    }

    @Test(
        "What was bought again and again is counted, and what was refunded is not",
        arguments: Backend.available)
    func consumables(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        var bought: [JWSTransactionDecodedPayload] = []
        for _ in 1...3 {
            let signed = try await buy("coins", in: world, token: Self.token)
            _ = try await world.merchant.take(
                transaction: signed, from: "ada", of: World.bundleID)
            bought.append(try JWSText.decode(signed))
        }
        try await world.advance(to: "2026-01-02")
        try await world.world.store.refund(
            transaction: Int64(bought[1].transactionId)!, .full, reason: .other, in: .production)
        try await world.deliver()
        let customer = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(customer.balances == ["coins": 2])
        #expect(customer.entitlements.isEmpty)
    }
}
