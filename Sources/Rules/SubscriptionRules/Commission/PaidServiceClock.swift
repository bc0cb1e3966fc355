/// The paid service that one subscriber has had in one group (COM-2): after a year of it the
/// reduced commission holds (COM-1 to COM-4, COM-8).
///
/// It is fed with every period that was served, in order, and asked before each charge.
public struct PaidServiceClock: Hashable, Sendable {
    /// A period that was served.
    public struct Period: Hashable, Sendable {
        /// When it began; after a recovery in grace its original due date (GRA-6).
        public var start: Instant
        /// When it was to end without extensions, whose days do not count (EXT-7).
        public var paidEnd: Instant
        /// When service ended: later than `paidEnd` by extensions, earlier by an upgrade or a
        /// refund.
        public var end: Instant
        /// Whether it cost money: paid offers count, free ones do not (COM-3).
        public var isPaid: Bool

        /// Makes a period; without `paidEnd` it had no extension and ran its time.
        public init(start: Instant, end: Instant, paidEnd: Instant? = nil, isPaid: Bool = true) {
            self.start = start
            self.end = end
            self.paidEnd = paidEnd ?? end
            self.isPaid = isPaid
        }
    }

    /// The time that counts: whole days in Production, shortened time in Sandbox. It stays after
    /// the end of service until a later period starts too late; ask `served(before:tempo:)`.
    public private(set) var counted: Span
    /// When service last ended, free service included; nil before the first period.
    public private(set) var lastEnd: Instant?

    /// Restores a clock as it was stored; without arguments one that has counted nothing.
    public init(counted: Span = Span(milliseconds: 0), lastEnd: Instant? = nil) {
        self.counted = counted
        self.lastEnd = lastEnd
    }

    /// The whole days that count in Production.
    public var days: Int { Int(counted.milliseconds / Span.days(1).milliseconds) }

    /// Counts a period that was served. Time that was counted before is not counted again.
    ///
    /// Production: whole days on the wall clock of the billing zone, of each period (COM-8).
    /// Sandbox: the exact time.
    public mutating func count(
        _ period: Period, tempo: Tempo = .real, zone: BillingZone = .utc
    ) {
        counted = served(before: period.start, tempo: tempo)
        let start = max(period.start, lastEnd ?? period.start)
        let end = min(period.end, period.paidEnd)
        if period.isPaid, end > start {
            counted = counted + Self.length(from: start, to: end, tempo: tempo, zone: zone)
        }
        lastEnd = max(lastEnd ?? period.end, period.end)
    }

    /// The time that counts for a charge whose period starts at a moment: nothing any more when
    /// service ended over 60 days before. Exactly 60 days still count, as they do for the run of
    /// service (COM-4, EXP-7).
    public func served(before start: Instant, tempo: Tempo = .real) -> Span {
        guard let lastEnd, start.since(lastEnd) > tempo.ignoredLapse else { return counted }
        return Span(milliseconds: 0)
    }

    /// The rate for a charge whose period starts at a moment: reduced when a year of paid service
    /// lies before it, or in the Small Business Program (COM-5, COM-8).
    public func rate(
        forPeriodStarting start: Instant, isInSmallBusinessProgram: Bool = false,
        tempo: Tempo = .real
    ) -> CommissionRate {
        if isInSmallBusinessProgram { return .reduced }
        return served(before: start, tempo: tempo) < Self.year(tempo) ? .standard : .reduced
    }

    /// The paid service after which the reduced rate holds: 365 days; in Sandbox 12 shortened
    /// months.
    private static func year(_ tempo: Tempo) -> Span {
        switch tempo {
        case .real: .days(365)
        case .sandbox(let speed): speed.length(of: .year)
        }
    }

    private static func length(
        from start: Instant, to end: Instant, tempo: Tempo, zone: BillingZone
    ) -> Span {
        guard tempo == .real else { return end.since(start) }
        // By the wall clock, so that a change to daylight saving time costs nobody a day.
        let local =
            end.since(start).milliseconds
            + zone.offset(at: end).milliseconds - zone.offset(at: start).milliseconds
        return .days(Int(local / Span.days(1).milliseconds))
    }
}

extension Span {
    /// Two lengths together.
    fileprivate static func + (left: Span, right: Span) -> Span {
        Span(milliseconds: left.milliseconds + right.milliseconds)
    }
}
