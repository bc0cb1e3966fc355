/// How long periods really last: their true length in Production, a few minutes in Sandbox
/// (TAB-17.1). The clock itself is never scaled.
public enum Tempo: Hashable, Sendable {
    /// Calendar lengths.
    case real
    /// Sandbox: a month lasts this many minutes.
    case sandbox(SandboxSpeed)

    /// The length of a period, and the unit in which a cycle counts it.
    func measure(_ period: CalendarPeriod) -> (unit: BillingCycle.Unit, length: Int64) {
        switch self {
        case .sandbox(let speed):
            return (.milliseconds, speed.length(of: period).milliseconds)
        case .real:
            if let months = period.months { return (.months, Int64(months)) }
            if let days = period.days { return (.days, Int64(days)) }
            preconditionFailure("a period counts days or months")
        }
    }

    /// The longest lapse that `recentSubscriptionStartDate` ignores (EXP-7). Exactly that long
    /// still counts as the same run of service: the sources disagree, the kinder reading wins.
    public var ignoredLapse: Span {
        switch self {
        case .real: .days(60)
        case .sandbox: .minutes(10)
        }
    }
}

/// The speeds that a Sandbox tester chooses from: the minutes that a month lasts (TAB-17.1).
public enum SandboxSpeed: Int, Hashable, Sendable, CaseIterable {
    case threeMinutes = 3
    case fiveMinutes = 5
    case fifteenMinutes = 15
    case thirtyMinutes = 30
    case sixtyMinutes = 60

    /// The length of a period at this speed.
    ///
    /// Months are multiples of the speed. A week has a length of its own in Apple's table; three
    /// days, of which only the five-minute figure is known, are 2 of its 3 minutes.
    public func length(of period: CalendarPeriod) -> Span {
        if let months = period.months { return .minutes(rawValue * months) }
        let week: Span =
            switch self {
            case .threeMinutes, .fiveMinutes: .minutes(3)
            case .fifteenMinutes: .minutes(5)
            case .thirtyMinutes: .minutes(10)
            case .sixtyMinutes: .minutes(15)
            }
        let days = period.days ?? 7
        if days % 7 == 0 { return Span(milliseconds: week.milliseconds * Int64(days / 7)) }
        if days == 3 { return Span(milliseconds: week.milliseconds * 2 / 3) }
        return Span(milliseconds: week.milliseconds * Int64(days) / 7)
    }
}

extension Tempo {
    /// How long a number of days lasts at this tempo for a plan: the days of notice before a
    /// price increase, of an extension, of a limit that Apple writes in days.
    ///
    /// Production: days of 24 hours. Sandbox: the same share of the plan's shortened week, for
    /// plans counted in days, or of its shortened month of 30 days (SBX-7, `ENG`). So 27 days
    /// before a monthly renewal stay 27/30 of a month, and 4 weekly renewals still last 28 days.
    public func span(days: Int, of period: CalendarPeriod) -> Span {
        switch self {
        case .real:
            return .days(days)
        case .sandbox(let speed):
            let (unit, daysInUnit): (CalendarPeriod, Int64) =
                period.isWeekly ? (.week, 7) : (.month, 30)
            return Span(
                milliseconds: speed.length(of: unit).milliseconds * Int64(days) / daysInUnit)
        }
    }
}
