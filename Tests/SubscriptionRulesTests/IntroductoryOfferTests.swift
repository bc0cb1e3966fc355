import SubscriptionRules
import Testing

@Suite("Introductory offers")
struct IntroductoryOfferTests {
    @Test(
        "Each mode is charged as it says, then the standard price follows",
        arguments: [
            (
                SamplePlans.trial(CalendarPeriod(3, .day)), "2026-05-06",
                [
                    "silver 2026-03-01…2026-03-04 0", "silver 2026-03-04…2026-04-04 9990",
                    "silver 2026-04-04…2026-05-04 9990", "silver 2026-05-04…2026-06-04 9990",
                ]
            ),
            (
                SamplePlans.trial(.week), "2026-04-08",
                [
                    "silver 2026-03-01…2026-03-08 0", "silver 2026-03-08…2026-04-08 9990",
                    "silver 2026-04-08…2026-05-08 9990",
                ]
            ),
            (
                SamplePlans.trial(.month), "2026-05-01",
                [
                    "silver 2026-03-01…2026-04-01 0", "silver 2026-04-01…2026-05-01 9990",
                    "silver 2026-05-01…2026-06-01 9990",
                ]
            ),
            (
                SamplePlans.trial(.year), "2027-03-01",
                ["silver 2026-03-01…2027-03-01 0", "silver 2027-03-01…2027-04-01 9990"]
            ),
            (
                SamplePlans.payAsYouGo(3, .month, 4_990), "2026-07-01",
                [
                    "silver 2026-03-01…2026-04-01 4990", "silver 2026-04-01…2026-05-01 4990",
                    "silver 2026-05-01…2026-06-01 4990", "silver 2026-06-01…2026-07-01 9990",
                    "silver 2026-07-01…2026-08-01 9990",
                ]
            ),
            (
                SamplePlans.payAsYouGo(1, .month, 990), "2026-04-01",
                ["silver 2026-03-01…2026-04-01 990", "silver 2026-04-01…2026-05-01 9990"]
            ),
            (
                SamplePlans.payUpFront(CalendarPeriod(6, .month), 39_990), "2026-10-01",
                [
                    "silver 2026-03-01…2026-09-01 39990", "silver 2026-09-01…2026-10-01 9990",
                    "silver 2026-10-01…2026-11-01 9990",
                ]
            ),
        ] as [(AppliedOffer, String, [String])])
    func modes(_ offer: AppliedOffer, _ until: String, _ expected: [String]) {
        var world = LifecycleWorld(buying: SamplePlans.silver, offer: offer, at: "2026-03-01")
        #expect(world.subscription.hasUsedIntroductoryOffer)
        world.advance(
            to: until,
            expecting: Array(
                repeating: .didRenew(afterBillingProblem: false), count: expected.count - 1))
        #expect(world.ledger == expected)
        #expect(world.subscription.plan.onlyOffer == nil)
        #expect(
            world.charges.map(\.bill.amount.milliunits) == world.opened.map(\.newestPeriod.price))
    }

    @Test("Twelve discounted months are twelve transactions, and the thirteenth is not one")
    func twelveDiscounted() {
        let offer = SamplePlans.payAsYouGo(12, .month, 1_990)
        var world = LifecycleWorld(buying: SamplePlans.silver, offer: offer, at: "2026-01-31")
        world.advance(to: moment("2027-01-31"))
        #expect(
            world.opened.map(\.newestPeriod.price) == Array(repeating: 1_990, count: 12) + [9_990])
        #expect(world.opened.map { $0.plan.onlyOffer?.periodsLeft } == (0..<12).reversed() + [nil])
        #expect(world.ledger.last == "silver 2027-01-31…2027-02-28 9990")
    }

    @Test(
        "A month-long trial keeps the purchase day, a week-long one starts the months (CAL-13)",
        arguments: [
            (CalendarPeriod.month, ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]),
            (.week, ["2026-02-07", "2026-03-07", "2026-04-07", "2026-05-07"]),
            (CalendarPeriod(2, .week), ["2026-02-14", "2026-03-14", "2026-04-14", "2026-05-14"]),
            (CalendarPeriod(2, .month), ["2026-03-31", "2026-04-30", "2026-05-31"]),
        ])
    func anchorAfterTrial(_ trial: CalendarPeriod, _ ends: [String]) {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(trial), at: "2026-01-31")
        world.advance(to: moment(ends[ends.count - 2]))
        #expect(world.opened.map { text($0.newestPeriod.end) } == ends)
    }

    @Test("A trial that is cancelled ends without a charge")
    func cancelledTrial() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(.week), at: "2026-03-01")
        try world.send(
            .turnedRenewalOff, at: "2026-03-02",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        #expect(world.subscription.isEntitled)
        world.advance(to: "2026-03-08", expecting: [.expired(.voluntary)])
        #expect(world.charges.map(\.bill.amount.milliunits) == [0])
    }

    @Test("Who used one never gets another in the group, whatever plan and offer (TAB-5.2)")
    func oncePerGroup() throws {
        let offer = SamplePlans.trial(.week)
        var world = LifecycleWorld(buying: SamplePlans.silver, offer: offer, at: "2026-03-01")
        try world.send(
            .turnedRenewalOff, at: "2026-03-02",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        try world.send(
            chose(SamplePlans.gold, SamplePlans.payAsYouGo(2, .month, 990)),
            at: "2027-03-01", expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == "gold 2027-03-01…2027-04-01 19990")
        #expect(world.subscription.plan.onlyOffer == nil)
    }

    @Test("Who never used one may have it on coming back, and then no more")
    func onComingBack() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            .turnedRenewalOff, at: "2026-03-02",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        let again = chose(SamplePlans.silver, SamplePlans.trial(.week))
        try world.send(again, at: "2026-05-01", expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == "silver 2026-05-01…2026-05-08 0")
        #expect(world.subscription.hasUsedIntroductoryOffer)
        try world.send(
            .turnedRenewalOff, at: "2026-05-02",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        try world.send(again, at: "2026-06-01", expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == "silver 2026-06-01…2026-07-01 9990")
    }

    @Test("A declined purchase does not use the offer up")
    func declinedKeepsEligibility() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            .turnedRenewalOff, at: "2026-03-02",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        let offer = SamplePlans.payAsYouGo(2, .month, 990)
        world.declinesNext = 1
        world.decline(
            chose(SamplePlans.gold, offer), at: "2026-05-01")
        #expect(!world.subscription.hasUsedIntroductoryOffer)
        try world.send(
            chose(SamplePlans.gold, offer), at: "2026-05-02",
            expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == "gold 2026-05-02…2026-06-02 990")
    }

    @Test("A promotional offer does not use the introductory one up")
    func promotionKeepsEligibility() {
        let promotion = AppliedOffer(
            Offer(kind: .promotional, id: "hello", mode: .freeTrial, period: .week),
            in: .usa)
        let world = LifecycleWorld(buying: SamplePlans.silver, offer: promotion, at: "2026-03-01")
        #expect(!world.subscription.hasUsedIntroductoryOffer)
    }

    @Test(
        "No change of plan grants one, whatever the state (TAB-2.3, INT-2)",
        arguments: PlanChangeCell.immediate + PlanChangeCell.waiting + PlanChangeCell.afterFailure)
    func neverOnPlanChange(_ cell: PlanChangeCell) throws {
        var world = cell.world()
        try world.send(
            chose(cell.plan, SamplePlans.trial(.week)), at: "2026-03-11",
            expecting: cell.notices)
        world.advance(to: world.subscription.newestPeriod.end)
        #expect(world.ledger.last == cell.renewed)
        #expect(world.charges.dropFirst().allSatisfy { $0.bill.plan.onlyOffer == nil })
    }

    @Test("A downgrade in the middle of a discounted run ends the run")
    func downgradeInsideRun() throws {
        let offer = SamplePlans.payAsYouGo(6, .month, 4_990)
        var world = LifecycleWorld(buying: SamplePlans.silver, offer: offer, at: "2026-01-15")
        try world.send(
            chose(SamplePlans.bronze), at: "2026-02-20",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        world.advance(to: moment("2026-04-15"))
        #expect(
            world.ledger == [
                "silver 2026-01-15…2026-02-15 4990", "silver 2026-02-15…2026-03-15 4990",
                "bronze 2026-03-15…2026-04-15 4990", "bronze 2026-04-15…2026-05-15 4990",
            ])
        #expect(world.opened.map { $0.plan.onlyOffer?.periodsLeft } == [5, 4, nil, nil])
    }

    @Test("A withdrawn downgrade brings the discounted run back")
    func withdrawnInsideRun() throws {
        let offer = SamplePlans.payAsYouGo(3, .month, 1_990)
        var world = LifecycleWorld(buying: SamplePlans.silver, offer: offer, at: "2026-01-15")
        try world.send(
            chose(SamplePlans.bronze), at: "2026-01-20",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        try world.send(
            chose(SamplePlans.silver), at: "2026-01-21",
            expecting: [.didChangeRenewalPreference(.withdrawn)])
        world.advance(to: moment("2026-04-15"))
        #expect(world.opened.map(\.newestPeriod.price) == [1_990, 1_990, 1_990, 9_990])
    }

    @Test("A discounted run goes on after a recovery, with nothing lost and nothing added")
    func recoveryInsideRun() throws {
        let offer = SamplePlans.payAsYouGo(3, .month, 1_990)
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: offer, at: "2026-01-15",
            under: Conditions(gracePeriod: .sixteenDays))
        world.declinesUntil = moment("2026-02-17")
        world.advance(to: moment("2026-04-15"))
        #expect(
            world.ledger == [
                "silver 2026-01-15…2026-02-15 1990", "silver 2026-02-15…2026-03-15 1990",
                "silver 2026-03-15…2026-04-15 1990", "silver 2026-04-15…2026-05-15 9990",
            ])
    }
}
