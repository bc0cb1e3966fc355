/// The run of periods of one subscription, counted from its anchor and never from the last end,
/// so that 31 January comes back as 31 March after 28 February, at the same time of day (CAL-3 to
/// CAL-5, CAL-6). What begins a new count, and what does not, is a table (TAB-3.1).
public struct BillingCycle: Hashable, Sendable {
    /// What the distance from the anchor is counted in.
    public enum Unit: String, Hashable, Sendable {
        case months
        case days
        /// A shortened test period has no calendar: it is an exact length.
        case milliseconds
    }

    /// The moment from which the current run of periods is counted.
    public private(set) var anchor: Instant
    /// What `elapsed` counts.
    public private(set) var unit: Unit
    /// The distance from the anchor to the end of the newest period.
    public private(set) var elapsed: Int64

    /// Starts a cycle whose newest period ends at the anchor itself.
    public init(anchor: Instant) {
        self.init(anchor: anchor, unit: .months, elapsed: 0)
    }

    /// Restores a cycle as it was stored.
    public init(anchor: Instant, unit: Unit, elapsed: Int64) {
        self.anchor = anchor
        self.unit = unit
        self.elapsed = elapsed
    }

    /// The end of the newest period.
    public func end(in zone: BillingZone) -> Instant {
        switch unit {
        case .milliseconds:
            return anchor + Span(milliseconds: elapsed)
        case .months:
            let (date, time) = zone.wallClock(at: anchor)
            return zone.instant(of: date.adding(months: Int(elapsed)), milliseconds: time)
        case .days:
            let (date, time) = zone.wallClock(at: anchor)
            return zone.instant(
                of: CivilDate(daysSinceEpoch: date.daysSinceEpoch + Int(elapsed)),
                milliseconds: time)
        }
    }

    /// Adds one period at a tempo and returns its end.
    ///
    /// A period counted in the cycle's own unit stays on the anchor: after a month-long trial the
    /// purchase day remains. Another unit starts from where the cycle stands: after a week-long
    /// trial the months count from the trial's end (CAL-13).
    ///
    /// - Parameter start: when the period begins, where that is known: an end that was fixed under
    ///   another zone, or in an hour that clocks show twice, is not where the cycle would put it.
    @discardableResult
    public mutating func advance(
        by period: CalendarPeriod, from start: Instant? = nil, tempo: Tempo, zone: BillingZone
    ) -> Instant {
        let (unit, length) = tempo.measure(period)
        if unit != self.unit {
            self = BillingCycle(anchor: start ?? end(in: zone), unit: unit, elapsed: 0)
        }
        elapsed += length
        return end(in: zone)
    }
}
