import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Codes beside bills that wait, and beside levels that were moved.
@Suite("Stories: offer codes beside other things")
struct OfferCodeEdgeStories {
    private static func catalogue(bronzeLevel: Int = 3) -> Catalogue {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices {
            guard catalogue.products[place].subscription != nil else { continue }
            catalogue.products[place].subscription?.offers += [
                Offer(
                    kind: .offerCode, id: "FREE", mode: .freeTrial, period: .month,
                    audiences: Offer.Audience.allCases)
            ]
            if catalogue.products[place].id == "bronze.monthly" {
                catalogue.products[place].subscription?.level = bronzeLevel
            }
        }
        return catalogue
    }

    private func code(of product: String, in world: World) async throws -> String {
        let batch = try await world.store.makeOfferCodes(
            OfferCodeOrder(productID: product, offerID: "FREE", count: 1),
            bundleID: World.bundleID, in: .production)
        return try await world.store.offerCodes(
            ofBatch: batch.id, bundleID: World.bundleID, in: .production)[0]
    }

    @Test(
        "A purchase that waits for the bank does not use up a code that it was asked for without",
        arguments: Backend.available, [true, false])
    func pending(_ backend: Backend, _ isFirst: Bool) async throws {
        let world = try await World(backend, catalogue: Self.catalogue())
        let ada = try await world.device()
        if !isFirst { _ = try await world.subscribe("silver.monthly", by: ada) }
        try await world.pays(.answersLater(after: .hours(1), isPaid: false))
        let product = isFirst ? "silver.monthly" : "gold.monthly"
        let asked = try await world.store.buy(PurchaseRequest(productID: product), by: ada)
        #expect(asked.pendingBill != nil)
        let code = try await code(of: product, in: world)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.refused(.paymentPending)) {
            _ = try await world.store.redeem(code: code, by: ada)
        }
        #expect(try await Tables(world.database) == before)
        // The bank declines; the code is as good as it was.
        _ = try await world.store.advance(to: World.instant("2026-01-01T02:00:00Z"))
        let redeemed = try await world.store.redeem(code: code, by: ada)
        #expect(redeemed.signedTransaction != nil)
        try await world.check()
    }

    @Test(
        "Which code is one for a lower level is said by the levels of today (COD-4, GRP-4)",
        arguments: Backend.available)
    func levels(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue())
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.monthly", by: ada)
        let silver = try await code(of: "silver.monthly", in: world)
        // Bronze becomes the best there is: silver would be a step down now.
        try await world.store.importCatalogue(
            Self.catalogue(bronzeLevel: 1), bundleID: World.bundleID)
        await #expect(throws: StoreError.purchase(.offer(.refused(.wouldDowngrade)))) {
            _ = try await world.store.redeem(code: silver, by: ada)
        }
        try await world.store.importCatalogue(
            Self.catalogue(bronzeLevel: 2), bundleID: World.bundleID)
        _ = try await world.store.redeem(code: silver, by: ada)
        try await world.settle(telling: [
            """
            2026-01-01 OFFER_REDEEMED/UPGRADE 1 silver.monthly 0.00 FREE_TRIAL until 2026-02-01
            """
        ])
    }
}
