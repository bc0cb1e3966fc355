import SubscriptionRules
import Testing

@Suite("Resubscription")
struct ResubscriptionTests {
    /// A plan that was bought and cancelled at once, so that it is over at the end of its period.
    private static func expired(
        _ plan: Plan, boughtAt start: String, under terms: Conditions = Conditions()
    ) throws -> LifecycleWorld {
        var world = LifecycleWorld(buying: plan, at: start, under: terms)
        try world.send(
            .turnedRenewalOff, at: start, expecting: [.didChangeRenewalStatus(enabled: false)])
        return world
    }

    @Test("The first purchase of a group is told as such")
    func first() {
        let world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        #expect(world.notices == [.subscribed(.initialBuy)])
        #expect(world.opened.map(\.reason) == [.purchase])
        #expect(world.ledger == ["silver 2026-03-01…2026-04-01 9990"])
        #expect(world.subscription.serviceStart == moment("2026-03-01"))
    }

    @Test(
        "Any plan of the group can be bought again, from now and without proration (EXP-6)",
        arguments: [
            (SamplePlans.silver, "silver 2026-05-10 08:00…2026-06-10 08:00 9990"),
            (SamplePlans.gold, "gold 2026-05-10 08:00…2026-06-10 08:00 19990"),
            (SamplePlans.silverTwin, "silver.twin 2026-05-10 08:00…2026-06-10 08:00 10990"),
            (SamplePlans.silverYearly, "silver.yearly 2026-05-10 08:00…2027-05-10 08:00 99990"),
            (SamplePlans.bronze, "bronze 2026-05-10 08:00…2026-06-10 08:00 4990"),
        ])
    func again(_ plan: Plan, _ expected: String) throws {
        var world = try Self.expired(SamplePlans.silver, boughtAt: "2026-03-01")
        try world.send(chose(plan), at: "2026-05-10 08:00", expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == expected)
        #expect(world.opened.last?.reason == .purchase)
        #expect(world.superseded.isEmpty && world.refunds.isEmpty)
        #expect(world.anchor == "2026-05-10 08:00")
        #expect(world.subscription.id == 1)
        #expect(world.subscription.renewsAutomatically && world.subscription.renewalCount == 0)
        world.advance(
            to: text(world.subscription.newestPeriod.end),
            expecting: [.didRenew(afterBillingProblem: false)])
    }

    @Test("A declined purchase leaves it over")
    func declined() throws {
        var world = try Self.expired(SamplePlans.silver, boughtAt: "2026-03-01")
        world.declinesNext = 1
        world.decline(chose(SamplePlans.gold), at: "2026-05-10")
        #expect(!world.subscription.isEntitled)
    }

    @Test("At the very moment it is over it can be bought again")
    func atOnce() throws {
        var world = try Self.expired(SamplePlans.silver, boughtAt: "2026-03-01")
        try world.send(
            chose(SamplePlans.silver), at: "2026-04-01", expecting: [.subscribed(.resubscribe)])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        #expect(world.subscription.serviceStart == moment("2026-03-01"))
    }

    @Test("Every way to be over lets the customer come back")
    func afterEachReason() throws {
        var notForSale = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        notForSale.isForSale = false
        notForSale.advance(to: "2026-04-01", expecting: [.expired(.notForSale)])
        notForSale.isForSale = true

        var billing = LifecycleWorld(buying: SamplePlans.silver, at: "2026-02-01")
        billing.declinesUntil = moment("2026-04-30")
        billing.advance(to: moment("2026-04-30"))
        #expect(billing.subscription.state == .expired(.billingError, at: moment("2026-04-30")))

        var ended = LifecycleWorld(buying: SamplePlans.silver, at: "2026-04-01")
        try ended.send(.wasEnded, at: "2026-04-10", expecting: [.expired(.other)])

        for var world in [notForSale, billing, ended] {
            try world.send(
                chose(SamplePlans.gold), at: "2026-05-10", expecting: [.subscribed(.resubscribe)])
            #expect(world.ledger.last == "gold 2026-05-10…2026-06-10 19990")
        }
    }

    // MARK: The start of the run of service (EXP-7)

    /// Seven months of service, bought on 1 June and over on 31 December 2022 (as in Apple's
    /// example, where the last day is given).
    private static func appleExample() throws -> LifecycleWorld {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2022-06-01")
        try world.send(
            .turnedRenewalOff, at: "2022-12-15",
            expecting: [.didChangeRenewalStatus(enabled: false)])
        world.advance(to: "2023-01-01", expecting: [.expired(.voluntary)])
        return world
    }

    @Test(
        "A lapse of up to sixty days is ignored in the start of the run (EXP-7)",
        arguments: [
            ("2023-02-01", "2022-06-01"), ("2023-04-01", "2023-04-01"),
            // Exactly sixty days after 1 January 2023: the kinder reading; then one second more.
            ("2023-03-02", "2022-06-01"), ("2023-03-02 00:00:01", "2023-03-02 00:00:01"),
        ])
    func lapse(_ again: String, _ expected: String) throws {
        var world = try Self.appleExample()
        try world.send(
            chose(SamplePlans.silver), at: again, expecting: [.subscribed(.resubscribe)])
        #expect(text(world.subscription.serviceStart) == expected)
    }

