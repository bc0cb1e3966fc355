import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Who redeemed offer codes")
struct OfferRedemptionTests {
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices
        where catalogue.products[place].id == "silver.monthly" {
            catalogue.products[place].subscription?.offers.append(
                Offer(
                    kind: .offerCode, id: "FREE", mode: .freeTrial, period: .month,
                    audiences: Offer.Audience.allCases))
        }
        return catalogue
    }()

    private func lines(
        _ batch: OfferCodeBatch, after: String? = nil, limit: Int = 10, in world: World
    ) async throws -> [String] {
        try await world.store.redemptions(
            ofBatch: batch.id, bundleID: World.bundleID, in: .production, after: after,
            limit: limit
        ).map { "\($0.account) \($0.redeemed.iso8601) \($0.code) \($0.transactionID ?? 0)" }
    }

    @Test(
        "Each one-time code says by whom it was redeemed, when, and with which transaction",
        arguments: Backend.available)
    func oneTime(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let batch = try await world.store.makeOfferCodes(
            OfferCodeOrder(productID: "silver.monthly", offerID: "FREE", count: 4),
            bundleID: World.bundleID, in: .production)
        let codes = try await world.store.offerCodes(
            ofBatch: batch.id, bundleID: World.bundleID, in: .production)
        #expect(try await lines(batch, in: world) == [])
        let (bob, ada) = (try await world.device("bob"), try await world.device("ada"))
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(
            try #require(try await world.store.redeem(code: codes[2], by: bob).signedTransaction))
        // Who subscribes has the offer from the renewal on, and no transaction of it.
        _ = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-05"))
        _ = try await world.store.redeem(code: codes[0], by: ada)
        let all = [
            "ada 2026-01-05T00:00:00Z \(codes[0]) 0",
            "bob 2026-01-01T00:00:00Z \(codes[2]) \(bought.transactionId)",
        ]
        #expect(try await lines(batch, in: world) == all)
        #expect(try await lines(batch, limit: 1, in: world) == [all[0]])
        #expect(try await lines(batch, after: "ada", in: world) == [all[1]])
        #expect(try await lines(batch, after: "bob", in: world) == [])
    }

    @Test(
        "A custom code has many, and one whose purchase was not paid has not been redeemed",
        arguments: Backend.available)
    func custom(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        _ = try await world.store.createOffer(
            OneTimeOffer(id: "HALF", basePrice: 490, audiences: OneTimeOffer.Audience.allCases),
            of: "coins", bundleID: World.bundleID)
        let batch = try await world.store.makeOfferCodes(
            OfferCodeOrder(productID: "coins", offerID: "HALF", custom: "gift", count: 4),
            bundleID: World.bundleID, in: .production)
        let (ada, bob) = (try await world.device("ada"), try await world.device("bob"))
        _ = try await world.store.redeem(code: "Gift", by: ada)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE coins 0.49 ONE_TIME"])
        try await world.pays(.declines(until: nil, left: nil), account: "bob")
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            _ = try await world.store.redeem(code: "gift", by: bob)
        }
        let found = try await lines(batch, in: world)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("ada 2026-01-01T00:00:00Z GIFT ") == true)
    }

    @Test("What there is not is refused")
    func unknown() async throws {
        let world = try await World(.sqlite)
        await #expect(throws: StoreError.unknown(.offerCodeBatch, "9")) {
            _ = try await world.store.redemptions(
                ofBatch: 9, bundleID: World.bundleID, in: .production, limit: 1)
        }
        await #expect(throws: StoreError.unknown(.app, "nobody")) {
            _ = try await world.store.redemptions(
                ofBatch: 9, bundleID: "nobody", in: .production, limit: 1)
        }
    }
}
