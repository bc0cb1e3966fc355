import SubscriptionRules
import Testing

/// The moment that a text names; a wrong text is a mistake in the test itself.
private func at(_ text: String) -> Instant {
    guard let instant = Instant(iso8601: text) else { fatalError("no moment: \(text)") }
    return instant
}

/// The ends of the first periods after an anchor, in true lengths.
private func ends(
    from anchor: String, _ period: CalendarPeriod, _ count: Int, in zone: BillingZone = .utc
) -> [String] {
    var cycle = BillingCycle(anchor: at(anchor))
    return (0..<count).map { _ in
        cycle.advance(by: period, tempo: .real, zone: zone).iso8601
    }
}

@Suite("Billing periods end by the calendar")
struct BillingCycleTests {
    struct Run: CustomTestStringConvertible {
        let anchor: String
        let period: String
        let ends: [String]
        var testDescription: String { "\(anchor) by \(period)" }
    }

    static let runs = [
        Run(
            anchor: "2025-01-31", period: "P1M",
            ends: [
                "2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31", "2025-06-30",
                "2025-07-31", "2025-08-31", "2025-09-30", "2025-10-31", "2025-11-30",
                "2025-12-31", "2026-01-31",
            ]),
        Run(
            anchor: "2028-01-30", period: "P1M", ends: ["2028-02-29", "2028-03-30", "2028-04-30"]),
        Run(
            anchor: "2025-08-31", period: "P2M",
            ends: [
                "2025-10-31", "2025-12-31", "2026-02-28", "2026-04-30", "2026-06-30",
                "2026-08-31",
            ]),
        Run(
            anchor: "2024-11-30", period: "P3M",
            ends: ["2025-02-28", "2025-05-30", "2025-08-30", "2025-11-30", "2026-02-28"]),
        Run(
            anchor: "2025-08-31", period: "P6M", ends: ["2026-02-28", "2026-08-31", "2027-02-28"]),
        Run(
            anchor: "2024-02-29", period: "P1Y",
            ends: ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"]),
        Run(anchor: "2025-06-23T05:00:00Z", period: "P1M", ends: ["2025-07-23T05:00:00Z"]),
        Run(
            anchor: "2016-04-14T16:03:33Z", period: "P1M",
            ends: ["2016-05-14T16:03:33Z", "2016-06-14T16:03:33Z"]),
        Run(anchor: "2023-03-01T00:00:00Z", period: "P1M", ends: ["2023-04-01T00:00:00Z"]),
        Run(anchor: "2023-02-28T23:00:00Z", period: "P1M", ends: ["2023-03-28T23:00:00Z"]),
        // CAL-4, Apple's own example, in a common and in a leap year.
        Run(anchor: "2025-01-30", period: "P1M", ends: ["2025-02-28", "2025-03-30"]),
        Run(anchor: "2024-01-30", period: "P1M", ends: ["2024-02-29", "2024-03-30"]),
        // CAL-3: bought on the 5th, always the 5th.
        Run(
            anchor: "2026-01-05", period: "P1M", ends: ["2026-02-05", "2026-03-05", "2026-04-05"]),
        // CAL-11: a week is seven days, whatever month it crosses.
        Run(anchor: "2028-02-25", period: "P1W", ends: ["2028-03-03", "2028-03-10"]),
        // 2000 was a leap year; the clock ends before 2100, which is not.
        Run(anchor: "2000-02-29", period: "P1Y", ends: ["2001-02-28"]),
        Run(anchor: "2096-02-29", period: "P2Y", ends: ["2098-02-28", "2100-02-28"]),
    ]

    @Test(
        "Each end counts from the anchor, so the day comes back (CAL-3 to CAL-6, CAL-11)",
        arguments: runs)
    func endsFromAnchor(run: Run) throws {
        let period = try #require(CalendarPeriod(iso8601: run.period))
        #expect(
            ends(from: run.anchor, period, run.ends.count) == run.ends.map { at($0).iso8601 })
    }

    @Test(
        "The zone decides the day at midnight (CAL-7)",
        arguments: [
            (BillingZone.utc, "2023-03-01T00:00:00Z", "2023-04-01T00:00:00Z"),
            (.pacific, "2023-03-01T00:00:00Z", "2023-03-28T23:00:00Z"),
            (.utc, "2023-02-28T23:00:00Z", "2023-03-28T23:00:00Z"),
            (.pacific, "2023-02-28T23:00:00Z", "2023-03-28T22:00:00Z"),
            // WWDC12-308: 02:00 on 1 April in New York is still 31 March for the store.
            (.pacific, "2012-04-01T06:00:00Z", "2012-05-01T06:00:00Z"),
            (.utc, "2012-04-01T06:00:00Z", "2012-05-01T06:00:00Z"),
        ] as [(BillingZone, String, String)])
    func zoneDecides(zone: BillingZone, anchor: String, end: String) {
        #expect(ends(from: anchor, .month, 1, in: zone) == [end])
    }

