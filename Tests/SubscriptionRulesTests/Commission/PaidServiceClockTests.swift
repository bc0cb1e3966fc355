import SubscriptionRules
import Testing

@Suite("Clock of paid service")
struct PaidServiceClockTests {
    typealias Period = PaidServiceClock.Period

    /// The number of the first charge at the reduced rate, of a subscription that renews on time.
    private func firstReduced(
        from start: String, _ period: CalendarPeriod, freeDays: Int = 0, tempo: Tempo = .real,
        zone: BillingZone = .utc
    ) -> (charge: Int, at: String) {
        var clock = PaidServiceClock()
        var now = moment(start)
        if freeDays > 0 {
            let end = now + .days(freeDays)
            clock.count(Period(start: now, end: end, isPaid: false))
            now = end
        }
        var cycle = BillingCycle(anchor: now)
        for charge in 1...200 {
            if clock.rate(forPeriodStarting: now, tempo: tempo) == .reduced {
                return (charge, text(now))
            }
            let end = cycle.advance(by: period, tempo: tempo, zone: zone)
            clock.count(Period(start: now, end: end), tempo: tempo, zone: zone)
            now = end
        }
        return (0, "never")
    }

    @Test(
        "The reduced rate begins with the charge after 365 paid days (COM-8)",
        arguments: [
            ("2025-01-15", CalendarPeriod.month, 13, "2026-01-15"),
            ("2025-03-01", .year, 2, "2026-03-01"),
            ("2024-02-29", .year, 2, "2025-02-28"),
            ("2025-01-01", .week, 54, "2026-01-07"),
            ("2025-01-31", CalendarPeriod(6, .month), 3, "2026-01-31"),
            ("2025-01-31", CalendarPeriod(3, .month), 5, "2026-01-31"),
            ("2025-08-31", CalendarPeriod(2, .month), 7, "2026-08-31"),
        ] as [(String, CalendarPeriod, Int, String)])
    func firstReducedCharge(start: String, period: CalendarPeriod, charge: Int, at: String) {
        let first = firstReduced(from: start, period)
        #expect(first.charge == charge)
        #expect(first.at == at)
    }

    @Test("A trial of 14 days shifts everything by 14 days without counting (COM-3, COM-8)")
    func trial() {
        let first = firstReduced(from: "2025-01-15", .month, freeDays: 14)
        #expect(first.charge == 13)
        #expect(first.at == "2026-01-29")
    }

    @Test("Daylight saving time costs nobody a day in the Pacific zone")
    func pacific() {
        #expect(firstReduced(from: "2025-01-15 20:00", .month, zone: .pacific).charge == 13)
    }

    @Test("In Sandbox the year is the shortened one")
    func sandbox() {
        let tempo = Tempo.sandbox(.fiveMinutes)
        #expect(firstReduced(from: "2025-01-15", .month, tempo: tempo).charge == 13)
        #expect(firstReduced(from: "2025-01-15", .year, tempo: tempo).charge == 2)
        #expect(firstReduced(from: "2025-01-15", .week, tempo: tempo).charge == 21)
    }

    @Test(
        "A gap of up to 60 days keeps what was counted, a longer one starts at zero (TAB-21)",
        arguments: [
            ("2026-04-20", CommissionRate.reduced), ("2026-04-30", .reduced),
            ("2026-04-30 00:01", .standard), ("2026-05-15", .standard),
        ])
    func gap(rebought: String, rate: CommissionRate) {
        var clock = PaidServiceClock()
        clock.count(Period(start: moment("2025-03-01"), end: moment("2026-03-01")))
        #expect(clock.days == 365)
        #expect(clock.rate(forPeriodStarting: moment(rebought)) == rate)
        clock.count(
            Period(start: moment(rebought), end: moment(rebought) + .days(30)))
        #expect(clock.days == (rate == .reduced ? 395 : 30))
    }

    @Test("After a gap counting goes on from the recovery; the gap does not count (COM-4)")
    func recovery() {
        var clock = PaidServiceClock()
        clock.count(Period(start: moment("2026-01-15"), end: moment("2026-02-15")))
        clock.count(Period(start: moment("2026-03-10"), end: moment("2026-04-10")))
        #expect(clock.days == 31 + 31)
        // Recovered inside grace: no gap at all.
        clock.count(Period(start: moment("2026-04-10"), end: moment("2026-05-10")))
        #expect(clock.days == 31 + 31 + 30)
    }

    @Test("Days of an extension do not count, and are no gap (COM-3, EXT-7)")
    func extended() {
        var clock = PaidServiceClock()
        let paidEnd = moment("2025-04-01")
        clock.count(
            Period(start: moment("2025-03-01"), end: paidEnd + .days(90), paidEnd: paidEnd))
        #expect(clock.days == 31)
        #expect(clock.lastEnd == moment("2025-06-30"))
        #expect(clock.served(before: moment("2025-08-29")) == .days(31))
        #expect(clock.served(before: moment("2025-08-29 00:01")) == .days(0))
    }

    @Test("A free offer between paid periods neither counts nor makes a gap (COM-3)")
    func freeOffer() {
        var clock = PaidServiceClock()
        clock.count(Period(start: moment("2025-03-01"), end: moment("2025-04-01")))
        clock.count(
            Period(start: moment("2025-04-01"), end: moment("2025-10-01"), isPaid: false))
        #expect(clock.served(before: moment("2025-10-01")) == .days(31))
    }

    @Test("A plan change in the group keeps what was counted; cut periods count as served (COM-2)")
    func planChange() {
        var clock = PaidServiceClock()
        clock.count(
            Period(
                start: moment("2025-03-01"), end: moment("2025-03-11 06:00"),
                paidEnd: moment("2025-04-01")))
        #expect(clock.days == 10)
        clock.count(Period(start: moment("2025-03-11 06:00"), end: moment("2026-03-11 06:00")))
        #expect(clock.days == 375)
    }

    @Test("Time that was counted before is not counted again")
    func overlap() {
        var clock = PaidServiceClock()
        let period = Period(start: moment("2025-03-01"), end: moment("2025-04-01"))
        clock.count(period)
        clock.count(period)
        #expect(clock.days == 31)
        clock.count(Period(start: moment("2025-03-15"), end: moment("2025-04-02")))
        #expect(clock.days == 32)
        #expect(clock.lastEnd == moment("2025-04-02"))
    }

    @Test("In the Small Business Program the rate is reduced from the first charge (COM-5)")
    func smallBusiness() {
        let clock = PaidServiceClock()
        let now = moment("2026-01-01")
        #expect(clock.rate(forPeriodStarting: now) == .standard)
        #expect(clock.rate(forPeriodStarting: now, isInSmallBusinessProgram: true) == .reduced)
    }

    @Test("A clock that was stored goes on where it stood")
    func restored() {
        var clock = PaidServiceClock()
        clock.count(Period(start: moment("2025-03-01"), end: moment("2025-04-01")))
        var restored = PaidServiceClock(counted: clock.counted, lastEnd: clock.lastEnd)
        #expect(restored == clock)
        let next = Period(start: moment("2025-04-01"), end: moment("2025-05-01"))
        restored.count(next)
        clock.count(next)
        #expect(restored == clock)
        #expect(clock.days == 61)
    }
}
