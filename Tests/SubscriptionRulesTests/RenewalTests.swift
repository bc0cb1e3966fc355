import SubscriptionRules
import Testing

@Suite("Renewal")
struct RenewalTests {
    private static let renewed = ServerNotification.didRenew(afterBillingProblem: false)
    private static let off = ServerNotification.didChangeRenewalStatus(enabled: false)
    private static let on = ServerNotification.didChangeRenewalStatus(enabled: true)

    @Test("Five years of months from 31 January: sixty renewals, none a day off (CAL-4)")
    func fiveYears() {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2025-01-31 16:03:33")
        world.advance(
            to: "2030-01-31 16:03:33", expecting: Array(repeating: Self.renewed, count: 60))
        // The last day of every month; 2028 is the leap year among them.
        let lastDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for (index, opened) in world.opened.enumerated() {
            let (year, month) = (2025 + index / 12, index % 12 + 1)
            let day = month == 2 && year == 2028 ? 29 : lastDays[month - 1]
            let start = moment("\(year)-\(month)-\(day) 16:03:33")
            #expect(opened.newestPeriod.start == start)
            #expect(opened.newestPeriod.purchased == start)
            #expect(opened.newestPeriod.price == 9_990)
        }
        #expect(world.opened.count == 61)
        #expect(world.subscription.renewalCount == 60)
        #expect(world.anchor == "2025-01-31 16:03:33")
        #expect(world.subscription.id == 1)
    }

    @Test(
        "Periods end as the calendar says, counted from the anchor (TAB-21)",
        arguments: [
            (
                CalendarPeriod(2, .month), "2025-08-31",
                [
                    "2025-10-31", "2025-12-31", "2026-02-28", "2026-04-30", "2026-06-30",
                    "2026-08-31",
                ]
            ),
            (
                CalendarPeriod(3, .month), "2024-11-30",
                ["2025-02-28", "2025-05-30", "2025-08-30", "2025-11-30", "2026-02-28"]
            ),
            (CalendarPeriod(6, .month), "2025-08-31", ["2026-02-28", "2026-08-31", "2027-02-28"]),
            (
                .year, "2024-02-29",
                ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"]
            ),
            (.month, "2028-01-30", ["2028-02-29", "2028-03-30", "2028-04-30"]),
            (.month, "2025-06-23 05:00", ["2025-07-23 05:00"]),
            (.month, "2023-03-01", ["2023-04-01"]),
            (.month, "2023-02-28 23:00", ["2023-03-28 23:00"]),
            (.week, "2024-02-26", ["2024-03-04", "2024-03-11", "2024-03-18"]),
        ] as [(CalendarPeriod, String, [String])])
    func calendar(_ period: CalendarPeriod, _ start: String, _ ends: [String]) {
        let plan = SamplePlans.plan("plan", level: 1, period, 9_990)
        var world = LifecycleWorld(buying: plan, at: start)
        for end in ends.dropLast() { world.advance(to: end, expecting: [Self.renewed]) }
        #expect(world.opened.map { text($0.newestPeriod.end) } == ends)
        #expect(world.anchor == start)
    }

