import SubscriptionRules
import Testing

@Suite("The end of grace")
struct GraceEndTests {
    @Test(
        "Grace ends with the period that a recovery in it would open (GRA-3)",
        arguments: [
            // 28 days after 8 February at noon in California, the clocks have gone forward: the
            // period of then ends at noon, which is an hour sooner.
            ("2026-01-08 20:00", BillingZone.pacific, "2026-03-08 19:00"),
            ("2026-01-08 20:00", .utc, "2026-03-08 20:00"),
            // In a longer month the 28 days are what ends it.
            ("2026-02-08 20:00", .pacific, "2026-04-05 19:00"),
        ])
    func graceEndsInTime(_ bought: String, _ zone: BillingZone, _ until: String) throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: bought,
            under: Conditions(zone: zone, gracePeriod: .twentyEightDays))
        world.declinesUntil = .latest
        world.advance(to: moment(until) - .seconds(1))
        guard case .grace(_, let end) = world.subscription.state else {
            Issue.record("no grace: \(world.subscription.state)")
            return
        }
        #expect(text(end) == until)
        world.advance(to: moment(until))
        #expect(!world.subscription.isEntitled)
        // From here on a recovery counts from its own day.
        world.declinesUntil = nil
        try world.send(.changedPaymentMethod, at: moment(until))
        #expect(world.subscription.newestPeriod.start == moment(until))
    }
}
