import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Who decides about what a merchant asks back, and what of a subscription a refund ends; what must
/// happen is said before the clock moves.
@Suite("Stories: what merchants ask back")
struct MerchantRefundStories {
    private typealias Errors = APIError.AdvancedCommerce
    private typealias Its = MerchantWorld

    private func refund(
        _ number: Int, _ skus: [String], ends: Bool = true, asksConsumption: Bool = false,
        token: String? = nil
    ) -> AdvancedCommerceRequestRefundRequest {
        var info = Its.reference(number)
        info.appAccountToken = token
        return AdvancedCommerceRequestRefundRequest(
            requestInfo: info,
            items: skus.map {
                AdvancedCommerceRequestRefundItem(
                    sku: $0, refundReason: .other, refundType: .full, revoke: ends)
            }, refundRiskingPreference: asksConsumption)
    }

    private func revocation(
        _ number: Int, asksConsumption: Bool = false
    ) -> AdvancedCommerceSubscriptionRevokeRequest {
        AdvancedCommerceSubscriptionRevokeRequest(
            requestInfo: Its.reference(number), refundReason: .legal, refundType: .full,
            refundRiskingPreference: asksConsumption)
    }

    @Test(
        "The policy decides, whether or not the developer wants to be asked about consumption",
        arguments: Backend.available)
    func policy(_ backend: Backend) async throws {
        let (world, _, first, id) = try await Its.bundle(
            backend, ["news": 9_990, "chess": 3_100, "go": 1_000])
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .decline }
        _ = try await world.store.requestRefund(
            transaction: id, refund(2, ["go"]), for: Its.production)
        try await world.settle(expecting: ["REFUND_DECLINED"])
        try await world.store.configure(bundleID: World.bundleID) {
            $0.refundPolicy = .operatorDecides
        }
        _ = try await world.store.requestRefund(
            transaction: id, refund(3, ["chess"]), for: Its.production)
        try await world.advance(to: "2026-01-08", expecting: [])
        await Its.expect(Errors.pendingRefund) {
            _ = try await world.store.requestRefund(
                transaction: id, refund(4, ["chess"]), for: Its.production)
        }
        let open = try await world.store.refundRequests(
            .open, before: nil, limit: 9, in: .production)
        _ = try await world.store.decide(
            refundRequest: try #require(open.first).request.id, granting: .full, in: .production)
        try await world.settle(expecting: ["REFUND"])
        let rest = try await Its.transaction(first.transactionId, in: world)
        #expect(
            rest.advancedCommerceInfo?.items.map { $0.revocationDate != nil }
                == [false, true, false])
        // A revocation turns renewal off, whoever is to decide about the money.
        _ = try await world.store.revoke(transaction: id, revocation(5), for: Its.production)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
        try await world.advance(to: "2026-02-02", expecting: ["EXPIRED/VOLUNTARY"])
        try await world.check()
    }

    @Test(
        "A revocation is granted though the newest transaction was given back before",
        arguments: Backend.available)
    func afterTheNewest(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await Its.bundle(backend, ["news": 9_990])
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        let added = try await Its.buy(
            Its.modify(2, first) { $0.addItems = [Its.added("sport", 3_100)] }, by: ada, in: world)
        _ = try await world.store.requestRefund(
            transaction: Int64(added.transactionId)!, refund(3, ["sport"]), for: Its.production)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "REFUND"])
        _ = try await world.store.revoke(
            transaction: id, revocation(4, asksConsumption: true), for: Its.production)
        try await world.advance(
            to: "2026-01-03",
            expecting: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "CONSUMPTION_REQUEST", "REFUND",
                "REFUND",
            ])
        let ledger = try await world.store.ledger(after: 0, limit: 99, in: .production)
        #expect(ledger.reduce(0) { $0 + $1.entry.customer } == 0)
        #expect(try await world.status(first.transactionId).status == .revoked)
        try await world.check()
    }

    @Test(
        "A refund of a cycle that is over ends nothing, whichever items it names (REF-10)",
        arguments: Backend.available)
    func earlierCycle(_ backend: Backend) async throws {
        let (world, _, first, id) = try await Its.bundle(backend, ["news": 9_990])
        try await world.advance(to: "2026-02-10", expecting: ["DID_RENEW"])
        let newest = try await Its.newest(of: first, in: world)
        await Its.expect(Errors.removalAllNotAllowed) {
            _ = try await world.store.requestRefund(
                transaction: Int64(newest.transactionId)!, refund(2, ["news"]),
                for: Its.production)
        }
        let token = "11111111-2222-4333-8444-555555555555"
        _ = try await world.store.requestRefund(
            transaction: id, refund(3, ["news"], token: token), for: Its.production)
        try await world.advance(to: "2026-03-02", expecting: ["REFUND", "DID_RENEW"])
        // The developer's name for the customer is kept, as of the other calls.
        #expect(try await Its.newest(of: first, in: world).appAccountToken == token)
        try await world.check()
    }

    @Test(
        "What was given back step by step stands once in the journal", arguments: Backend.available)
    func stepByStep(_ backend: Backend) async throws {
        let (world, ada, first, id) = try await Its.bundle(
            backend, ["news": 3_100, "chess": 6_200])
        try await world.advance(to: "2026-01-11", expecting: [])
        // 21 of 31 days of the news are 2.10.
        _ = try await world.store.buy(
            Its.modify(2, first) { $0.changeItems = [Its.changed("news", to: "daily", 9_300)] },
            by: ada)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        _ = try await world.store.requestRefund(
            transaction: id, refund(3, ["chess"]), for: Its.production)
        try await world.settle(expecting: ["REFUND"])
        #expect(
            try await world.ledger() == [
                "2026-01-01 +9.30", "2026-01-11 +6.30 -2.10", "2026-01-11 -6.20",
            ])
        _ = try await world.store.refund(
            transaction: id, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        #expect(try await world.ledger().last == "2026-01-11 -1.00")
        try await world.check()
    }

    @Test(
        "A change that the bank answers once its items were given back is nobody's",
        arguments: Backend.available)
    func paidTooLate(_ backend: Backend) async throws {
        for ended in [["news"], ["news", "chess"]] {
            let (world, ada, first, id) = try await Its.bundle(
                backend, ["news": 9_990, "chess": 3_100])
            try await world.store.setPaymentMethod(
                .answersLater(after: .hours(12), isPaid: true), account: "ada", in: .production)
            _ = try await world.store.buy(
                Its.modify(2, first) { $0.addItems = [Its.added("sport", 6_200)] }, by: ada)
            if ended.count == 2 {
                _ = try await world.store.refund(
                    transaction: id, .full, reason: .other, in: .production)
            } else {
                _ = try await world.store.requestRefund(
                    transaction: id, refund(3, ended), for: Its.production)
            }
            try await world.store.settle()
            _ = world.listener.takeArrivals()
            try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
            try await world.advance(to: "2026-01-03", expecting: [])
            let subscription = try await world.store.subscription(id).1
            #expect(
                subscription.plan.lines.map(\.sku)
                    == (ended.count == 2 ? ["news", "chess"] : ["chess"]))
            #expect(subscription.isOver == (ended.count == 2))
            #expect(subscription.newestPeriod.transactionID == id)
            try await world.check()
        }
    }
}