    @Test("Pacific counts 31 March where New York has 1 April already (CAL-7)")
    func pacificMonthEnd() {
        #expect(
            ends(from: "2012-04-01T06:00:00Z", .month, 2, in: .pacific)
                == ["2012-05-01T06:00:00Z", "2012-06-01T06:00:00Z"])
        let wall = BillingZone.pacific.wallClock(at: at("2012-04-01T06:00:00Z"))
        #expect(wall.date == CivilDate(year: 2012, month: 3, day: 31))
    }

    @Test("Years of monthly renewals never drift from the anchor (CAL-5)")
    func neverDrifts() {
        let all = ends(from: "2024-01-31T23:59:59.999Z", .month, 600)
        #expect(all[599] == "2074-01-31T23:59:59.999Z")
        #expect(all.count { $0.contains("-28T") } == 37)
        #expect(all.count { $0.contains("-29T") } == 13)
    }

    @Test(
        "After a trial of days or weeks the months count from its end (CAL-13)",
        arguments: [
            ("2025-01-24", "P1W", ["2025-01-31", "2025-02-28", "2025-03-31"]),
            ("2025-01-28", "P3D", ["2025-01-31", "2025-02-28", "2025-03-31"]),
            ("2025-01-17", "P2W", ["2025-01-31", "2025-02-28", "2025-03-31"]),
        ])
    func trialOfDays(anchor: String, trial: String, expected: [String]) throws {
        #expect(try days(from: anchor, trial: trial, then: .month) == expected)
    }

    @Test(
        "After a trial of months the purchase day stays (CAL-12, CAL-13)",
        arguments: [
            ("2025-01-31", "P1M", ["2025-02-28", "2025-03-31", "2025-04-30"]),
            ("2026-01-07", "P1M", ["2026-02-07", "2026-03-07", "2026-04-07"]),
            ("2025-08-31", "P6M", ["2026-02-28", "2026-03-31", "2026-04-30"]),
            ("2024-02-29", "P1Y", ["2025-02-28", "2025-03-29", "2025-04-29"]),
        ])
    func trialOfMonths(anchor: String, trial: String, expected: [String]) throws {
        #expect(try days(from: anchor, trial: trial, then: .month) == expected)
    }

    @Test("A weekly plan after a month-long trial counts weeks from the trial's end")
    func weeksAfterMonths() throws {
        #expect(
            try days(from: "2025-01-31", trial: "P1M", then: .week)
                == ["2025-02-28", "2025-03-07", "2025-03-14"])
    }

    @Test("A stored cycle goes on where it stood")
    func restored() {
        var cycle = BillingCycle(anchor: at("2025-01-31"))
        cycle.advance(by: .month, tempo: .real, zone: .utc)
        var again = BillingCycle(anchor: cycle.anchor, unit: cycle.unit, elapsed: cycle.elapsed)
        #expect(again == cycle)
        let next = again.advance(by: .month, tempo: .real, zone: .utc)
        #expect(next == at("2025-03-31"))
    }

    private func days(
        from anchor: String, trial: String, then period: CalendarPeriod
    ) throws -> [String] {
        var cycle = BillingCycle(anchor: at(anchor))
        let trial = try #require(CalendarPeriod(iso8601: trial))
        return [trial, period, period].map {
            String(cycle.advance(by: $0, tempo: .real, zone: .utc).iso8601.prefix(10))
        }
    }
}

@Suite("Calendar periods are read strictly")
struct CalendarPeriodTests {
    @Test("Apple's lengths read and write the same (CAL-1, CAL-2)")
    func roundTrip() throws {
        for text in ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P9M", "P1Y"] {
            #expect(try #require(CalendarPeriod(iso8601: text)).iso8601 == text)
        }
        #expect(
            CalendarPeriod.billing.map(\.iso8601) == ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"])
    }

    @Test(
        "Any other text is no period",
        arguments: [
            "", "P", "PM", "P0M", "P-1M", "P+1M", "1M", "P1", "P1H", "PT1M", "P1M1D", "p1m",
            "P1.5M",
            "P1M ", " P1M", "P10000M", "P１M", "P5\u{301}M", "P\u{0}1M",
        ])
    func refused(text: String) {
        #expect(CalendarPeriod(iso8601: text) == nil)
    }

    @Test("A year is 12 months and a week 7 days (CAL-11)")
    func measures() {
        #expect(CalendarPeriod.year.months == 12)
        #expect(CalendarPeriod.year.days == nil)
        #expect(CalendarPeriod(2, .week).days == 14)
        #expect(CalendarPeriod(2, .week).months == nil)
        #expect(CalendarPeriod(2, .month).repeated(3) == CalendarPeriod(6, .month))
    }
}

