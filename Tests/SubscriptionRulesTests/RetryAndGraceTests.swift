import SubscriptionRules
import Testing

@Suite("Billing retry and grace")
struct RetryAndGraceTests {
    private static let recovered = ServerNotification.didRenew(afterBillingProblem: true)

    /// Silver, bought on 31 December 2025, due on 31 January 2026, with a bank that declines.
    private static func world(
        _ gracePeriod: GracePeriod? = nil, plan: Plan = SamplePlans.silver
    ) -> LifecycleWorld {
        var world = LifecycleWorld(
            buying: plan, at: "2025-12-31", under: Conditions(gracePeriod: gracePeriod))
        world.declinesUntil = .latest
        return world
    }

    // MARK: The five rows of TAB-21

    @Test(
        "A recovery inside grace keeps the billing day, a later one moves it (TAB-21)",
        arguments: [
            (
                GracePeriod?.some(.sixteenDays), "2026-02-10", "2025-12-31",
                ["2026-01-31…2026-02-28", "2026-02-28…2026-03-31"], [ServerNotification]()
            ),
            (
                .sixteenDays, "2026-02-20 10:00", "2026-02-20 10:00",
                ["2026-02-20 10:00…2026-03-20 10:00", "2026-03-20 10:00…2026-04-20 10:00"],
                [.gracePeriodExpired]
            ),
            (
                nil, "2026-02-02 09:00", "2026-02-02 09:00",
                ["2026-02-02 09:00…2026-03-02 09:00", "2026-03-02 09:00…2026-04-02 09:00"], []
            ),
        ] as [(GracePeriod?, String, String, [String], [ServerNotification])])
    func recovery(
        _ gracePeriod: GracePeriod?, _ time: String, _ anchor: String, _ periods: [String],
        _ meanwhile: [ServerNotification]
    ) throws {
        var world = Self.world(gracePeriod)
        world.advance(
            to: time,
            expecting: [.didFailToRenew(inGracePeriod: gracePeriod != nil)] + meanwhile)
        world.declinesUntil = nil
        try world.send(.changedPaymentMethod, at: time, expecting: [Self.recovered])
        #expect(world.subscription.newestPeriod.purchased == moment(time))
        #expect(world.anchor == anchor)
        world.advance(
            to: text(world.subscription.newestPeriod.end),
            expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.dropFirst() == periods.map { "silver \($0) 9990" }[...])
        #expect(world.opened.last?.reason == .renewal)
    }

    @Test(
        "After sixty days it is over, grace included (REN-1)",
        arguments: [nil] + GracePeriod.allCases.map(Optional.some))
    func neverRecovered(_ gracePeriod: GracePeriod?) {
        var world = Self.world(gracePeriod)
        let graceEnds = gracePeriod == nil ? [] : [ServerNotification.gracePeriodExpired]
        world.advance(
            to: "2026-03-31 23:59:59",
            expecting: [.didFailToRenew(inGracePeriod: gracePeriod != nil)] + graceEnds)
        world.advance(to: "2026-04-01", expecting: [.expired(.billingError)])
        #expect(world.subscription.state == .expired(.billingError, at: moment("2026-04-01")))
        #expect(world.opened.count == 1)
        // One attempt when due, then one a day; none at the moment that gives up.
        #expect(world.charges.count == 1 + 60)
        #expect(Set(world.charges.map(\.moment)).count == world.charges.count)
    }

    @Test("Cancelling during grace or retry ends it at once (REN-3)", arguments: [true, false])
    func cancelled(_ hasGrace: Bool) throws {
        var world = Self.world(hasGrace ? .sixteenDays : nil)
        try world.send(
            .turnedRenewalOff, at: "2026-02-05",
            expecting: [.didChangeRenewalStatus(enabled: false), .expired(.voluntary)])
        #expect(world.subscription.state == .expired(.voluntary, at: moment("2026-02-05")))
        #expect(!world.subscription.isEntitled && world.subscription.nextChange == nil)
        world.refuse(.turnedRenewalOn, at: "2026-02-06", .notActive)
    }

