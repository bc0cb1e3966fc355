import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Every member of what is signed, compared as JSON: what is not named must be absent.
@Suite("Signed payloads")
struct PayloadTests {
    private static let identifiers: Set = [
        "transactionId", "originalTransactionId", "webOrderLineItemId", "appTransactionId",
    ]

    /// The members but for identifiers, dates written as text.
    private func members(_ jws: String) throws -> [String: String] {
        try JWSText.members(jws).filter { !Self.identifiers.contains($0.key) }.mapValues { value in
            switch value {
            case .string(let text): text
            case .bool(let flag): "\(flag)"
            case .integer(let number) where number > 100_000_000_000:
                World.text(Instant(milliseconds: number))
            case .integer(let number): "\(number)"
            default: "?"
            }
        }
    }

    private static func silver(_ changes: [String: String] = [:]) -> [String: String] {
        [
            "bundleId": "com.example.app", "productId": "silver.monthly",
            "subscriptionGroupIdentifier": "club", "purchaseDate": "2026-01-01",
            "originalPurchaseDate": "2026-01-01", "expiresDate": "2026-02-01", "quantity": "1",
            "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
            "signedDate": "2026-01-01", "environment": "Production", "storefront": "USA",
            "storefrontId": "143441", "transactionReason": "PURCHASE", "price": "9990",
            "currency": "USD", "billingPlanType": "BILLED_UPFRONT",
        ].merging(changes) { $1 }
    }

    private static func renewal(_ changes: [String: String?] = [:]) -> [String: String] {
        var members = [
            "productId": "silver.monthly", "autoRenewProductId": "silver.monthly",
            "autoRenewStatus": "1", "renewalDate": "2026-02-01", "renewalPrice": "9990",
            "currency": "USD", "recentSubscriptionStartDate": "2026-01-01",
            "environment": "Production", "signedDate": "2026-01-01",
            "renewalBillingPlanType": "BILLED_UPFRONT",
        ]
        for (key, value) in changes { members[key] = value }
        return members
    }

    /// What the newest notification carries.
    private func newest(_ world: World) throws -> (
        data: NotificationData, transaction: [String: String], renewal: [String: String]
    ) {
        let data = try #require(world.listener.arrivals.last?.notification.data)
        return (
            data, try members(try #require(data.signedTransactionInfo)),
            try members(try #require(data.signedRenewalInfo))
        )
    }

    @Test("A purchase and a renewal carry every field and no other", arguments: Backend.available)
    func renewed(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let token = "0a1b2c3d-0000-4000-8000-000000000001"
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly", appAccountToken: token), by: ada)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        var (data, transaction, renewal) = try newest(world)
        #expect(transaction == Self.silver(["appAccountToken": token]))
        #expect(renewal == Self.renewal(["appAccountToken": token]))
        #expect(data.appAppleId == World.appleID)
        #expect(data.bundleId == World.bundleID)
        #expect(data.environment == .production)
        #expect(data.status == .active)
        #expect(data.bundleVersion == nil)
        #expect(data.consumptionRequestReason == nil)

        try await world.advance(to: "2026-02-01", expecting: ["DID_RENEW"])
        (data, transaction, renewal) = try newest(world)
        #expect(
            transaction
                == Self.silver([
                    "appAccountToken": token, "purchaseDate": "2026-02-01",
                    "expiresDate": "2026-03-01", "signedDate": "2026-02-01",
                    "transactionReason": "RENEWAL",
                ]))
        #expect(
            renewal
                == Self.renewal([
                    "appAccountToken": token, "renewalDate": "2026-03-01",
                    "signedDate": "2026-02-01",
                ]))
        let body = try #require(world.listener.arrivals.last?.notification)
        #expect(body.version == "2.0")
        #expect(body.summary == nil)
        #expect(body.notificationUUID.count == 36)
    }

    @Test(
        "Identifiers name the chain, the billing event and the copy of the app",
        arguments: Backend.available)
    func identifiers(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        let history = try await world.history("\(id)")
        #expect(history.map(\.originalTransactionId) == Array(repeating: "\(id)", count: 3))
        #expect(history.first?.transactionId == "\(id)")
        #expect(Set(history.map(\.transactionId)).count == 3)
        #expect(Set(history.compactMap(\.webOrderLineItemId)).count == 3)
        let copy: AppTransaction = try JWSText.decode(
            try await world.store.appTransaction(for: ada))
        #expect(Set(history.map(\.appTransactionId)) == [copy.appTransactionId])
        let (_, renewal) = try await world.status("\(id)")
        #expect(renewal.originalTransactionId == "\(id)")
        #expect(renewal.appTransactionId == copy.appTransactionId)
        // Fifteen digits in Production, sixteen in Sandbox.
        #expect(history.allSatisfy { $0.transactionId.count == 15 })
    }