    @Test("A year of weeks is fifty-two renewals of exactly seven days")
    func weekly() {
        var world = LifecycleWorld(buying: SamplePlans.silverWeekly, at: "2026-01-01")
        world.advance(to: "2026-12-31", expecting: Array(repeating: Self.renewed, count: 52))
        #expect(
            world.opened.allSatisfy { $0.newestPeriod.end.since($0.newestPeriod.start) == .days(7) }
        )
        #expect(world.ledger.last == "silver.weekly 2026-12-31…2027-01-07 2990")
    }

    @Test("A plan of another length counts from the renewal that applies it, and back again")
    func throughLengths() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-31")
        let later = ServerNotification.didChangeRenewalPreference(.downgrade)
        try world.send(chose(SamplePlans.silverWeekly), at: "2026-02-01", expecting: [later])
        world.advance(to: "2026-02-28", expecting: [Self.renewed])
        #expect(world.anchor == "2026-02-28")
        try world.send(chose(SamplePlans.silver), at: "2026-03-01", expecting: [later])
        world.advance(to: "2026-04-07", expecting: [Self.renewed, Self.renewed])
        #expect(
            world.ledger == [
                "silver 2026-01-31…2026-02-28 9990", "silver.weekly 2026-02-28…2026-03-07 2990",
                "silver 2026-03-07…2026-04-07 9990", "silver 2026-04-07…2026-05-07 9990",
            ])
    }

    @Test("Months and years share one anchor: the day comes back after years")
    func monthsToYears() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-31")
        try world.send(
            chose(SamplePlans.silverYearly), at: "2026-02-01",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        try world.send(
            chose(SamplePlans.silver), at: "2027-02-01",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        world.advance(to: "2027-03-31", expecting: [Self.renewed, Self.renewed])
        #expect(
            world.ledger.dropFirst() == [
                "silver.yearly 2026-02-28…2027-02-28 99990", "silver 2027-02-28…2027-03-31 9990",
                "silver 2027-03-31…2027-04-30 9990",
            ])
    }

    @Test(
        "Nothing is due a moment too early, and asking changes nothing",
        arguments: ["2026-01-31", "2026-02-15", "2026-02-27 23:59:59"])
    func notDue(_ time: String) {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-01-31")
        world.refuse(.becameDue(forSale: true), at: time, .notDue)
        world.refuse(.becameDue(forSale: false), at: time, .notDue)
        #expect(world.charges.count == 1)
    }

    @Test("In Pacific time the day is the one on the wall in California (CAL-7 to CAL-9)")
    func pacific() {
        // 28 February 16:00 in California: the day before, and daylight saving comes between.
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2023-03-01", under: Conditions(zone: .pacific))
        world.advance(to: moment("2023-12-01"))
        #expect(
            world.opened.map { text($0.newestPeriod.end) } == [
                "2023-03-28 23:00", "2023-04-28 23:00", "2023-05-28 23:00", "2023-06-28 23:00",
                "2023-07-28 23:00", "2023-08-28 23:00", "2023-09-28 23:00", "2023-10-28 23:00",
                "2023-11-29", "2023-12-29",
            ])
    }

    @Test("A renewal in the hour that spring skips comes at the first moment that exists")
    func skippedHour() {
        // 8 February 02:30 in California; on 8 March 2026 that time does not exist.
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-02-08 10:30", under: Conditions(zone: .pacific))
        world.advance(to: moment("2026-03-08 10:00"))
        #expect(
            world.opened.map { text($0.newestPeriod.end) } == [
                "2026-03-08 10:00", "2026-04-08 09:30",
            ])
    }

    // MARK: Off and on

    @Test("Renewal off keeps access to the end of the period, then it is over (EXP-1)")
    func turnedOff() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(.turnedRenewalOff, at: "2026-03-11", expecting: [Self.off])
        world.advance(to: "2026-03-31 23:59:59", expecting: [])
        #expect(world.subscription.isEntitled)
        #expect(world.subscription.nextChange == moment("2026-04-01"))
        world.advance(to: "2026-04-01", expecting: [.expired(.voluntary)])
        #expect(!world.subscription.isEntitled)
        #expect(world.subscription.state == .expired(.voluntary, at: moment("2026-04-01")))
        #expect(world.subscription.nextChange == nil)
        #expect(world.charges.count == 1)
    }

    @Test("Renewal on again before the end charges nothing and renews as before (EXP-1)")
    func turnedOnAgain() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(.turnedRenewalOff, at: "2026-03-11", expecting: [Self.off])
        try world.send(.turnedRenewalOn, at: "2026-03-31 23:59:59", expecting: [Self.on])
        #expect(world.charges.count == 1)
        world.advance(to: "2026-04-01", expecting: [Self.renewed])
        #expect(world.anchor == "2026-03-01")
    }

    @Test("Turning renewal to what it is already tells nobody and changes nothing")
    func turnedTwice() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        let running = world.subscription
        try world.send(.turnedRenewalOn, at: "2026-03-02", expecting: [])
        #expect(world.subscription == running)
        try world.send(.turnedRenewalOff, at: "2026-03-03", expecting: [Self.off])
        let cancelled = world.subscription
        try world.send(.turnedRenewalOff, at: "2026-03-04", expecting: [])
        #expect(world.subscription == cancelled)
    }

    @Test("A waiting change survives renewal off and on, but not the expiry")
    func waitingChangeAndOff() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(
            chose(SamplePlans.bronze), at: "2026-03-02",
            expecting: [.didChangeRenewalPreference(.downgrade)])
        try world.send(.turnedRenewalOff, at: "2026-03-03", expecting: [Self.off])
        #expect(world.subscription.nextPlan == SamplePlans.bronze)
        var other = world
        try world.send(.turnedRenewalOn, at: "2026-03-04", expecting: [Self.on])
        world.advance(to: "2026-04-01", expecting: [Self.renewed])
        #expect(world.ledger.last == "bronze 2026-04-01…2026-05-01 4990")
        other.advance(to: "2026-04-01", expecting: [.expired(.voluntary)])
        #expect(other.subscription.nextPlan == nil)
    }

    @Test("A new payment method outside billing retry charges nothing")
    func paymentMethodWhileActive() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        let running = world.subscription
        try world.send(.changedPaymentMethod, at: "2026-03-11", expecting: [])
        #expect(world.charges.count == 1 && world.subscription == running)
    }

    // MARK: Other ends

    @Test("A product that is not for sale at renewal ends the subscription (reason 4)")
    func notForSale() {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        world.isForSale = false
        world.advance(to: "2026-04-01", expecting: [.expired(.notForSale)])
        #expect(!world.subscription.isEntitled && world.charges.count == 1)
    }

    @Test("Who has turned renewal off leaves of their own will, for sale or not")
    func notForSaleAndOff() throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        world.isForSale = false
        try world.send(.turnedRenewalOff, at: "2026-03-11", expecting: [Self.off])
        world.advance(to: "2026-04-01", expecting: [.expired(.voluntary)])
    }

    @Test("The operator ends it at once (reason 5), from any state that is not over")
    func ended() throws {
        var active = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try active.send(.wasEnded, at: "2026-03-11", expecting: [.expired(.other)])
        #expect(active.subscription.state == .expired(.other, at: moment("2026-03-11")))
        active.refuse(.wasEnded, at: "2026-03-12", .notActive)
        for terms in [Conditions(), Conditions(gracePeriod: .threeDays)] {
            var failed = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01", under: terms)
            failed.declinesUntil = .latest
            try failed.send(.wasEnded, at: "2026-04-02", expecting: [.expired(.other)])
            #expect(failed.subscription.nextChange == nil && !failed.subscription.isEntitled)
        }
    }

    @Test("The reasons carry the numbers of expirationIntent (TAB-4.3)")
    func reasons() {
        #expect(
            ExpirationReason.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(ExpirationReason.billingError.rawValue == 2)
        #expect(ExpirationReason.notForSale.rawValue == 4)
    }

    @Test(
        "What is over refuses all but a purchase",
        arguments: [
            (Event.turnedRenewalOff, Refusal.notActive), (.turnedRenewalOn, .notActive),
            (.wasEnded, .notActive), (.becameDue(forSale: true), .notDue),
        ])
    func over(_ event: Event, _ refusal: Refusal) throws {
        var world = LifecycleWorld(buying: SamplePlans.silver, at: "2026-03-01")
        try world.send(.turnedRenewalOff, at: "2026-03-11", expecting: [Self.off])
        world.refuse(event, at: "2026-05-01", refusal)
    }
}