    // MARK: Grace

    @Test(
        "How long grace lasts: all of it, or six days of a week (GRA-2, GRA-3)",
        arguments: [
            (SamplePlans.silver, GracePeriod.threeDays, 3), (SamplePlans.silver, .sixteenDays, 16),
            (SamplePlans.silver, .twentyEightDays, 28),
            (SamplePlans.silverYearly, .twentyEightDays, 28),
            (SamplePlans.silverWeekly, .threeDays, 3), (SamplePlans.silverWeekly, .sixteenDays, 6),
            (SamplePlans.silverWeekly, .twentyEightDays, 6),
        ])
    func lengths(_ plan: Plan, _ gracePeriod: GracePeriod, _ days: Int) {
        var world = Self.world(gracePeriod, plan: plan)
        let due = world.subscription.newestPeriod.end
        world.advance(to: text(due), expecting: [.didFailToRenew(inGracePeriod: true)])
        world.advance(to: due + .days(days) - .seconds(1))
        #expect(world.subscription.isEntitled)
        #expect(world.takeNotices() == [])
        world.advance(to: text(due + .days(days)), expecting: [.gracePeriodExpired])
        #expect(!world.subscription.isEntitled)
    }

    @Test("Without a setting access ends with the period")
    func noGrace() {
        var world = Self.world()
        world.advance(to: "2026-01-31", expecting: [.didFailToRenew(inGracePeriod: false)])
        #expect(!world.subscription.isEntitled)
        #expect(world.subscription.renewsAutomatically)
    }

    @Test("The examples of GRA-6: due 1 March, sixteen days; and a week with twenty-eight")
    func examples() throws {
        for (time, next) in [
            ("2026-03-10", "2026-04-01 12:00"), ("2026-03-20 09:00", "2026-04-20 09:00"),
        ] {
            var world = LifecycleWorld(
                buying: SamplePlans.silver, at: "2026-02-01 12:00",
                under: Conditions(gracePeriod: .sixteenDays))
            world.declinesUntil = moment(time)
            try world.send(.changedPaymentMethod, at: time, expecting: [Self.recovered])
            #expect(world.subscription.nextChange == moment(next))
        }
        var weekly = LifecycleWorld(
            buying: SamplePlans.silverWeekly, at: "2026-02-22",
            under: Conditions(gracePeriod: .twentyEightDays))
        weekly.declinesUntil = moment("2026-03-05")
        weekly.advance(
            to: "2026-03-05", expecting: [.didFailToRenew(inGracePeriod: true), Self.recovered])
        #expect(weekly.ledger.last == "silver.weekly 2026-03-01…2026-03-08 2990")
    }

    @Test("Another setting leaves a running grace period alone (GRA-5)")
    func fixedWhenItBegins() {
        for setting in [nil, GracePeriod.threeDays, .twentyEightDays] {
            var world = Self.world(.sixteenDays)
            world.advance(to: "2026-02-01", expecting: [.didFailToRenew(inGracePeriod: true)])
            let running = world.subscription.state
            world.terms.gracePeriod = setting
            world.terms.graceScope = .paidToPaidOnly
            guard case .grace(_, let until) = running else {
                Issue.record("not in grace but \(running)")
                continue
            }
            #expect(until == moment("2026-02-16"))
            world.advance(to: "2026-02-15 23:59:59", expecting: [])
            #expect(world.subscription.isEntitled)
            world.advance(to: "2026-02-16", expecting: [.gracePeriodExpired])
        }
    }

    @Test("A setting that comes later gives no grace to what failed before")
    func notAfterwards() {
        var world = Self.world()
        world.advance(to: "2026-02-01", expecting: [.didFailToRenew(inGracePeriod: false)])
        world.terms.gracePeriod = .twentyEightDays
        world.advance(to: "2026-03-01", expecting: [])
        #expect(!world.subscription.isEntitled)
    }

