import SubscriptionRules
import Testing

@Suite("Who can have an offer")
struct OfferEligibilityTests {
    private func refusal(
        _ kind: Offer.Kind, of plan: Plan = SamplePlans.silver, _ subscription: Subscription?,
        at now: String = "2026-03-11", under conditions: Conditions = Conditions(),
        _ change: (inout Offer) -> Void = { _ in }
    ) -> OfferRefusal? {
        var offer = Offer(
            kind: kind, id: "x", mode: .freeTrial, period: .month,
            audiences: Offer.Audience.allCases)
        change(&offer)
        return offer.refusal(of: plan, for: subscription, at: moment(now), under: conditions)
    }

    @Test(
        "A promotional offer is for those who subscribe or did (TAB-5.2)",
        arguments: SampleState.allCases)
    func promotional(_ state: SampleState) {
        #expect(refusal(.promotional, nil) == .neverSubscribed)
        #expect(refusal(.promotional, state.world().subscription) == nil)
    }

    @Test("An offer is had from its start to its end, in its storefronts (INT-3)")
    func availability() {
        func refused(_ now: String, _ storefront: String) -> Bool {
            refusal(
                .introductory, nil, at: now, under: Conditions(storefront: storefront)
            ) {
                $0.availability = OfferAvailability(
                    begins: moment("2026-03-01"), ends: moment("2026-04-01"),
                    storefronts: ["USA", "DEU"])
            } == .notAvailable
        }
        #expect(refused("2026-02-28 23:59", "USA"))
        #expect(!refused("2026-03-01", "DEU"))
        #expect(!refused("2026-03-31 23:59", "USA"))
        #expect(refused("2026-04-01", "USA"))
        #expect(refused("2026-03-11", "FRA"))
    }

    @Test(
        "A code is for the audiences that it names",
        arguments: [
            (Offer.Audience.new, [true, false, false]), (.existing, [false, true, false]),
            (.expired, [false, false, true]),
        ])
    func audiences(_ audience: Offer.Audience, _ allowed: [Bool]) {
        let customers = [
            nil, SampleState.cancelled.world().subscription,
            SampleState.expired.world().subscription,
        ]
        let refusals = customers.map { refusal(.offerCode, $0) { $0.audiences = [audience] } }
        #expect(refusals == allowed.map { $0 ? nil : .notInAudience })
        // A renewal that failed is no end.
        let retrying = SampleState.retrying.world().subscription
        #expect(refusal(.offerCode, retrying) { $0.audiences = [.existing] } == nil)
    }

    @Test("Whoever subscribes redeems a code for the same level or a higher one (COD-4)")
    func levels() {
        let running = SampleState.active.world().subscription
        #expect(refusal(.offerCode, of: SamplePlans.gold, running) == nil)
        #expect(refusal(.offerCode, of: SamplePlans.silverYearly, running) == nil)
        #expect(refusal(.offerCode, of: SamplePlans.bronze, running) == .wouldDowngrade)
        let expired = SampleState.expired.world().subscription
        #expect(refusal(.offerCode, of: SamplePlans.bronze, expired) == nil)
    }

    @Test(
        "Only what has ended is won back: not what runs, is in grace or in retry (WIN-1)",
        arguments: SampleState.allCases)
    func winBack(_ state: SampleState) {
        let refused = refusal(.winBack, state.world().subscription)
        #expect(refused == (state == .expired ? nil : .notLapsed))
        #expect(refusal(.winBack, nil) == .neverSubscribed)
    }

    @Test("Win-back terms: paid service, time since the end, a wait between two (WIN-1)")
    func winBackTerms() throws {
        // Two months were paid, to the first of March.
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-01")
        world.advance(to: moment("2026-02-10"))
        try world.send(.turnedRenewalOff, at: moment("2026-02-10"))
        world.advance(to: moment("2026-03-01"))
        let lapsed = world.subscription
        func refused(_ now: String, _ terms: WinBackTerms) -> OfferRefusal? {
            refusal(.winBack, lapsed, at: now) { $0.winBack = terms }
        }
        #expect(refused("2026-03-11", WinBackTerms(paidMonths: 2)) == nil)
        #expect(refused("2026-03-11", WinBackTerms(paidMonths: 3)) == .paidTooLittle)
        let since = WinBackTerms(monthsSinceEnd: 1...3)
        #expect(refused("2026-03-31", since) == .lapsedAtOtherTime)
        #expect(refused("2026-04-01", since) == nil)
        #expect(refused("2026-06-30", since) == nil)
        #expect(refused("2026-07-01", since) == .lapsedAtOtherTime)

        let won = AppliedOffer(
            Offer(kind: .winBack, id: "back", mode: .freeTrial, period: .month), in: .usa)
        try world.send(chose(SamplePlans.silver, won), at: moment("2026-04-10"))
        try world.send(.turnedRenewalOff, at: moment("2026-04-11"))
        world.advance(to: moment("2026-05-20"))
        let again = WinBackTerms(waitMonths: 6)
        let subscription = world.subscription
        #expect(
            refusal(.winBack, subscription, at: "2026-10-09") { $0.winBack = again }
                == .wonBackRecently)
        #expect(refusal(.winBack, subscription, at: "2026-10-10") { $0.winBack = again } == nil)
    }

    @Test("Sandbox wins everybody back whose subscription has ended (SBX-6)")
    func sandbox() {
        let sandbox = Conditions(tempo: .sandbox(.fiveMinutes))
        let terms = WinBackTerms(paidMonths: 12, monthsSinceEnd: 2...3, waitMonths: 2)
        let expired = SampleState.expired.world().subscription
        #expect(refusal(.winBack, expired, under: sandbox) { $0.winBack = terms } == nil)
        let running = SampleState.active.world().subscription
        #expect(refusal(.winBack, running, under: sandbox) { $0.winBack = terms } == .notLapsed)
    }
}
