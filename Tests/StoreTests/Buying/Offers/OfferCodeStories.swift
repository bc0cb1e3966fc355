import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: offer codes")
struct OfferCodeStories {
    /// Silver with a free month by code, in the place of its introductory offer or after it.
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices {
            guard catalogue.products[place].subscription != nil else { continue }
            catalogue.products[place].subscription?.offers += [
                Offer(
                    kind: .offerCode, id: "FREE", mode: .freeTrial, period: .month,
                    audiences: Offer.Audience.allCases),
                Offer(
                    kind: .offerCode, id: "AFTER", mode: .payAsYouGo, period: .month,
                    periodCount: 2, basePrice: 990, audiences: [.new], isStackable: true),
            ]
        }
        return catalogue
    }()

    private func order(
        _ product: String = "silver.monthly", _ offer: String = "FREE", custom: String? = nil,
        count: Int = 3, expires: String? = nil
    ) -> OfferCodeOrder {
        OfferCodeOrder(
            productID: product, offerID: offer, custom: custom, count: count,
            expires: expires.map(World.instant))
    }

    private func codes(_ order: OfferCodeOrder, in world: World) async throws -> [String] {
        let batch = try await world.store.makeOfferCodes(
            order, bundleID: World.bundleID, in: .production)
        return try await world.store.offerCodes(
            ofBatch: batch.id, bundleID: World.bundleID, in: .production)
    }

    private func redeem(
        _ code: String, by device: DeviceSession, in world: World, telling lines: [String]
    ) async throws {
        _ = try await world.store.redeem(code: code, by: device)
        try await world.settle(telling: lines)
    }

    private func refused(
        _ code: String, isTyped: Bool = false, by device: DeviceSession, in world: World,
        _ error: StoreError, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await Tables(world.database)
        await #expect(throws: error, sourceLocation: sourceLocation) {
            _ = try await world.store.redeem(code: code, isTyped: isTyped, by: device)
        }
        #expect(try await Tables(world.database) == before, sourceLocation: sourceLocation)
    }

    @Test(
        "A one-time code is eighteen characters, good once and for one customer (COD-1)",
        arguments: Backend.available)
    func oneTime(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        let codes = try await codes(order(), in: world)
        #expect(codes.count == 3)
        #expect(Set(codes).count == 3)
        #expect(codes.allSatisfy { $0.utf8.count == 18 })
        try await redeem(
            codes[0].lowercased(), by: ada, in: world,
            telling: [
                """
                2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 0.00 FREE_TRIAL until 2026-02-01
                """
            ])
        try await refused(codes[0], by: bob, in: world, .offerCode(.redeemed))
        // One code of each offer for a customer (TAB-5.2).
        try await refused(codes[1], by: ada, in: world, .offerCode(.offerRedeemedBefore))
        let batch = try #require(
            try await world.store.offerCodeBatches(
                bundleID: World.bundleID, in: .production, limit: 10
            ).first)
        #expect(batch.redeemed == 1)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
        try await world.check()
    }

    @Test(
        "While its bill is open, the same code is the same purchase, and no other one is",
        arguments: Backend.available)
    func again(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        let codes = try await codes(order("silver.monthly", "AFTER"), in: world)
        _ = try await self.codes(order("silver.monthly", "AFTER", custom: "LATER"), in: world)
        try await world.store.setPaymentMethod(
            .answersLater(after: nil, isPaid: true), account: "ada", in: .production)
        for (code, answer) in [("LATER", BankAnswer.declined), (codes[0], .paid)] {
            let bill = try #require(
                try await world.store.redeem(code: code, by: ada).pendingBill)
            #expect(try await world.store.redeem(code: code, by: ada).pendingBill == bill)
            // What was not paid was not redeemed.
            _ = try await world.store.answer(bill: bill, answer, in: .production)
        }
        try await refused(codes[0], by: ada, in: world, .offerCode(.offerRedeemedBefore))
        try await refused(codes[1], by: ada, in: world, .offerCode(.offerRedeemedBefore))
        try await world.check()
    }

    @Test(
        "Receipts call an offer by its reference name, or by its identifier where it has none",
        arguments: Backend.available)
    func receiptName(_ backend: Backend) async throws {
        var catalogue = Self.catalogue
        for place in catalogue.products.indices {
            guard var offers = catalogue.products[place].subscription?.offers else { continue }
            for offer in offers.indices where offers[offer].id == "AFTER" {
                offers[offer].referenceName = "Spring fair"
            }
            catalogue.products[place].subscription?.offers = offers
        }
        let world = try await World(backend, catalogue: catalogue, isListening: false)
        _ = try await world.store.setSharedSecret(World.secret, of: World.bundleID)
        for (account, offer, name) in [("ada", "AFTER", "Spring fair"), ("bob", "FREE", "FREE")] {
            let device = try await world.device(account)
            let code = try await codes(order("silver.monthly", offer), in: world)[0]
            _ = try await world.store.redeem(code: code, by: device)
            let told = try await world.verified(device)
            #expect(told.latestReceiptInfo?.first?.offerCodeRefName == name)
            #expect(
                told.pendingRenewalInfo?.first?.offerCodeRefName == (offer == "AFTER" ? name : nil))
        }
    }

    @Test(
        "What is no code of this app's and environment's is unknown", arguments: Backend.available)
    func foreign(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let codes = try await codes(order(), in: world)
        let tester = try await world.device(in: .sandbox)
        try await refused(codes[0], by: tester, in: world, .offerCode(.unknown))
        let ada = try await world.device()
        let forged = [
            "", "A", String(repeating: "A", count: 18), codes[0] + "A",
            String(codes[0].dropLast()) + (codes[0].hasSuffix("A") ? "B" : "A"),
            "🎁" + codes[0].dropFirst(), String(codes[0].reversed()),
        ]
        for code in forged { try await refused(code, by: ada, in: world, .offerCode(.unknown)) }
    }

    @Test(
        "Codes end after six months, when it was said, or when the operator ends them (COD-1)",
        arguments: Backend.available)
    func ends(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        let usual = try await codes(order(), in: world)
        let short = try await codes(order("gold.monthly", expires: "2026-03-01"), in: world)
        let ended = try await codes(order("bronze.monthly"), in: world)
        let batch = try #require(
            try await world.store.offerCodeBatches(
                bundleID: World.bundleID, in: .production, productID: "bronze.monthly", limit: 10
            ).first)
        try await world.store.endOfferCodes(batch.id, bundleID: World.bundleID, in: .production)
        try await refused(ended[0], by: ada, in: world, .offerCode(.expired))
        try await world.advance(to: "2026-03-01", telling: [])
        try await refused(short[0], by: ada, in: world, .offerCode(.expired))
        try await world.advance(to: "2026-06-30T23:59:59Z", telling: [])
        _ = try await world.store.redeem(code: usual[0], by: ada)
        try await world.store.settle()
        let bob = try await world.device("bob")
        _ = try await world.store.advance(to: World.instant("2026-07-01"))
        try await refused(usual[1], by: bob, in: world, .offerCode(.expired))
    }

    @Test(
        "So many customers redeem a custom code, and none in account settings (COD-2)",
        arguments: Backend.available)
    func custom(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        #expect(try await codes(order(custom: "Spring26", count: 2), in: world) == ["SPRING26"])
        let ada = try await world.device()
        try await refused(
            "spring26", isTyped: true, by: ada, in: world, .offerCode(.customTyped))
        for account in ["ada", "bob"] {
            _ = try await world.store.redeem(
                code: "spring26", by: try await world.device(account))
        }
        let cleo = try await world.device("cleo")
        try await refused("spring26", by: cleo, in: world, .offerCode(.redeemed))
        await #expect(throws: StoreError.offerCode(.taken("SPRING26"))) {
            _ = try await world.store.makeOfferCodes(
                order("gold.monthly", custom: "SPRING26"), bundleID: World.bundleID,
                in: .production)
        }
    }

    @Test(
        "A custom code consists of ASCII letters and digits alone", arguments: Backend.available)
    func customText(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let refusal = StoreError.setting(
            .invalid(
                "custom",
                reason: "it must be 3 to 64 ASCII letters and digits, without spaces, hyphens or "
                    + "accents"))
        let before = try await Tables(world.database)
        for custom in [
            "", "AB", "NEW YEAR", "NEW-YEAR", "SALE!", "ÉTÉ26", "新年快乐", "SALE２６",
            String(repeating: "A", count: 65),
        ] {
            await #expect(throws: refusal, "\(custom)") {
                _ = try await world.store.makeOfferCodes(
                    order(custom: custom), bundleID: World.bundleID, in: .production)
            }
        }
        #expect(try await Tables(world.database) == before)
        #expect(try await codes(order(custom: "Sale26"), in: world) == ["SALE26"])
    }

    @Test(
        "A code follows the introductory offer, or takes its place (COD-3)",
        arguments: Backend.available)
    func stacks(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        let after = try await codes(order("silver.trial", "AFTER"), in: world)
        let instead = try await codes(order("silver.trial", "FREE"), in: world)
        try await redeem(
            after[0], by: ada, in: world,
            telling: [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.trial 0.00 FREE_TRIAL until 2026-01-08"
            ])
        try await redeem(
            instead[0], by: bob, in: world,
            telling: [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.trial 0.00 FREE_TRIAL until 2026-02-01"
            ])
        try await world.advance(
            to: "2026-02-09",
            telling: [
                "2026-01-08 DID_RENEW 1 silver.trial 0.99 PAY_AS_YOU_GO until 2026-02-08",
                "2026-02-01 DID_RENEW 1 silver.trial 9.99 until 2026-03-01",
                "2026-02-08 DID_RENEW 1 silver.trial 0.99 PAY_AS_YOU_GO until 2026-03-08",
            ])
    }

    @Test(
        "Subscribers redeem codes for the same level or a higher one (COD-4)",
        arguments: Backend.available)
    func levels(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let lower = try await codes(order("bronze.monthly"), in: world)
        try await refused(
            lower[0], by: ada, in: world, .purchase(.offer(.refused(.wouldDowngrade))))
        let same = try await codes(order(), in: world)
        try await redeem(
            same[0], by: ada, in: world,
            telling: ["2026-01-01 OFFER_REDEEMED 1 silver.monthly 9.99 until 2026-02-01"])
        let higher = try await codes(order("gold.monthly"), in: world)
        try await redeem(
            higher[0], by: ada, in: world,
            telling: [
                """
                2026-01-01 OFFER_REDEEMED/UPGRADE 1 gold.monthly 0.00 FREE_TRIAL until 2026-02-01
                """
            ])
        // Codes of another group are another matter.
        let news = try await codes(order("news.monthly"), in: world)
        _ = try await world.store.redeem(code: news[0], by: ada)
    }

    @Test("A code whose purchase is not paid is good again", arguments: Backend.available)
    func unpaid(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        let ada = try await world.device()
        let paid = try await codes(order("silver.upfront", "AFTER"), in: world)
        try await world.pays(.declines(until: nil, left: nil))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            _ = try await world.store.redeem(code: paid[0], by: ada)
        }
        try await world.pays(.answersLater(after: .days(2), isPaid: false))
        let asked = try await world.store.redeem(code: paid[0], by: ada)
        #expect(asked.pendingBill != nil)
        let bob = try await world.device("bob")
        try await refused(paid[0], by: bob, in: world, .offerCode(.redeemed))
        try await world.advance(to: "2026-01-04", telling: [])
        _ = try await world.store.redeem(code: paid[0], by: bob)
    }

    @Test(
        "An app has a million codes made in a quarter of a year at most",
        arguments: Backend.available)
    func quarter(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue)
        func make(_ count: Int) async throws {
            _ = try await world.store.makeOfferCodes(
                order(count: count), bundleID: World.bundleID, in: .production)
        }
        try await make(999_999)
        await #expect(throws: StoreError.offerCode(.tooMany(left: 1))) { try await make(2) }
        try await make(1)
        await #expect(throws: StoreError.offerCode(.tooMany(left: 0))) { try await make(1) }
        try await world.advance(to: "2026-03-31T23:59:59Z", telling: [])
        await #expect(throws: StoreError.offerCode(.tooMany(left: 0))) { try await make(1) }
        try await world.advance(to: "2026-04-01", telling: [])
        try await make(1_000_000)
    }

    @Test(
        "Sixteen customers at once redeem one custom code as often as it may be",
        arguments: Backend.available)
    func together(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Self.catalogue, isListening: false)
        _ = try await codes(order(custom: "RUSH", count: 5), in: world)
        var devices: [DeviceSession] = []
        for number in 0..<16 { devices.append(try await world.device("customer\(number)")) }
        let redeemed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for device in devices {
                group.addTask {
                    do {
                        _ = try await world.store.redeem(code: "RUSH", by: device)
                        return true
                    } catch StoreError.offerCode(.redeemed) {
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(redeemed == 5)
        try await world.check()
    }
}
