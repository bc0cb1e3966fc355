import AppStoreWire
import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Whatever is written of what a merchant sells has the merchant's names (ACM-1): nobody has heard
/// of the generic product.
@Suite("Stories: names in letters about a merchant's plans")
struct LetterNameStories {
    private typealias Its = MerchantWorld

    /// Ada has x for 10 dollars a month, and y for 4.99 after an offer.
    private func bundle(
        _ backend: Backend, offerOfY: AdvancedCommerceOffer
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload) {
        let world = try await Its.world(backend, at: "2026-01-01", mailroom: .lines())
        let ada = try await world.device("ada@example.com")
        let first = try await Its.buy(
            Its.create(1, [Its.item("x", 10_000), Its.item("y", 4_990, offer: offerOfY)]),
            by: ada, in: world)
        return (world, ada, first)
    }

    @Test(
        "The plan is named as a whole, and a receipt has every item that cost something (TAB-13)",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let (world, ada, first) = try await bundle(
            backend,
            offerOfY: AdvancedCommerceOffer(
                period: .oneMonth, periodCount: 1, price: 0, reason: .acquisition))
        _ = try await world.store.advance(to: World.instant("2026-01-16"))
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("z", 2_000, prorated: 1_000)] },
            by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-05"))
        let newest = try #require(Int64(try await Its.newest(of: first, in: world).transactionId))
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        _ = try await world.store.requestRefund(
            transaction: newest,
            AdvancedCommerceRequestRefundRequest(
                requestInfo: Its.reference(3),
                items: [
                    AdvancedCommerceRequestRefundItem(
                        sku: "y", refundReason: .other, refundType: .full, revoke: false)
                ], refundRiskingPreference: false), for: Its.production)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada@example.com", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-02"))
        try await world.store.settle()
        let letters = try await world.letters()
        #expect(
            letters == [
                "2026-01-01 ada mail welcome The paper 14990 for 10000 until 2026-02-01 "
                    + "renews 2026-02-01",
                "2026-01-01 ada mail receipt 1 The x 10000 until 2026-02-01",
                "2026-01-16 ada mail receipt 1 The z 1000 until 2026-02-01",
                "2026-01-22 ada mail willRenew The paper 16990 2026-02-01",
                "2026-02-01 ada mail receipt 1 The x 10000 until 2026-03-01, "
                    + "1 The y 4990 until 2026-03-01, 1 The z 2000 until 2026-03-01",
                "2026-02-05 ada mail refund The paper 4990",
                "2026-02-19 ada mail cannot pay The paper 16990 2026-03-01",
                "2026-02-22 ada mail willRenew The paper 16990 2026-03-01",
                "2026-03-01 ada mail not paid The paper 16990 interrupted",
                "2026-03-01 ada inApp not paid The paper 16990 interrupted",
            ])
        try await world.check()
    }

    @Test(
        "The price itself is first charged after the last discounted period of any item",
        arguments: Backend.available)
    func offers(_ backend: Backend) async throws {
        let (world, _, _) = try await bundle(
            backend,
            offerOfY: AdvancedCommerceOffer(
                period: .oneMonth, periodCount: 3, price: 1_990, reason: .acquisition))
        try await world.store.settle()
        let letters = try await world.letters(.welcome)
        #expect(
            letters == [
                "2026-01-01 ada mail welcome The paper 14990 for 11990 until 2026-04-01 "
                    + "renews 2026-02-01"
            ])
    }

    @Test("What is charged once is named as the merchant does", arguments: Backend.available)
    func once(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-10", mailroom: .lines())
        let ada = try await world.device("ada@example.com")
        let request = AdvancedCommerceOneTimeChargeCreateRequest(
            requestInfo: Its.reference(1), currency: "USD", taxCode: "C003-00-2",
            item: AdvancedCommerceOneTimeChargeItem(
                sku: "lesson", displayName: "A lesson", description: "One hour", price: 24_990))
        let bought = try await Its.buy(
            Its.signed(.createOneTimeCharge(request), of: Its.charge, nonce: 1), by: ada,
            in: world)
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        try await world.store.refund(
            transaction: try #require(Int64(bought.transactionId)), .full, reason: .other,
            in: .production)
        try await world.store.settle()
        let letters = try await world.letters()
        #expect(
            letters == [
                "2026-01-10 ada mail receipt 1 A lesson 24990",
                "2026-01-10 ada mail refund A lesson 24990 unasked",
            ])
    }
}
