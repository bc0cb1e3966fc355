import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: codes of what is bought once")
struct OneTimeCodeStories {
    private static let anybody = OneTimeOffer.Audience.allCases

    private func offer(
        _ product: String, _ id: String = "HALF", price: Int64,
        _ audiences: [OneTimeOffer.Audience] = anybody, in world: World
    ) async throws {
        try await world.store.createOffer(
            OneTimeOffer(id: id, basePrice: price, audiences: audiences), of: product,
            bundleID: World.bundleID)
    }

    private func codes(
        _ product: String, _ id: String = "HALF", custom: String? = nil, count: Int = 3,
        in world: World
    ) async throws -> [String] {
        let batch = try await world.store.makeOfferCodes(
            OfferCodeOrder(productID: product, offerID: id, custom: custom, count: count),
            bundleID: World.bundleID, in: .production)
        return try await world.store.offerCodes(
            ofBatch: batch.id, bundleID: World.bundleID, in: .production)
    }

    private func refused(
        _ code: String, by device: DeviceSession, in world: World, _ error: StoreError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await Tables(world.database)
        await #expect(throws: error, sourceLocation: sourceLocation) {
            _ = try await world.store.redeem(code: code, by: device)
        }
        #expect(try await Tables(world.database) == before, sourceLocation: sourceLocation)
    }

    @Test(
        "A code buys each of the three types once, for its offer's price (COD-6)",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await World(backend)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        for (product, price) in [("coins", Int64(490)), ("lifetime", 20_000), ("season", 0)] {
            try await offer(product, price: price, in: world)
            let codes = try await codes(product, in: world)
            let line = "\(product) \(World.units(price)) ONE_TIME"
            let bought = try await world.store.redeem(code: codes[0].lowercased(), by: ada)
            try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE \(line)"])
            let transaction: JWSTransactionDecodedPayload = try JWSText.decode(
                try #require(bought.signedTransaction))
            #expect(transaction.offerType == .offerCode)
            #expect(transaction.offerIdentifier == "HALF")
            #expect(transaction.offerDiscountType == .oneTime)
            #expect(transaction.offerPeriod == nil)
            #expect(transaction.price == price)
            #expect(transaction.quantity == 1)
            try await refused(codes[0], by: bob, in: world, .offerCode(.redeemed))
            guard product != "lifetime" else { continue }
            try await refused(codes[1], by: ada, in: world, .offerCode(.offerRedeemedBefore))
        }
        #expect(
            try await world.books() == [
                "2026-01-01 charge -0.490 +0.343 +0.147",
                "2026-01-01 charge -20.000 +14.000 +6.000",
            ])
        try await world.check()
    }

    @Test(
        "Who may redeem goes by what was paid for in the app, and when (COD-6)",
        arguments: Backend.available)
    func audiences(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        for (name, audience) in [
            ("NEVER", OneTimeOffer.Audience.nonSpender), ("NOW", .activeSpender),
            ("BEFORE", .churnedSpender),
        ] {
            try await offer("coins", name, price: 0, [audience], in: world)
            _ = try await codes("coins", name, custom: name, count: 9, in: world)
        }
        let other = StoreError.purchase(.offer(.refused(.notAmongSpenders)))
        try await refused("NOW", by: ada, in: world, other)
        try await refused("BEFORE", by: ada, in: world, other)
        // What was free was not paid for.
        _ = try await world.store.redeem(code: "NEVER", by: ada)
        try await refused("NOW", by: ada, in: world, other)
        let spent = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        // Thirty days to the millisecond; what was given back was paid for all the same.
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(try #require(spent))
        try await world.store.refund(
            transaction: Int64(transaction.transactionId)!, .full, reason: .other,
            in: .production)
        _ = try await world.store.advance(to: World.instant("2026-01-31"))
        try await refused("BEFORE", by: ada, in: world, other)
        let bob = try await world.device("bob")
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: bob)
        _ = try await world.store.redeem(code: "NOW", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-31T00:00:00.001Z"))
        _ = try await world.store.redeem(code: "BEFORE", by: ada)
        try await refused("BEFORE", by: bob, in: world, other)
        try await world.check()
    }

    @Test("A refund gives back what was paid for with a code", arguments: Backend.available)
    func refund(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await offer("season", price: 5_000, in: world)
        let codes = try await codes("season", in: world)
        let bought = try await world.store.redeem(code: codes[0], by: ada)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE season 5.00 ONE_TIME"])
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(
            try #require(bought.signedTransaction))
        try await world.store.refund(
            transaction: Int64(transaction.transactionId)!, .full, reason: .other,
            in: .production)
        try await world.settle(
            telling: ["2026-01-01 REFUND season 5.00 ONE_TIME REFUND_FULL 2026-01-01"])
        #expect(
            try await world.books() == [
                "2026-01-01 charge -5.000 +3.500 +1.500",
                "2026-01-01 refund +5.000 -3.500 -1.500",
            ])
        // What was redeemed was redeemed.
        try await refused(codes[1], by: ada, in: world, .offerCode(.offerRedeemedBefore))
    }

    @Test(
        "What waits for the bank or for a parent keeps its code, and gives it back unpaid",
        arguments: Backend.available)
    func waiting(_ backend: Backend) async throws {
        let world = try await World(backend)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        try await offer("lifetime", price: 9_990, in: world)
        let codes = try await codes("lifetime", in: world)
        try await world.pays(.declines(until: nil, left: nil))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            _ = try await world.store.redeem(code: codes[0], by: ada)
        }
        try await world.pays(.answersLater(after: .days(2), isPaid: false))
        #expect(try await world.store.redeem(code: codes[0], by: ada).pendingBill != nil)
        try await refused(codes[0], by: bob, in: world, .offerCode(.redeemed))
        // Nobody's second code is used up for a bill that is there.
        try await refused(codes[1], by: ada, in: world, .refused(.paymentPending))
        try await world.advance(to: "2026-01-04", telling: [])
        try await world.pays(.answersLater(after: .hours(12), isPaid: true), account: "bob")
        #expect(try await world.store.redeem(code: codes[0], by: bob).pendingBill != nil)
        try await world.advance(
            to: "2026-01-05",
            telling: ["2026-01-04 12:00 ONE_TIME_CHARGE lifetime 9.99 ONE_TIME"])
        try await world.pays(.approves)
        try await world.store.setBuying(
            BuyingChange(asksToBuy: true), account: "ada", in: .production)
        let held = try await world.store.redeem(code: codes[1], by: ada)
        try await world.store.approve(
            heldPurchase: try #require(held.request), in: .production)
        try await world.settle(telling: ["2026-01-05 ONE_TIME_CHARGE lifetime 9.99 ONE_TIME"])
        try await refused(
            codes[1], by: world.device("cleo"), in: world, .offerCode(.redeemed))
        try await world.check()
    }

    @Test(
        "What is owned is delivered again, and the code stays good", arguments: Backend.available)
    func owned(_ backend: Backend) async throws {
        let world = try await World(backend)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        try await world.buy(
            "lifetime", by: ada, telling: ["2026-01-01 ONE_TIME_CHARGE lifetime 49.99"])
        try await offer("lifetime", price: 0, in: world)
        let codes = try await codes("lifetime", in: world)
        let again = try await world.store.redeem(code: codes[0], by: ada)
        #expect(again.isDeliveredAgain)
        try await world.settle(telling: [])
        _ = try await world.store.redeem(code: codes[0], by: bob)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE lifetime 0.00 ONE_TIME"])
    }

    @Test("A receipt says what a code took off")
    func receipts() async throws {
        let world = try await World(.sqlite, isListening: false, mailroom: .lines())
        let ada = try await world.device("ada@example.com")
        try await offer("coins", price: 490, in: world)
        try await offer("season", "GIFT", price: 0, in: world)
        _ = try await world.store.redeem(code: codes("coins", in: world)[0], by: ada)
        _ = try await world.store.redeem(code: codes("season", "GIFT", in: world)[0], by: ada)
        try await world.store.settle()
        #expect(try await world.mails() == ["2026-01-01 receipt 1 coins 490 instead of 990 kept"])
    }

    @Test("Ended offers and catalogues that come again", arguments: Backend.available)
    func lasting(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await offer("coins", price: 490, in: world)
        let codes = try await codes("coins", in: world)
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices where catalogue.products[place].id == "coins" {
            catalogue.products[place].basePrice = 390
        }
        // No file has such offers: they stay. Nobody pays more for having a code.
        try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        _ = try await world.store.redeem(code: codes[0], by: ada)
        try await world.settle(telling: ["2026-01-01 ONE_TIME_CHARGE coins 0.39 ONE_TIME"])
        try await world.store.endOffer(
            .offerCode, named: "HALF", of: "coins", bundleID: World.bundleID)
        try await refused(
            codes[1], by: world.device("bob"), in: world,
            .purchase(.offer(.refused(.notAvailable))))
    }

    @Test("What cannot be an offer of what is bought once is refused and changes nothing")
    func impossible() async throws {
        let world = try await World(.sqlite)
        let before = try await Tables(world.database)
        var past = OneTimeOffer(id: "x", audiences: Self.anybody)
        past.availability.ends = World.instant("2026-01-01")
        var nowhere = OneTimeOffer(id: "x", audiences: Self.anybody)
        nowhere.availability.storefronts = ["ATL"]
        for offer in [
            past, nowhere, OneTimeOffer(id: "", audiences: Self.anybody),
            OneTimeOffer(id: "a\nb", audiences: Self.anybody),
            OneTimeOffer(
                id: String(repeating: "x", count: 65), audiences: Self.anybody),
            OneTimeOffer(id: "x", audiences: []),
            OneTimeOffer(id: "x", basePrice: 990, audiences: Self.anybody),
            OneTimeOffer(id: "x", basePrice: -1, audiences: Self.anybody),
            OneTimeOffer(id: "x", basePrice: .max, audiences: Self.anybody),
            OneTimeOffer(id: "x", prices: ["JPN": 5], audiences: Self.anybody),
            OneTimeOffer(id: "x", prices: ["ATL": 0], audiences: Self.anybody),
        ] {
            await #expect(throws: StoreError.self, "\(offer)") {
                try await world.store.createOffer(offer, of: "coins", bundleID: World.bundleID)
            }
        }
        await #expect(throws: StoreError.self) {
            try await offer("silver.monthly", price: 0, in: world)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("An app has ten such offers at a time (COD-6)")
    func limit() async throws {
        let world = try await World(.sqlite)
        for number in 1...10 {
            try await offer(
                number.isMultiple(of: 2) ? "coins" : "season", "N\(number)", price: 0, in: world)
        }
        await #expect(throws: StoreError.self) {
            try await offer("lifetime", price: 0, in: world)
        }
        try await world.store.endOffer(
            .offerCode, named: "N2", of: "coins", bundleID: World.bundleID)
        try await offer("lifetime", price: 0, in: world)
        await #expect(throws: StoreError.purchase(.offer(.unknown("N2")))) {
            try await world.store.endOffer(
                .offerCode, named: "N2", of: "coins", bundleID: World.bundleID)
        }
    }
}
