import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Lives of families: what the developer is told of whom, and who has access.
@Suite("Stories: families")
struct FamilyStories {
    @Test(
        "What one buys the other has, through a renewal, until leaving (FAM-2, FAM-5, FAM-6)",
        arguments: Backend.available)
    func two(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let id = try #require(
            try await world.store.purchase(PurchaseRequest(productID: "family.monthly"), by: ada)
        )
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(id)
        try await world.told([
            "ada 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 9.99 until 2026-02-01",
            "bea 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-02-01",
        ])
        #expect(try await world.has(ada) == ["family.monthly"])
        #expect(try await world.has(bea) == ["family.monthly*"])
        // On each of her devices (HIG-23).
        let tablet = try await world.device("bea")
        #expect(try await world.has(tablet) == ["family.monthly*"])

        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        try await world.told([
            "ada 2026-02-01 DID_RENEW 1 family.monthly 9.99 until 2026-03-01",
            "bea 2026-02-01 DID_RENEW 1 family.monthly 0.00 until 2026-03-01",
        ])
        let shared = try #require(try await world.store.subscriptions(for: bea).first)
        #expect(shared.isShared && shared.isEntitled && shared.status == .active)
        #expect("\(shared.originalTransactionID)" != bought.originalTransactionId)
        #expect(
            try await world.shows(shared.originalTransactionID)
                == ["1 family.monthly on 2026-03-01"])

        try await world.store.leave(account: "bea", in: .production)
        try await world.told([
            """
            bea 2026-02-10 REVOKE 5 family.monthly 0.00 until 2026-03-01 \
            FAMILY_REVOKE 2026-02-10
            """
        ])
        #expect(try await world.has(bea) == [])
        #expect(try await world.has(tablet) == [])
        #expect(try await world.has(ada) == ["family.monthly"])
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        try await world.told([
            "ada 2026-03-01 DID_RENEW 1 family.monthly 9.99 until 2026-04-01"
        ])
        // Nothing of it is money.
        #expect(try await world.books().count == 3)
        try await world.check()
    }

    @Test(
        "What is bought once is shared, revoked and given again (FAM-5)",
        arguments: Backend.available)
    func once(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        let lifetime = try await world.buyOnce("lifetime", by: ada)
        _ = try await world.buyOnce("poster", by: ada)
        _ = try await world.buyOnce("coins", by: ada)
        try await world.told([
            "ada 2026-01-01 ONE_TIME_CHARGE lifetime 49.99",
            "ada 2026-01-01 ONE_TIME_CHARGE poster 2.99",
            "ada 2026-01-01 ONE_TIME_CHARGE coins 0.99",
        ])
        // Who joins later gains what is there.
        try await world.store.createFamily(organiser: "bea", with: ["ada"], in: .production)
        try await world.told(["bea 2026-01-01 ONE_TIME_CHARGE lifetime 0.00"])
        #expect(try await world.has(bea) == ["lifetime*"])
        _ = try await world.store.advance(to: World.instant("2026-01-05"))
        try await world.store.refund(
            transaction: lifetime, .full, reason: .other, in: .production)
        try await world.told([
            "ada 2026-01-05 REFUND lifetime 49.99 REFUND_FULL 2026-01-05",
            "bea 2026-01-05 REVOKE lifetime 0.00 FAMILY_REVOKE 2026-01-05",
        ])
        #expect(try await world.has(bea) == [])
        try await world.store.reverseRefund(transaction: lifetime, in: .production)
        try await world.told([
            "ada 2026-01-05 REFUND_REVERSED lifetime 49.99",
            "bea 2026-01-05 ONE_TIME_CHARGE lifetime 0.00",
        ])
        #expect(try await world.has(bea) == ["lifetime*"])
        try await world.store.setSharing(
            .hidden, originalTransaction: lifetime, by: ada)
        try await world.told(["bea 2026-01-05 REVOKE lifetime 0.00 FAMILY_REVOKE 2026-01-05"])
        #expect(try await world.has(ada) == ["lifetime", "poster"])
        // Without it bea buys one of her own, which nobody takes from her.
        _ = try await world.buyOnce("lifetime", by: bea)
        try await world.told([
            "bea 2026-01-05 ONE_TIME_CHARGE lifetime 49.99",
            "ada 2026-01-05 ONE_TIME_CHARGE lifetime 0.00",
        ])
        #expect(try await world.has(ada) == ["lifetime", "lifetime*", "poster"])
        try await world.check()
    }

    @Test(
        "Failure, recovery, cancelling and a new start reach the members",
        arguments: Backend.available)
    func failing(_ backend: Backend) async throws {
        let world = try await World.shareable(backend) { $0.gracePeriod = .sixteenDays }
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let id = try await world.subscribe("family.monthly", by: ada)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-20"))
        let ada1 = "family.monthly 9.99 until 2026-02-01"
        let bea1 = "family.monthly 0.00 until 2026-02-01"
        try await world.told([
            "ada 2026-02-01 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 \(ada1)",
            "bea 2026-02-01 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 \(bea1)",
            "ada 2026-02-17 GRACE_PERIOD_EXPIRED 3 \(ada1)",
            "bea 2026-02-17 GRACE_PERIOD_EXPIRED 3 \(bea1)",
        ])
        #expect(try await world.has(bea) == [])
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        try await world.told([
            "ada 2026-02-20 DID_RENEW/BILLING_RECOVERY 1 family.monthly 9.99 until 2026-03-20",
            "bea 2026-02-20 DID_RENEW/BILLING_RECOVERY 1 family.monthly 0.00 until 2026-03-20",
        ])
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.advance(to: World.instant("2026-04-01"))
        let ada2 = "family.monthly 9.99 until 2026-03-20"
        let bea2 = "family.monthly 0.00 until 2026-03-20"
        try await world.told([
            "ada 2026-02-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 \(ada2)",
            "bea 2026-02-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 \(bea2)",
            "ada 2026-03-20 EXPIRED/VOLUNTARY 2 \(ada2)",
            "bea 2026-03-20 EXPIRED/VOLUNTARY 2 \(bea2)",
        ])
        // What is over is left without a word, and joined without one.
        try await world.store.leave(account: "bea", in: .production)
        let family = try #require(
            try await world.store.families(in: .production, after: 0, limit: 10).first)
        try await world.store.join(family: family.id, account: "bea", in: .production)
        try await world.told([])
        // It still says why it had ended.
        let hers = try #require(try await world.store.subscriptions(for: bea).first)
            .originalTransactionID
        #expect(try await world.status("\(hers)").renewal.expirationIntent?.rawValue == 1)
        #expect(try await world.subscribe("family.monthly", by: ada) == id)
        #expect(try await world.has(bea) == ["family.monthly*"])
        let lines = try await world.historyLines(
            try #require(try await world.store.subscriptions(for: bea).first)
                .originalTransactionID)
        #expect(
            lines == [
                "family.monthly 0.00 until 2026-02-01", "family.monthly 0.00 until 2026-03-20",
                "family.monthly 0.00 until 2026-05-01",
            ])
        try await world.check()
    }

    @Test(
        "An extension reaches the members, and one who joins in retry waits for the recovery",
        arguments: Backend.available)
    func extending(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        _ = try await world.device("carl")
        let family = try await world.store.createFamily(
            organiser: "ada", with: ["bea"], in: .production)
        let id = try await world.subscribe("family.monthly", by: ada)
        _ = try await world.store.extend(
            originalTransaction: id, try ExtensionRequest(days: 10, reasonCode: 1),
            requestIdentifier: "one", for: world.caller())
        try await world.told([
            "ada 2026-01-01 RENEWAL_EXTENDED 1 family.monthly 9.99 until 2026-02-11",
            "bea 2026-01-01 RENEWAL_EXTENDED 1 family.monthly 0.00 until 2026-02-11",
        ])
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-12"))
        _ = world.listener.takeArrivals()
        try await world.store.join(family: family, account: "carl", in: .production)
        try await world.told([])
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        try await world.told([
            "ada 2026-02-12 DID_RENEW/BILLING_RECOVERY 1 family.monthly 9.99 until 2026-03-12",
            "bea 2026-02-12 DID_RENEW/BILLING_RECOVERY 1 family.monthly 0.00 until 2026-03-12",
            "carl 2026-02-12 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-03-12",
        ])
        #expect(try await world.has(bea) == ["family.monthly*"])
        try await world.check()
    }

    @Test(
        "A member's own subscription is another one, and stays (FAM-6)",
        arguments: Backend.available)
    func own(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        let own = try await world.subscribe("single.monthly", by: bea)
        #expect(try await world.has(bea) == ["family.monthly*", "single.monthly"])
        #expect(
            try await world.shows(own) == [
                "1 single.monthly on 2026-02-01 4.99", "1 family.monthly on 2026-02-01",
            ])
        try await world.store.leaveFamily(by: bea)
        try await world.told([
            "bea 2026-01-01 REVOKE 5 family.monthly 0.00 until 2026-02-01 FAMILY_REVOKE 2026-01-01"
        ])
        #expect(try await world.has(bea) == ["single.monthly"])
        #expect(
            try await world.shows(own) == [
                "1 single.monthly on 2026-02-01 4.99", "5 family.monthly off 2026-02-01",
            ])
        try await world.check()
    }

    @Test(
        "A pending purchase is shared when it is paid, one that ends without consent ends for all",
        arguments: Backend.available)
    func pendingAndPrice(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        try await world.store.setPaymentMethod(
            .answersLater(after: nil, isPaid: true), account: "ada", in: .production)
        let asked = try await world.store.buy(
            PurchaseRequest(productID: "family.monthly"), by: ada)
        #expect(try await world.has(bea) == [])
        try await world.store.answer(
            bill: try #require(asked.pendingBill), .paid, in: .production)
        try await world.told([
            "ada 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 9.99 until 2026-02-01",
            "bea 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-02-01",
        ])
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        try await world.schedule("family.monthly", 29_990, live: "2026-01-02")
        _ = try await world.store.advance(to: World.instant("2026-04-15"))
        let lines = try await world.tellings()
        // The purchaser is asked; the end without an answer is everybody's.
        let asking = lines.filter { $0.contains("PRICE_INCREASE/PENDING") }
        #expect(asking.count == 1 && asking.allSatisfy { $0.hasPrefix("ada ") }, "\(lines)")
        let ends = lines.filter { $0.contains("EXPIRED/PRICE_INCREASE") }
        #expect(ends.map { String($0.prefix(4)) } == ["ada ", "bea "], "\(lines)")
        #expect(try await world.has(bea) == [])
        try await world.check()
    }

    @Test(
        "Who is extended with everybody is extended with the family", arguments: Backend.available)
    func massExtension(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        let bea = try await world.device("bea")
        try await world.store.createFamily(organiser: "bea", with: ["ada"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        try await world.store.massExtend(
            MassExtensionOrder(
                productID: "family.monthly",
                request: try ExtensionRequest(days: 7, reasonCode: 3),
                requestIdentifier: "11111111-2222-4333-8444-555555555555"),
            for: world.caller())
        try await world.store.settle()
        let shared = try #require(try await world.store.subscriptions(for: bea).first)
        #expect(
            try await world.historyLines(shared.originalTransactionID)
                == ["family.monthly 0.00 until 2026-02-08"])
        #expect(shared.expires == World.instant("2026-02-08"))
        try await world.check()
    }
}