    @Test(
        "From a free offer to the first payment there is grace only where all renewals have it",
        arguments: GraceScope.allCases)
    func scope(_ scope: GraceScope) {
        let terms = Conditions(gracePeriod: .sixteenDays, graceScope: scope)
        let offers: [(AppliedOffer?, Bool)] = [
            (SamplePlans.trial(.week), scope == .allRenewals), (nil, true),
            (SamplePlans.payAsYouGo(1, .month, 990), true),
            (SamplePlans.payUpFront(.month, 990), true),
        ]
        for (offer, hasGrace) in offers {
            var world = LifecycleWorld(
                buying: SamplePlans.silver, offer: offer, at: "2026-03-01", under: terms)
            world.declinesUntil = .latest
            world.advance(
                to: text(world.subscription.newestPeriod.end),
                expecting: [.didFailToRenew(inGracePeriod: hasGrace)])
            #expect(world.subscription.isEntitled == hasGrace)
        }
    }

    @Test("A payment that arrives when grace ends is too late for the old billing day")
    func atTheEnd() {
        var world = Self.world(.sixteenDays)
        world.declinesUntil = moment("2026-02-16")
        world.advance(
            to: "2026-02-16",
            expecting: [.didFailToRenew(inGracePeriod: true), .gracePeriodExpired, Self.recovered])
        #expect(world.ledger.last == "silver 2026-02-16…2026-03-16 9990")
    }

