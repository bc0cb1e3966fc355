import SubscriptionRules
import Testing

@Suite("Effect of an extension")
struct ExtendedPeriodTests {
    private func extend(
        _ cycle: BillingCycle, _ days: Int, period: CalendarPeriod = .month, tempo: Tempo = .real,
        zone: BillingZone = .utc
    ) throws -> ExtendedPeriod {
        ExtendedPeriod(
            cycle, by: try ExtensionRequest(days: days, reasonCode: 3), period: period,
            tempo: tempo, zone: zone)
    }

    private func cycle(
        from anchor: String, _ periods: Int, _ period: CalendarPeriod = .month,
        tempo: Tempo = .real, zone: BillingZone = .utc
    ) -> BillingCycle {
        var cycle = BillingCycle(anchor: moment(anchor))
        for _ in 0..<periods { cycle.advance(by: period, tempo: tempo, zone: zone) }
        return cycle
    }

    @Test(
        "The new expiry is so many days later (TAB-21)",
        arguments: [(30, "2026-06-14"), (90, "2026-08-13"), (1, "2026-05-16")])
    func expiry(days: Int, end: String) throws {
        let extended = try extend(cycle(from: "2026-01-15", 4), days)
        #expect(text(extended.end) == end)
        #expect(extended.added == .days(days))
    }

    @Test("Later renewals follow the new day: 31 January and 5 days make 5 February (TAB-3.1)")
    func anchorMoves() throws {
        var cycle = try extend(cycle(from: "2025-12-31", 1), 5).cycle
        var ends = [text(cycle.end(in: .utc))]
        for _ in 0..<3 {
            ends.append(text(cycle.advance(by: .month, tempo: .real, zone: .utc)))
        }
        #expect(ends == ["2026-02-05", "2026-03-05", "2026-04-05", "2026-05-05"])
    }

    @Test("Two extensions add up, whatever the plan's period", arguments: CalendarPeriod.billing)
    func twice(period: CalendarPeriod) throws {
        let before = cycle(from: "2026-01-15", 2, period)
        let once = try extend(before, 10, period: period)
        let twice = try extend(once.cycle, 20, period: period)
        #expect(twice.end == before.end(in: .utc) + .days(30))
        var cycle = twice.cycle
        var fresh = BillingCycle(anchor: twice.end)
        for _ in 0..<5 {
            let end = cycle.advance(by: period, tempo: .real, zone: .utc)
            #expect(end == fresh.advance(by: period, tempo: .real, zone: .utc))
        }
    }

    @Test("In Pacific time the time of day stays across the change of the clocks")
    func pacific() throws {
        let before = cycle(from: "2026-02-01 20:00", 1, zone: .pacific)
        let extended = try extend(before, 10, zone: .pacific)
        #expect(text(before.end(in: .pacific)) == "2026-03-01 20:00")
        #expect(text(extended.end) == "2026-03-11 19:00")
    }

    @Test("The charge of the extended period stays as it was, only its end moves (EXT-10)")
    func newestPeriod() throws {
        let before = BillingPeriod(
            transactionID: 7, purchased: moment("2026-04-15"), start: moment("2026-04-15"),
            end: moment("2026-05-15"), charges: [9_990])
        let extended = try extend(cycle(from: "2026-01-15", 4), 30)
        let after = before.extended(to: extended)
        #expect(text(after.end) == "2026-06-14")
        #expect(after.extended == .days(30))
        var restored = after
        restored.end = before.end
        restored.extended = before.extended
        #expect(restored == before)
    }

    @Test(
        "In Sandbox days become seconds, and never nothing (SBX-7)",
        arguments: [
            (SandboxSpeed.threeMinutes, 1, 6), (.fiveMinutes, 1, 10), (.fiveMinutes, 5, 50),
            (.fiveMinutes, 30, 300), (.fiveMinutes, 90, 900), (.sixtyMinutes, 1, 120),
        ])
    func sandbox(speed: SandboxSpeed, days: Int, seconds: Int64) throws {
        let (tempo, added) = (Tempo.sandbox(speed), Span(milliseconds: seconds * 1000))
        let before = cycle(from: "2026-01-01", 3, tempo: tempo)
        let extended = try extend(before, days, tempo: tempo)
        #expect(extended.added == added)
        #expect(extended.cycle.end(in: .utc) == before.end(in: .utc) + added)
    }

    @Test("An end that was fixed under another zone is where the extension begins")
    func otherZone() throws {
        // A month from 1 March in UTC ends on 1 April; Pacific clocks would have said 28 March.
        let extended = ExtendedPeriod(
            cycle(from: "2026-03-01", 1), ending: moment("2026-04-01"),
            by: try ExtensionRequest(days: 30, reasonCode: 3), period: .month, zone: .pacific)
        #expect(text(extended.end) == "2026-05-01")
    }

    @Test(
        "A bonus counted as the plan is stays on the anchor, another one begins there (S308-98)",
        arguments: [
            ("2026-01-31", CalendarPeriod.month, "2026-03-31", "2026-04-30"),
            ("2026-01-31", CalendarPeriod(3, .month), "2026-05-31", "2026-06-30"),
            ("2026-01-31", .week, "2026-03-07", "2026-04-07"),
            ("2024-01-31", CalendarPeriod(3, .day), "2024-03-03", "2024-04-03"),
        ])
    func bonus(anchor: String, length: CalendarPeriod, end: String, next: String) {
        let extended = ExtendedPeriod(
            cycle(from: anchor, 1), by: ExtensionRequest(bonus: length), period: .month)
        #expect(text(extended.end) == end)
        var cycle = extended.cycle
        #expect(text(cycle.advance(by: .month, tempo: .real, zone: .utc)) == next)
    }

    @Test("A bonus begins where an end was fixed under another zone")
    func bonusInOtherZone() {
        let extended = ExtendedPeriod(
            cycle(from: "2026-03-01", 1), ending: moment("2026-04-01"),
            by: ExtensionRequest(bonus: .month), period: .month, zone: .pacific)
        #expect(extended.added.milliseconds >= Span.days(28).milliseconds)
        #expect(extended.cycle.end(in: .pacific) == extended.end)
    }

    @Test("A weekly plan in Sandbox is extended by shares of its week")
    func sandboxWeek() throws {
        let tempo = Tempo.sandbox(.fiveMinutes)
        let before = cycle(from: "2026-01-01", 1, .week, tempo: tempo)
        #expect(try extend(before, 7, period: .week, tempo: tempo).added == .minutes(3))
        // A seventh of three minutes, without its thousandths.
        #expect(
            try extend(before, 1, period: .week, tempo: tempo).added == Span(milliseconds: 25_000))
    }
}