@Suite("Renewal in Sandbox")
struct SandboxRenewalTests {
    private static func sandbox(
        _ speed: SandboxSpeed, gracePeriod: GracePeriod? = nil
    ) -> Conditions {
        Conditions(tempo: .sandbox(speed), gracePeriod: gracePeriod, renewalLimit: 12)
    }

    @Test("Twelve renewals, then renewal is switched off and it is over (SBX-1)")
    func twelve() {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-31", under: Self.sandbox(.fiveMinutes))
        world.advance(
            to: "2026-01-31 01:04:59",
            expecting: Array(repeating: .didRenew(afterBillingProblem: false), count: 12))
        #expect(world.subscription.isEntitled)
        world.advance(
            to: "2026-01-31 01:05",
            expecting: [.didChangeRenewalStatus(enabled: false), .expired(.voluntary)])
        #expect(world.opened.count == 13 && world.charges.count == 13)
        #expect(world.ledger.last == "silver 2026-01-31 01:00…2026-01-31 01:05 9990")
    }

    @Test("A purchase after the twelve counts afresh, and in Production there is no limit")
    func afterTwelve() throws {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-31", under: Self.sandbox(.fiveMinutes))
        try world.send(
            chose(SamplePlans.silver), at: "2026-01-31 02:00",
            expecting: [.subscribed(.resubscribe)])
        #expect(world.subscription.renewalCount == 0)
        world.advance(
            to: "2026-01-31 03:00",
            expecting: Array(repeating: .didRenew(afterBillingProblem: false), count: 12))
        world.advance(
            to: "2026-02-01",
            expecting: [.didChangeRenewalStatus(enabled: false), .expired(.voluntary)])
    }

