import AppStoreWire
import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// News, a merchant's own item for 2.99 USD a month, bought on 15 January 2026, and another price:
/// what the store says of it, and what it leaves to the merchant.
@Suite("Stories: letters about a merchant's prices")
struct MerchantLetterStories {
    private static let generic = "generic.subscription"
    private static let caller = Caller(bundleID: World.bundleID, environment: .production)

    private func subscribed(
        _ backend: Backend, _ route: PriceChangeRoute
    ) async throws -> (World, DeviceSession, Int64) {
        let world = try await World(backend, at: "2026-01-15", mailroom: .lines())
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
        try await world.store.configure(bundleID: World.bundleID) { $0.priceChangeRoute = route }
        let device = try await world.device("anna@example.com")
        var purchase = PurchaseRequest(productID: Self.generic)
        purchase.advancedCommerce = SignedInAppRequest(
            nonce: "nonce",
            .createSubscription(
                AdvancedCommerceSubscriptionCreateRequest(
                    requestInfo: Self.reference(1), currency: "USD", taxCode: "C003-00-1",
                    descriptors: AdvancedCommerceDescriptors(
                        displayName: "The paper", description: "News"), period: .oneMonth,
                    items: [
                        AdvancedCommerceSubscriptionCreateItem(
                            sku: "news", displayName: "News", description: "News", price: 2_990)
                    ])))
        _ = try await world.store.buy(purchase, by: device)
        let id = try await world.store.customer(
            account: "anna@example.com", in: .production
        ).1[0].id
        return (world, device, id)
    }

    private static func reference(_ number: Int) -> AdvancedCommerceRequestInfo {
        AdvancedCommerceRequestInfo(
            requestReferenceId: "00000000-0000-4000-8000-00000000000\(number)")
    }

    private func change(_ number: Int, to price: Int64, _ id: Int64, in world: World) async throws {
        _ = try await world.store.changePrices(
            transaction: id,
            AdvancedCommerceSubscriptionPriceChangeRequest(
                requestInfo: Self.reference(number), currency: "USD",
                items: [AdvancedCommerceSubscriptionPriceChangeItem(sku: "news", price: price)]),
            for: Self.caller)
    }

    @Test(
        "Where the merchant has told of a higher price, the store pushes that it is so (ACP-11)",
        arguments: Backend.available)
    func merchant(_ backend: Backend) async throws {
        let (world, device, id) = try await subscribed(backend, .merchantManaged)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await change(2, to: 12_990, id, in: world)
        // Nothing is asked, and nothing but the push is said.
        #expect(try await world.store.priceIncreaseMessages(for: device) == [])
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        #expect(
            try await world.letters(.priceIncreaseNotice, .priceIncreaseConsent) == [
                "2026-02-01 anna push increase News 2990 to 12990 on 2026-02-15"
            ])
        try await world.check()
    }

    @Test(
        "A second call at the same moment is pushed too: what is charged is what was told",
        arguments: Backend.available)
    func again(_ backend: Backend) async throws {
        let (world, _, id) = try await subscribed(backend, .merchantManaged)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await change(2, to: 12_990, id, in: world)
        try await change(3, to: 10_990, id, in: world)
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        #expect(
            try await world.letters(.priceIncreaseNotice).last
                == "2026-02-01 anna push increase News 2990 to 10990 on 2026-02-15")
        #expect(try await world.store.subscription(id).1.newestPeriod.price == 10_990)
        try await world.check()
    }

    @Test(
        "Of a lower price nobody is told, whoever tells of others (ACP-12)",
        arguments: Backend.available, PriceChangeRoute.ofMerchants)
    func lower(_ backend: Backend, _ route: PriceChangeRoute) async throws {
        let (world, device, id) = try await subscribed(backend, route)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        try await change(2, to: 1_990, id, in: world)
        #expect(try await world.store.priceIncreaseMessages(for: device) == [])
        let status = try await world.status("\(id)").renewal
        #expect(status.priceIncreaseStatus == nil)
        #expect(status.renewalPrice == 1_990)
        await #expect(throws: StoreError.refused(.noPriceIncrease)) {
            try await world.store.change(
                subscription: id, [.priceIncrease(agrees: false)], by: device)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        #expect(
            try await world.letters(.priceIncreaseNotice, .priceIncreaseConsent) == [])
        try await world.check()
    }

    @Test(
        "No screen of the store sells what stands for a merchant's items (ACM-1)",
        arguments: Backend.available)
    func screen(_ backend: Backend) async throws {
        let (world, device, id) = try await subscribed(backend, .storeManaged)
        let before = try await Tables(world.database)
        await #expect(
            throws: StoreError.advancedCommerce(.AdvancedCommerce.nullAdvancedCommerceData)
        ) {
            try await world.store.change(
                subscription: id, [.product(Self.generic)], by: device)
        }
        #expect(try await Tables(world.database) == before)
    }
}
