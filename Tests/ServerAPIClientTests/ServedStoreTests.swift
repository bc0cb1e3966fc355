import AppStoreSigning
import AppStoreWire
import ServerAPIClient
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("The client of the App Store Server API, and a store")
struct ServedStoreTests {
    private static let uuid = "7e3fb204-2d3b-4b4c-9f3e-1234567890ab"

    private static func transaction(_ signed: String) throws -> JWSTransactionDecodedPayload {
        try JWSText.decode(signed)
    }

    @Test(
        "A purchase is found in every way in which it can be asked for",
        arguments: Backend.available)
    func purchase(backend: Backend) async throws {
        let served = try await ServedStore(backend)
        let ada = try await served.world.device()
        let bought = try #require(
            try await served.world.buy(
                "silver.monthly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"]))
        let id = bought.transactionId
        let order = OrderID.text(try #require(Int64(id)))
        try await served.world.advance(by: "P1M", expecting: ["DID_RENEW"])
        try await served.with { client in
            let info = try await client.transactionInfo(id)
            #expect(try Self.transaction(info.signedTransactionInfo).transactionId == id)
            let history = try await client.transactionHistory(of: id)
            #expect(history.signedTransactions.count == 2)
            #expect(!history.hasMore)
            let statuses = try await client.statuses(of: id)
            let newest = try #require(statuses.data.first?.lastTransactions.first)
            #expect(newest.originalTransactionId == id)
            #expect(newest.status == .active)
            #expect(try await client.statuses(of: id, in: [.expired, .revoked]).data.isEmpty)
            #expect(try await client.appTransactionInfo(of: id).signedAppTransactionInfo != "")
            #expect(try await client.lookUpOrder(order).status == .valid)
            #expect(try await client.lookUpOrder("MNOTHING").status == .invalid)
            #expect(try await client.refundHistory(of: id).signedTransactions.isEmpty)
            try await client.finishTransaction(id)
        }
    }

    @Test("Filters of the history reach the store")
    func filters() async throws {
        let served = try await ServedStore()
        let ada = try await served.world.device()
        let coins = try #require(
            try await served.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]))
        try await served.world.buy(
            "silver.monthly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let id = coins.transactionId
        try await served.with { client in
            func count(_ change: (inout TransactionHistoryRequest) -> Void) async throws -> Int {
                var request = TransactionHistoryRequest()
                change(&request)
                return try await client.transactionHistory(of: id, request)
                    .signedTransactions.count
            }
            #expect(try await count { _ in } == 2)
            #expect(try await count { $0.productIDs = ["coins", "silver.monthly"] } == 2)
            #expect(try await count { $0.productIDs = ["a&productId=coins"] } == 0)
            #expect(try await count { $0.productTypes = [.autoRenewable] } == 1)
            #expect(try await count { $0.revoked = true } == 0)
            #expect(try await count { $0.inAppOwnershipType = .familyShared } == 0)
            #expect(try await count { $0.startDate = coins.purchaseDate + 1 } == 0)
            var backwards = TransactionHistoryRequest()
            backwards.sort = .descending
            let page = try await client.transactionHistory(of: id, backwards)
            let last = try #require(page.signedTransactions.last)
            #expect(try Self.transaction(last).transactionId == id)
        }
    }

    @Test("All pages come one after the other, each entry once", arguments: Backend.available)
    func pages(backend: Backend) async throws {
        let served = try await ServedStore(backend)
        let ada = try await served.world.device()
        var ids: [String] = []
        for _ in 0..<45 {
            let bought = try await served.world.buy(
                "coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
            ids.append(try #require(bought).transactionId)
        }
        let start = World.instant("2026-01-01T00:00:00Z").milliseconds
        let request = NotificationHistoryRequest(
            startDate: start, endDate: start + 30 * 86_400_000)
        try await served.with { [ids] client in
            var found: [String] = []
            var sizes: [Int] = []
            for try await page in client.transactionHistoryPages(of: ids[0]) {
                sizes.append(page.signedTransactions.count)
                found += try page.signedTransactions.map { try Self.transaction($0).transactionId }
            }
            #expect(sizes == [20, 20, 5])
            #expect(found == ids)
            var payloads: Set<String> = []
            sizes = []
            for try await page in client.notificationHistoryPages(request) {
                sizes.append(page.notificationHistory.count)
                payloads.formUnion(page.notificationHistory.map(\.signedPayload))
            }
            #expect(sizes == [20, 20, 5])
            #expect(payloads.count == 45)
            sizes = []
            for try await page in client.refundHistoryPages(of: ids[0]) {
                sizes.append(page.signedTransactions.count)
            }
            #expect(sizes == [0])
        }
    }

    @Test("Tokens and consumption are sent as the store reads them")
    func changes() async throws {
        let served = try await ServedStore()
        let ada = try await served.world.device()
        let bought = try #require(
            try await served.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]))
        let id = bought.transactionId
        try await served.with { client in
            try await client.setAppAccountToken(Self.uuid.uppercased(), of: id)
            let info = try await client.transactionInfo(id)
            #expect(try Self.transaction(info.signedTransactionInfo).appAccountToken == Self.uuid)
            try await client.sendConsumption(
                ConsumptionRequest(
                    customerConsented: true, deliveryStatus: .delivered,
                    sampleContentProvided: false, consumptionPercentage: 25_000,
                    refundPreference: .grantProrated), of: id)
            try await client.sendConsumptionV1(
                ConsumptionRequestV1(customerConsented: true, sampleContentProvided: true),
                of: id)
            await expect(4_000_035) {
                try await client.sendConsumption(
                    ConsumptionRequest(
                        customerConsented: false, deliveryStatus: .delivered,
                        sampleContentProvided: false), of: id)
            }
            await expect(4_000_183) { try await client.setAppAccountToken("x", of: id) }
        }
    }

    @Test("Extensions of one subscription and of all are requested and their result read")
    func extensions() async throws {
        let served = try await ServedStore()
        let ada = try await served.world.device()
        let id = String(try await served.world.subscribe("silver.monthly", by: ada))
        _ = try await served.world.store.advance(to: World.instant("2026-02-01T00:00:00Z"))
        try await served.with { client in
            let reply = try await client.extendRenewalDate(
                of: id,
                ExtendRenewalDateRequest(
                    extendByDays: 10, extendReasonCode: .serviceIssue, requestIdentifier: "one"))
            #expect(reply.success)
            #expect(reply.effectiveDate == World.instant("2026-03-11T00:00:00Z").milliseconds)
            let mass = MassExtendRenewalDateRequest(
                requestIdentifier: Self.uuid, extendByDays: 1, extendReasonCode: .undeclared,
                productId: "silver.monthly", storefrontCountryCodes: ["USA"])
            #expect(
                try await client.extendRenewalDates(mass).requestIdentifier == Self.uuid)
            try await served.world.store.settle()
            let status = try await client.massExtensionStatus(Self.uuid, of: "silver.monthly")
            #expect(status.complete)
            #expect(status.succeededCount == 1)
            await expect(4_040_009) {
                _ = try await client.massExtensionStatus(Self.uuid, of: "gold.monthly")
            }
        }
    }

    @Test("A test notification is requested and its result read")
    func testNotification() async throws {
        let served = try await ServedStore()
        try await served.with(.sandbox) { client in
            let token = try await client.requestTestNotification().testNotificationToken
            await expect(4_040_008) { _ = try await client.testNotificationStatus(token) }
            try await served.world.settle(expecting: ["TEST"])
            let status = try await client.testNotificationStatus(token)
            #expect(status.sendAttempts.map(\.sendAttemptResult) == [.success])
        }
    }

    @Test("A refusal has Apple's code, and nothing is asked twice", arguments: ["x", "77"])
    func refusals(id: String) async throws {
        let served = try await ServedStore()
        try await served.with { client in
            await expect(id == "x" ? 4_000_006 : 4_040_010) {
                _ = try await client.statuses(of: id)
            }
        }
    }

    @Test("A store that knows the second key only is asked with it")
    func secondKey() async throws {
        let served = try await ServedStore(keys: [Keys.second])
        let ada = try await served.world.device()
        let bought = try #require(
            try await served.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]))
        let id = bought.transactionId
        try await served.with(keys: [Keys.first, Keys.second]) { client in
            for _ in 0..<2 { _ = try await client.transactionInfo(id) }
        }
        try await served.with(keys: [Keys.first]) { client in
            let error = await #expect(throws: ServerAPIError.self) {
                try await client.transactionInfo(id)
            }
            #expect(error?.status == 401)
            #expect(error?.errorCode == nil)
            #expect(error?.canBeRetried == false)
        }
    }

    @Test("A store's own limit says when it takes requests again")
    func rateLimit() async throws {
        var options = StoreServer.Options()
        options.rateLimits = RateLimits(thousandths: 0)
        let served = try await ServedStore(options: options)
        try await served.with { client in
            let error = await #expect(throws: ServerAPIError.self) {
                try await client.transactionInfo("1")
            }
            #expect(error?.status == 429)
            #expect(error?.errorCode == 4_290_000)
            #expect(error?.retryAfter == World.instant("2026-03-01T13:00:00Z"))
            #expect(error?.canBeRetried == true)
        }
    }
}
