import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: refunds")
struct RefundStories {
    private static let renewal = "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"

    /// Silver, renewed once, on 20 February 2026: the second period is the running one.
    private static func renewed(
        _ backend: Backend, _ policy: RefundPolicy = .operatorDecides
    ) async throws -> (world: World, ada: DeviceSession, id: Int64, newest: Int64) {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend) {
            $0.refundPolicy = policy
        }
        try await world.advance(to: "2026-02-20", telling: [renewal])
        let newest = try await world.history("\(id)").last.flatMap { Int64($0.transactionId) }
        return (world, ada, id, try #require(newest))
    }

    @Test(
        "An upgrade takes back the commission that the charge gave, not that of the new plan",
        arguments: Backend.available)
    func commissionOfProration(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-01")
        let ada = try await world.device()
        _ = try await world.subscribe("silver.yearly", by: ada)
        try await world.store.configure(bundleID: World.bundleID) { $0.smallBusiness = true }
        _ = try await world.store.advance(to: World.instant("2026-07-02"))
        _ = try await world.subscribe("gold.monthly", by: ada)
        // 183 of 365 days are left of 99.99.
        #expect(
            try await world.books() == [
                "2026-01-01 charge -99.990 +69.993 +29.997",
                "2026-07-02 proration +50.130 -35.091 -15.039",
                "2026-07-02 charge -19.990 +16.992 +2.998",
            ])
    }

    @Test(
        "A request turns renewal off and asks for consumption; a grant ends access",
        arguments: Backend.available)
    func granted(_ backend: Backend) async throws {
        let (world, ada, id, newest) = try await Self.renewed(backend)
        let request = try await world.store.requestRefund(
            transaction: newest, .unsatisfiedWithPurchase, by: ada)
        try await world.store.settle()
        let arrivals = world.listener.takeArrivals()
        #expect(
            arrivals.map(\.line) == [
                """
                2026-02-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 9.99 \
                until 2026-03-15
                """,
                "2026-02-20 CONSUMPTION_REQUEST 1 silver.monthly 9.99 until 2026-03-15",
            ])
        #expect(
            arrivals.last?.notification.data?.consumptionRequestReason
                == .unsatisfiedWithPurchase)
        await #expect(throws: StoreError.refund(.alreadyRequested("\(newest)"))) {
            try await world.store.requestRefund(transaction: newest, .other, by: ada)
        }
        try await world.advance(to: "2026-02-22", expecting: [])
        try await world.store.decide(
            refundRequest: request.id, granting: .full, in: .production)
        try await world.settle(
            telling: [
                "2026-02-22 REFUND 5 silver.monthly 9.99 until 2026-03-15 REFUND_FULL 2026-02-22"
            ])
        #expect(try await world.shows(id) == ["5 silver.monthly off 2026-03-15"])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        #expect(
            try await world.books() == [
                "2026-01-15 charge -9.990 +6.993 +2.997",
                "2026-02-15 charge -9.990 +6.993 +2.997",
                "2026-02-22 refund +9.990 -6.993 -2.997",
            ])
        try await world.advance(to: "2026-04-01", expecting: [])
        try await world.buy(
            "silver.monthly", by: ada,
            telling: ["2026-04-01 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-05-01"])
    }

    @Test("A declined request leaves access until the end", arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        let (world, ada, _, newest) = try await Self.renewed(backend)
        let request = try await world.store.requestRefund(transaction: newest, .other, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "CONSUMPTION_REQUEST"])
        try await world.store.decide(refundRequest: request.id, granting: nil, in: .production)
        try await world.settle(
            telling: ["2026-02-20 REFUND_DECLINED 1 silver.monthly 9.99 until 2026-03-15"])
        #expect(try await world.store.entitlements(for: ada).count == 1)
        await #expect(throws: StoreError.unknown(.refundRequest, "\(request.id)")) {
            try await world.store.decide(
                refundRequest: request.id, granting: .full, in: .production)
        }
        try await world.advance(
            to: "2026-03-15",
            telling: ["2026-03-15 EXPIRED/VOLUNTARY 2 silver.monthly 9.99 until 2026-03-15"])
    }

    @Test(
        "A policy decides twelve hours later, or as soon as the developer answers",
        arguments: Backend.available)
    func policies(_ backend: Backend) async throws {
        let (world, ada, _, newest) = try await Self.renewed(backend, .developer)
        try await world.store.requestRefund(transaction: newest, .other, by: ada)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "CONSUMPTION_REQUEST"])
        try await world.advance(to: "2026-02-20T11:59:59Z", expecting: [])
        try await world.store.consumption(
            of: newest,
            Consumption(preference: .decline, percentage: nil, body: "{}"), for: world.caller())
        try await world.settle(expecting: ["REFUND_DECLINED"])
        try await world.store.requestRefund(transaction: newest, .other, by: ada)
        try await world.settle(expecting: ["CONSUMPTION_REQUEST"])
        try await world.advance(
            to: "2026-02-21",
            telling: [
                """
                2026-02-20T23:59:59Z REFUND 5 silver.monthly 9.99 until 2026-03-15 \
                REFUND_FULL 2026-02-20T23:59:59Z
                """
            ])
    }

    @Test(
        "A decision that is due is made before anything that comes after it",
        arguments: Backend.available)
    func late(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-02-20"))
        let world = try await World(
            backend, at: "2026-02-20", mode: .running, machine: machine
        ) { $0.refundPolicy = .developer }
        let ada = try await world.device()
        let silver = try await world.subscribe("silver.monthly", by: ada)
        let bought = try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        let coins = try #require((bought?.transactionId).flatMap { Int64($0) })
        for id in [silver, coins] {
            try await world.store.requestRefund(transaction: id, .other, by: ada)
        }
        // Nobody has looked at what is due when these come, hours later.
        machine.set(World.instant("2026-02-21"))
        try await world.store.consumption(
            of: coins, Consumption(preference: .decline, percentage: nil, body: "{}"),
            for: world.caller())
        _ = try await world.store.purchase(PurchaseRequest(productID: "gold.monthly"), by: ada)
        let books = try await world.books()
        #expect(
            books.suffix(3) == [
                "2026-02-20 12:00 refund +9.990 -6.993 -2.997",
                "2026-02-20 12:00 refund +0.990 -0.693 -0.297",
                "2026-02-21 charge -19.990 +13.993 +5.997",
            ])
    }

    @Test(
        "A prorated refund gives the unused share, and with the used one it is the price",
        arguments: Backend.available)
    func prorated(_ backend: Backend) async throws {
        let (world, _, _, newest) = try await Self.renewed(backend)
        // 15 February to 15 March has 28 days, of which 23 are left: 9.99 × 23 / 28 = 8.206.
        try await world.store.refund(
            transaction: newest, .prorated, reason: .problemWithApp, in: .production)
        try await world.store.settle()
        let arrivals = world.listener.takeArrivals()
        #expect(
            arrivals.map(\.name) == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        let transaction = try #require(arrivals.last?.transaction)
        #expect(transaction.revocationType == .refundProrated)
        #expect(transaction.revocationReason == .issueInApp)
        #expect(transaction.revocationPercentage == 82_182)
        #expect(try await world.books().last == "2026-02-20 refund +8.210 -5.747 -2.463")
    }

    @Test(
        "A reversal gives access back until the agreed end, and takes the money",
        arguments: Backend.available)
    func reversed(_ backend: Backend) async throws {
        let (world, ada, id, newest) = try await Self.renewed(backend)
        try await world.store.refund(
            transaction: newest, .full, reason: .other, in: .production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        #expect(
            try await world.refundLines(id) == [
                "silver.monthly 9.99 until 2026-03-15 REFUND_FULL 2026-02-20"
            ])
        try await world.advance(to: "2026-03-01", expecting: [])
        try await world.store.reverseRefund(transaction: newest, in: .production)
        try await world.settle(
            telling: ["2026-03-01 REFUND_REVERSED 1 silver.monthly 9.99 until 2026-03-15"])
        #expect(try await world.store.entitlements(for: ada).count == 1)
        #expect(try await world.refundLines(id).isEmpty)
        #expect(
            try await world.books().suffix(2) == [
                "2026-02-20 refund +9.990 -6.993 -2.997",
                "2026-03-01 reversal -9.990 +6.993 +2.997",
            ])
        // A second time there is none, as where there never was one, but for another reason.
        let before = try await Tables(world.database)
        for (id, error) in [
            (newest, StoreError.RefundError.alreadyReversed("\(newest)")),
            (id, .refused(.notRefunded)),
        ] {
            await #expect(throws: StoreError.refund(error)) {
                try await world.store.reverseRefund(transaction: id, in: .production)
            }
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        try await world.advance(
            to: "2026-03-15",
            telling: ["2026-03-15 EXPIRED/VOLUNTARY 2 silver.monthly 9.99 until 2026-03-15"])
    }

    @Test(
        "After a recovery in grace an upgrade and a refund give the same share back",
        arguments: Backend.available)
    func recovered(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false) { settings in
            settings.gracePeriod = .sixteenDays
        }
        for account in ["ada", "bob"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(account))
            try await world.store.setPaymentMethod(
                .declines(until: World.instant("2026-02-11"), left: nil), account: account,
                in: .production)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-20"))
        let ada = try await world.store.customer(account: "ada", in: .production).1[0]
        _ = try await world.store.cancel(
            subscription: ada.id, .prorated, reason: .other, in: .production)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "gold.monthly"), by: world.device("bob"))
        // Charged at an attempt on 11 February for the period until 1 March: 18 days, 9 are left.
        let books = try await world.books().filter { $0.contains("+5.000") }
        #expect(
            books == [
                "2026-02-20 refund +5.000 -3.500 -1.500",
                "2026-02-20 proration +5.000 -3.500 -1.500",
            ])
    }

    @Test("Refunding an old period leaves the running one (REF-10)", arguments: Backend.available)
    func older(_ backend: Backend) async throws {
        let (world, ada, id, _) = try await Self.renewed(backend)
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.settle(
            telling: [
                "2026-02-20 REFUND 1 silver.monthly 9.99 until 2026-02-15 REFUND_FULL 2026-02-20"
            ])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-03-15 9.99"])
        #expect(try await world.store.entitlements(for: ada).count == 1)
        await #expect(throws: StoreError.refund(.refused(.alreadyRevoked))) {
            try await world.store.refund(
                transaction: id, .full, reason: .other, in: .production)
        }
    }

    @Test("A consumable is refunded by what was used of it", arguments: Backend.available)
    func consumable(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-02-20") { $0.refundPolicy = .developer }
        let ada = try await world.device()
        let coins = try #require(
            try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]))
        let id = Int64(coins.transactionId)!
        try await world.store.requestRefund(transaction: id, .fulfillmentIssue, by: ada)
        try await world.settle(expecting: ["CONSUMPTION_REQUEST"])
        try await world.store.consumption(
            of: id, Consumption(preference: .grantProrated, percentage: 25_000, body: "{}"),
            for: world.caller())
        try await world.settle(telling: ["2026-02-20 REFUND coins 0.99 REFUND_PRORATED 2026-02-20"])
        // Three quarters of 0.99 are 0.7425, which is 0.74.
        #expect(
            try await world.books() == [
                "2026-02-20 charge -0.990 +0.693 +0.297", "2026-02-20 refund +0.740 -0.518 -0.222",
            ])
    }

    @Test("A refund of a consumable is reversed once, too", arguments: Backend.available)
    func consumableReversed(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let coins = try #require(
            try await world.buy("coins", by: world.device(), expecting: []))
        let id = Int64(coins.transactionId)!
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.store.reverseRefund(transaction: id, in: .production)
        await #expect(throws: StoreError.refund(.alreadyReversed("\(id)"))) {
            try await world.store.reverseRefund(transaction: id, in: .production)
        }
        // Refunded again, it is reversed again.
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.store.reverseRefund(transaction: id, in: .production)
        #expect(try await world.books().count == 5)
    }

    @Test(
        "What the policy had to decide by then is not decided again by the operator",
        arguments: Backend.available)
    func decidedByThen(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-02-20"))
        let world = try await World(
            backend, at: "2026-02-20", mode: .running, machine: machine
        ) { $0.refundPolicy = .approve }
        let ada = try await world.device()
        let coins = try #require(
            try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]))
        let id = Int64(coins.transactionId)!
        let request = try await world.store.requestRefund(
            transaction: id, .fulfillmentIssue, by: ada)
        // Nobody has swept since it was due.
        machine.set(World.instant("2026-03-20"))
        await #expect(throws: StoreError.unknown(.refundRequest, "\(request.id)")) {
            try await world.store.decide(
                refundRequest: request.id, granting: nil, in: .production)
        }
        try await world.store.settle()
        let names = world.listener.takeArrivals().map(\.name)
        #expect(names.filter { $0.hasPrefix("REFUND") } == ["REFUND"])
    }

    @Test("What cannot be refunded changes nothing", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let (world, ada, trial) = try await PriceIncreaseStories.subscribed(
            backend, to: "silver.trial")
        let bob = try await world.device("bob")
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.refund(.refused(.nothingPaid))) {
            try await world.store.requestRefund(transaction: trial, .other, by: ada)
        }
        await #expect(throws: StoreError.unknown(.transaction, "\(trial)")) {
            try await world.store.requestRefund(transaction: trial, .other, by: bob)
        }
        await #expect(throws: StoreError.unknown(.transaction, "\(trial)")) {
            try await world.store.refund(
                transaction: trial, .full, reason: .other, in: .sandbox)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }

    @Test("What an upgrade replaced was given back already", arguments: Backend.available)
    func upgraded(_ backend: Backend) async throws {
        let (world, ada, _, newest) = try await Self.renewed(backend)
        try await world.buy(
            "gold.monthly", by: ada, expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        await #expect(throws: StoreError.self) {
            try await world.store.refund(
                transaction: newest, .full, reason: .other, in: .production)
        }
        #expect(
            try await world.books().suffix(2) == [
                "2026-02-20 proration +8.210 -5.747 -2.463",
                "2026-02-20 charge -19.990 +13.993 +5.997",
            ])
    }
}

extension World {
    /// The refund history of a customer, a line a transaction.
    fileprivate func refundLines(_ anyTransaction: Int64) async throws -> [String] {
        try await store.refundHistory(
            anyTransaction: anyTransaction, revision: nil, for: caller()
        ).signedTransactions.map { World.line(try JWSText.decode($0)) }
    }
}
