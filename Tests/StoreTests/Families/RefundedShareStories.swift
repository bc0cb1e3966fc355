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
}