    @Test(
        "Each plan lasts its minutes at each speed (TAB-17.1)",
        arguments: [
            (SandboxSpeed.threeMinutes, [3, 3, 6, 9, 18, 36]),
            (.fiveMinutes, [3, 5, 10, 15, 30, 60]),
            (.fifteenMinutes, [5, 15, 30, 45, 90, 180]),
            (.thirtyMinutes, [10, 30, 60, 90, 180, 360]),
            (.sixtyMinutes, [15, 60, 120, 180, 360, 720]),
        ])
    func lengths(_ speed: SandboxSpeed, _ minutes: [Int]) {
        for (period, minutes) in zip(CalendarPeriod.billing, minutes) {
            let plan = SamplePlans.plan("plan", level: 1, period, 990)
            var world = LifecycleWorld(
                buying: plan, at: "2026-01-31", under: Self.sandbox(speed))
            world.advance(to: moment("2026-01-31") + .minutes(3 * minutes))
            #expect(
                world.opened.map { $0.newestPeriod.end.since($0.newestPeriod.start) }
                    == Array(repeating: .minutes(minutes), count: 4))
        }
    }

    @Test("Another speed changes the next period and not the running one (SBX-2)")
    func speedChange() {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-31 10:00", under: Self.sandbox(.sixtyMinutes))
        world.advance(to: moment("2026-01-31 10:20"))
        world.terms.tempo = .sandbox(.threeMinutes)
        #expect(world.subscription.nextChange == moment("2026-01-31 11:00"))
        world.advance(to: moment("2026-01-31 11:04"))
        world.terms.tempo = .sandbox(.fifteenMinutes)
        world.advance(to: moment("2026-01-31 11:06"))
        #expect(
            world.ledger == [
                "silver 2026-01-31 10:00…2026-01-31 11:00 9990",
                "silver 2026-01-31 11:00…2026-01-31 11:03 9990",
                "silver 2026-01-31 11:03…2026-01-31 11:06 9990",
                "silver 2026-01-31 11:06…2026-01-31 11:21 9990",
            ])
    }

    @Test("A failed renewal has minutes of grace and of retry (SBX-4)")
    func retry() {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, at: "2026-01-31",
            under: Self.sandbox(.fiveMinutes, gracePeriod: .sixteenDays))
        world.declinesUntil = .latest
        world.advance(to: "2026-01-31 00:05", expecting: [.didFailToRenew(inGracePeriod: true)])
        world.advance(to: "2026-01-31 00:09:59", expecting: [])
        world.advance(to: "2026-01-31 00:10", expecting: [.gracePeriodExpired])
        world.advance(to: "2026-01-31 00:14:59", expecting: [])
        world.advance(to: "2026-01-31 00:15", expecting: [.expired(.billingError)])
    }

    @Test("Grace ends on its minute, also between two attempts")
    func graceBetweenAttempts() {
        // At this speed an attempt comes every two minutes, and a week and its grace are fifteen.
        var world = LifecycleWorld(
            buying: SamplePlans.silverWeekly, at: "2026-01-31",
            under: Self.sandbox(.sixtyMinutes, gracePeriod: .threeDays))
        world.declinesUntil = .latest
        world.advance(to: "2026-01-31 00:29:59", expecting: [.didFailToRenew(inGracePeriod: true)])
        world.advance(to: "2026-01-31 00:30", expecting: [.gracePeriodExpired])
    }

    @Test("A trial of three days lasts two minutes, and the paid periods follow")
    func trial() {
        var world = LifecycleWorld(
            buying: SamplePlans.silver, offer: SamplePlans.trial(CalendarPeriod(3, .day)),
            at: "2026-01-31", under: Self.sandbox(.fiveMinutes))
        world.advance(to: moment("2026-01-31 00:08"))
        #expect(
            world.ledger == [
                "silver 2026-01-31…2026-01-31 00:02 0",
                "silver 2026-01-31 00:02…2026-01-31 00:07 9990",
                "silver 2026-01-31 00:07…2026-01-31 00:12 9990",
            ])
    }
}
