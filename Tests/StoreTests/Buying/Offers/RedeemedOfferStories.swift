import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: offers that are redeemed")
struct RedeemedOfferStories {
    /// Silver and gold with a promotional offer and one to win customers back with.
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices
        where ["silver.monthly", "gold.monthly"].contains(catalogue.products[place].id) {
            let isSilver = catalogue.products[place].id == "silver.monthly"
            catalogue.products[place].subscription?.offers =
                [spring] + (isSilver ? [comeBack, comeBackSoon] : [])
        }
        return catalogue
    }()

    private static let spring = Offer(
        kind: .promotional, id: "spring", mode: .payAsYouGo, period: .month, periodCount: 2,
        basePrice: 2_990)

    private static let comeBack: Offer = {
        var offer = Offer(kind: .winBack, id: "back", mode: .freeTrial, period: .month)
        offer.winBack = WinBackTerms(paidMonths: 1, monthsSinceEnd: 2...12)
        return offer
    }()

    private static let comeBackSoon: Offer = {
        var offer = Offer(
            kind: .winBack, id: "soon", mode: .payUpFront, period: .month, basePrice: 990)
        offer.winBack = WinBackTerms(monthsSinceEnd: 1...12, priority: .high)
        return offer
    }()

    private func redeem(
        _ offer: OfferClaim, _ product: String = "silver.monthly", by device: DeviceSession,
        in world: World, telling lines: [String]
    ) async throws {
        _ = try await world.store.purchase(
            PurchaseRequest(productID: product, offer: offer), by: device)
        try await world.settle(telling: lines)
    }

    private func promotion(_ nonce: Int) -> OfferClaim {
        .promotional(id: "spring", SignedClaim(nonce: "nonce-\(nonce)"))
    }

    /// - Parameter changed: the tables that are not as before.
    private func refused(
        _ offer: OfferClaim, _ product: String = "silver.monthly", by device: DeviceSession,
        in world: World, _ error: StoreError, changing changed: [String] = []
    ) async throws {
        let before = try await Tables(world.database)
        await #expect(throws: error) {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: product, offer: offer), by: device)
        }
        #expect(try await Tables(world.database).differences(from: before) == changed)
    }

    @Test(
        "A promotional offer begins at the next renewal and ends by itself",
        arguments: Backend.available)
    func promotional(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        try await refused(
            promotion(0), by: ada, in: world, .purchase(.offer(.refused(.neverSubscribed))),
            changing: ["offer_signature"])
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await redeem(
            promotion(1), by: ada, in: world,
            telling: ["2026-01-11 OFFER_REDEEMED 1 silver.monthly 9.99 until 2026-02-01"])
        // Renewal info describes the next period, the transaction this one (OFF-2).
        #expect(
            try await world.shows(id) == ["1 silver.monthly on 2026-02-01 2.99 PAY_AS_YOU_GO"])
        let renewal = try await world.status("\(id)").renewal
        #expect(renewal.offerType == .promotional)
        #expect(renewal.offerIdentifier == "spring")
        #expect(renewal.offerPeriod == "P2M")
        try await world.advance(
            to: "2026-04-01",
            telling: [
                "2026-02-01 DID_RENEW 1 silver.monthly 2.99 PAY_AS_YOU_GO until 2026-03-01",
                "2026-03-01 DID_RENEW 1 silver.monthly 2.99 PAY_AS_YOU_GO until 2026-04-01",
                "2026-04-01 DID_RENEW 1 silver.monthly 9.99 until 2026-05-01",
            ])
        let offers = try await world.history("\(id)").map(\.offerIdentifier)
        #expect(offers == [nil, "spring", "spring", nil])
        #expect(
            try await world.ledger() == [
                "2026-01-01 +9.99", "2026-02-01 +2.99", "2026-03-01 +2.99", "2026-04-01 +9.99",
            ])
        try await world.check()
    }

    @Test(
        "With an upgrade it begins at once, with a downgrade at the renewal",
        arguments: Backend.available)
    func planChanges(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await redeem(
            promotion(1), "gold.monthly", by: ada, in: world,
            telling: [
                """
                2026-01-11 OFFER_REDEEMED/UPGRADE 1 gold.monthly 2.99 PAY_AS_YOU_GO until \
                2026-02-11
                """
            ])
        try await redeem(
            promotion(2), by: ada, in: world,
            telling: [
                """
                2026-01-11 OFFER_REDEEMED/DOWNGRADE 1 gold.monthly 2.99 PAY_AS_YOU_GO until \
                2026-02-11
                """
            ])
        try await world.advance(
            to: "2026-02-11",
            telling: ["2026-02-11 DID_RENEW 1 silver.monthly 2.99 PAY_AS_YOU_GO until 2026-03-11"])
        #expect(
            try await world.ledger() == [
                "2026-01-01 +9.99", "2026-01-11 +2.99 -6.77", "2026-02-11 +2.99",
            ])
    }

    @Test(
        "A signature that names a transaction is that customer's alone",
        arguments: Backend.available)
    func named(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.subscribe("silver.monthly", by: bob)
        let claim = OfferClaim.promotional(
            id: "spring", SignedClaim(nonce: "a", transactionID: "\(id)"))
        try await refused(claim, by: bob, in: world, .purchase(.offer(.otherCustomer)))
        try await redeem(
            claim, by: ada, in: world,
            telling: ["2026-01-01 OFFER_REDEEMED 1 silver.monthly 9.99 until 2026-02-01"])
        let copy: AppTransaction = try JWSText.decode(
            try await world.store.appTransaction(for: bob))
        try await redeem(
            .promotional(
                id: "spring", SignedClaim(nonce: "b", transactionID: copy.appTransactionId)),
            by: bob, in: world,
            telling: ["2026-01-01 OFFER_REDEEMED 1 silver.monthly 9.99 until 2026-02-01"])
    }

    @Test(
        "The developer's word on the introductory offer goes before the store's (TAB-5.2)",
        arguments: Backend.available)
    func introductory(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        func claim(_ isAllowed: Bool, _ nonce: String) -> OfferClaim {
            .introductory(isAllowed: isAllowed, SignedClaim(nonce: nonce))
        }
        try await redeem(
            claim(false, "a"), "silver.trial", by: ada, in: world,
            telling: [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.trial 9.99 until 2026-02-01"
            ])
        try await world.change(
            try #require(try await world.store.subscriptions(for: ada).first).originalTransactionID,
            .renewal(isOn: false), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.trial 9.99 \
                until 2026-02-01
                """
            ])
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        _ = world.listener.takeArrivals()
        for nonce in ["b", "c"] {
            try await redeem(
                claim(true, nonce), "silver.trial", by: ada, in: world,
                telling: [
                    """
                    2026-0\(nonce == "b" ? "2-10" : "3-20") SUBSCRIBED/RESUBSCRIBE 1 silver.trial \
                    0.00 FREE_TRIAL until 2026-0\(nonce == "b" ? "2-17" : "3-27")
                    """
                ])
            guard nonce == "b" else { break }
            let subscription = try #require(
                try await world.store.subscriptions(for: ada).first
            ).originalTransactionID
            try await world.store.change(
                subscription: subscription, [.renewal(isOn: false)], by: ada)
            _ = try await world.store.advance(to: World.instant("2026-03-20"))
            _ = world.listener.takeArrivals()
        }
        try await refused(
            claim(true, "d"), "bronze.monthly", by: ada, in: world,
            .purchase(.offer(.unknown(""))), changing: ["offer_signature"])
    }

    @Test(
        "Win-back offers are named in renewal info, best first, and bring a customer back (WIN-2)",
        arguments: Backend.available)
    func winBack(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await refused(
            .winBack(id: "back"), by: ada, in: world, .purchase(.offer(.refused(.notLapsed))))
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-20"))
        _ = world.listener.takeArrivals()
        func offers() async throws -> [String]? {
            try await world.status("\(id)").renewal.eligibleWinBackOfferIds
        }
        #expect(try await offers() == nil)
        try await refused(
            .winBack(id: "back"), by: ada, in: world,
            .purchase(.offer(.refused(.lapsedAtOtherTime))))
        try await world.advance(to: "2026-03-05", telling: [])
        #expect(try await offers() == ["soon"])
        try await world.advance(to: "2026-04-05", telling: [])
        #expect(try await offers() == ["soon", "back"])
        try await redeem(
            .winBack(id: "back"), by: ada, in: world,
            telling: [
                """
                2026-04-05 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 0.00 FREE_TRIAL until 2026-05-05
                """
            ])
        #expect(try await offers() == nil)
        #expect(try await world.history("\(id)").last?.offerType == .winBack)
        try await world.advance(
            to: "2026-05-05",
            telling: ["2026-05-05 DID_RENEW 1 silver.monthly 9.99 until 2026-06-05"])
    }
}
