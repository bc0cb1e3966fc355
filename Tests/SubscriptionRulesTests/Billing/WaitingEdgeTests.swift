import SubscriptionRules
import Testing

/// What the simulation found where waiting meets something else.
@Suite("While a bill has no answer, something else happens")
struct WaitingEdgeTests {
    private typealias Waiting = WaitingTests

    @Test("Where access does not wait at all, an upgrade is given up and the old plan renews")
    func noDaysToWait() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-03-01",
            under: Conditions(pendingRenewalDays: 0))
        world.bank.answersLater = true
        try world.send(chose(SamplePlans.gold), at: "2026-03-31 12:00", expecting: [])
        world.bank.answersLater = false
        world.advance(to: "2026-04-01", expecting: [Waiting.renewed])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
    }

    @Test("To ask for the money back gives no upgrade up, to get it back does")
    func askedBack() throws {
        var world = try Waiting.upgrading()
        try world.send(
            .requestedRefund(transactionID: 1), at: "2026-03-12",
            expecting: [Waiting.off, .consumptionRequested])
        #expect(world.subscription.outstanding?.isBeingVoided == false)
        try world.send(
            .wasRefunded(transactionID: 1, fully: true), at: "2026-03-13", expecting: [.refunded])
        #expect(world.subscription.outstanding == nil)
    }

    @Test("A refund of what was over before leaves a new purchase pending")
    func refundAfterTheEnd() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(.turnedRenewalOff, at: "2026-03-02", expecting: [Waiting.off])
        world.advance(to: "2026-04-01", expecting: [.expired(.voluntary)])
        world.bank.answersLater = true
        try world.send(chose(SamplePlans.gold), at: "2026-04-02", expecting: [])
        try world.send(
            .wasRefunded(transactionID: 1, fully: true), at: "2026-04-02", expecting: [.refunded])
        #expect(world.subscription.outstanding?.isBeingVoided == false)
    }

    @Test("Declined after day 60 it ends with its increase set back, as any renewal that failed")
    func increaseSetBack() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-15")
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-01-16", expecting: [])
        (world.bank.answersLater, world.bank.givesUp) = (true, false)
        world.advance(
            to: "2026-05-01", expecting: [.priceIncrease(isAccepted: true), Waiting.failed])
        #expect(world.subscription.agreesToIncreases == true)
        try world.send(
            Waiting.declined(world), at: "2026-05-01", expecting: [.expired(.billingError)])
        #expect(world.subscription.agreesToIncreases == nil)
    }

    @Test("What was to be announced while a renewal was awaited is announced after the answer")
    func announcedLater() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-01")
        try world.send(.priceWasChanged(of: "silver", to: 10_990), at: "2026-01-20", expecting: [])
        let announcement = try #require(world.subscription.increase?.phase.planned?.announcement)
        #expect(announcement == moment("2026-02-02"))
        world.bank.answersLater = true
        world.advance(to: "2026-02-05", expecting: [])
        try world.send(Waiting.paid(world), at: "2026-02-05", expecting: [Waiting.renewed])
        let schedule = try #require(world.subscription.increase?.schedule)
        #expect(schedule.announcement >= moment("2026-02-05"))
        #expect(schedule.renewal == moment("2026-04-01"))
    }

    @Test("After access has stopped, an increase that was announced has its notice again (INC-7)")
    func announcedAgain() throws {
        var world = LifecycleWorld(buying: SamplePlans.silverWeekly, at: "2026-03-01")
        try world.send(
            .priceWasChanged(of: "silver.weekly", to: 3_490), at: "2026-03-02", expecting: [])
        world.advance(to: moment("2026-03-03"))
        #expect(world.subscription.increase?.isAccepted == true)
        world.bank.answersLater = true
        world.advance(to: moment("2026-03-16"))
        #expect(!world.subscription.isEntitled)
        try world.send(Waiting.paid(world), at: "2026-03-20", expecting: [Waiting.recovered])
        #expect(world.subscription.increase?.isAccepted == nil)
        #expect(world.subscription.increase?.schedule?.renewal == moment("2026-04-17"))
    }

    @Test("A price that falls and rises again is the lower one until the rise was announced")
    func fallsAndRises() throws {
        var world = Waiting.awaiting()
        try world.send(.priceWasChanged(of: "silver", to: 4_990), at: "2026-04-02", expecting: [])
        try world.send(.priceWasChanged(of: "silver", to: 5_990), at: "2026-04-03", expecting: [])
        try world.send(Waiting.paid(world), at: "2026-04-04", expecting: [Waiting.renewed])
        #expect(world.subscription.newestPeriod.price == 9_990)
        #expect(world.subscription.plan.price.milliunits == 4_990)
        #expect(world.subscription.increase?.price == 5_990)
        // The bill cost what was paid before, which is no increase (THR-1 c).
        #expect(world.subscription.lastIncrease == nil)
    }

    @Test("What was chosen renews at the price of the day where that is lower", arguments: [0, 1])
    func chosenIsCheaper(_ place: Int) throws {
        var world = try Waiting.upgrading()
        let price = [14_990, 24_990][place] as Int64
        world.subscription.lowerWhatWasChosen(
            to: Money(milliunits: price, SamplePlans.dollars))
        try world.send(
            Waiting.paid(world), at: "2026-03-12",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.subscription.newestPeriod.price == 19_990)
        #expect(world.subscription.plan.price.milliunits == min(price, 19_990))
    }

    @Test("A retry that a faster Sandbox has behind it ends when waiting does (SBX-2)")
    func faster() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-03-01",
            under: Conditions(tempo: .sandbox(.sixtyMinutes), pendingRenewalDays: 28))
        world.bank.answersLater = true
        world.advance(to: world.subscription.newestPeriod.end)
        world.terms.tempo = .sandbox(.threeMinutes)
        _ = world.takeNotices()
        let until = try #require(world.subscription.nextChange)
        world.advance(to: until)
        #expect(world.takeNotices() == [.expired(.billingError)])
        #expect(world.subscription.nextChange == nil && world.subscription.outstanding == nil)
    }
}

extension PendingIncrease.Phase {
    /// The dates of what is still to be announced.
    fileprivate var planned: PendingIncrease.Schedule? {
        if case .planned(let schedule) = self { schedule } else { nil }
    }
}
