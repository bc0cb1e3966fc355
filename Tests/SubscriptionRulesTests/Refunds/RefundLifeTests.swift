import SubscriptionRules
import Testing

@Suite("Refunds in the life of a subscription")
struct RefundLifeTests {
    private func refunded(_ id: Int64, fully: Bool = true) -> Event {
        .wasRefunded(transactionID: id, fully: fully)
    }

    private func reversed(
        _ id: Int64, from day: String, isNewestGivenBack: Bool = false
    ) -> Event {
        .refundWasReversed(
            transactionID: id, refunded: moment(day), isNewestGivenBack: isNewestGivenBack)
    }

    @Test(
        "A refund of the newest period is how it stands, whatever it was in, until the reversal",
        arguments: SampleState.allCases, [true, false])
    func newest(_ state: SampleState, _ fully: Bool) throws {
        var world = state.world()
        let newest = world.subscription.newestPeriod.transactionID
        try world.send(refunded(newest, fully: fully), at: moment("2026-03-11"))
        #expect(world.subscription.isRevoked)
        #expect(
            world.subscription.newestPeriod.refund
                == BillingPeriod.Refund(moment: moment("2026-03-11"), isFull: fully))
        #expect(world.subscription.isOver && !world.subscription.isEntitled)
        try world.send(reversed(newest, from: "2026-03-11"), at: moment("2026-03-12"))
        #expect(!world.subscription.isRevoked)
        let wasRunning = state == .active || state == .cancelled
        #expect(world.subscription.isEntitled == wasRunning)
        if !wasRunning {
            let over: Subscription.State =
                state == .expired
                ? .expired(.voluntary, at: moment("2026-03-01"))
                : .expired(.voluntary, at: moment("2026-03-11"))
            #expect(world.subscription.state == over)
        }
    }

    @Test("A period that comes after a refund of an expired one is not refunded")
    func boughtAgain() throws {
        var world = SampleState.expired.world()
        try world.send(refunded(1), at: moment("2026-03-11"))
        try world.send(chose(SamplePlans.silver), at: moment("2026-03-12"))
        #expect(!world.subscription.isRevoked)
        #expect(world.subscription.isEntitled)
        // Nor does a refund of the old one touch it.
        try world.send(reversed(1, from: "2026-03-11"), at: moment("2026-03-13"))
        try world.send(refunded(1), at: moment("2026-03-14"))
        #expect(!world.subscription.isRevoked)
        #expect(world.subscription.state == .active)
    }

    @Test("Reversing the refund of an older period leaves the newest one refunded (REF-10)")
    func older() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15")
        world.advance(to: moment("2026-02-20"))
        try world.send(refunded(1), at: moment("2026-02-20"))
        #expect(world.subscription.state == .active)
        try world.send(refunded(2), at: moment("2026-02-21"))
        let before = world.subscription
        try world.send(
            reversed(1, from: "2026-02-20", isNewestGivenBack: true), at: moment("2026-02-22"))
        #expect(world.subscription == before)
        #expect(world.subscription.state == .revoked)
        #expect(!world.subscription.isEntitled)
        try world.send(reversed(2, from: "2026-02-21"), at: moment("2026-02-23"))
        #expect(world.subscription.state == .active)
    }

    @Test("A plan and an offer that wait come back with a refund that is taken back (REF-9)")
    func waiting() throws {
        let month = AppliedOffer(
            Offer(kind: .promotional, id: "back", mode: .freeTrial, period: .month),
            in: Storefront(code: "USA")!)
        var bronze = SamplePlans.bronze
        bronze = bronze.changingLines { $0.offer = month }
        for plan in [SamplePlans.bronze, bronze] {
            var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
            try world.send(.chosePlan(plan), at: moment("2026-03-05"))
            let waiting = world.subscription.nextPlan
            try world.send(refunded(1), at: moment("2026-03-10"))
            #expect(world.subscription.state == .revoked)
            var late = world
            try world.send(reversed(1, from: "2026-03-10"), at: moment("2026-03-11"))
            #expect(world.subscription.nextPlan == waiting && waiting != nil)
            #expect(!world.subscription.renewsAutomatically)
            try world.send(.turnedRenewalOn, at: moment("2026-03-12"))
            world.advance(to: moment("2026-04-02"))
            #expect(world.subscription.plan.productID == "bronze")
            #expect(world.subscription.plan.onlyOffer == plan.onlyOffer)
            // What is over by then has nothing that waits.
            try late.send(reversed(1, from: "2026-03-10"), at: moment("2026-04-11"))
            #expect(late.subscription.isOver && late.subscription.nextPlan == nil)
        }
    }

    @Test(
        "A part of a price is never written as nothing or as all",
        arguments: [
            (10, 1), (20, 1), (30, 1), (40, 2), (1_249_990, 50_000), (2_499_960, 99_998),
            (2_499_970, 99_999), (2_499_980, 99_999), (2_499_990, 99_999), (2_500_000, 100_000),
        ] as [(Int64, Int)])
    func percentage(refunded: Int64, percentage: Int) {
        // Of 2,500.00: a cent is 0.4 of a thousandth of a per cent.
        let revocation = Revocation(
            kind: refunded == 2_500_000 ? .refundFull : .refundProrated, reason: .other,
            moment: moment("2026-03-01"),
            price: Money(milliunits: 2_500_000, SamplePlans.dollars), refunded: refunded)
        #expect(revocation.percentage == percentage)
    }
}
