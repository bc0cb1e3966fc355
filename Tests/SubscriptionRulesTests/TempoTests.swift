import SubscriptionRules
import Testing

@Suite("Tempo")
struct TempoTests {
    struct Row: CustomTestStringConvertible {
        let speed: SandboxSpeed
        /// Minutes for 1 week, then 1, 2, 3, 6 months and 1 year.
        let minutes: [Int]
        var testDescription: String { "\(speed)" }
    }

    static let table = [
        Row(speed: .threeMinutes, minutes: [3, 3, 6, 9, 18, 36]),
        Row(speed: .fiveMinutes, minutes: [3, 5, 10, 15, 30, 60]),
        Row(speed: .fifteenMinutes, minutes: [5, 15, 30, 45, 90, 180]),
        Row(speed: .thirtyMinutes, minutes: [10, 30, 60, 90, 180, 360]),
        Row(speed: .sixtyMinutes, minutes: [15, 60, 120, 180, 360, 720]),
    ]

    @Test("Sandbox periods last as Apple's table says (TAB-17.1)", arguments: table)
    func lengths(row: Row) {
        #expect(CalendarPeriod.billing.map(row.speed.length) == row.minutes.map(Span.minutes))
    }

    @Test("Three days last two minutes at the two quickest speeds (TAB-17.1)")
    func threeDays() {
        let threeDays = CalendarPeriod(3, .day)
        #expect(SandboxSpeed.threeMinutes.length(of: threeDays) == .minutes(2))
        #expect(SandboxSpeed.fiveMinutes.length(of: threeDays) == .minutes(2))
    }

    @Test("Every length that an offer may have takes some time at every speed (CAL-2)")
    func offerLengths() throws {
        for text in ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P9M", "P1Y"] {
            let period = try #require(CalendarPeriod(iso8601: text))
            for speed in SandboxSpeed.allCases {
                #expect(speed.length(of: period) > .minutes(1))
            }
        }
        for speed in SandboxSpeed.allCases {
            let week = speed.length(of: .week).milliseconds
            #expect(speed.length(of: CalendarPeriod(2, .week)).milliseconds == 2 * week)
            #expect(speed.length(of: CalendarPeriod(9, .month)) == .minutes(speed.rawValue * 9))
        }
    }

    @Test("A shortened period is an exact length, with no calendar", arguments: table)
    func sandboxCycle(row: Row) throws {
        let anchor = try #require(Instant(iso8601: "2026-01-31T00:00:00Z"))
        for (period, minutes) in zip(CalendarPeriod.billing, row.minutes) {
            var cycle = BillingCycle(anchor: anchor)
            for renewal in 1...12 {
                let end = cycle.advance(by: period, tempo: .sandbox(row.speed), zone: .pacific)
                #expect(end == anchor + .minutes(minutes * renewal))
            }
        }
    }

    @Test("In Sandbox a week-long trial and months after it simply add up")
    func sandboxTrial() {
        let anchor = Instant.earliest
        var cycle = BillingCycle(anchor: anchor)
        let tempo = Tempo.sandbox(.fiveMinutes)
        #expect(cycle.advance(by: .week, tempo: tempo, zone: .utc) == anchor + .minutes(3))
        #expect(cycle.advance(by: .month, tempo: tempo, zone: .utc) == anchor + .minutes(8))
    }

    @Test("A true tempo after a shortened one counts from where the cycle stands")
    func tempoChanges() {
        let anchor = Instant.earliest
        var cycle = BillingCycle(anchor: anchor)
        cycle.advance(by: .month, tempo: .sandbox(.sixtyMinutes), zone: .utc)
        let end = cycle.advance(by: .month, tempo: .real, zone: .utc)
        #expect(end.iso8601 == "2000-02-01T01:00:00Z")
    }

    @Test(
        "Grace is capped for weekly plans and full for all others (GRA-2, GRA-3)",
        arguments: [
            (GracePeriod.threeDays, 3, 3), (.sixteenDays, 6, 16), (.twentyEightDays, 6, 28),
        ])
    func grace(setting: GracePeriod, weeklyDays: Int, otherDays: Int) {
        #expect(Tempo.real.grace(setting, for: .week) == .days(weeklyDays))
        for period in CalendarPeriod.billing where period != .week {
            #expect(Tempo.real.grace(setting, for: period) == .days(otherDays))
        }
    }

    @Test("Sandbox grace and retry at the default speed are Apple's (SBX-4)")
    func sandboxGrace() {
        let tempo = Tempo.sandbox(.fiveMinutes)
        for setting in GracePeriod.allCases {
            #expect(tempo.grace(setting, for: .week) == .minutes(3))
            #expect(tempo.grace(setting, for: .month) == .minutes(5))
            #expect(tempo.grace(setting, for: .year) == .minutes(5))
        }
        #expect(tempo.billingRetry == .minutes(10))
        #expect(tempo.ignoredLapse == .minutes(10))
    }

    private static func retryInterval(_ tempo: Tempo) -> Span {
        let failed = Instant(milliseconds: 0)
        return Subscription.Retry(
            since: failed, nextAttempt: failed, givesUpAt: failed + tempo.billingRetry
        ).interval
    }

    @Test("Retry lasts 60 days with an attempt a day; grace lies inside it (REN-1)")
    func retry() {
        #expect(Tempo.real.billingRetry == .days(60))
        #expect(Self.retryInterval(.real) == .days(1))
        #expect(Tempo.real.ignoredLapse == .days(60))
        for speed in SandboxSpeed.allCases {
            let tempo = Tempo.sandbox(speed)
            #expect(
                Self.retryInterval(tempo).milliseconds * 60 == tempo.billingRetry.milliseconds)
            for setting in GracePeriod.allCases {
                for period in CalendarPeriod.billing {
                    #expect(tempo.grace(setting, for: period) < tempo.billingRetry)
                }
            }
        }
    }

    @Test("A failure on 31 January gives up on 1 April (TAB-21, recovery)")
    func givesUp() throws {
        let due = try #require(Instant(iso8601: "2026-01-31T00:00:00Z"))
        #expect((due + Tempo.real.billingRetry).iso8601 == "2026-04-01T00:00:00Z")
    }

    @Test("The grace examples of GRA-6 come out")
    func graceExamples() throws {
        let due = try #require(Instant(iso8601: "2026-03-01T12:00:00Z"))
        let monthly = due + Tempo.real.grace(.sixteenDays, for: .month)
        #expect(monthly.iso8601 == "2026-03-17T12:00:00Z")
        let weekly = due + Tempo.real.grace(.twentyEightDays, for: .week)
        #expect(weekly.iso8601 == "2026-03-07T12:00:00Z")
    }
}