    @Test("Each lapse is measured by itself, so many short ones never end the run")
    func shortLapses() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-01")
        for (off, again) in [("2026-01-10", "2026-03-20"), ("2026-04-10", "2026-06-10")] {
            try world.send(
                .turnedRenewalOff, at: off, expecting: [.didChangeRenewalStatus(enabled: false)])
            try world.send(
                chose(SamplePlans.silver), at: again, expecting: [.subscribed(.resubscribe)])
        }
        #expect(text(world.subscription.serviceStart) == "2026-01-01")
    }

    @Test("Grace and retry count as a gap: the lapse is measured from the failed renewal")
    func graceIsGap() throws {
        for gracePeriod in [nil, GracePeriod.twentyEightDays] {
            var world = LifecycleWorld(
                buying: SamplePlans.silver, at: "2026-01-01",
                under: Conditions(gracePeriod: gracePeriod))
            world.declinesUntil = moment("2026-03-01")
            try world.send(
                .turnedRenewalOff, at: "2026-02-20",
                expecting: [.didChangeRenewalStatus(enabled: false), .expired(.voluntary)])
            var other = world
            try world.send(
                chose(SamplePlans.silver), at: "2026-04-02", expecting: [.subscribed(.resubscribe)])
            #expect(text(world.subscription.serviceStart) == "2026-01-01")
            try other.send(
                chose(SamplePlans.silver), at: "2026-04-03", expecting: [.subscribed(.resubscribe)])
            #expect(text(other.subscription.serviceStart) == "2026-04-03")
        }
    }

    @Test("Renewals, changes of plan and recoveries do not begin a new run")
    func keepsRun() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(.week), at: "2026-01-01")
        world.advance(to: moment("2026-02-20"))
        try world.send(
            chose(SamplePlans.gold), at: "2026-02-20",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        world.declinesUntil = moment("2026-05-10")
        world.advance(to: moment("2026-07-01"))
        #expect(world.subscription.state == .active)
        #expect(text(world.subscription.serviceStart) == "2026-01-01")
    }

    @Test("In Sandbox ten minutes are ignored (EXP-7)")
    func sandbox() throws {
        let terms = Conditions(tempo: .sandbox(.fiveMinutes), renewalLimit: 12)
        for (again, expected) in [
            ("2026-01-01 00:15", "2026-01-01"), ("2026-01-01 00:15:01", "2026-01-01 00:15:01"),
        ] {
            var world = try Self.expired(
                SamplePlans.silver, boughtAt: "2026-01-01", under: terms)
            try world.send(
                chose(SamplePlans.silver), at: again, expecting: [.subscribed(.resubscribe)])
            #expect(text(world.subscription.serviceStart) == expected)
        }
    }

    @Test("In slow Sandbox a retry outlasts the ten minutes, so a recovery begins a new run")
    func sandboxRecovery() {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-01",
            under: Conditions(tempo: .sandbox(.sixtyMinutes), renewalLimit: 12))
        world.declinesUntil = moment("2026-01-01 02:00")
        world.advance(
            to: "2026-01-01 02:00",
            expecting: [
                .didFailToRenew(inGracePeriod: false), .didRenew(afterBillingProblem: true),
            ])
        #expect(text(world.subscription.serviceStart) == "2026-01-01 02:00")
    }

    @Test("The lapse after an end at once is measured from that end")
    func lapseAfterEnd() throws {
        var world = LifecycleWorld(buying: SamplePlans.silverYearly, at: "2026-01-01")
        try world.send(.wasEnded, at: "2026-02-01", expecting: [.expired(.other)])
        try world.send(
            chose(SamplePlans.silver), at: "2026-08-01", expecting: [.subscribed(.resubscribe)])
        #expect(text(world.subscription.serviceStart) == "2026-08-01")
    }
}

@Suite("A change of plan: choosing again")
struct SecondChoiceTests {
    private static let downgrade = ServerNotification.didChangeRenewalPreference(.downgrade)

    @Test("The same plan again is refused while it renews")
    func alreadySubscribed() {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        world.refuse(chose(SamplePlans.silver), at: "2026-03-11", .alreadySubscribed)
        world.refuse(chose(SamplePlans.silver), at: "2026-05-11", .alreadySubscribed)
    }

