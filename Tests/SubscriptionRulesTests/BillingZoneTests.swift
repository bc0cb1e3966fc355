import SubscriptionRules
import Testing

@Suite("The billing zone")
struct BillingZoneTests {
    /// A wall-clock time in milliseconds since midnight.
    private func time(_ hour: Int, _ minute: Int) -> Int64 {
        Span.minutes(hour * 60 + minute).milliseconds
    }

    private func pacific(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int
    ) -> String {
        BillingZone.pacific.instant(
            of: CivilDate(year: year, month: month, day: day), milliseconds: time(hour, minute)
        ).iso8601
    }

    @Test("A wall time that spring skips becomes the first moment after the gap (CAL-9)")
    func skipped() {
        #expect(pacific(2026, 3, 8, 1, 59) == "2026-03-08T09:59:00Z")
        #expect(pacific(2026, 3, 8, 2, 0) == "2026-03-08T10:00:00Z")
        #expect(pacific(2026, 3, 8, 2, 30) == "2026-03-08T10:00:00Z")
        #expect(pacific(2026, 3, 8, 2, 59) == "2026-03-08T10:00:00Z")
        #expect(pacific(2026, 3, 8, 3, 0) == "2026-03-08T10:00:00Z")
    }

    @Test("Of a wall time that autumn repeats the first counts (CAL-9)")
    func repeated() {
        #expect(pacific(2026, 11, 1, 0, 59) == "2026-11-01T07:59:00Z")
        #expect(pacific(2026, 11, 1, 1, 0) == "2026-11-01T08:00:00Z")
        #expect(pacific(2026, 11, 1, 1, 30) == "2026-11-01T08:30:00Z")
        #expect(pacific(2026, 11, 1, 2, 0) == "2026-11-01T10:00:00Z")
    }

    @Test(
        "Daylight saving follows the rule of its year",
        arguments: [
            // Since 2007: second Sunday of March, first Sunday of November.
            (2007, "2007-03-11", "2007-11-04"), (2020, "2020-03-08", "2020-11-01"),
            (2026, "2026-03-08", "2026-11-01"), (2027, "2027-03-14", "2027-11-07"),
            (2099, "2099-03-08", "2099-11-01"),
            // Before: first Sunday of April, last Sunday of October.
            (2000, "2000-04-02", "2000-10-29"), (2001, "2001-04-01", "2001-10-28"),
            (2004, "2004-04-04", "2004-10-31"), (2006, "2006-04-02", "2006-10-29"),
        ] as [(Int, String, String)])
    func rules(year: Int, start: String, end: String) throws {
        let summer = try #require(Instant(iso8601: start + "T10:00:00Z"))
        let winter = try #require(Instant(iso8601: end + "T09:00:00Z"))
        let instant = Span(milliseconds: 1)
        #expect(BillingZone.pacific.offset(at: summer - instant) == .hours(-8))
        #expect(BillingZone.pacific.offset(at: summer) == .hours(-7))
        #expect(BillingZone.pacific.offset(at: winter - instant) == .hours(-7))
        #expect(BillingZone.pacific.offset(at: winter) == .hours(-8))
    }

    @Test("New Year is winter time, on both sides of midnight")
    func newYear() throws {
        for text in ["2026-12-31T23:59:59Z", "2027-01-01T07:59:59Z", "2027-01-01T08:00:00Z"] {
            let instant = try #require(Instant(iso8601: text))
            #expect(BillingZone.pacific.offset(at: instant) == .hours(-8))
        }
        let lastSecond = try #require(Instant(iso8601: "2027-01-01T07:59:59Z"))
        let wall = BillingZone.pacific.wallClock(at: lastSecond)
        #expect(wall.date == CivilDate(year: 2026, month: 12, day: 31))
    }

    @Test("A moment goes to the wall clock and back, outside the repeated hour")
    func roundTrip() {
        var wrong: [String] = []
        for zone in BillingZone.allCases {
            // 7 hours and 13 minutes meet every hour of the day over a century.
            var instant = Instant.earliest
            while instant < .latest {
                let (date, time) = zone.wallClock(at: instant)
                let back = zone.instant(of: date, milliseconds: time)
                let isRepeated = instant.since(back) == .hours(1)
                if back != instant && !isRepeated { wrong.append(instant.iso8601) }
                if !(0..<Span.days(1).milliseconds).contains(time) { wrong.append("\(time)") }
                instant = instant + .minutes(7 * 60 + 13)
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("Under Pacific counting the wall time stays through both changes (CAL-9)")
    func wallTimeStays() throws {
        let anchor = try #require(Instant(iso8601: "2026-01-08T10:30:00Z"))
        var cycle = BillingCycle(anchor: anchor)
        let ends = (0..<12).map { _ in
            cycle.advance(by: .month, tempo: .real, zone: .pacific).iso8601
        }
        // Bought at 02:30; 8 March has no 02:30 and gives 03:00, April has it again.
        #expect(
            ends[0...3] == [
                "2026-02-08T10:30:00Z", "2026-03-08T10:00:00Z", "2026-04-08T09:30:00Z",
                "2026-05-08T09:30:00Z",
            ])
        #expect(ends[10] == "2026-12-08T10:30:00Z")
    }

    @Test("Under UTC nothing shifts (CAL-9)")
    func utcNeverShifts() throws {
        let anchor = try #require(Instant(iso8601: "2026-01-08T10:30:00Z"))
        var cycle = BillingCycle(anchor: anchor)
        for _ in 0..<24 {
            let end = cycle.advance(by: .month, tempo: .real, zone: .utc)
            #expect(end.iso8601.hasSuffix("-08T10:30:00Z"))
        }
    }

    @Test("Another unit counts from where the period really begins, wherever the cycle stands")
    func realStart() {
        // A month from 1 March in UTC ends on 1 April; Pacific clocks would have said 28 March.
        var cycle = BillingCycle(anchor: Instant(iso8601: "2026-03-01T00:00:00Z")!)
        let renewal = cycle.advance(by: .month, tempo: .real, zone: .utc)
        let end = cycle.advance(by: .week, from: renewal, tempo: .real, zone: .pacific)
        #expect(end.iso8601 == "2026-04-08T00:00:00Z")
        // Half past one comes twice on this night; the second one is meant.
        let second = Instant(iso8601: "2026-11-01T09:30:00Z")!
        var short = BillingCycle(anchor: second)
        let sandboxEnd = short.advance(
            by: .month, from: second, tempo: .sandbox(.fiveMinutes), zone: .pacific)
        #expect(sandboxEnd == second + .minutes(5))
    }
}
