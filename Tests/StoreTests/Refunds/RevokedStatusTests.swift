import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Status 5 wherever the newest transaction is revoked")
struct RevokedStatusTests {
    /// Silver, bought on 15 January 2026, a month later expired, in grace or in retry.
    private static func over(
        _ backend: Backend, _ situation: Situation
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend) {
            $0.gracePeriod = situation == .grace ? .sixteenDays : nil
        }
        if situation == .expired {
            try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        } else {
            try await world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: "ada", in: .production)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-20"))
        _ = world.listener.takeArrivals()
        return (world, ada, id)
    }

    enum Situation: Sendable, CaseIterable {
        case expired, grace, retry

        var status: Status {
            switch self {
            case .expired: .expired
            case .grace: .billingGracePeriod
            case .retry: .billingRetry
            }
        }
    }

    @Test(
        "A refund of what is over, in grace or in retry is status 5, its reversal undoes it",
        arguments: Backend.available, Situation.allCases)
    func refunded(_ backend: Backend, _ situation: Situation) async throws {
        let (world, ada, id) = try await Self.over(backend, situation)
        func statuses(_ wanted: Set<Status>) async throws -> [Status] {
            try await world.store.statuses(anyTransaction: id, wanted, for: world.caller())
                .data.flatMap(\.lastTransactions).map(\.status)
        }
        #expect(try await statuses([]) == [situation.status])
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        let line = "silver.monthly 9.99 until 2026-02-15 REFUND_FULL 2026-02-20"
        let ends = [
            "2026-02-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 5 \(line)",
            "2026-02-20 EXPIRED/VOLUNTARY 5 \(line)",
        ]
        try await world.settle(
            telling: (situation == .expired ? [] : ends) + ["2026-02-20 REFUND 5 \(line)"])
        #expect(try await statuses([]) == [.revoked])
        #expect(try await statuses([.revoked]) == [.revoked])
        #expect(try await statuses([.expired, situation.status]) == [])
        #expect(try await world.shows(id) == ["5 silver.monthly off 2026-02-15 intent 1"])
        let device = try await world.store.subscriptions(for: ada)
        #expect(device.map(\.status) == [.revoked])
        #expect(device.map(\.isEntitled) == [false])
        #expect(try await world.store.subscription(id).1.status == .revoked)

        try await world.store.reverseRefund(transaction: id, in: .production)
        try await world.settle(
            telling: ["2026-02-20 REFUND_REVERSED 2 silver.monthly 9.99 until 2026-02-15"])
        #expect(try await statuses([]) == [.expired])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-02-15 intent 1"])
    }

    @Test(
        "A part that is refunded is a revocation like the whole, while the period runs and after",
        arguments: Backend.available)
    func prorated(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.advance(to: "2026-01-20", expecting: [])
        try await world.store.refund(
            transaction: id, .prorated, reason: .other, in: .production)
        let line = "silver.monthly 9.99 until 2026-02-15 REFUND_PRORATED 2026-01-20"
        try await world.settle(
            telling: [
                "2026-01-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 5 \(line)",
                "2026-01-20 REFUND 5 \(line)",
            ])
        try await world.advance(to: "2026-05-01", expecting: [])
        #expect(try await world.shows(id) == ["5 silver.monthly off 2026-02-15"])
    }

    @Test("Buying again begins without the old refund", arguments: Backend.available)
    func boughtAgain(_ backend: Backend) async throws {
        let (world, ada, id) = try await Self.over(backend, .expired)
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        try await world.buy(
            "silver.monthly", by: ada,
            telling: ["2026-02-20 SUBSCRIBED/RESUBSCRIBE 1 silver.monthly 9.99 until 2026-03-20"])
        // The refund of the old period is reversed; it is no longer how the subscription stands.
        try await world.store.reverseRefund(transaction: id, in: .production)
        try await world.settle(
            telling: ["2026-02-20 REFUND_REVERSED 1 silver.monthly 9.99 until 2026-02-15"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-03-20 9.99"])
    }

    @Test(
        "Reversing the refund of an older period revives no newest one that was refunded too",
        arguments: Backend.available)
    func olderReversed(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.advance(to: "2026-02-20", expecting: ["DID_RENEW"])
        let newest = try await world.store.subscription(id).1.newestPeriod.transactionID
        for transaction in [id, newest] {
            try await world.store.refund(
                transaction: transaction, .full, reason: .other, in: .production)
        }
        try await world.settle(
            expecting: ["REFUND", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await world.store.reverseRefund(transaction: id, in: .production)
        try await world.settle(
            telling: ["2026-02-20 REFUND_REVERSED 5 silver.monthly 9.99 until 2026-02-15"])
        #expect(try await world.shows(id) == ["5 silver.monthly off 2026-03-15"])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        #expect(
            try await world.books().suffix(3) == [
                "2026-02-20 refund +9.990 -6.993 -2.997",
                "2026-02-20 refund +9.990 -6.993 -2.997",
                "2026-02-20 reversal -9.990 +6.993 +2.997",
            ])
    }

    @Test(
        "A cent of 2,500.00 is some of it, and all but a cent is not all",
        arguments: Backend.available)
    func cents(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        try await world.store.setPrice(
            2_500_000, product: "silver.monthly", storefront: Storefront(code: "USA")!,
            bundleID: World.bundleID)
        // 10 of 2,678,400 seconds are 0.0093 of 2,500.
        for (account, moment, percentage, money) in [
            ("ada", "2026-01-15T00:00:10Z", 99_999, "+2499.990"),
            ("bob", "2026-02-15T00:00:00Z", 1, "+0.010"),
        ] {
            let id = try await world.subscribe("silver.monthly", by: world.device(account))
            _ = try await world.store.advance(to: World.instant(moment))
            try await world.store.refund(
                transaction: id, .prorated, reason: .other, in: .production)
            try await world.store.settle()
            let refund = try #require(world.listener.takeArrivals().last?.transaction)
            #expect(refund.revocationPercentage == percentage)
            #expect(refund.revocationType == .refundProrated)
            #expect(try await world.books().last?.contains(money) == true)
        }
    }
}