    @Test("The grace of a waiting weekly plan is a week's, for it is what is billed (GRA-3)")
    func graceOfAWaitingShorterPlan() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-03-01",
            under: Conditions(gracePeriod: .sixteenDays))
        try world.send(
            chose(SamplePlans.silverWeekly), at: "2026-03-02",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        world.declinesUntil = .latest
        world.advance(
            to: "2026-04-07",
            expecting: [.didFailToRenew(inGracePeriod: true), .gracePeriodExpired])
        // And so, days later, a week is charged that is over already.
        world.advance(to: moment("2026-04-10"))
        world.declinesUntil = nil
        try world.send(.changedPaymentMethod, at: moment("2026-04-10"))
        #expect(world.subscription.newestPeriod.end > moment("2026-04-10"))
    }

    @Test("A recovery in grace never opens a period that is over already")
    func recoveryOpensTheFuture() throws {
        var faster = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-03-01",
            under: Conditions(tempo: .sandbox(.sixtyMinutes), gracePeriod: .sixteenDays))
        faster.declinesUntil = moment("2026-03-01 01:30")
        faster.advance(to: moment("2026-03-01 01:10"))
        faster.terms.tempo = .sandbox(.threeMinutes)
        faster.advance(to: moment("2026-03-01 01:29"))

        // Twenty-eight days are an hour longer than this month in California.
        var pacific = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-08 20:00",
            under: Conditions(zone: .pacific, gracePeriod: .twentyEightDays))
        pacific.declinesUntil = moment("2026-03-08 19:15")

        for (var world, time) in [(faster, "2026-03-01 01:30"), (pacific, "2026-03-08 19:15")] {
            world.advance(to: moment(time) - .seconds(1))
            world.declinesUntil = nil
            try world.send(.changedPaymentMethod, at: moment(time))
            #expect(world.subscription.newestPeriod.end > moment(time))
        }
    }

    // MARK: Attempts

    @Test("The attempt of the day recovers by itself when the bank pays again")
    func byItself() {
        var world = Self.world()
        world.declinesUntil = moment("2026-02-02 09:00")
        world.advance(
            to: "2026-02-03", expecting: [.didFailToRenew(inGracePeriod: false), Self.recovered])
        #expect(world.ledger.last == "silver 2026-02-03…2026-03-03 9990")
    }

    @Test("A new payment method that is declined too changes no date (REN-2)")
    func declinedAgain() throws {
        for gracePeriod in [nil, GracePeriod.sixteenDays] {
            var world = Self.world(gracePeriod)
            world.advance(to: moment("2026-02-05"))
            let running = world.subscription
            try world.send(.changedPaymentMethod, at: "2026-02-05 13:00", expecting: [])
            #expect(world.subscription == running)
            #expect(world.subscription.nextChange == moment("2026-02-06"))
        }
    }

    @Test("Nothing is due between two attempts")
    func notDue() {
        for gracePeriod in [nil, GracePeriod.sixteenDays] {
            var world = Self.world(gracePeriod)
            world.refuse(.becameDue(forSale: true), at: "2026-02-05 13:00", .notDue)
            world.refuse(.becameDue(forSale: false), at: "2026-02-05 13:00", .notDue)
        }
    }

    @Test("Renewal on is what it is already while billing is tried again")
    func turnedOn() throws {
        for gracePeriod in [nil, GracePeriod.sixteenDays] {
            var world = Self.world(gracePeriod)
            world.advance(to: moment("2026-02-05"))
            let running = world.subscription
            try world.send(.turnedRenewalOn, at: "2026-02-05", expecting: [])
            #expect(world.subscription == running)
        }
    }

    @Test("A product that leaves the store ends the retry (reason 4)")
    func notForSale() {
        for gracePeriod in [nil, GracePeriod.sixteenDays] {
            var world = Self.world(gracePeriod)
            world.advance(
                to: "2026-02-05", expecting: [.didFailToRenew(inGracePeriod: gracePeriod != nil)])
            world.isForSale = false
            world.advance(to: "2026-02-06", expecting: [.expired(.notForSale)])
        }
    }

    @Test("A waiting downgrade is what a recovery charges")
    func waitingChange() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-03-01",
            under: Conditions(gracePeriod: .sixteenDays))
        try world.send(
            chose(SamplePlans.bronze), at: "2026-03-02",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        world.declinesUntil = moment("2026-04-05")
        world.advance(
            to: "2026-04-05", expecting: [.didFailToRenew(inGracePeriod: true), Self.recovered])
        #expect(world.ledger.last == "bronze 2026-04-01…2026-05-01 4990")
        #expect(world.charges.dropFirst().allSatisfy { $0.bill.amount.milliunits == 4_990 })
    }

    // MARK: Buying by hand

    @Test("In grace the same plan cannot be bought again (TAB-2.3)")
    func sameInGrace() {
        var world = Self.world(.sixteenDays)
        world.refuse(chose(SamplePlans.silver), at: "2026-02-05", .alreadySubscribed)
    }

    @Test("In grace a waiting change can be withdrawn, though nothing is bought (TAB-2.2)")
    func withdrawnInGrace() throws {
        var world = Self.world(.sixteenDays)
        try world.send(chose(SamplePlans.bronze), at: moment("2026-01-10"))
        try world.send(
            chose(SamplePlans.silver), at: "2026-02-05",
            expecting: [.didChangeRenewalPreference(.withdrawn)])
        #expect(world.subscription.nextPlan == nil)
        world.refuse(chose(SamplePlans.silver), at: "2026-02-05", .alreadySubscribed)
    }

    @Test("In retry the same plan can be bought by hand, from now, with a gap (REN-5)")
    func sameInRetry() throws {
        var world = Self.world()
        world.advance(to: moment("2026-02-05 09:00"))
        world.decline(chose(SamplePlans.silver), at: "2026-02-05 09:00")
        world.declinesUntil = nil
        try world.send(
            chose(SamplePlans.silver), at: "2026-02-05 09:30", expecting: [Self.recovered])
        #expect(world.ledger.last == "silver 2026-02-05 09:30…2026-03-05 09:30 9990")
        #expect(world.opened.last?.reason == .purchase)
        #expect(world.anchor == "2026-02-05 09:30")
        #expect(world.superseded.isEmpty && world.refunds.isEmpty)
        #expect(world.subscription.state == .active)
    }
}
