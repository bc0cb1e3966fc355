import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A plan whose cycle two transactions pay for, and what becomes of it when they are given back.
extension MerchantWorld {
    /// The paper with news for 9.99 and chess for 3.10 since 1 January, and since the 11th sport,
    /// for 4.20 of 6.20: the numbers of both transactions.
    static func paper(_ backend: Backend) async throws -> (World, first: Int64, second: Int64) {
        let (world, ada, first, id) = try await bundle(
            backend, ["news": 9_990, "chess": 3_100])
        try await world.advance(to: "2026-01-11", expecting: [])
        let modified = try await buy(
            modify(2, first) { $0.addItems = [added("sport", 6_200)] }, by: ada, in: world)
        try await world.settle(expecting: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        return (world, id, try #require(Int64(modified.transactionId)))
    }

    /// What runs, and what renews; nothing where it is over, or renewal is off.
    static func standing(
        of id: Int64, in world: World
    ) async throws -> (runs: [String], renews: [String]) {
        let subscription = try await world.store.subscription(id).1
        let next = subscription.nextPlan ?? subscription.plan
        return (
            subscription.isOver ? [] : subscription.plan.lines.map(\.sku),
            subscription.renewsAutomatically ? next.lines.map(\.sku) : []
        )
    }

    static func revoke(_ id: Int64, in world: World) async throws {
        _ = try await world.store.revoke(
            transaction: id,
            AdvancedCommerceSubscriptionRevokeRequest(
                requestInfo: reference(9), refundReason: .legal, refundType: .full,
                refundRiskingPreference: false), for: production)
        try await world.settle(
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND", "REFUND"])
    }

    /// Takes the refund of a payment back.
    static func reverse(_ transaction: Int64, in world: World) async throws {
        try await world.store.reverseRefund(transaction: transaction, in: .production)
        try await world.settle(expecting: ["REFUND_REVERSED"])
    }

    /// Asks items of a transaction back, which end.
    static func giveBack(
        _ number: Int, _ skus: [String], of transaction: Int64, in world: World
    ) async throws {
        _ = try await world.store.requestRefund(
            transaction: transaction,
            AdvancedCommerceRequestRefundRequest(
                requestInfo: reference(number),
                items: skus.map {
                    AdvancedCommerceRequestRefundItem(
                        sku: $0, refundReason: .other, refundType: .full, revoke: true)
                }, refundRiskingPreference: false), for: production)
    }
}
