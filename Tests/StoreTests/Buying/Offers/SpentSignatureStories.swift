import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: signatures of offers that are spent")
struct SpentSignatureStories {
    /// Silver and gold with a promotional offer.
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices
        where ["silver.monthly", "gold.monthly"].contains(catalogue.products[place].id) {
            catalogue.products[place].subscription?.offers = [
                Offer(
                    kind: .promotional, id: "spring", mode: .payAsYouGo, period: .month,
                    periodCount: 2, basePrice: 2_990)
            ]
        }
        return catalogue
    }()

    private func promotion(_ nonce: String, _ id: String = "spring") -> OfferClaim {
        .promotional(id: id, SignedClaim(nonce: nonce))
    }

    private func buy(
        _ offer: OfferClaim, _ product: String, quantity: Int = 1, key: String? = nil,
        by device: DeviceSession, in world: World
    ) async throws {
        _ = try await world.store.purchase(
            PurchaseRequest(
                productID: product, offer: offer, quantity: quantity, idempotencyKey: key),
            by: device)
    }

    /// Tries to buy with an offer, and again: the attempt is refused, and has spent the signature
    /// and changed nothing else; or it is refused the same way again.
    private func refused(
        _ offer: OfferClaim, _ product: String = "silver.monthly", quantity: Int = 1,
        by device: DeviceSession, in world: World, _ error: StoreError, spends: Bool
    ) async throws {
        let before = try await Tables(world.database)
        func attempt(_ error: StoreError) async {
            await #expect(throws: error) {
                try await buy(offer, product, quantity: quantity, by: device, in: world)
            }
        }
        await attempt(error)
        let changed = try await Tables(world.database).differences(from: before)
        #expect(changed == (spends ? ["offer_signature"] : []), "\(error)")
        await attempt(spends ? .purchase(.offer(.signatureUsed)) : error)
    }

    @Test(
        "A signature is good for one attempt, also for one that the bank declines (PRO-1)",
        arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await buy(promotion("a"), "gold.monthly", by: ada, in: world)
        }
        try await world.pays(.approves)
        try await refused(
            promotion("a"), "gold.monthly", by: ada, in: world,
            .purchase(.offer(.signatureUsed)), spends: false)
        try await buy(promotion("b"), "gold.monthly", by: ada, in: world)
        try await world.settle(telling: [
            """
            2026-01-01 OFFER_REDEEMED/UPGRADE 1 gold.monthly 2.99 PAY_AS_YOU_GO until 2026-02-01
            """
        ])
        // It is used up for everybody.
        let bob = try await world.device("bob")
        _ = try await world.subscribe("silver.monthly", by: bob)
        try await refused(
            promotion("b"), by: bob, in: world, .purchase(.offer(.signatureUsed)), spends: false)
    }

    @Test(
        "An attempt that the store refuses spends it, and changes nothing else (PRO-1)",
        arguments: Backend.available)
    func spent(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        // Nobody who never subscribed is eligible.
        try await refused(
            promotion("a"), by: ada, in: world, .purchase(.offer(.refused(.neverSubscribed))),
            spends: true)
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await refused(
            promotion("b", "autumn"), by: ada, in: world, .purchase(.offer(.unknown("autumn"))),
            spends: true)
        try await world.store.setAvailability(
            false, product: "gold.monthly", storefront: nil, bundleID: World.bundleID)
        try await refused(
            promotion("c"), "gold.monthly", by: ada, in: world,
            .purchase(.notForSale("gold.monthly")), spends: true)
        try await world.store.setAvailability(
            true, product: "gold.monthly", storefront: nil, bundleID: World.bundleID)
        let bob = try await world.device("bob")
        _ = try await world.subscribe("silver.monthly", by: bob)
        try await world.store.setBuying(
            BuyingChange(canMakePayments: false), account: "bob", in: .production)
        try await refused(
            promotion("d"), "gold.monthly", by: bob, in: world, .purchase(.paymentsNotAllowed),
            spends: true)
        try await world.check()
    }

    @Test(
        "What was no attempt, or not the customer's, spends nothing (PRO-1)",
        arguments: Backend.available)
    func unspent(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        _ = try await world.subscribe("silver.monthly", by: ada)
        let id = try await world.subscribe("silver.monthly", by: bob)
        try await refused(
            promotion("a"), quantity: 2, by: ada, in: world,
            .purchase(.invalidQuantity(2, largest: 1)), spends: false)
        try await refused(
            promotion("a"), "coins", by: ada, in: world,
            .subscription(.notASubscription("coins")), spends: false)
        try await refused(
            promotion("a"), "nothing", by: ada, in: world, .unknown(.product, "nothing"),
            spends: false)
        // Who has somebody else's signature cannot use it up.
        try await refused(
            .promotional(id: "spring", SignedClaim(nonce: "a", transactionID: "\(id)")), by: ada,
            in: world, .purchase(.offer(.otherCustomer)), spends: false)
        // What is only rehearsed is no attempt, whether it would be refused or not.
        await #expect(throws: StoreError.purchase(.offer(.unknown("autumn")))) {
            _ = try await Store.rehearsing {
                try await buy(promotion("a", "autumn"), "silver.monthly", by: ada, in: world)
            }
        }
        _ = try await Store.rehearsing {
            try await buy(promotion("a"), "silver.monthly", by: ada, in: world)
        }
        // One command is one attempt, however often it is sent.
        for _ in 1...2 {
            try await buy(promotion("a"), "silver.monthly", key: "once", by: ada, in: world)
        }
        try await refused(
            promotion("a"), by: ada, in: world, .purchase(.offer(.signatureUsed)), spends: false)
        try await world.check()
    }
}
