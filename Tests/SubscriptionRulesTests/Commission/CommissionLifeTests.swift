import SubscriptionRules
import Testing

@Suite("Commission in the life of a subscription")
struct CommissionLifeTests {
    /// The day of the first charge at the reduced rate, and which charge that is.
    private func firstReduced(_ world: LifecycleWorld) -> String? {
        let terms = world.opened.map(\.newestPeriod)
        return terms.firstIndex { $0.commission == .reduced }
            .map { "\($0 + 1): \(text(terms[$0].start))" }
    }

    @Test("A year of monthly charges: the thirteenth is the first at the reduced rate (COM-8)")
    func monthly() {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2025-01-15")
        world.advance(to: moment("2026-03-15"))
        #expect(firstReduced(world) == "13: 2026-01-15")
    }

    @Test("Days of an extension come on top of the year, they are none of it (EXT-7, COM-3)")
    func extended() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2025-01-15")
        try world.send(
            .wasExtended(try #require(try? ExtensionRequest(days: 90, reasonCode: 3))),
            at: moment("2025-01-20"))
        #expect(text(world.subscription.newestPeriod.end) == "2025-05-16")
        world.advance(to: moment("2026-07-16"))
        // 31 days until 15 February, then from 16 May on: 365 are full on 15 April 2026.
        #expect(firstReduced(world) == "13: 2026-04-16")
    }

    @Test("What an upgrade cut short counts only as far as it was served (COM-2, COM-8)")
    func upgraded() throws {
        var world = LifecycleWorld(buying: SamplePlans.silverYearly, at: "2025-01-15")
        try world.send(chose(SamplePlans.gold), at: moment("2025-02-14"))
        #expect(world.subscription.plan == SamplePlans.gold)
        world.advance(to: moment("2026-04-14"))
        // 30 days of the year, then months: on 14 January 2026 they are 364.
        #expect(firstReduced(world) == "14: 2026-02-14")
    }

    @Test("A refund of a period that was over takes nothing from the year")
    func refundedLater() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2025-01-15")
        world.advance(to: moment("2025-12-20"))
        try world.send(.turnedRenewalOff, at: moment("2025-12-20"))
        world.advance(to: moment("2026-01-16"))
        try world.send(
            .wasRefunded(transactionID: world.subscription.newestPeriod.transactionID, fully: true),
            at: moment("2026-01-16"))
        try world.send(chose(SamplePlans.silver), at: moment("2026-01-17"))
        #expect(firstReduced(world) == "13: 2026-01-17")
    }
}