    @Test(
        "A trial names its offer, and the renewal info the price after it",
        arguments: Backend.available)
    func trial(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.buy("silver.trial", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let (_, transaction, renewal) = try newest(world)
        #expect(
            transaction
                == Self.silver([
                    "productId": "silver.trial", "expiresDate": "2026-01-08", "price": "0",
                    "offerType": "1", "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1W",
                ]))
        #expect(
            renewal
                == Self.renewal([
                    "productId": "silver.trial", "autoRenewProductId": "silver.trial",
                    "renewalDate": "2026-01-08",
                ]))
    }

    @Test("The offer fields of renewal info describe the next period", arguments: Backend.available)
    func nextOffer(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.buy("silver.intro", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let offer = [
            "offerType": "1", "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P3M",
        ]
        let product = ["productId": "silver.intro", "autoRenewProductId": "silver.intro"]
        var (_, transaction, renewal) = try newest(world)
        #expect(
            transaction
                == Self.silver(
                    ["productId": "silver.intro", "price": "1990"].merging(offer) { $1 }))
        #expect(
            renewal
                == Self.renewal(
                    ["renewalPrice": "1990"].merging(offer) { $1 }.merging(product) { $1 }))
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        (_, transaction, renewal) = try newest(world)
        #expect(transaction["price"] == "1990")
        #expect(transaction["offerDiscountType"] == "PAY_AS_YOU_GO")
        #expect(
            renewal
                == Self.renewal(
                    ["renewalDate": "2026-04-01", "signedDate": "2026-03-01"].merging(product) {
                        $1
                    }))
    }

    @Test("An upgrade marks the old transaction, and only that one", arguments: Backend.available)
    func upgraded(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-11", expecting: [])
        try await world.buy(
            "gold.monthly", by: ada, expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        let (_, transaction, renewal) = try newest(world)
        #expect(
            transaction
                == Self.silver([
                    "productId": "gold.monthly", "purchaseDate": "2026-01-11",
                    "expiresDate": "2026-02-11", "price": "19990", "signedDate": "2026-01-11",
                ]))
        #expect(
            renewal
                == Self.renewal([
                    "productId": "gold.monthly", "autoRenewProductId": "gold.monthly",
                    "renewalDate": "2026-02-11", "renewalPrice": "19990",
                    "signedDate": "2026-01-11",
                ]))
        let old = try members(try await world.store.transactionInfo(id, for: world.caller()))
        #expect(old == Self.silver(["isUpgraded": "true", "signedDate": "2026-01-11"]))
    }

    @Test("Grace, retry and the end each say what is wrong", arguments: Backend.available)
    func trouble(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.gracePeriod = .threeDays }
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(to: "2026-02-01", expecting: ["DID_FAIL_TO_RENEW/GRACE_PERIOD"])
        var (data, transaction, renewal) = try newest(world)
        #expect(data.status == .billingGracePeriod)
        #expect(transaction == Self.silver(["signedDate": "2026-02-01"]))
        let failed: [String: String?] = [
            "expirationIntent": "2", "isInBillingRetryPeriod": "true",
            "gracePeriodExpiresDate": "2026-02-04",
        ]
        #expect(renewal == Self.renewal(failed.merging(["signedDate": "2026-02-01"]) { $1 }))

        try await world.advance(to: "2026-02-04", expecting: ["GRACE_PERIOD_EXPIRED"])
        (data, transaction, renewal) = try newest(world)
        #expect(data.status == .billingRetry)
        #expect(renewal == Self.renewal(failed.merging(["signedDate": "2026-02-04"]) { $1 }))

        try await world.advance(to: "2026-04-02", expecting: ["EXPIRED/BILLING_RETRY"])
        (data, transaction, renewal) = try newest(world)
        #expect(data.status == .expired)
        #expect(transaction == Self.silver(["signedDate": "2026-04-02"]))
        #expect(
            renewal
                == Self.renewal([
                    "autoRenewStatus": "0", "expirationIntent": "2",
                    "isInBillingRetryPeriod": "false", "signedDate": "2026-04-02",
                    "renewalPrice": nil, "currency": nil,
                ]))
    }

    @Test(
        "A lapse of up to 60 days keeps the start of the run of service (EXP-7)",
        arguments: Backend.available,
        [
            ("2026-03-01", "2026-01-01"), ("2026-04-02", "2026-01-01"),
            ("2026-04-02T00:00:01Z", "2026-04-02T00:00:01Z"),
        ])
    func serviceStart(_ backend: Backend, _ times: (back: String, start: String)) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.advance(to: World.instant(times.back))
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        let (_, renewal) = try await world.status("\(id)")
        #expect(renewal.recentSubscriptionStartDate == World.instant(times.start).milliseconds)
    }

    @Test("A purchase that is no subscription has none of its fields", arguments: Backend.available)
    func consumable(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.buy("coins", by: ada, quantity: 3, expecting: ["ONE_TIME_CHARGE"])
        let data = try #require(world.listener.arrivals.last?.notification.data)
        #expect(data.status == nil)
        #expect(data.signedRenewalInfo == nil)
        #expect(
            try members(try #require(data.signedTransactionInfo)) == [
                "bundleId": "com.example.app", "productId": "coins", "purchaseDate": "2026-01-01",
                "originalPurchaseDate": "2026-01-01", "quantity": "3", "type": "Consumable",
                "inAppOwnershipType": "PURCHASED", "signedDate": "2026-01-01",
                "environment": "Production", "storefront": "USA", "storefrontId": "143441",
                "transactionReason": "PURCHASE", "price": "2970", "currency": "USD",
            ])
    }

    @Test("The app transaction names the app and the customer's copy", arguments: Backend.available)
    func appTransaction(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let inSandbox = try await world.device(in: .sandbox)
        try await world.advance(to: "2026-02-01", expecting: [])
        let expected = [
            "receiptType": "Production", "appAppleId": "1000000001", "bundleId": "com.example.app",
            "receiptCreationDate": "2026-02-01", "originalPurchaseDate": "2026-01-01",
            "applicationVersion": "1.0", "originalApplicationVersion": "1.0",
            "originalPlatform": "iOS",
        ]
        #expect(try members(try await world.store.appTransaction(for: ada)) == expected)
        var sandbox = expected
        sandbox["receiptType"] = "Sandbox"
        sandbox["appAppleId"] = nil
        #expect(try members(try await world.store.appTransaction(for: inSandbox)) == sandbox)
    }
}
