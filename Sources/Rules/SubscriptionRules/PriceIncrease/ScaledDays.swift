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

extension CalendarPeriod {
    /// Whether price rules treat a plan of this length as weekly: it is counted in days.
    var isWeekly: Bool { days != nil }

    /// Whether price rules treat a plan of this length as annual (THR-3).
    var isAnnual: Bool { (months ?? 0) >= 12 }
}
