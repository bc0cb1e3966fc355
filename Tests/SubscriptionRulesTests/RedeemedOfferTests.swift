import SubscriptionRules
import Testing

@Suite("Offers that are redeemed")
struct RedeemedOfferTests {
    /// Three months at 2.99, unless said otherwise.
    private static func promotion(
        _ mode: Offer.Mode = .payAsYouGo, _ price: Int64 = 2_990, count: Int = 3
    ) -> AppliedOffer {
        AppliedOffer(
            Offer(
                kind: .promotional, id: "spring", mode: mode, period: .month, periodCount: count,
                basePrice: price), in: .usa)
    }

    private let renewed = ServerNotification.didRenew(afterBillingProblem: false)

    @Test("For the running plan it begins at the next renewal, and costs nothing now (PRO-2)")
    func samePlan() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            chose(SamplePlans.silver, Self.promotion()), at: "2026-03-11",
            expecting: [.offerRedeemed(nil)])
        #expect(world.charges.count == 1)
        #expect(world.subscription.renewalPlan.amount.milliunits == 2_990)
        #expect(world.subscription.offersUsed.isEmpty)
        world.advance(to: "2026-07-01", expecting: [renewed, renewed, renewed, renewed])
        #expect(
            world.ledger == [
                "silver 2026-03-01…2026-04-01 9990", "silver 2026-04-01…2026-05-01 2990",
                "silver 2026-05-01…2026-06-01 2990", "silver 2026-06-01…2026-07-01 2990",
                "silver 2026-07-01…2026-08-01 9990",
            ])
        #expect(
            world.subscription.offersUsed
                == [OfferUse(kind: .promotional, id: "spring", at: moment("2026-04-01"))])
    }

    @Test("It takes the place of what is left of a running offer, the introductory one too (PRO-2)")
    func replaces() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.payAsYouGo(6, .month, 5_990),
            at: "2026-03-01")
        try world.send(
            chose(SamplePlans.silver, Self.promotion(count: 2)), at: "2026-04-11",
            expecting: [.offerRedeemed(nil)])
        // The last one that is redeemed counts.
        try world.send(
            chose(SamplePlans.silver, Self.promotion(.payAsYouGo, 1_990, count: 1)),
            at: "2026-04-12", expecting: [.offerRedeemed(nil)])
        world.advance(to: moment("2026-06-01"))
        #expect(
            world.ledger == [
                "silver 2026-03-01…2026-04-01 5990", "silver 2026-04-01…2026-05-01 5990",
                "silver 2026-05-01…2026-06-01 1990", "silver 2026-06-01…2026-07-01 9990",
            ])
    }

    @Test("With an upgrade it begins at once, and the old plan's unused share goes back (PRO-2)")
    func upgrade() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            chose(SamplePlans.gold, Self.promotion()), at: "2026-03-11",
            expecting: [.offerRedeemed(.upgrade)])
        #expect(world.charges.last?.bill.amount.milliunits == 2_990)
        #expect(world.refunds == [1: 6_770])
        world.advance(to: moment("2026-06-11"))
        #expect(
            world.ledger.dropFirst() == [
                "gold 2026-03-11…2026-04-11 2990", "gold 2026-04-11…2026-05-11 2990",
                "gold 2026-05-11…2026-06-11 2990", "gold 2026-06-11…2026-07-11 19990",
            ])
    }

    @Test(
        "With a downgrade or another duration it waits for the renewal (PRO-2)",
        arguments: [SamplePlans.bronze, SamplePlans.silverYearly])
    func waits(_ plan: Plan) throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        let offer = Self.promotion(.payUpFront, 3_990, count: 1)
        try world.send(
            chose(plan, offer), at: "2026-03-11", expecting: [.offerRedeemed(.downgrade)])
        #expect(world.charges.count == 1)
        world.advance(to: "2026-04-01", expecting: [renewed])
        #expect(world.ledger.last == "\(plan.productID) 2026-04-01…2026-05-01 3990")
        world.advance(to: "2026-05-01", expecting: [renewed])
        #expect(world.opened.last?.newestPeriod.price == plan.price.milliunits)
    }

    @Test("A running plan that is chosen with an offer withdraws a change that waits")
    func withdraws() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            chose(SamplePlans.bronze), at: "2026-03-05",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        try world.send(
            chose(SamplePlans.silver, Self.promotion()), at: "2026-03-11",
            expecting: [.didChangeRenewalPreference(.withdrawn), .offerRedeemed(nil)])
        #expect(world.subscription.nextPlan == nil)
        world.advance(to: moment("2026-04-01"))
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 2990")
    }

    @Test("A cancelled subscription goes on with the offer")
    func resumes() throws {
        var world = SampleState.cancelled.world()
        try world.send(
            chose(SamplePlans.silver, Self.promotion()), at: "2026-03-12",
            expecting: [.didChangeRenewalStatus(enabled: true), .offerRedeemed(nil)])
        world.advance(to: moment("2026-04-01"))
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 2990")
    }

    @Test("Whoever comes back with one is told of as a new subscription (PRO-3)")
    func comesBack() throws {
        var world = SampleState.expired.world()
        try world.send(
            chose(SamplePlans.silver, Self.promotion()), at: "2026-03-12",
            expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == "silver 2026-03-12…2026-04-12 2990")
    }

    @Test("In grace the attempt that succeeds charges the offer; in retry it is bought at once")
    func failedRenewals() throws {
        var grace = SampleState.grace.world()
        grace.declinesUntil = moment("2026-03-14")
        try grace.send(
            chose(SamplePlans.silver, Self.promotion()), at: "2026-03-11",
            expecting: [.offerRedeemed(nil)])
        grace.advance(to: moment("2026-03-16"))
        #expect(grace.ledger.last == "silver 2026-03-01…2026-04-01 2990")

        var retrying = SampleState.retrying.world()
        try retrying.send(
            chose(SamplePlans.silver, Self.promotion()), at: "2026-03-11",
            expecting: [.didRenew(afterBillingProblem: true)])
        #expect(retrying.ledger.last == "silver 2026-03-11…2026-04-11 2990")
    }

    @Test("A code follows the introductory offer where it may, and else takes its place (COD-3)")
    func stacks() {
        let code = AppliedOffer(
            Offer(
                kind: .offerCode, id: "WELCOME", mode: .freeTrial, period: .month), in: .usa)
        let stacked = SamplePlans.silver.changingLines { line in
            line.offer = SamplePlans.payAsYouGo(2, .month, 4_990)
            line.nextOffer = code
        }
        var world = LifecycleWorld(buying: stacked, at: "2026-03-01")
        world.advance(to: moment("2026-06-01"))
        #expect(
            world.ledger == [
                "silver 2026-03-01…2026-04-01 4990", "silver 2026-04-01…2026-05-01 4990",
                "silver 2026-05-01…2026-06-01 0", "silver 2026-06-01…2026-07-01 9990",
            ])
        #expect(
            world.subscription.offersUsed.map(\.kind) == [.introductory, .offerCode])
    }

    @Test("The developer's word brings the introductory offer back, and never for a change of plan")
    func granted() throws {
        let trial = SamplePlans.trial(.month)
        var world = LifecycleWorld(buying: SamplePlans.silver, offer: trial, at: "2026-01-01")
        try world.send(.turnedRenewalOff, at: moment("2026-01-02"))
        world.advance(to: moment("2026-02-10"))
        let again = SamplePlans.silver.changingLines { $0.offer = trial }
        try world.send(.chosePlan(again, grantsIntroductory: true), at: moment("2026-02-10"))
        #expect(world.ledger.last == "silver 2026-02-10…2026-03-10 0")
        let gold = SamplePlans.gold.changingLines { $0.offer = trial }
        try world.send(.chosePlan(gold, grantsIntroductory: true), at: moment("2026-03-11"))
        #expect(world.ledger.last == "gold 2026-03-11…2026-04-11 19990")
    }

    @Test("A higher price that was announced comes after the offer, and is announced anew")
    func increase() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            .priceWasChanged(of: "silver", to: 12_990), at: "2026-03-02", expecting: [])
        // A notice goes out 27 days ahead, on the 5th.
        world.advance(to: "2026-03-06", expecting: [.priceIncrease(isAccepted: true)])
        #expect(world.subscription.renewalPlan.amount.milliunits == 12_990)
        try world.send(
            chose(SamplePlans.silver, Self.promotion(count: 2)), at: "2026-03-11",
            expecting: [.offerRedeemed(nil)])
        #expect(world.subscription.agreesToIncreases == nil)
        world.advance(to: moment("2026-05-01"))
        _ = world.takeNotices()
        #expect(world.subscription.renewalPlan.amount.milliunits == 9_990)
        world.advance(to: moment("2026-09-01"))
        #expect(
            world.opened.map(\.newestPeriod.price)
                == [9_990, 2_990, 2_990, 9_990, 12_990, 12_990, 12_990])
    }
}
