import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: several lines in a subscription")
struct LineStories {
    private static let news = Plan.Line(sku: "news", price: 4_990)
    private static let sport = Plan.Line(
        sku: "sport", price: 2_990,
        offer: AppliedOffer(
            Offer(
                kind: .promotional, id: "hello", mode: .payAsYouGo, period: .month, basePrice: 990),
            in: .usa))
    private static let chess = Plan.Line(sku: "chess", price: 1_010)

    private static func request(
        _ lines: [Plan.Line], of product: String = "gold.monthly", key: String? = nil
    ) -> PurchaseRequest {
        PurchaseRequest(productID: product, lines: lines, idempotencyKey: key)
    }

    private static func buy(
        _ lines: [Plan.Line], by device: DeviceSession, in world: World
    ) async throws -> JWSTransactionDecodedPayload {
        let signed = try await world.store.purchase(request(lines), by: device)
        return try JWSText.decode(try #require(signed))
    }

    /// The ledger's entries, each on a line.
    private static func ledger(_ world: World) async throws -> [String] {
        try await world.store.ledger(after: 0, limit: 100, in: .production).map(\.entry).map {
            "\($0.kind.rawValue) \($0.sku ?? "-") \($0.customer) \($0.developer) \($0.store)"
        }
    }

    @Test("Every line is charged, booked and given back by itself", arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await Self.buy([Self.news, Self.sport, Self.chess], by: ada, in: world)
        #expect(first.price == 6_990)
        #expect(first.offerType == nil)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.advance(to: "2026-02-10", expecting: ["DID_RENEW"])
        let id = try #require(Int64(first.originalTransactionId))
        let subscription = try await world.store.subscription(id).1
        #expect(subscription.newestPeriod.charges == [4_990, 2_990, 1_010])
        #expect(subscription.plan.lines.map(\.offer) == [nil, nil, nil])
        #expect(subscription.offersUsed.map(\.id) == ["hello"])
        #expect(
            try await Self.ledger(world) == [
                "charge news -4990 3493 1497", "charge sport -990 693 297",
                "charge chess -1010 707 303", "charge news -4990 3493 1497",
                "charge sport -2990 2093 897", "charge chess -1010 707 303",
            ])
        let newest = subscription.newestPeriod.transactionID
        try await world.store.refund(
            transaction: newest, .prorated, reason: .other, in: .production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        // 19 of 28 days are left of 8.99: 6.10.
        #expect(
            try await Self.ledger(world).dropFirst(6) == [
                "refund news 3390 -2373 -1017", "refund sport 2020 -1414 -606",
                "refund chess 690 -483 -207",
            ])
        try await world.store.reverseRefund(transaction: newest, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
        #expect(
            try await Self.ledger(world).dropFirst(9) == [
                "reversal news -3390 2373 1017", "reversal sport -2020 1414 606",
                "reversal chess -690 483 207",
            ])
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.isEmpty)
    }

    @Test("Lines are raised, refused and changed one by one", arguments: Backend.available)
    func prices(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let store = world.store
        let first = try await Self.buy([Self.news, Self.chess], by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let id = try #require(Int64(first.originalTransactionId))
        try await store.changePrice(of: "chess", to: 7_010, subscription: id)
        try await store.changePrice(of: "news", to: 3_990, subscription: id)
        await #expect(throws: StoreError.unknown(.product, "sport")) {
            try await store.changePrice(of: "sport", to: 5_050, subscription: id)
        }
        try await world.advance(to: "2026-02-14", expecting: ["PRICE_INCREASE/PENDING"])
        #expect(try await store.priceIncreaseMessages(for: ada).map(\.productID) == ["chess"])
        #expect(try await world.status(first.transactionId).renewal.renewalPrice == 11_000)
        try await store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.settle(expecting: ["PRICE_INCREASE/ACCEPTED"])
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        let subscription = try await store.subscription(id).1
        #expect(subscription.newestPeriod.charges == [3_990, 7_010])
        #expect(subscription.lastIncreases == ["chess": World.instant("2026-02-15")])
        // Another bundle of the same product begins at once, and the unused share goes back.
        _ = try await store.purchase(Self.request([Self.news]), by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        #expect(
            try await Self.ledger(world).suffix(3).map { $0.prefix(14) }
                == ["proration news", "proration ches", "charge - -4990"])
        let changed = try await store.timeline(subscription: id, after: 0, limit: 100).last
        #expect(changed?.kind == .chosePlan && changed?.event.planChange == .crossgrade)
        // The same again is none.
        await #expect(throws: StoreError.refused(.alreadySubscribed)) {
            try await store.purchase(Self.request([Self.news]), by: ada)
        }
        try await world.check()
    }

    @Test("Lines that cannot be are refused, and nothing has changed", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let wrong: [[Plan.Line]] = [
            [], [Self.news, Self.news], [Plan.Line(sku: "a", price: 995)],
            [Plan.Line(sku: "a", price: -10)], [Plan.Line(sku: "a", price: .max - 7)],
            [Plan.Line(sku: "a", price: 980, offer: Self.sport.offer)],
            // The price of silver would reach whoever bought gold.
            [Self.news, Plan.Line(sku: "silver.monthly", price: 990)],
        ]
        for lines in wrong {
            await #expect(throws: StoreError.self) {
                try await world.store.purchase(Self.request(lines), by: ada)
            }
        }
        await #expect(throws: StoreError.subscription(.notASubscription("coins"))) {
            try await world.store.purchase(Self.request([Self.news], of: "coins"), by: ada)
        }
        #expect(try await Self.ledger(world).isEmpty)
        // The same key must ask for the same.
        _ = try await world.store.purchase(Self.request([Self.news], key: "k"), by: ada)
        _ = try await world.store.purchase(Self.request([Self.news], key: "k"), by: ada)
        await #expect(throws: StoreError.request(.commandIDReused)) {
            try await world.store.purchase(Self.request([Self.chess], key: "k"), by: ada)
        }
        #expect(try await Self.ledger(world) == ["charge - -4990 3493 1497"])
    }

    @Test("A bill of several lines waits for its bank", arguments: Backend.available)
    func waits(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-01")
        let ada = try await world.device()
        try await world.store.setPaymentMethod(
            .answersLater(after: nil, isPaid: true), account: "ada", in: .production)
        let bill = try #require(
            try await world.store.buy(
                Self.request([Self.news, Self.sport, Self.chess]), by: ada
            ).pendingBill)
        try await world.settle(expecting: [])
        // Other lines, or the product alone, have to wait; the same are waited for already.
        let others = [Self.request([Self.news]), PurchaseRequest(productID: "gold.monthly")]
        for other in others {
            await #expect(throws: StoreError.refused(.paymentPending)) {
                try await world.store.buy(other, by: ada)
            }
        }
        let again = try await world.store.buy(
            Self.request([Self.chess, Self.news, Self.sport]), by: ada)
        #expect(again.pendingBill == bill)
        try await world.store.answer(bill: bill, .paid, in: .production)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        #expect(try await Self.ledger(world).count == 3)
        #expect(
            try await world.store.subscription(bill).1.newestPeriod.charges == [4_990, 990, 1_010])
    }

    @Test(
        "Other lines are another plan also where they are paid later, the same lines are none",
        arguments: Backend.available)
    func otherLinesLater(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let (ada, store) = (try await world.device(), world.store)
        let first = try await Self.buy([Self.news, Self.chess], by: ada, in: world)
        let id = try #require(Int64(first.originalTransactionId))
        try await store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        _ = try await store.buy(Self.request([Self.chess, Self.news]), by: ada)
        try await store.setPaymentMethod(
            .answersLater(after: nil, isPaid: true), account: "ada", in: .production)
        let bill = try #require(
            try await store.buy(Self.request([Self.chess, Self.sport]), by: ada).pendingBill)
        try await store.answer(bill: bill, .paid, in: .production)
        let entries = try await store.timeline(subscription: id, after: 0, limit: 100)
        #expect(
            entries.map { "\($0.event.name) \($0.event.planChange?.rawValue ?? "-")" } == [
                "chosePlan -", "turnedRenewalOff -", "chosePlan -", "chosePlan crossgrade",
                "wasPaid -",
            ])
        #expect(try await store.subscription(id).1.newestPeriod.charges == [1_010, 990])
        try await world.check()
    }
}
