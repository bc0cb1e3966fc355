import SubscriptionRules
import Testing

@Suite("Price increases in the life of a subscription")
struct PriceIncreaseLifeTests {
    @Test("The renewal that charges more stays the same one when the billing zone changes")
    func zone() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15")
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-01-20", expecting: [])
        world.terms.zone = .pacific
        // Told 27 days before 15 March; in Pacific time that renewal comes an hour earlier.
        let renewed = ServerNotification.didRenew(afterBillingProblem: false)
        world.advance(
            to: "2026-04-01", expecting: [renewed, .priceIncrease(isAccepted: true), renewed])
        #expect(world.opened.map(\.newestPeriod.price) == [9_990, 9_990, 10_990])
        #expect(world.subscription.increase == nil)
    }

    @Test("The running period ends when its own zone said, also for an increase planned in another")
    func zoneBeforeIncrease() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-10-15 08:30")
        // In Pacific time the period would end an hour later, at 09:30.
        world.terms.zone = .pacific
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-10-16", expecting: [])
        world.advance(
            to: "2026-11-15 08:30",
            expecting: [
                .priceIncrease(isAccepted: true), .didRenew(afterBillingProblem: false),
            ])
        #expect(world.opened.map(\.newestPeriod.price) == [9_990, 10_990])
        #expect(world.subscription.increase == nil)
    }

    /// Silver with an increase to 30 that needs consent, asked on 16 February for 15 March.
    private func asking() throws -> LifecycleWorld {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15")
        try world.send(.priceWasChanged(of: "silver", to: 30_000), at: "2026-01-20", expecting: [])
        return world
    }

    @Test("The last renewal of Sandbox takes an increase back, also behind a pending upgrade")
    func lastRenewal() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-15", under: Conditions(renewalLimit: 1))
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-01-20", expecting: [])
        world.advance(
            to: "2026-03-01",
            expecting: [.didRenew(afterBillingProblem: false), .priceIncrease(isAccepted: true)])
        #expect(world.subscription.agreesToIncreases == true)
        world.bank.answersLater = true
        try world.send(chose(SamplePlans.gold), at: "2026-03-14", expecting: [])
        world.advance(
            to: "2026-03-15",
            expecting: [.didChangeRenewalStatus(enabled: false), .expired(.voluntary)])
        #expect(world.subscription.agreesToIncreases == nil)
        #expect(world.subscription.increase?.phase == .waiting)
    }

    @Test("Nobody is asked about a plan that another one is to replace, until that is taken back")
    func otherPlan() throws {
        var world = try asking()
        try world.send(
            chose(SamplePlans.bronze), at: "2026-02-15 12:00",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        world.advance(to: "2026-03-01", expecting: [])
        #expect(throws: Refusal.noPriceIncrease) {
            try world.send(.answeredPriceIncrease(agrees: true), at: moment("2026-03-01"))
        }
        // Fourteen days before the renewal it is too late for that one.
        try world.send(
            chose(SamplePlans.silver), at: "2026-03-01",
            expecting: [.didChangeRenewalPreference(.withdrawn)])
        #expect(world.subscription.increase?.schedule?.renewal == moment("2026-04-15"))
        world.advance(
            to: "2026-03-19",
            expecting: [
                .didRenew(afterBillingProblem: false), .priceIncrease(isAccepted: false),
            ])
    }

    @Test("The explanation has the dates that hold after an extension, and what was answered")
    func explanationAfterExtension() throws {
        var world = try asking()
        func explained() throws -> CommunicationCalendar {
            try #require(world.subscription.explanation(of: "silver", under: world.terms)).calendar
        }
        #expect(try explained().oldPriceRenewals.map(\.moment) == [moment("2026-02-15")])
        let extended = Event.wasExtended(try ExtensionRequest(days: 10, reasonCode: 3))
        try world.send(extended, at: "2026-02-01", expecting: [.renewalExtended])
        // 15 February is 25 February now, and the month after it ends on 25 March.
        #expect(try explained().oldPriceRenewals.map(\.moment) == [moment("2026-02-25")])
        #expect(try explained().firstRenewal == moment("2026-03-25"))
        #expect(try explained().answerBy == moment("2026-03-25"))
        #expect(try explained().firstMessage == moment("2026-02-26"))
        world.advance(
            to: "2026-02-26",
            expecting: [
                .didRenew(afterBillingProblem: false), .priceIncrease(isAccepted: false),
            ])
        #expect(try explained().oldPriceRenewals == [])
        // What was announced was announced when it was.
        try world.send(extended, at: "2026-03-01", expecting: [.renewalExtended])
        #expect(try explained().firstMessage == moment("2026-02-26"))
        #expect(try explained().answerBy == moment("2026-04-04"))
        try world.send(
            .answeredPriceIncrease(agrees: true), at: "2026-03-02",
            expecting: [.priceIncrease(isAccepted: true)])
        let agreed = try #require(world.subscription.explanation(of: "silver", under: world.terms))
        #expect(agreed.agreed == true && agreed.calendar.answerBy == nil)
        #expect(agreed.calendar.messages == [])
        #expect(agreed.calendar.outcome(agreed: nil) == .newPrice)
        #expect(agreed.firstRenewalAtNewPrice == moment("2026-04-04"))
    }

    @Test(
        "The explanation has the renewal that comes once the billing zone or the speed has changed",
        arguments: [
            ("2026-01-20", Conditions(), Conditions(zone: .pacific)),
            (
                "2026-01-15 00:01", Conditions(tempo: .sandbox(.fiveMinutes)),
                Conditions(tempo: .sandbox(.sixtyMinutes))
            ),
            (
                "2026-01-15 00:01", Conditions(tempo: .sandbox(.sixtyMinutes)),
                Conditions(tempo: .sandbox(.threeMinutes))
            ),
        ] as [(String, Conditions, Conditions)])
    func explanationSince(_ change: String, before: Conditions, now: Conditions) throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15", under: before)
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: change, expecting: [])
        world.terms = now
        let renewal = try #require(
            world.subscription.explanation(of: "silver", under: world.terms)?
                .firstRenewalAtNewPrice)
        world.advance(to: renewal)
        #expect(world.opened.last?.newestPeriod.start == renewal)
        #expect(world.opened.map(\.newestPeriod.price).count { $0 == 10_990 } == 1)
    }

    @Test("Who is asked has until the renewal as it comes, also in another billing zone")
    func answerInAnotherZone() throws {
        var world = try asking()
        world.terms.zone = .pacific
        let calendar = try #require(
            world.subscription.explanation(of: "silver", under: world.terms)
        ).calendar
        // In Pacific time the renewal of 15 March comes an hour earlier.
        let renewal = moment("2026-03-14 23:00")
        #expect(calendar.firstRenewal == renewal && calendar.answerBy == renewal)
        world.advance(
            to: "2026-03-15",
            expecting: [
                .didRenew(afterBillingProblem: false), .priceIncrease(isAccepted: false),
                .expired(.priceIncrease),
            ])
        #expect(world.subscription.state == .expired(.priceIncrease, at: renewal))
    }
}
