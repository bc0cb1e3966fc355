import AppStoreWire
import Journal
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Several transactions pay for one cycle of a merchant's plan that is given back as a whole: while
/// the newest is, so is everything (ACM-7, REF-9).
@Suite("Stories: a merchant's plan that was given back as a whole, and comes back")
struct MerchantWholeReversalStories {
    private typealias Its = MerchantWorld

    @Test(
        "Of what was revoked each payment brings back what it was for, the newest first",
        arguments: Backend.available)
    func newestFirst(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.revoke(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == ([], []))
        try await world.advance(to: "2026-01-15", expecting: [])
        try await world.store.reverseRefund(transaction: second, in: .production)
        #expect(try await Its.standing(of: first, in: world) == (["sport"], []))
        try await world.advance(to: "2026-01-20", expecting: ["REFUND_REVERSED"])
        try await world.store.reverseRefund(transaction: first, in: .production)
        #expect(try await Its.standing(of: first, in: world) == (["sport", "news", "chess"], []))
        try await world.advance(
            to: "2026-02-02", expecting: ["REFUND_REVERSED", "EXPIRED/VOLUNTARY"])
        try await world.check()
    }

    @Test(
        "While the newest is given back everything is, whatever else was paid after all",
        arguments: Backend.available)
    func newestLast(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.revoke(first, in: world)
        try await world.advance(to: "2026-01-15", expecting: [])
        try await world.store.reverseRefund(transaction: first, in: .production)
        #expect(try await Its.standing(of: first, in: world) == ([], []))
        #expect(try await world.status("\(first)").status == .revoked)
        try await world.advance(to: "2026-01-20", expecting: ["REFUND_REVERSED"])
        try await world.store.reverseRefund(transaction: second, in: .production)
        #expect(try await Its.standing(of: first, in: world) == (["news", "chess", "sport"], []))
        #expect(try await world.status("\(first)").status == .active)
        try await world.check()
    }

    @Test(
        "An earlier payment that went back before the newest waits for it with its items",
        arguments: Backend.available)
    func earlierFirst(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        for transaction in [first, second] {
            try await world.store.refund(
                transaction: transaction, .full, reason: .other, in: .production)
        }
        try await world.advance(
            to: "2026-01-15",
            expecting: ["REFUND", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await Its.reverse(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == ([], []))
        try await Its.reverse(second, in: world)
        #expect(
            try await Its.standing(of: first, in: world) == (["sport", "news", "chess"], []))
        try await world.check()
    }

    @Test(
        "And also where each of its items was given back by itself", arguments: Backend.available)
    func newestLastWithItems(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.giveBack(3, ["sport"], of: second, in: world)
        try await world.advance(to: "2026-01-12", expecting: ["REFUND"])
        try await Its.revoke(first, in: world)
        try await world.advance(to: "2026-01-15", expecting: [])
        try await Its.reverse(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == ([], []))
        #expect(try await world.status("\(first)").status == .revoked)
        try await world.advance(to: "2026-01-20", expecting: [])
        try await Its.reverse(second, in: world)
        #expect(try await Its.standing(of: first, in: world) == (["news", "chess"], []))
        #expect(try await world.status("\(first)").status == .active)
        try await world.check()
    }

    @Test(
        "What ended with its last items ended then, though the newest is given back later",
        arguments: Backend.available)
    func endedThen(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await Its.giveBack(3, ["sport"], of: second, in: world)
        try await world.advance(to: "2026-01-15", expecting: ["REFUND"])
        try await world.store.refund(
            transaction: first, .prorated, reason: .other, in: .production)
        try await world.advance(
            to: "2026-01-30",
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await world.store.refund(transaction: second, .full, reason: .other, in: .production)
        try await world.settle(expecting: ["REFUND"])
        let refund = try await world.store.subscription(first).1.newestPeriod.refund
        #expect(refund == .init(moment: World.instant("2026-01-15"), isFull: false))
        // Neither payment alone brings anything back.
        try await Its.reverse(second, in: world)
        #expect(try await Its.standing(of: first, in: world) == ([], []))
        try await Its.reverse(first, in: world)
        #expect(try await Its.standing(of: first, in: world) == (["news", "chess"], []))
        try await world.check()
    }

    @Test("A revocation says what it gave back of every payment", arguments: Backend.available)
    func revocation(_ backend: Backend) async throws {
        let (world, first, _) = try await Its.paper(backend)
        try await Its.revoke(first, in: world)
        func revocation() async throws -> MerchantRequest? {
            try await world.store.merchantRequests(subscription: first, after: 0, limit: 9).last
        }
        let made = try #require(try await revocation())
        #expect(made.outcome == .done && made.refunded == 17_290)
        #expect(made.notices.count { $0 == "REFUND" } == 2)
        #expect(
            made.alterations.filter { $0.kind == .refunded }.map(\.amount)
                == [4_200, 9_990, 3_100])
        // What comes after a reversal is no part of it, be it at the same moment.
        try await Its.reverse(first, in: world)
        try await world.store.refund(transaction: first, .full, reason: .other, in: .production)
        let later = try #require(try await revocation())
        #expect(later.refunded == made.refunded && later.notices == made.notices)
    }

    @Test(
        "An item that went back while all was given back does not come with the newest",
        arguments: Backend.available)
    func afterTheWhole(_ backend: Backend) async throws {
        let (world, first, second) = try await Its.paper(backend)
        try await world.store.refund(transaction: second, .full, reason: .other, in: .production)
        try await world.advance(
            to: "2026-01-15",
            expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await Its.giveBack(3, ["chess"], of: first, in: world)
        try await world.advance(to: "2026-01-20", expecting: ["REFUND"])
        try await Its.reverse(second, in: world)
        #expect(try await Its.standing(of: first, in: world) == (["news", "sport"], []))
        try await world.check()
    }
}
