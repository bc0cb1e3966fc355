import SubscriptionRules
import Testing

@Suite("The life of a subscription: each state and each event")
struct LifecycleTests {
    /// What comes of an event: a refusal, or the actions that it asks for first.
    enum Outcome: Hashable {
        case refused(Refusal)
        case nothing
        case tells([ServerNotification])
        case charges(Bill.Purpose)
    }

    private static let off = ServerNotification.didChangeRenewalStatus(enabled: false)
    private static let on = ServerNotification.didChangeRenewalStatus(enabled: true)
    private static let ended = Outcome.tells([.expired(.other)])
    private static let waits = ServerNotification.didChangeRenewalPreference(.downgrade)

    @Test(
        "What each state answers",
        arguments: [
            // In the order of SampleState: active, cancelled, grace, retrying, expired.
            (
                chose(SamplePlans.silver),
                [
                    Outcome.refused(.alreadySubscribed), .tells([on]), .refused(.alreadySubscribed),
                    .charges(.purchase), .charges(.purchase),
                ]
            ),
            (
                chose(SamplePlans.gold),
                [
                    .charges(.planChange(.change)), .charges(.planChange(.change)),
                    .charges(.planChange(.change)),
                    .charges(.planChange(.change)), .charges(.purchase),
                ]
            ),
            (
                chose(SamplePlans.bronze),
                [
                    .tells([waits]), .tells([on, waits]), .charges(.planChange(.change)),
                    .charges(.planChange(.change)), .charges(.purchase),
                ]
            ),
            (
                .turnedRenewalOff,
                [
                    .tells([off]), .nothing, .tells([off, .expired(.voluntary)]),
                    .tells([off, .expired(.voluntary)]), .refused(.notActive),
                ]
            ),
            (
                .turnedRenewalOn,
                [.nothing, .tells([on]), .nothing, .nothing, .refused(.notActive)]
            ),
            (
                .changedPaymentMethod,
                [.nothing, .nothing, .charges(.recovery), .charges(.recovery), .nothing]
            ),
            (.becameDue(forSale: true), Array(repeating: .refused(.notDue), count: 5)),
            (.becameDue(forSale: false), Array(repeating: .refused(.notDue), count: 5)),
            (.wasEnded, [ended, ended, ended, ended, .refused(.notActive)]),
        ] as [(Event, [Outcome])])
    func answers(_ event: Event, _ expected: [Outcome]) {
        for (state, expected) in zip(SampleState.allCases, expected) {
            var world = state.world()
            let before = world.subscription
            let outcome = Self.outcome(of: event, in: &world.subscription, under: world.terms)
            #expect(outcome == expected, "\(state)")
            switch outcome {
            case .refused, .nothing:
                #expect(world.subscription == before, "\(state)")
            case .charges:
                // A bill changes nothing before the bank has answered, but that it is outstanding.
                #expect(world.subscription.outstanding != nil, "\(state)")
                #expect(world.subscription.newestPeriod == before.newestPeriod, "\(state)")
                #expect(world.subscription.state == before.state, "\(state)")
            case .tells:
                #expect(world.subscription != before, "\(state)")
            }
        }
    }

    private static func outcome(
        of event: Event, in subscription: inout Subscription, under terms: Conditions
    ) -> Outcome {
        do {
            let actions = try subscription.handle(
                event, at: moment("2026-03-11 06:00"), under: terms, newBill: { 1000 })
            if case .charge(let bill)? = actions.first, actions.count == 1 {
                return .charges(bill.purpose)
            }
            let notices = actions.compactMap { action -> ServerNotification? in
                if case .notify(let notice) = action { notice } else { nil }
            }
            return notices.isEmpty ? .nothing : .tells(notices)
        } catch {
            return .refused(error)
        }
    }

    @Test(
        "A declined purchase changes nothing, in every state",
        arguments: SampleState.allCases, [SamplePlans.silver, SamplePlans.gold])
    func declined(_ state: SampleState, _ plan: Plan) throws {
        var subscription = state.world().subscription
        let before = subscription
        let now = moment("2026-03-11 06:00")
        let actions = try? subscription.handle(
            chose(plan), at: now, under: Conditions(),
            newBill: { 1000 })
        guard case .charge(let bill)? = actions?.first else { return }
        let after = try subscription.handle(
            .billWasDeclined(bill.id), at: now, under: Conditions(), newBill: { 1001 })
        #expect(after.isEmpty)
        #expect(subscription == before)
    }

    @Test(
        "A stored subscription comes back as the same value", arguments: SampleState.allCases)
    func restores(_ state: SampleState) {
        let stored = state.world().subscription
        let restored = Subscription(
            id: stored.id, groupID: stored.groupID, plan: stored.plan, nextPlan: stored.nextPlan,
            newestPeriod: stored.newestPeriod,
            cycle: BillingCycle(
                anchor: stored.cycle.anchor, unit: stored.cycle.unit,
                elapsed: stored.cycle.elapsed),
            state: stored.state, renewsAutomatically: stored.renewsAutomatically,
            renewalCount: stored.renewalCount, serviceStart: stored.serviceStart,
            offersUsed: stored.offersUsed, increases: stored.increases,
            lastIncreases: stored.lastIncreases,
            paidPeriods: stored.paidPeriods, extensions: stored.extensions,
            paidService: PaidServiceClock(
                counted: stored.paidService.counted, lastEnd: stored.paidService.lastEnd))
        #expect(restored == stored)
        #expect(restored.nextChange == stored.nextChange)
    }

    @Test("A whole life: trial, months, upgrade, failure, recovery, downgrade, farewell, return")
    func wholeLife() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(.week), at: "2026-01-01 09:00",
            under: Conditions(gracePeriod: .sixteenDays))
        let renewed = ServerNotification.didRenew(afterBillingProblem: false)
        world.advance(to: "2026-02-08 09:00", expecting: [renewed, renewed])
        try world.send(
            chose(SamplePlans.gold), at: "2026-02-20",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        world.declinesUntil = moment("2026-04-10")
        world.advance(
            to: "2026-04-10",
            expecting: [
                .didFailToRenew(inGracePeriod: true), .gracePeriodExpired,
                .didRenew(afterBillingProblem: true),
            ])
        try world.send(chose(SamplePlans.bronze), at: "2026-04-11", expecting: [Self.waits])
        world.advance(to: "2026-05-10", expecting: [renewed])
        try world.send(.turnedRenewalOff, at: "2026-05-11", expecting: [Self.off])
        world.advance(to: "2026-06-10", expecting: [.expired(.voluntary)])
        try world.send(
            chose(SamplePlans.silver), at: "2027-01-01", expecting: [.subscribed(.resubscribe)])
        #expect(
            world.ledger == [
                "silver 2026-01-01 09:00…2026-01-08 09:00 0",
                "silver 2026-01-08 09:00…2026-02-08 09:00 9990",
                "silver 2026-02-08 09:00…2026-03-08 09:00 9990",
                "gold 2026-02-20…2026-03-20 19990", "gold 2026-04-10…2026-05-10 19990",
                "bronze 2026-05-10…2026-06-10 4990", "silver 2027-01-01…2027-02-01 9990",
            ])
    }
}
