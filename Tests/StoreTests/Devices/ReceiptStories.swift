import AppStoreSigning
import AppStoreWire
import Foundation
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: receipts", .timeLimit(.minutes(15)))
struct ReceiptStories {
    @Test(
        "A receipt grows with each transaction, and consumables leave it once finished",
        arguments: Backend.available)
    func grows(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device(named: "phone")
        let empty = try await world.read(world.store.receipt(for: phone))
        #expect(empty.inApp.isEmpty && empty.environment == .production)
        #expect(empty.appAppleID == World.appleID && empty.bundleID == World.bundleID)
        let coins = try await world.buyOnce("coins", by: phone)
        for product in ["lifetime", "season", "silver.monthly"] {
            _ = try await world.buyOnce(product, by: phone)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-03T10:00:00.500Z"))
        let receipt = try await world.read(world.store.receipt(for: phone))
        // In a receipt they have no particular order.
        let inApp = receipt.inApp.sorted { $0.transactionID < $1.transactionID }
        #expect(
            inApp.map(\.productID) == [
                "coins", "lifetime", "season", "silver.monthly", "silver.monthly",
            ])
        #expect(
            inApp.map(\.productType) == [
                .consumable, .nonConsumable, .nonRenewing, .autoRenewable, .autoRenewable,
            ])
        #expect(receipt.creationDate == World.instant("2026-02-03T10:00:00Z").milliseconds)
        let renewal = inApp[4]
        #expect(renewal.originalTransactionID == inApp[3].transactionID)
        #expect(renewal.expiresDate == World.instant("2026-03-01").milliseconds)
        #expect(renewal.webOrderLineItemID != 0 && inApp[0].webOrderLineItemID == 0)
        try await world.store.finish(transaction: coins, by: phone)
        let after = try await world.read(world.store.receipt(for: phone))
        #expect(!after.inApp.contains { $0.productID == "coins" } && after.inApp.count == 4)
        // The same receipt has the same bytes, and another device's others.
        let again = try await world.store.receipt(for: phone).bytes
        #expect(try await world.store.receipt(for: phone).bytes == again)
        let tablet = try await world.store.receipt(for: world.device(named: "tablet"))
        #expect(tablet.bytes != again)
    }

    @Test(
        "Sandbox has its own fields, and a device that is a UUID is what receipts are sealed for",
        arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let vendor = "F47AC10B-58CC-4372-A567-0E02B2C3D479"
        let phone = try await world.device(in: .sandbox, named: vendor)
        _ = try await world.buyOnce("lifetime", by: phone)
        let made = try await world.store.receipt(for: phone)
        #expect(made.deviceIdentifier == vendor.lowercased())
        let receipt = try await world.read(made)
        #expect(receipt.environment == .sandbox && receipt.appAppleID == 0)
        #expect(receipt.originalPurchaseDate == AppReceipt.sandboxOriginalPurchaseDate)
        #expect(receipt.requestDate == nil && receipt.downloadID == 0)
        #expect(receipt.inApp.map(\.storeItemID) == [0])
        let response = try await world.verified(phone, in: .sandbox)
        #expect(response.status == .valid && response.environment == .sandbox)
        #expect(response.receipt?.receiptType == .sandbox)
        // Nothing of it renews: the newest is told of subscriptions alone.
        #expect(response.latestReceiptInfo == nil && response.latestReceipt == nil)
        #expect(response.frozen == ["lifetime"])
    }

    @Test(
        "An upgrade is told by is_upgraded and its moment, a refund by its moment alone (UDC-18)",
        arguments: Backend.available)
    func upgradedAndRefunded(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device(named: "phone")
        _ = try await world.subscribe("silver.monthly", by: phone)
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        _ = try await world.store.advance(to: World.instant("2026-01-11T05:06:07.890Z"))
        _ = try await world.subscribe("gold.monthly", by: phone)
        try await world.store.refund(
            transaction: lifetime, .full, reason: .problemWithApp, in: .production)
        let response = try await world.verified(phone)
        #expect(
            response.latest == [
                "gold.monthly until 2026-02-11T05:06:07Z",
                "lifetime cancelled 2026-01-11T05:06:07Z for 1",
                "silver.monthly until 2026-02-01 upgraded cancelled 2026-01-11T05:06:07Z",
            ])
        // In the receipt itself there is the moment, without the flag.
        #expect(
            response.frozen == [
                "silver.monthly until 2026-02-01 cancelled 2026-01-11T05:06:07Z",
                "lifetime cancelled 2026-01-11T05:06:07Z for 1",
                "gold.monthly until 2026-02-11T05:06:07Z",
            ])
        let moments = response.latestReceiptInfo?.compactMap(\.cancellationDate) ?? []
        #expect(moments.allSatisfy { $0 % 1000 == 0 } && moments.count == 2)
        #expect(response.pending == ["gold.monthly on"])
    }

    @Test(
        "Trial, grace, retry and the ends are told, newest first, and the last good one always",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await World.receipts(backend) { $0.gracePeriod = .sixteenDays }
        let phone = try await world.device(named: "phone")
        let id = try await world.subscribe("silver.trial", by: phone)
        let trial = try await world.verified(phone)
        #expect(trial.latest?.count == 1 && trial.latest?[0].hasSuffix("trial") == true)
        #expect(trial.pending == ["silver.trial on"])
        let first = try #require(trial.latestReceiptInfo?.first?.expiresDate)
        _ = try await world.store.advance(to: Instant(milliseconds: first) + .days(1))
        let paid = try await world.verified(phone)
        #expect(paid.latest?.count == 2 && paid.latest?[0].contains("trial ") == true)
        #expect(paid.latestReceiptInfo?.first?.isTrialPeriod == false)
        try await world.pays(.declines(until: nil, left: nil))
        let end = try #require(paid.latestReceiptInfo?.first?.expiresDate)
        _ = try await world.store.advance(to: Instant(milliseconds: end) + .days(1))
        let grace = try await world.verified(phone)
        #expect(grace.pending?.first?.hasPrefix("silver.trial on intent 2 retry grace ") == true)
        _ = try await world.store.advance(to: Instant(milliseconds: end) + .days(20))
        let retry = try await world.verified(phone)
        #expect(retry.pending?.first?.hasPrefix("silver.trial on intent 2 retry") == true)
        _ = try await world.store.advance(to: Instant(milliseconds: end) + .days(61))
        let over = try await world.verified(phone)
        #expect(over.status == .valid)
        #expect(over.pending == ["silver.trial off intent 2 given up"])
        #expect(over.latestReceiptInfo?.count == 2)
        #expect(over.latestReceiptInfo?.first?.originalTransactionId == "\(id)")
    }

    @Test(
        "Who cancels in retry is in the list of what comes next no more (REN-3)",
        arguments: Backend.available)
    func cancelledInRetry(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device(named: "phone")
        let silver = try await world.subscribe("silver.monthly", by: phone)
        try await world.pays(.declines(until: nil, left: nil))
        _ = try await world.store.advance(to: World.instant("2026-02-03"))
        #expect(
            try await world.verified(phone).pending == ["silver.monthly on intent 2 retry"])
        try await world.store.change(subscription: silver, [.renewal(isOn: false)], by: phone)
        let response = try await world.verified(phone)
        #expect(response.pending == [])
        #expect(response.latest == ["silver.monthly until 2026-02-01"])
        // Who cancels in time stays in it, with the intent.
        let bob = try await world.device("bob")
        let other = try await world.subscribe("silver.monthly", by: bob)
        try await world.store.change(subscription: other, [.renewal(isOn: false)], by: bob)
        #expect(try await world.verified(bob).pending == ["silver.monthly off"])
        _ = try await world.store.advance(to: World.instant("2026-03-05"))
        #expect(try await world.verified(bob).pending == ["silver.monthly off intent 1 given up"])
    }

    @Test(
        "With exclude-old-transactions there is the newest of each subscription",
        arguments: Backend.available)
    func newestAlone(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device(named: "phone")
        for product in ["silver.monthly", "lifetime", "season"] {
            _ = try await world.buyOnce(product, by: phone)
        }
        _ = try await world.store.advance(to: World.instant("2026-04-10"))
        let all = try await world.verified(phone)
        #expect(all.latest?.count == 6 && all.latest?[0] == "silver.monthly until 2026-05-01")
        let newest = try await world.verified(phone, excludesOld: true)
        #expect(newest.latest == ["silver.monthly until 2026-05-01"])
        #expect(newest.frozen?.count == 6)
        #expect(try await world.verified(phone, excludesOld: false).latest == all.latest)
    }

    @Test(
        "An old receipt brings the news with it, and the newest receipt for the same device",
        arguments: Backend.available)
    func news(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        _ = try await world.device(named: "tablet")
        let phone = try await world.device(named: "phone")
        _ = try await world.subscribe("silver.monthly", by: phone)
        let old = try await world.store.receipt(for: phone)
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        guard case .ofApp(let response) = try await world.reply(old.bytes) else {
            throw NoAppReceipt()
        }
        #expect(response.frozen?.count == 1 && response.latest?.count == 3)
        let text = try #require(response.latestReceipt)
        let latest = Array(try #require(Data(base64Encoded: text)))
        #expect(try await world.read(latest, on: old.deviceIdentifier).inApp.count == 3)
        #expect(latest == (try await world.store.receipt(for: phone)).bytes)
        #expect(response.receipt?.requestDate == World.instant("2026-03-10").milliseconds)
    }

    @Test("What a family shares is told to each as shared", arguments: Backend.available)
    func families(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        _ = try await world.store.setSharedSecret(World.secret, of: World.bundleID)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        #expect(try await world.verified(ada).latest == ["family.monthly until 2026-02-01"])
        #expect(
            try await world.verified(bea).latest == ["family.monthly until 2026-02-01 shared"])
        #expect(try await world.verified(bea).pending == ["family.monthly on"])
        try await world.store.leaveFamily(by: bea)
        #expect(
            try await world.verified(bea).latest == [
                "family.monthly until 2026-02-01 cancelled 2026-01-01 shared"
            ])
    }

    @Test(
        "Receipts of iOS 6 tell one transaction and the newest, with 21006 once it is over",
        arguments: Backend.available)
    func single(_ backend: Backend) async throws {
        let world = try await World.receipts(backend)
        let phone = try await world.device(named: "phone")
        let silver = try await world.subscribe("silver.monthly", by: phone)
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        let receipt = try await world.store.receipt(ofTransaction: silver, for: phone).bytes
        func answer(
            _ receipt: [UInt8], password: String? = World.secret
        ) async throws -> VerifyTransactionReceiptResponse? {
            guard
                case .ofTransaction(let response) = try await world.reply(
                    receipt, password: password)
            else { return nil }
            return response
        }
        let now = try #require(try await answer(receipt))
        #expect(now.status == .valid && now.receipt?.transaction.transactionId == "\(silver)")
        #expect(now.latestReceiptInfo?.transaction.transactionId == "\(silver)")
        #expect(now.autoRenewStatus == .on && now.autoRenewProductId == "silver.monthly")
        _ = try await world.store.advance(to: World.instant("2026-02-05"))
        let renewed = try #require(try await answer(receipt))
        #expect(renewed.latestReceiptInfo?.transaction.transactionId != "\(silver)")
        #expect(
            renewed.latestReceiptInfo?.transaction.expiresDate
                == World.instant("2026-03-01").milliseconds)
        // The newest receipt is one itself.
        let latest = Array(try #require(Data(base64Encoded: renewed.latestReceipt ?? "")))
        let newest = try #require(try await answer(latest)?.receipt)
        #expect(
            newest.transaction.transactionId == renewed.latestReceiptInfo?.transaction.transactionId
        )
        #expect(newest.transaction.expiresDate == World.instant("2026-03-01").milliseconds)
        #expect(newest.uniqueVendorIdentifier == now.receipt?.uniqueVendorIdentifier)
        try await world.store.change(subscription: silver, [.renewal(isOn: false)], by: phone)
        _ = try await world.store.advance(to: World.instant("2026-03-02"))
        let over = try #require(try await answer(receipt))
        #expect(over.status == .expiredSubscription && over.latestReceiptInfo == nil)
        #expect(over.latestExpiredReceiptInfo == renewed.latestReceiptInfo)
        #expect(over.latestReceipt != nil)
        #expect(over.autoRenewStatus == .off && over.expirationIntent == .customerCancelled)
        #expect(over.isInBillingRetryPeriod == false)
        // What does not renew says nothing of what comes next.
        let once = try #require(
            try await answer(
                try await world.store.receipt(ofTransaction: lifetime, for: phone).bytes))
        #expect(once.status == .valid && once.autoRenewStatus == nil && once.latestReceipt == nil)
        #expect(try await world.reply(receipt, password: nil).status == .wrongSecret)
        let bob = try await world.device("bob")
        await #expect(throws: StoreError.unknown(.transaction, "\(silver)")) {
            _ = try await world.store.receipt(ofTransaction: silver, for: bob)
        }
    }
}
