/// What an extension does to dates: the newest period ends later, and later renewals follow the
/// new day. Extending 31 January by 5 days makes 5 February, then 5 March (TAB-3.1, EXT-10).
public struct ExtendedPeriod: Hashable, Sendable {
    /// When the newest period ends now: `effectiveDate` in the answer.
    public let end: Instant
    /// The cycle whose newest period ends there, counted from there on.
    public let cycle: BillingCycle
    /// By how much the end moved. These days do not count to the year of paid service (EXT-7).
    public let added: Span

    /// Extends the newest period of a cycle.
    ///
    /// Production: by civil days of the billing zone, so that the time of day stays. Sandbox: by
    /// days shortened like the plan's periods, in whole seconds: the shortest day there is has six
    /// of them, so that every extension moves something (SBX-7).
    ///
    /// - Parameter agreed: when the period ends so far, where that is known: an end that was fixed
    ///   under another zone is not where the cycle would put it.
    public init(
        _ cycle: BillingCycle, ending agreed: Instant? = nil, by request: ExtensionRequest,
        period: CalendarPeriod, tempo: Tempo = .real, zone: BillingZone = .utc
    ) {
        let old = agreed ?? cycle.end(in: zone)
        if let bonus = request.bonus {
            var longer = Self.cycle(cycle, from: old, in: zone)
            end = longer.advance(by: bonus, from: old, tempo: tempo, zone: zone)
            added = end.since(old)
            self.cycle = longer
            return
        }
        switch tempo {
        case .real:
            end = BillingCycle(anchor: old, unit: .days, elapsed: Int64(request.days)).end(in: zone)
        case .sandbox:
            let exact = tempo.span(days: request.days, of: period).milliseconds
            end = old + Span(milliseconds: exact / 1000 * 1000)
        }
        added = end.since(old)
        self.cycle = BillingCycle(anchor: end, unit: cycle.unit, elapsed: 0)
    }

    /// The cycle to which a bonus is added as if it were one of the plan's periods: counted as the
    /// plan's are, it stays on the anchor, so that 31 January and two months make 31 March (CAL-4,
    /// S308-98). An end that was fixed under another zone is where it begins.
    private static func cycle(
        _ cycle: BillingCycle, from end: Instant, in zone: BillingZone
    ) -> BillingCycle {
        cycle.end(in: zone) == end
            ? cycle : BillingCycle(anchor: end, unit: cycle.unit, elapsed: 0)
    }
}

extension BillingPeriod {
    /// The same period with the end that an extension gave it; the charge stays as it was.
    public func extended(to period: ExtendedPeriod) -> BillingPeriod {
        var longer = self
        longer.end = period.end
        longer.extended = Span(
            milliseconds: longer.extended.milliseconds + period.added.milliseconds)
        return longer
    }
}
