import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Corners of what becomes of a merchant's items that random worlds came to (0011); what must
/// happen is said before the clock moves.
@Suite("Stories: corners of merchants' plans")
struct MerchantCornerStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    /// News for 9.99 and chess for 3.10, monthly from 1 January.
    private func bundle(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        try await Its.bundle(backend, ["news": 9_990, "chess": 3_100])
    }

    private func giveBack(
        _ number: Int, _ sku: String, ends: Bool = true, asksConsumption: Bool = false
    ) -> AdvancedCommerceRequestRefundRequest {
        AdvancedCommerceRequestRefundRequest(
            requestInfo: Its.reference(number),
            items: [
                AdvancedCommerceRequestRefundItem(
                    sku: sku, refundReason: .other, refundType: .full, revoke: ends)
            ], refundRiskingPreference: asksConsumption)
    }

    @Test(
        "What is paid at the very end of the cycle was in it, and is renewed at its whole price",
        arguments: Backend.available)
    func paidAtTheEnd(_ backend: Backend) async throws {
        let (world, ada, first, _) = try await bundle(backend)
        try await world.advance(to: "2026-01-31T12:00:00Z", expecting: [])
        try await world.store.setPaymentMethod(
            .answersLater(after: .hours(12), isPaid: true), account: "ada", in: .production)
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada)
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        // Half a day of 6.20, and on 1 February everything.
        try await world.advance(
            to: "2026-02-02", expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_RENEW"])
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
            .map(\.entry.customer)
        #expect(ledger == [-9_990, -3_100, -100, -9_990, -3_100, -6_200])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.expiresDate == World.instant("2026-03-01").milliseconds)
        try await world.check()
    }

    @Test(
        "Where the item that was to stay is given back, what was to go is not renewed",
        arguments: Backend.available)
    func nothingRenews(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.removeItems = Its.removed("chess") }, by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        _ = try await world.store.requestRefund(
            transaction: id, giveBack(3, "news"), for: Its.production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await world.advance(to: "2026-02-02", expecting: ["EXPIRED/VOLUNTARY"])
        try await world.check()
    }

    @Test(
        "That renewal is off is told with the newest transaction, though an older is given back",
        arguments: Backend.available)
    func toldWithTheNewest(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await world.advance(to: "2026-01-16", expecting: [])
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada)
        _ = try await world.store.buy(
            Its.modify(3, first) { $0.removeItems = Its.removed("chess", "sport") }, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        let newest = try await Its.newest(of: first, in: world)
        // The item that was to stay was paid by the transaction before the newest.
        _ = try await world.store.requestRefund(
            transaction: id, giveBack(4, "news"), for: Its.production)
        try await world.store.settle()
        let told = world.listener.takeArrivals()
        #expect(
            told.map(\.name) == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        #expect(
            told.map(\.transaction?.transactionId) == [newest.transactionId, first.transactionId])
        try await world.check()
    }

    @Test(
        "An increase stays what it is when the plan shrinks to its item",
        arguments: Backend.available)
    func increaseOfTheLast(_ backend: Backend) async throws {
        let (world, _, first, id) = try await bundle(backend)
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 10_990)]), for: Its.production)
        _ = try await world.store.requestRefund(
            transaction: id, giveBack(3, "chess"), for: Its.production)
        try await world.settle(expecting: ["PRICE_CHANGE", "REFUND"])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.price) == [10_990])
        try await world.advance(
            to: "2026-02-02", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 10_990)
        try await world.check()
    }

    @Test("Whoever refuses once more does not renew", arguments: Backend.available)
    func refusedAgain(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 29_990), ("chess", 9_990)]),
            for: Its.production)
        try await world.advance(
            to: "2026-01-10", expecting: ["PRICE_CHANGE", "PRICE_INCREASE/PENDING"])
        for isOn in [true, false] {
            try await world.store.change(subscription: id, [.priceIncrease(agrees: false)], by: ada)
            try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
            // Renewing alone is no consent.
            guard isOn else { continue }
            try await world.store.change(subscription: id, [.renewal(isOn: true)], by: ada)
            try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"])
            #expect(
                try await world.status(first.transactionId).renewal.priceIncreaseStatus == .pending)
        }
        try await world.advance(to: "2026-02-02", expecting: ["EXPIRED/VOLUNTARY"])
        try await world.check()
    }

    @Test(
        "Words alone are told as such, now and with the renewal, whatever waits",
        arguments: Backend.available)
    func words(_ backend: Backend) async throws {
        let (world, ada, first, _) = try await bundle(backend)
        _ = try await world.store.buy(
            Its.modify(2, first) {
                $0.descriptors = .init(effective: .nextBillCycle, displayName: "The small paper")
            }, by: ada)
        try await world.settle(expecting: ["METADATA_UPDATE"])
        _ = try await world.store.buy(
            Its.modify(3, first) { $0.removeItems = Its.removed("chess") }, by: ada)
        _ = try await world.store.buy(
            Its.modify(4, first) {
                $0.descriptors = .init(effective: .immediately, displayName: "The large paper")
            }, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "METADATA_UPDATE"])
        let renewal = try await world.status(first.transactionId).renewal
        #expect(renewal.advancedCommerceInfo?.items.map(\.sku) == ["news"])
        #expect(renewal.advancedCommerceInfo?.descriptors.displayName == "The large paper")
        try await world.check()
    }

    @Test(
        "What was told of an item in an offer stays told when another comes (ACS-4)",
        arguments: Backend.available)
    func toldInAnOffer(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 10_990)]), for: Its.production)
        // Free for a month from the middle of the first: it gets dearer after a month at 9.99.
        let free = AdvancedCommerceOffer(
            period: .oneMonth, periodCount: 1, price: 0, reason: .retention)
        _ = try await Its.buy(
            Its.modify(3, first) {
                $0.changeItems = [Its.changed("news", to: "news", 9_990, offer: free)]
            }, by: ada, in: world)
        try await world.advance(
            to: "2026-01-20", expecting: ["PRICE_CHANGE", "OFFER_REDEEMED"])
        let before = try await world.status(first.transactionId).renewal.advancedCommerceInfo
        _ = try await Its.buy(
            Its.modify(4, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let after = try await world.status(first.transactionId).renewal.advancedCommerceInfo
        #expect(before?.items[0].priceIncreaseInfo == after?.items[0].priceIncreaseInfo)
        try await world.advance(
            to: "2026-03-02", expecting: ["DID_RENEW", "PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 20_290)
        try await world.check()
    }

    @Test(
        "Called something else from the renewal on, an item keeps its increase (ACS-8)",
        arguments: Backend.available, [true, false])
    func renamedLater(_ backend: Backend, isAnswered: Bool) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        // From 5 January it is asked, for 1 February.
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("chess", 9_990)]), for: Its.production)
        _ = try await world.store.changeMetadata(
            transaction: id,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: Its.reference(3),
                items: [.init(currentSKU: "chess", effective: .nextBillCycle, sku: "go")]),
            for: Its.production)
        try await world.advance(
            to: "2026-01-10",
            expecting: ["PRICE_CHANGE", "METADATA_UPDATE", "PRICE_INCREASE/PENDING"])
        let renewal = try await world.status(first.transactionId).renewal.advancedCommerceInfo
        #expect(renewal?.items.map(\.sku) == ["news", "go"])
        #expect(renewal?.items.map(\.price) == [9_990, 3_100])
        #expect(renewal?.items.map(\.priceIncreaseInfo?.status) == [nil, .pending])
        guard isAnswered else {
            // Without an answer it ends, under whatever name.
            try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
            let newest = try await Its.newest(of: first, in: world)
            #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["news"])
            return try await world.check()
        }
        try await world.store.change(subscription: id, [.priceIncrease(agrees: true)], by: ada)
        try await world.advance(
            to: "2026-02-02", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.advancedCommerceInfo?.items.map(\.sku) == ["news", "go"])
        #expect(newest.price == 19_980)
        try await world.check()
    }

    @Test(
        "An increase of a later renewal goes on under the name that an item has by then (ACS-8)",
        arguments: Backend.available)
    func renamedBefore(_ backend: Backend) async throws {
        let (world, _, first, id) = try await bundle(backend)
        try await world.advance(to: "2026-01-20", expecting: [])
        // Too late for 1 February, it is for 1 March.
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 10_990)]), for: Its.production)
        _ = try await world.store.changeMetadata(
            transaction: id,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: Its.reference(3),
                items: [.init(currentSKU: "news", effective: .nextBillCycle, sku: "daily")]),
            for: Its.production)
        try await world.advance(
            to: "2026-03-02",
            expecting: [
                "PRICE_CHANGE", "METADATA_UPDATE", "DID_RENEW", "PRICE_INCREASE/ACCEPTED",
                "DID_RENEW",
            ])
        #expect(try await Its.newest(of: first, in: world).price == 14_090)
        try await world.check()
    }

    @Test(
        "What is asked back for an item is given back for it under its new name",
        arguments: Backend.available)
    func renamedClaim(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        _ = try await world.store.requestRefund(
            transaction: id, giveBack(2, "chess", asksConsumption: true), for: Its.production)
        _ = try await world.store.changeMetadata(
            transaction: id,
            AdvancedCommerceSubscriptionChangeMetadataRequest(
                requestInfo: Its.reference(3),
                items: [.init(currentSKU: "chess", effective: .immediately, sku: "go")]),
            for: Its.production)
        let requests = try await world.store.refundRequests(
            .open, before: nil, limit: 9, in: .production)
        _ = try await world.store.decide(
            refundRequest: try #require(requests.first?.request.id), granting: .full,
            in: .production)
        try await world.settle(expecting: ["CONSUMPTION_REQUEST", "METADATA_UPDATE", "REFUND"])
        let paid = try await Its.transaction(first.transactionId, in: world)
        #expect(paid.advancedCommerceInfo?.items.map(\.sku) == ["news", "go"])
        #expect(
            paid.advancedCommerceInfo?.items.map { $0.refunds?.map(\.refundAmount) }
                == [nil, [3_100]])
        // In its place another comes; nothing is called as what has ended in the cycle.
        _ = try await Its.buy(
            Its.modify(4, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        await Its.expect(Errors.invalidProductChanges) {
            _ = try await world.store.changeMetadata(
                transaction: id,
                AdvancedCommerceSubscriptionChangeMetadataRequest(
                    requestInfo: Its.reference(5),
                    items: [.init(currentSKU: "news", effective: .immediately, sku: "go")]),
                for: Its.production)
        }
        try await world.check()
    }

    @Test(
        "An ordinary subscription is migrated at what it costs, in whole steps of its currency",
        arguments: Backend.available)
    func migratedInSteps(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let price = try #require(
            try await world.status(String(id)).renewal.renewalPrice)
        let migrated = try await world.store.migrate(
            transaction: id, migration(2, ["news", "chess", "go", "maps"]), for: Its.production)
        try await world.settle(expecting: ["MIGRATION"])
        let next: JWSRenewalInfoDecodedPayload = try JWSText.decode(
            try #require(migrated.renewal))
        let prices = try #require(next.advancedCommerceInfo?.items.map(\.price))
        #expect(prices.reduce(0, +) == price && prices.allSatisfy { $0 % 10 == 0 })
        #expect(prices == prices.sorted(by: >) && prices[0] - prices[3] <= 10)
    }

    @Test(
        "What is had cheaper for a while, or is to be several things, is not migrated",
        arguments: Backend.available)
    func notMigrated(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.buy(
            PurchaseRequest(
                productID: "silver.yearly",
                lines: [
                    Plan.Line(sku: "silver.yearly", price: 99_990),
                    Plan.Line(sku: "extra", price: 990),
                ]), by: ada)
        var wanted = migration(2, ["news"])
        wanted.renewalItems = [.init(sku: "daily", displayName: "D", description: "Daily")]
        let request = wanted
        await Its.expect(Errors.productNotEligible) {
            _ = try await world.store.migrate(
                transaction: id, request, for: Its.production)
        }
        let cheaper = try await world.subscribe(
            "silver.intro", by: try await world.device("bob"))
        await Its.expect(Errors.productNotEligible) {
            _ = try await world.store.migrate(
                transaction: cheaper, migration(3, ["news"]), for: Its.production)
        }
    }

    private func migration(
        _ number: Int, _ skus: [String]
    ) -> AdvancedCommerceSubscriptionMigrateRequest {
        AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo: Its.reference(number),
            descriptors: .init(displayName: "The paper", description: "News and more"),
            items: skus.map { .init(sku: $0, displayName: "The \($0)", description: "All of it") },
            targetProductId: Its.generic, taxCode: "C003-00-1")
    }
}