@Suite("Civil dates")
struct CivilDateTests {
    @Test("Every day from 1990 to 2110 goes to its number and back")
    func roundTrip() {
        var expected = CivilDate(year: 1990, month: 1, day: 1)
        let first = expected.daysSinceEpoch
        let last = CivilDate(year: 2110, month: 12, day: 31).daysSinceEpoch
        // 30 leap years: 1992 to 2108 without 2100, which is not one.
        #expect(last - first + 1 == 121 * 365 + 29)
        var wrong: [Int] = []
        for number in first...last {
            let date = CivilDate(daysSinceEpoch: number)
            if date != expected || date.daysSinceEpoch != number { wrong.append(number) }
            expected = following(expected)
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "Leap years follow the Gregorian rule",
        arguments: [
            (1900, false), (2000, true), (2024, true), (2026, false), (2096, true), (2100, false),
            (2104, true), (2400, true),
        ])
    func leapYears(year: Int, isLeap: Bool) {
        #expect(CivilDate.isLeap(year) == isLeap)
        #expect(CivilDate.days(inMonth: 2, of: year) == (isLeap ? 29 : 28))
        let wholeYear =
            CivilDate(year: year + 1, month: 1, day: 1).daysSinceEpoch
            - CivilDate(year: year, month: 1, day: 1).daysSinceEpoch
        #expect(wholeYear == (isLeap ? 366 : 365))
    }

    @Test("Day 0 is 1 January 1970, a Thursday")
    func epoch() {
        #expect(CivilDate(daysSinceEpoch: 0) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(daysSinceEpoch: 0).weekday == 4)
        #expect(CivilDate(daysSinceEpoch: -1) == CivilDate(year: 1969, month: 12, day: 31))
        #expect(CivilDate(daysSinceEpoch: -1).weekday == 3)
        #expect(CivilDate(daysSinceEpoch: -5).weekday == 6)
    }

    @Test("Months added cross years in both directions and clamp (CAL-4)")
    func addingMonths() {
        let date = CivilDate(year: 2025, month: 1, day: 31)
        #expect(date.adding(months: 13).iso8601 == "2026-02-28")
        #expect(date.adding(months: -1).iso8601 == "2024-12-31")
        #expect(date.adding(months: -11).iso8601 == "2024-02-29")
        #expect(date.adding(months: 0) == date)
    }

    private func following(_ date: CivilDate) -> CivilDate {
        var next = date
        next.day += 1
        guard next.day > CivilDate.days(inMonth: date.month, of: date.year) else { return next }
        next.day = 1
        next.month += 1
        guard next.month > 12 else { return next }
        next.month = 1
        next.year += 1
        return next
    }
}

@Suite("Moments as text")
struct InstantTextTests {
    @Test(
        "RFC 3339 is read with its zone, and a bare date is its midnight",
        arguments: [
            ("2026-01-31T00:00:00Z", "2026-01-31T00:00:00Z"),
            ("2027-01-01", "2027-01-01T00:00:00Z"),
            ("2016-04-14T16:03:33Z", "2016-04-14T16:03:33Z"),
            ("2026-01-31T00:00:00.5Z", "2026-01-31T00:00:00.500Z"),
            ("2026-01-31T00:00:00.05Z", "2026-01-31T00:00:00.050Z"),
            ("2026-01-31T00:00:00.001Z", "2026-01-31T00:00:00.001Z"),
            ("2026-01-31T00:00:00.000Z", "2026-01-31T00:00:00Z"),
            ("2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00Z"),
            ("2026-12-31T20:00:00-08:00", "2027-01-01T04:00:00Z"),
            ("2026-06-01T05:45:00+05:45", "2026-06-01T00:00:00Z"),
            ("2026-06-01T00:00:00-00:00", "2026-06-01T00:00:00Z"),
            ("2000-02-29", "2000-02-29T00:00:00Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("0000-01-01", "0000-01-01T00:00:00Z"),
            ("2026-01-31t00:00:00z", "2026-01-31T00:00:00Z"),
            ("2026-01-31T00:00:00.1234Z", "2026-01-31T00:00:00.123Z"),
            ("2026-01-31T00:00:00.999999999+02:00", "2026-01-30T22:00:00.999Z"),
        ] as [(String, String)])
    func reads(text: String, utc: String) throws {
        #expect(try #require(Instant(iso8601: text)).iso8601 == utc)
    }

    @Test(
        "Any other text is no moment",
        arguments: [
            "", "now", "2026", "2026-01", "2026-1-31", "2026-02-29", "2100-02-29", "2026-13-01",
            "2026-00-10", "2026-01-00", "2026-01-31T", "2026-01-31Z", "2026-01-31T00:00Z",
            "2026-01-31T00:00:00", "2026-01-31 00:00:00Z", "2026-01-31T24:00:00Z",
            "2026-01-31T23:60:00Z", "2026-12-31T23:59:60Z", "2026-01-31T00:00:00.Z",
            "2026-01-31T00:00:00.1234567890Z",
            "2026-01-31T00:00:00+0100", "2026-01-31T00:00:00+24:00", "2026-01-31T00:00:00+01:60",
            "2026-01-31T00:00:00+01", "2026-01-31T00:00:00Z ", " 2026-01-31T00:00:00Z",
            "+2026-01-31", "-2026-01-31", "２０２６-01-31", "12026-01-31", "1769817600000",
        ])
    func refuses(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test("The clock's limits are what their comments say")
    func limits() {
        #expect(Instant.earliest.iso8601 == "2000-01-01T00:00:00Z")
        #expect(Instant.latest.iso8601 == "2100-01-01T00:00:00Z")
        #expect(Instant(milliseconds: 0).iso8601 == "1970-01-01T00:00:00Z")
    }

    @Test("Moments far outside any calendar in use are still written, not crashed on")
    func extremes() {
        #expect(Instant(milliseconds: .max).iso8601 == "292278994-08-17T07:12:55.807Z")
        #expect(Instant(milliseconds: .min).iso8601.hasPrefix("-292275055-05-16T16:47:04"))
    }
}

@Suite("Steps of the clock")
struct CalendarStepTests {
    @Test(
        "A step moves by the calendar: months, then days, then time (CAL-4)",
        arguments: [
            ("2026-01-31", "P1M", "2026-02-28T00:00:00Z"),
            ("2028-01-31", "P1M", "2028-02-29T00:00:00Z"),
            ("2024-02-29", "P1Y", "2025-02-28T00:00:00Z"),
            ("2024-02-29", "P5Y", "2029-02-28T00:00:00Z"),
            ("2026-01-31", "P1M1D", "2026-03-01T00:00:00Z"),
            ("2026-01-31", "P1Y2M3DT4H5M6S", "2027-04-03T04:05:06Z"),
            ("2026-01-01", "PT1H30M", "2026-01-01T01:30:00Z"),
            ("2026-12-31T12:00:00Z", "P1DT12H", "2027-01-02T00:00:00Z"),
            ("2026-01-31", "P60D", "2026-04-01T00:00:00Z"),
            ("2026-01-31", "P2W", "2026-02-14T00:00:00Z"),
            ("2026-01-31", "PT90S", "2026-01-31T00:01:30Z"),
            ("2026-01-31", "P0D", "2026-01-31T00:00:00Z"),
            ("2000-01-01", "P100Y", "2100-01-01T00:00:00Z"),
            ("2000-01-01", "P99999Y", "101999-01-01T00:00:00Z"),
            ("2026-01-31T16:03:33.250Z", "P1M", "2026-02-28T16:03:33.250Z"),
        ] as [(String, String, String)])
    func applies(start: String, step: String, end: String) throws {
        #expect(
            try #require(CalendarStep(iso8601: step)).applied(to: at(start)).iso8601 == end)
    }

    @Test(
        "Any other text is no step",
        arguments: [
            "", "P", "PT", "P1", "P1DT", "T1H", "1M", "P-1M", "-P1M", "+P1M", "P1.5M", "PT0,5S",
            "P1M1Y", "P1D1M", "P1M1M", "PT1M1H", "P1W1D", "P1M1W", "P1WT1H", "P1H", "PT1D", "p1m",
            "P 1M", "P1M ", "P1MT", "PT1HT1M", "P100000Y", "P100000M",
            "P100000D", "P100000W", "PT99999999999S", "P9999999999Y", "P1\u{301}M", "P１M", "month",
        ])
    func refuses(text: String) {
        #expect(CalendarStep(iso8601: text) == nil)
    }
}
