import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a merchant describes itself, bought by a signed request and changed by its server; what
/// must happen is said before the clock moves.
@Suite("Stories: what merchants describe themselves")
struct MerchantPlanStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    @Test("A bundle is bought, renewed at its sum and cancelled", arguments: Backend.available)
    func bundle(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-10")
        let ada = try await world.device()
        let offer = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 990, reason: .acquisition)
        let request = Its.create(
            1, [Its.item("news", 9_990), Its.item("chess", 2_990, offer: offer)])
        let first = try await Its.buy(request, by: ada, in: world)
        #expect(first.productId == Its.generic)
        #expect(first.price == 10_980)
        #expect(first.offerType == nil)
        let info = try #require(first.advancedCommerceInfo)
        #expect(info.items.map(\.sku) == ["news", "chess"])
        #expect(info.items.map(\.price) == [9_990, 2_990])
        #expect(info.items.map(\.offer) == [nil, offer])
        #expect(info.descriptors?.displayName == "The paper")
        #expect(info.period == .oneMonth && info.taxCode == "C003-00-1")
        #expect(info.requestReferenceId == Its.reference(1).requestReferenceId)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        // The same request again is what was bought.
        #expect(
            try await Its.buy(request, by: ada, in: world).transactionId == first.transactionId)
        // 10.98 now, 12.98 from the first renewal on.
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.renewalPrice == 12_980 && renewal.offerType == nil)
        #expect(renewal.advancedCommerceInfo?.items.map(\.offer) == [nil, nil])
        try await world.advance(to: "2026-02-11", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.price == 12_980)
        #expect(newest.advancedCommerceInfo?.items.map(\.displayName) == ["The news", "The chess"])

        let id = try #require(Int64(first.transactionId))
        let cancel = AdvancedCommerceSubscriptionCancelRequest(requestInfo: Its.reference(2))
        let cancelled = try await world.store.cancel(transaction: id, cancel, for: Its.production)
        let after: JWSRenewalInfoDecodedPayload = try JWSText.decode(
            try #require(cancelled.renewal))
        #expect(after.autoRenewStatus == .off)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        _ = try await world.store.cancel(transaction: id, cancel, for: Its.production)
        try await world.settle(expecting: [])
        try await world.advance(to: "2026-03-11", expecting: ["EXPIRED/VOLUNTARY"])

        // What is over begins again by naming it, and is the same subscription.
        let again = try await Its.buy(
            Its.create(3, [Its.item("news", 7_990)], previous: first.transactionId), by: ada,
            in: world)
        #expect(again.originalTransactionId == first.originalTransactionId)
        #expect(again.price == 7_990)
        try await world.settle(expecting: ["SUBSCRIBED/RESUBSCRIBE"])
        try await world.check()
    }

    @Test("Several subscriptions are had at a time, each item once", arguments: Backend.available)
    func several(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-10")
        let ada = try await world.device()
        _ = try await Its.buy(Its.create(1, [Its.item("anne", 4_990)]), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let second = try await Its.buy(
            Its.create(20, [Its.item("carl", 990)], period: .oneWeek), by: ada, in: world)
        #expect(second.originalTransactionId == second.transactionId)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let before = try await Tables(world.database)
        await Its.expect(Errors.productAlreadyExists) {
            _ = try await world.store.buy(
                Its.create(2, [Its.item("bob", 990), Its.item("anne", 990)]), by: ada)
        }
        // The price fits the currency, and currency and storefront are the customer's.
        await Its.expect(Errors.invalidAmount) {
            _ = try await world.store.buy(Its.create(3, [Its.item("bob", 995)]), by: ada)
        }
        await Its.expect(Errors.mismatchedStorefront) {
            _ = try await world.store.buy(
                Its.create(4, [Its.item("bob", 990)], storefront: "DEU"), by: ada)
        }
        await Its.expect(Errors.invalidCurrency) {
            _ = try await world.store.buy(
                Its.create(5, [Its.item("bob", 990)], currency: "EUR"), by: ada)
        }
        await Its.expect(Errors.repeatedRequestReferenceId) {
            _ = try await world.store.buy(Its.create(1, [Its.item("bob", 990)]), by: ada)
        }
        await Its.expect(Errors.nullAdvancedCommerceData) {
            _ = try await world.store.buy(PurchaseRequest(productID: Its.generic), by: ada)
        }
        await Its.expect(Errors.invalidSKU) {
            _ = try await world.store.buy(
                Its.create(6, [Its.item("gold.monthly", 990)]), by: ada)
        }
        // Only the signatures are used up (PRO-1).
        #expect(
            try await Tables(world.database).differences(from: before) == ["offer_signature"])
        // Each renews by itself: the weekly one first.
        try await world.advance(to: "2026-01-18", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: second, in: world).price == 990)
        try await world.advance(
            to: "2026-02-11", expecting: Array(repeating: "DID_RENEW", count: 4))
        try await world.check()
    }

    @Test("What is charged once says what it is", arguments: Backend.available)
    func once(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-10")
        let ada = try await world.device()
        let request = AdvancedCommerceOneTimeChargeCreateRequest(
            requestInfo: Its.reference(1), currency: "USD", taxCode: "C003-00-2",
            item: AdvancedCommerceOneTimeChargeItem(
                sku: "lesson", displayName: "A lesson", description: "One hour", price: 24_990))
        let purchase = Its.signed(.createOneTimeCharge(request), of: Its.charge, nonce: 1)
        let bought = try await Its.buy(purchase, by: ada, in: world)
        #expect(bought.price == 24_990 && bought.productId == Its.charge)
        #expect(bought.advancedCommerceInfo?.items.map(\.sku) == ["lesson"])
        #expect(bought.advancedCommerceInfo?.descriptors == nil)
        try await world.settle(expecting: ["ONE_TIME_CHARGE"])
        #expect(
            try await Its.buy(purchase, by: ada, in: world).transactionId == bought.transactionId)
        let ledger = try await world.store.ledger(after: 0, limit: 9, in: .production).map(\.entry)
        #expect(ledger.map(\.sku) == ["lesson"])
    }

    @Test("Higher prices: one item is told, one is asked and lapses", arguments: Backend.available)
    func prices(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-15")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(
                1,
                [
                    Its.item("news", 9_990), Its.item("chess", 2_990),
                    Its.item("sport", 1_990),
                ]), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let id = try #require(Int64(first.transactionId))
        // 1.00 more is told; 7.00 more for what costs 2.99 is asked (TAB-7.2).
        let changed = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 10_990), ("chess", 9_990)]),
            for: Its.production)
        let renewal: JWSRenewalInfoDecodedPayload = try JWSText.decode(
            try #require(changed.renewal))
        #expect(
            renewal.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status)
                == [.scheduled, .scheduled, nil])
        #expect(renewal.advancedCommerceInfo?.items.map(\.price) == [9_990, 2_990, 1_990])
        try await world.settle(expecting: ["PRICE_CHANGE"])
        // 27 days before the renewal of 15 February, on 19 January, both are told.
        try await world.advance(
            to: "2026-01-20", expecting: ["PRICE_INCREASE/PENDING", "PRICE_INCREASE/ACCEPTED"])
        let asked = try await world.status(first.transactionId).renewal
        #expect(
            asked.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status)
                == [.accepted, .pending, nil])
        // Nobody answers: chess ends, the others go on, 10.99 and 1.99.
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        let rest = try await Its.newest(of: first, in: world)
        #expect(rest.price == 12_980)
        #expect(rest.advancedCommerceInfo?.items.map(\.sku) == ["news", "sport"])
        // The increase of news counts from here (THR-1 c).
        let subscription = try await world.store.subscription(id).1
        #expect(subscription.lastIncreases["news"] == World.instant("2026-02-15"))
        #expect(subscription.renewsAutomatically)
        try await world.check()
    }

    @Test("A refused increase ends its item and what depends on it", arguments: Backend.available)
    func dependents(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-15")
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(
                1, [Its.item("news", 1_990), Its.item("chess", 990), Its.item("sport", 990)]),
            by: ada, in: world)
        let id = try #require(Int64(first.transactionId))
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 9_990)], dependents: ["chess"]),
            for: Its.production)
        try await world.advance(
            to: "2026-01-20",
            expecting: ["SUBSCRIBED/INITIAL_BUY", "PRICE_CHANGE", "PRICE_INCREASE/PENDING"])
        try await world.store.change(
            subscription: id, [.priceIncrease(agrees: false)], by: ada)
        try await world.advance(to: "2026-02-16", expecting: ["DID_RENEW"])
        let rest = try await Its.newest(of: first, in: world)
        #expect(rest.advancedCommerceInfo?.items.map(\.sku) == ["sport"])
        // Where nothing is left, the subscription ends.
        _ = try await world.store.changePrices(
            transaction: id, Its.change(3, [("sport", 9_990)]), for: Its.production)
        try await world.advance(
            to: "2026-02-17", expecting: ["PRICE_CHANGE", "PRICE_INCREASE/PENDING"])
        try await world.advance(to: "2026-03-16", expecting: ["EXPIRED/PRICE_INCREASE"])
    }

    @Test(
        "The merchant tells of higher prices itself in the edition of 2025",
        arguments: Backend.available)
    func merchantManaged(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-15")
        try await world.store.configure(bundleID: World.bundleID) {
            $0.priceChangeRoute = .merchantManaged
        }
        let ada = try await world.device()
        let first = try await Its.buy(
            Its.create(1, [Its.item("news", 2_990)]), by: ada, in: world)
        let id = try #require(Int64(first.transactionId))
        // A day before the renewal it is in time, later it is the one after (ACP-2).
        try await world.advance(to: "2026-02-14", expecting: ["SUBSCRIBED/INITIAL_BUY"])
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 12_990)]), for: Its.production)
        try await world.advance(to: "2026-02-16", expecting: ["PRICE_CHANGE", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 12_990)
        try await world.advance(to: "2026-03-14T00:00:01Z", expecting: [])
        _ = try await world.store.changePrices(
            transaction: id, Its.change(3, [("news", 5_990)]), for: Its.production)
        try await world.advance(to: "2026-03-16", expecting: ["PRICE_CHANGE", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 12_990)
        try await world.advance(to: "2026-04-16", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 5_990)
    }
}
