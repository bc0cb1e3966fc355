/// The zone in which the store counts days and months (CAL-7, CAL-8).
///
/// Apple's 2012 description says Pacific time; observations of today fit UTC, our default.
public enum BillingZone: String, Hashable, Sendable, CaseIterable {
    /// Coordinated universal time.
    case utc
    /// US Pacific time with the daylight saving rules of the United States.
    case pacific

    /// The calendar day and the milliseconds since its midnight, on this zone's wall clock.
    public func wallClock(at instant: Instant) -> (date: CivilDate, milliseconds: Int64) {
        let local = instant.milliseconds + offset(at: instant).milliseconds
        let day = Span.days(1).milliseconds
        let days = local.floorDivided(by: day)
        // Not `local - days * day`, which overflows at the very first moments of `Int64`.
        let rest = local % day
        return (CivilDate(daysSinceEpoch: Int(days)), rest < 0 ? rest + day : rest)
    }

    /// The first moment at which the wall clock shows a day and time. A time that daylight saving
    /// skips moves forward to the first moment that exists; of a repeated one the first counts
    /// (CAL-9).
    public func instant(of date: CivilDate, milliseconds: Int64) -> Instant {
        let naive = Instant(
            milliseconds: Int64(date.daysSinceEpoch) * Span.days(1).milliseconds + milliseconds)
        switch self {
        case .utc:
            return naive
        case .pacific:
            let (summerStarts, _) = daylightSaving(year: date.year)
            let asSummer = naive + .hours(7)
            let asWinter = naive + .hours(8)
            // Daylight time comes first where both read the same on the wall.
            if isDaylight(at: asSummer) { return asSummer }
            // Neither reading exists in the hour that spring skips.
            if isDaylight(at: asWinter) { return summerStarts }
            return asWinter
        }
    }

    /// The first moment of the day after the one that a moment lies in.
    public func startOfDay(after moment: Instant) -> Instant {
        let today = wallClock(at: moment).date
        return instant(
            of: CivilDate(daysSinceEpoch: today.daysSinceEpoch + 1), milliseconds: 0)
    }

    /// What the wall clock adds to universal time at a moment.
    public func offset(at instant: Instant) -> Span {
        switch self {
        case .utc: Span(milliseconds: 0)
        case .pacific: .hours(isDaylight(at: instant) ? -7 : -8)
        }
    }

    private func isDaylight(at instant: Instant) -> Bool {
        // The change never falls near New Year, so standard time tells the year.
        let days = (instant - .hours(8)).milliseconds.floorDivided(by: Span.days(1).milliseconds)
        let (start, end) = daylightSaving(year: CivilDate(daysSinceEpoch: Int(days)).year)
        return instant >= start && instant < end
    }

    /// Since 2007: second Sunday of March to first Sunday of November; before, first Sunday of
    /// April to last Sunday of October; each at 02:00 on the wall.
    private func daylightSaving(year: Int) -> (start: Instant, end: Instant) {
        let start =
            year >= 2007
            ? sunday(onOrAfter: CivilDate(year: year, month: 3, day: 8))
            : sunday(onOrAfter: CivilDate(year: year, month: 4, day: 1))
        let end =
            year >= 2007
            ? sunday(onOrAfter: CivilDate(year: year, month: 11, day: 1))
            : sunday(onOrAfter: CivilDate(year: year, month: 10, day: 25))
        return (midnight(start) + .hours(2 + 8), midnight(end) + .hours(2 + 7))
    }

    private func sunday(onOrAfter date: CivilDate) -> CivilDate {
        CivilDate(daysSinceEpoch: date.daysSinceEpoch + (7 - date.weekday) % 7)
    }

    private func midnight(_ date: CivilDate) -> Instant {
        Instant(milliseconds: Int64(date.daysSinceEpoch) * Span.days(1).milliseconds)
    }
}

extension Int64 {
    /// Division that rounds toward the past, also for moments before 1970.
    func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
