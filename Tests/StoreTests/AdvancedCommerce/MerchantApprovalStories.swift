import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a merchant describes, and somebody else lets a customer buy (ATB-1).
@Suite("Stories: merchants' items that are asked for")
struct MerchantApprovalStories {
    private static let generic = "generic.subscription"

    private func world(_ backend: Backend) async throws -> (World, DeviceSession) {
        let world = try await World(backend, at: "2026-01-15")
        try await world.store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "generic", referenceName: "Generic")],
                products: [
                    Product(
                        id: Self.generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month))
                ]), bundleID: World.bundleID)
        try await world.store.setGeneric(
            true, product: Self.generic, bundleID: World.bundleID)
        let device = try await world.device("mia")
        try await ask(true, in: world)
        return (world, device)
    }

    private func ask(_ isOn: Bool, in world: World) async throws {
        try await world.store.setBuying(
            BuyingChange(asksToBuy: isOn), account: "mia", in: .production)
    }

    private func create(_ number: Int) -> PurchaseRequest {
        var purchase = PurchaseRequest(productID: Self.generic)
        purchase.advancedCommerce = SignedInAppRequest(
            nonce: "nonce \(number)",
            .createSubscription(
                AdvancedCommerceSubscriptionCreateRequest(
                    requestInfo: AdvancedCommerceRequestInfo(
                        requestReferenceId: "00000000-0000-4000-8000-00000000000\(number)"),
                    currency: "USD", taxCode: "C003-00-1",
                    descriptors: AdvancedCommerceDescriptors(
                        displayName: "The paper", description: "News"), period: .oneMonth,
                    items: [
                        AdvancedCommerceSubscriptionCreateItem(
                            sku: "news", displayName: "News", description: "News", price: 2_990)
                    ])))
        return purchase
    }

    private func requests(_ world: World) async throws -> [HeldPurchase] {
        try await world.store.heldPurchases(account: "mia", limit: 9, in: .production)
            .map(\.request)
    }

    private func subscriptions(_ world: World) async throws -> [Subscription] {
        try await world.store.customer(account: "mia", in: .production).1
    }

    @Test("What is approved is bought, once", arguments: Backend.available)
    func approved(_ backend: Backend) async throws {
        let (world, device) = try await world(backend)
        _ = try await world.store.buy(create(1), by: device)
        #expect(try await subscriptions(world).isEmpty)
        let entry = try #require(
            try await world.store.heldPurchases(account: "mia", limit: 9, in: .production).first)
        #expect(entry.price?.milliunits == 2_990)
        try await world.store.approve(heldPurchase: entry.request.id, by: nil, in: .production)
        #expect(try await subscriptions(world).map(\.plan.lines.first?.sku) == ["news"])
        #expect(try await requests(world).map(\.obstacle) == [nil])
        // The same request again finds what was asked for.
        _ = try await world.store.buy(create(1), by: device)
        #expect(try await subscriptions(world).count == 1)
        try await world.check()
    }

    @Test(
        "What is approved and cannot be bought any more says what stood in the way",
        arguments: Backend.available)
    func obstacle(_ backend: Backend) async throws {
        let (world, device) = try await world(backend)
        _ = try await world.store.buy(create(1), by: device)
        try await ask(false, in: world)
        _ = try await world.store.buy(create(2), by: device)
        let request = try #require(try await requests(world).first)
        try await world.store.approve(heldPurchase: request.id, by: nil, in: .production)
        #expect(try await requests(world).map(\.obstacle) == [.alreadySubscribed])
        #expect(try await subscriptions(world).count == 1)
        try await world.check()
    }
}