    @Test("The same plan again turns renewal on when it was off, and charges nothing")
    func resumes() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            .turnedRenewalOff, at: "2026-03-05",
            expecting: [.didChangeRenewalStatus(enabled: false)]
        )
        try world.send(
            chose(SamplePlans.silver), at: "2026-03-11",
            expecting: [.didChangeRenewalStatus(enabled: true)])
        #expect(world.charges.count == 1)
        world.advance(to: "2026-04-01", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
    }

    @Test("Back to the current plan withdraws what was waiting")
    func withdraws() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(chose(SamplePlans.bronze), at: "2026-03-11", expecting: [Self.downgrade])
        #expect(world.subscription.renewalPlan == SamplePlans.bronze)
        try world.send(
            chose(SamplePlans.silver), at: "2026-03-12",
            expecting: [.didChangeRenewalPreference(.withdrawn)])
        #expect(world.subscription.renewalPlan == SamplePlans.silver)
        world.refuse(chose(SamplePlans.silver), at: "2026-03-13", .alreadySubscribed)
        world.advance(to: "2026-04-01", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "silver 2026-04-01…2026-05-01 9990")
        #expect(world.charges.count == 2)
    }

    @Test("Of several waiting changes the last choice wins (CHG-7)")
    func lastChoiceWins() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(chose(SamplePlans.bronze), at: "2026-03-11", expecting: [Self.downgrade])
        try world.send(
            chose(SamplePlans.silverYearly), at: "2026-03-12", expecting: [Self.downgrade])
        try world.send(chose(SamplePlans.silverYearly), at: "2026-03-13", expecting: [])
        world.advance(to: "2026-04-01", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "silver.yearly 2026-04-01…2027-04-01 99990")
    }

    @Test("A waiting plan that is chosen again costs what it costs then (PRC-9)")
    func chosenAgain() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(chose(SamplePlans.bronze), at: "2026-03-11", expecting: [Self.downgrade])
        let cheaper = SamplePlans.plan("bronze", level: 3, .month, 3_990)
        try world.send(chose(cheaper), at: "2026-03-12", expecting: [])
        world.advance(to: "2026-04-01", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "bronze 2026-04-01…2026-05-01 3990")
    }

    @Test("An upgrade clears a waiting downgrade (CHG-7)")
    func upgradeClears() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(chose(SamplePlans.bronze), at: "2026-03-05", expecting: [Self.downgrade])
        try world.send(
            chose(SamplePlans.gold), at: "2026-03-11",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.subscription.nextPlan == nil)
        #expect(world.refunds == [1: 6_770])
        world.advance(to: "2026-04-11", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "gold 2026-04-11…2026-05-11 19990")
    }

    @Test("An upgrade that takes over a trial clears a waiting downgrade too")
    func upgradeInTrialClears() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(.month), at: "2026-03-01",
            under: Conditions(upgradeInTrial: .keepsTrial))
        try world.send(chose(SamplePlans.bronze), at: "2026-03-05", expecting: [Self.downgrade])
        try world.send(
            chose(SamplePlans.gold), at: "2026-03-11",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.subscription.nextPlan == nil)
        world.advance(to: "2026-04-01", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "gold 2026-04-01…2026-05-01 19990")
    }

    @Test("A declined upgrade keeps the downgrade waiting")
    func declinedUpgradeKeeps() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(chose(SamplePlans.bronze), at: "2026-03-05", expecting: [Self.downgrade])
        world.declinesNext = 1
        world.decline(chose(SamplePlans.gold), at: "2026-03-11")
        world.advance(to: "2026-04-01", expecting: [.didRenew(afterBillingProblem: false)])
        #expect(world.ledger.last == "bronze 2026-04-01…2026-05-01 4990")
    }

    @Test("Two upgrades in one period each cut and refund the one before")
    func upgradesTwice() throws {
        var world = LifecycleWorld(buying: SamplePlans.bronze, at: "2026-03-01")
        try world.send(
            chose(SamplePlans.silver), at: "2026-03-11",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        try world.send(
            chose(SamplePlans.gold), at: "2026-03-21",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.superseded == [1, 2])
        // 4.99 × 21/31 and 9.99 × 21/31.
        #expect(world.refunds == [1: 3_380, 2: 6_770])
        #expect(world.anchor == "2026-03-21")
    }

    @Test("An upgrade at the first instant gives everything back, at the last nothing is left")
    func edges() throws {
        var first = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try first.send(
            chose(SamplePlans.gold), at: "2026-03-01",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(first.refunds == [1: 9_990])
        var last = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try last.send(
            chose(SamplePlans.gold), at: "2026-03-31 23:59:59",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(last.refunds == [:] && last.superseded == [1])
    }

    @Test("The month end of the anchor survives a downgrade, and an upgrade moves it")
    func anchors() throws {
        var world = LifecycleWorld(buying: SamplePlans.gold, at: "2025-01-31")
        try world.send(chose(SamplePlans.silver), at: "2025-02-10", expecting: [Self.downgrade])
        world.advance(to: moment("2025-03-31"))
        #expect(
            world.ledger.dropFirst() == [
                "silver 2025-02-28…2025-03-31 9990", "silver 2025-03-31…2025-04-30 9990",
            ])
        try world.send(
            chose(SamplePlans.gold), at: "2025-04-05 08:30",
            expecting: [.didChangeRenewalPreference(.upgrade)])
        #expect(world.ledger.last == "gold 2025-04-05 08:30…2025-05-05 08:30 19990")
        #expect(world.anchor == "2025-04-05 08:30")
    }
}
