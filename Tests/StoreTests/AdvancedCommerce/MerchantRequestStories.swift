import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a merchant's server asks for besides prices: other names, migration, revocation and refunds
/// of items; what must happen is said before the clock moves.
@Suite("Stories: what merchants' servers ask for")
struct MerchantRequestStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    private func bundle(
        _ backend: Backend
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        try await Its.bundle(backend, ["news": 9_990, "chess": 3_100, "go": 1_000])
    }

    @Test(
        "Things are called something else, now and from the renewal (ACS-8)",
        arguments: Backend.available)
    func metadata(_ backend: Backend) async throws {
        let (world, _, first, id) = try await bundle(backend)
        // An increase stays with the item that has another SKU (ACS-8).
        _ = try await world.store.changePrices(
            transaction: id, Its.change(2, [("news", 10_990)]), for: Its.production)
        try await world.settle(expecting: ["PRICE_CHANGE"])
        let request = AdvancedCommerceSubscriptionChangeMetadataRequest(
            requestInfo: Its.reference(3),
            descriptors: .init(effective: .immediately, displayName: "The new paper"),
            items: [
                .init(currentSKU: "news", effective: .immediately, sku: "daily"),
                .init(currentSKU: "go", effective: .nextBillCycle, displayName: "Go at home"),
            ])
        let changed = try await world.store.changeMetadata(
            transaction: id, request, for: Its.production)
        try await world.settle(expecting: ["METADATA_UPDATE"])
        let now: JWSTransactionDecodedPayload = try JWSText.decode(changed.transaction)
        #expect(now.transactionId == first.transactionId && now.price == 14_090)
        #expect(now.advancedCommerceInfo?.items.map(\.sku) == ["daily", "chess", "go"])
        #expect(now.advancedCommerceInfo?.items.last?.displayName == "The go")
        #expect(now.advancedCommerceInfo?.descriptors?.displayName == "The new paper")
        #expect(now.advancedCommerceInfo?.descriptors?.description == "News and more")
        let next: JWSRenewalInfoDecodedPayload = try JWSText.decode(try #require(changed.renewal))
        #expect(next.advancedCommerceInfo?.items.last?.displayName == "Go at home")
        #expect(
            next.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status)
                == [.scheduled, nil, nil])
        // Repeated it is what it was; of what is not there nothing changes.
        _ = try await world.store.changeMetadata(transaction: id, request, for: Its.production)
        var other = request
        other.requestInfo = Its.reference(4)
        await Its.expect(Errors.invalidProduct) {
            _ = try await world.store.changeMetadata(
                transaction: id, other, for: Its.production)
        }
        other.items = [.init(currentSKU: "daily", effective: .immediately, sku: "chess")]
        await Its.expect(Errors.invalidProductChanges) {
            _ = try await world.store.changeMetadata(
                transaction: id, other, for: Its.production)
        }
        try await world.settle(expecting: [])
        // 27 days before 1 February, on 5 January, it is told.
        try await world.advance(
            to: "2026-02-01T12:00:00Z", expecting: ["PRICE_INCREASE/ACCEPTED", "DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        #expect(newest.price == 15_090)
        #expect(newest.advancedCommerceInfo?.items.last?.displayName == "Go at home")
        try await world.check()
    }

    @Test("A merchant's plan goes on for an ordinary subscription", arguments: Backend.available)
    func migrated(_ backend: Backend) async throws {
        let world = try await Its.world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", expecting: [])
        let before = try await world.status(String(id)).renewal
        let shown = try await Its.transaction(String(id), in: world)
        var wrong = migration(2)
        wrong.targetProductId = "gold.monthly"
        await Its.expect(Errors.invalidTargetProductId) {
            _ = try await world.store.migrate(transaction: id, wrong, for: Its.production)
        }
        wrong = migration(2)
        wrong.renewalItems = [.init(sku: "later", displayName: "L", description: "Later")]
        await Its.expect(Errors.pendingChangesMismatch) {
            _ = try await world.store.migrate(transaction: id, wrong, for: Its.production)
        }
        let migrated = try await world.store.migrate(
            transaction: id, migration(3), for: Its.production)
        try await world.settle(expecting: ["MIGRATION"])
        let now: JWSTransactionDecodedPayload = try JWSText.decode(migrated.transaction)
        #expect(now.previousOriginalTransactionId == String(id))
        #expect(now.originalTransactionId == now.transactionId && now.productId == Its.generic)
        #expect(now.expiresDate == shown.expiresDate)
        #expect(now.price == 0)
        let next: JWSRenewalInfoDecodedPayload = try JWSText.decode(
            try #require(migrated.renewal))
        #expect(next.renewalPrice == before.renewalPrice && next.autoRenewStatus == .on)
        #expect(next.advancedCommerceInfo?.items.map(\.sku) == ["news"])
        await Its.expect(Errors.subscriptionAlreadyMigrated) {
            _ = try await world.store.migrate(transaction: id, migration(4), for: Its.production)
        }
        // Repeated, it finds what it made.
        let again = try await world.store.migrate(
            transaction: id, migration(3), for: Its.production)
        let same: JWSTransactionDecodedPayload = try JWSText.decode(again.transaction)
        #expect(same.transactionId == now.transactionId)
        // The old one is over and does not renew; the new one does.
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: now, in: world)
        #expect(newest.price == before.renewalPrice)
        #expect(newest.previousOriginalTransactionId == String(id))
        try await world.check()
    }

    private func migration(_ number: Int) -> AdvancedCommerceSubscriptionMigrateRequest {
        AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo: Its.reference(number),
            descriptors: .init(displayName: "The paper", description: "News and more"),
            items: [.init(sku: "news", displayName: "The news", description: "All of it")],
            targetProductId: Its.generic, taxCode: "C003-00-1")
    }

    @Test("A migration waits for an increase that was told (ACS-9)", arguments: [Backend.sqlite])
    func migratedWithIncrease(_ backend: Backend) async throws {
        for (day, isTold) in [("2026-01-03", false), ("2026-01-06", true)] {
            let world = try await Its.world(backend, at: "2026-01-01")
            let ada = try await world.device()
            let id = try await world.subscribe("silver.monthly", by: ada)
            try await world.schedule("silver.monthly", 10_990, live: "2026-01-02")
            try await world.advance(
                to: day, expecting: isTold ? ["PRICE_INCREASE/ACCEPTED"] : [])
            guard !isTold else {
                await Its.expect(Errors.migrationNotAllowedWhenPriceIncreaseCommunicated) {
                    _ = try await world.store.migrate(
                        transaction: id, migration(3), for: Its.production)
                }
                continue
            }
            let migrated = try await world.store.migrate(
                transaction: id, migration(3), for: Its.production)
            let next: JWSRenewalInfoDecodedPayload = try JWSText.decode(
                try #require(migrated.renewal))
            #expect(next.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.price) == [10_990])
            #expect(
                next.advancedCommerceInfo?.items.map(\.priceIncreaseInfo?.status) == [.scheduled])
        }
    }

    private func refund(
        _ number: Int, asksConsumption: Bool = false, _ items: [AdvancedCommerceRequestRefundItem]
    ) -> AdvancedCommerceRequestRefundRequest {
        AdvancedCommerceRequestRefundRequest(
            requestInfo: Its.reference(number), items: items,
            refundRiskingPreference: asksConsumption)
    }

    private func item(
        _ sku: String, _ type: AdvancedCommerceRefundType, revoke: Bool = true,
        amount: Int64? = nil, reason: AdvancedCommerceRefundReason = .fulfillmentIssue
    ) -> AdvancedCommerceRequestRefundItem {
        AdvancedCommerceRequestRefundItem(
            sku: sku, refundReason: reason, refundType: type, revoke: revoke, refundAmount: amount)
    }

    @Test("Items are given back one by one", arguments: Backend.available)
    func refunds(_ backend: Backend) async throws {
        let (world, _, first, id) = try await bundle(backend)
        try await world.advance(to: "2026-01-22", expecting: [])
        // Ten of 31 days of 3.10 are 1.00; of the news 2.00 go back, and they stay.
        let request = refund(
            2, [item("chess", .prorated), item("news", .custom, revoke: false, amount: 2_000)])
        let answer = try await world.store.requestRefund(
            transaction: id, request, for: Its.production)
        try await world.settle(expecting: ["REFUND"])
        let paid: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
        #expect(paid.revocationDate == nil)
        #expect(
            paid.advancedCommerceInfo?.items.map { $0.refunds?.map(\.refundAmount) }
                == [[2_000], [1_000], nil])
        let moment = World.instant("2026-01-22").milliseconds
        #expect(paid.advancedCommerceInfo?.items.map(\.revocationDate) == [nil, moment, nil])
        let next: JWSRenewalInfoDecodedPayload = try JWSText.decode(try #require(answer.renewal))
        #expect(next.renewalPrice == 10_990 && next.autoRenewStatus == .on)
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
            .map(\.entry)
        #expect(ledger.suffix(2).map(\.sku) == ["chess", "news"])
        #expect(ledger.suffix(2).map(\.customer) == [1_000, 2_000])
        _ = try await world.store.requestRefund(transaction: id, request, for: Its.production)
        try await world.settle(expecting: [])
        await Its.expect(Errors.insufficientFunds) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(3, [item("news", .custom, revoke: false, amount: 8_000)]),
                for: Its.production)
        }
        await Its.expect(Errors.removalAllNotAllowed) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(4, [item("news", .full), item("go", .full)]),
                for: Its.production)
        }
        await Its.expect(Errors.simulateRefundDeclineOnlyInSandbox) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(5, [item("go", .full, reason: .simulateRefundDecline)]),
                for: Its.production)
        }
        await Its.expect(Errors.productNotOwned) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(6, [item("golf", .full)]), for: Its.production)
        }
        try await world.advance(to: "2026-02-02", expecting: ["DID_RENEW"])
        #expect(try await Its.newest(of: first, in: world).price == 10_990)
        await Its.expect(Errors.proratedOnlyLatestTransaction) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(7, [item("go", .prorated)]), for: Its.production)
        }
        try await world.check()
    }

    @Test("A refund that is looked at asks about consumption first", arguments: Backend.available)
    func risked(_ backend: Backend) async throws {
        let (world, _, _, id) = try await bundle(backend)
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        _ = try await world.store.requestRefund(
            transaction: id, refund(2, asksConsumption: true, [item("go", .full)]),
            for: Its.production)
        try await world.settle(expecting: ["CONSUMPTION_REQUEST"])
        await Its.expect(Errors.pendingRefund) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(3, [item("chess", .full)]), for: Its.production)
        }
        // Twelve hours later the policy decides (REF-5).
        try await world.advance(to: "2026-01-01T12:00:01Z", expecting: ["REFUND"])
        let paid = try await Its.transaction(String(id), in: world)
        #expect(
            paid.advancedCommerceInfo?.items.map { $0.refunds?.map(\.refundAmount) }
                == [nil, nil, [1_000]])
        await Its.expect(Errors.alreadyRefunded) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(4, [item("go", .full)]), for: Its.production)
        }
        try await world.check()
    }

    @Test("A subscription is revoked with all that its cycle cost", arguments: Backend.available)
    func revoked(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await bundle(backend)
        try await world.advance(to: "2026-01-11", expecting: [])
        let added = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let request = AdvancedCommerceSubscriptionRevokeRequest(
            requestInfo: Its.reference(3), refundReason: .legal, refundType: .full,
            refundRiskingPreference: false)
        let answer = try await world.store.revoke(
            transaction: id, request, for: Its.production)
        try await world.settle(
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND", "REFUND",
            ])
        let newest: JWSTransactionDecodedPayload = try JWSText.decode(answer.transaction)
        #expect(newest.transactionId == added.transactionId)
        #expect(newest.revocationDate == World.instant("2026-01-11").milliseconds)
        #expect(
            newest.advancedCommerceInfo?.items.compactMap(\.refunds).flatMap { $0 }
                .map(\.refundReason) == [.legal])
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
            .map(\.entry)
        #expect(ledger.reduce(0) { $0 + $1.customer } == 0)
        await Its.expect(Errors.revokeOnInactiveSubscription) {
            var again = request
            again.requestInfo = Its.reference(4)
            _ = try await world.store.revoke(transaction: id, again, for: Its.production)
        }
        try await world.advance(to: "2026-02-02", expecting: [])
        try await world.check()
    }
}
