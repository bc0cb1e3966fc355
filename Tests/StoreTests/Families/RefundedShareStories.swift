import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a refund of a period that is over does to the family.
@Suite("Stories: refunds and the family")
struct RefundedShareStories {
    @Test(
        "Of an earlier period a refund takes that alone, and the member's access stays (REF-10)",
        arguments: Backend.available)
    func earlier(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let id = try await world.subscribe("family.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        _ = try await world.tellings()
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.told([
            """
            ada 2026-02-10 REFUND 1 family.monthly 9.99 until 2026-02-01 REFUND_FULL 2026-02-10
            """,
            """
            bea 2026-02-10 REVOKE 1 family.monthly 0.00 until 2026-02-01 FAMILY_REVOKE 2026-02-10
            """,
        ])
        #expect(try await world.has(bea) == ["family.monthly*"])
        try await world.check()
    }

    @Test(
        "At one moment: a refund that is taken back gives nobody what was taken before it",
        arguments: Backend.available)
    func oneMoment(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        let id = try await world.subscribe("family.monthly", by: ada)
        try await world.store.setSharing(.off, originalTransaction: id, by: ada)
        try await world.store.setSharing(.on, originalTransaction: id, by: ada)
        let hers = try #require(try await world.store.subscriptions(for: bea).first)
            .originalTransactionID
        let taken = "family.monthly 0.00 until 2026-02-01 FAMILY_REVOKE 2026-01-01"
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        #expect(try await world.historyLines(hers) == [taken, taken])
        try await world.store.reverseRefund(transaction: id, in: .production)
        #expect(
            try await world.historyLines(hers)
                == [taken, "family.monthly 0.00 until 2026-02-01"])
        #expect(try await world.has(bea) == ["family.monthly*"])
        try await world.store.leave(account: "bea", in: .production)
        #expect(try await world.historyLines(hers) == [taken, taken])
        try await world.check()
    }

    @Test(
        "Who left while it was given back has nothing of it again (FAM-6)",
        arguments: Backend.available)
    func left(_ backend: Backend) async throws {
        let world = try await World.shareable(backend)
        let (ada, bea) = (try await world.device("ada"), try await world.device("bea"))
        let family = try await world.store.createFamily(
            organiser: "ada", with: ["bea"], in: .production)
        let id = try await world.subscribe("family.monthly", by: ada)
        let hers = try #require(try await world.store.subscriptions(for: bea).first)
            .originalTransactionID
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.store.leave(account: "bea", in: .production)
        try await world.store.join(family: family, account: "bea", in: .production)
        try await world.store.reverseRefund(transaction: id, in: .production)
        #expect(
            Set(try await world.historyLines(hers)) == [
                "family.monthly 0.00 until 2026-02-01 FAMILY_REVOKE 2026-02-10",
                "family.monthly 0.00 until 2026-03-01 FAMILY_REVOKE 2026-02-10",
                "family.monthly 0.00 until 2026-03-01",
            ])
        #expect(try await world.has(bea) == ["family.monthly*"])
        try await world.check()
    }
}
