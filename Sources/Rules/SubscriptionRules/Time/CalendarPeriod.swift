/// A calendar length of one unit, such as one month: what plans and offers last (CAL-1, CAL-2).
///
/// Written as ISO 8601 with a single unit: `P3D`, `P1W`, `P2M`, `P1Y`.
public struct CalendarPeriod: Hashable, Sendable {
    /// The units of a calendar length.
    public enum Unit: Character, Hashable, Sendable, CaseIterable {
        case day = "D"
        case week = "W"
        case month = "M"
        case year = "Y"
    }

    /// How many units, at least 1.
    public var count: Int
    /// What is counted.
    public var unit: Unit

    /// Makes a length of `count` units; `count` must be at least 1.
    public init(_ count: Int, _ unit: Unit) {
        precondition(count >= 1, "a period lasts at least one unit, not \(count)")
        self.count = count
        self.unit = unit
    }

    /// Reads `P1M` and the like; nil when the text has no such form or counts over 4 digits.
    public init?(iso8601 text: String) {
        var rest = Substring(text)
        guard rest.popFirst() == "P", let unit = rest.popLast().flatMap(Unit.init(rawValue:)),
            (1...4).contains(rest.count), rest.allSatisfy({ ("0"..."9").contains($0) }),
            let count = Int(rest), count >= 1
        else { return nil }
        self.init(count, unit)
    }

    /// The ISO 8601 form, such as `P1M`.
    public var iso8601: String { "P\(count)\(unit.rawValue)" }

    /// The length that many times over: three times `P1M` is `P3M`.
    public func repeated(_ times: Int) -> CalendarPeriod { CalendarPeriod(count * times, unit) }

    /// The length in months, or nil for days and weeks; a year is 12 months (CAL-11).
    public var months: Int? {
        switch unit {
        case .month: count
        case .year: count * 12
        case .day, .week: nil
        }
    }

    /// The length in days, or nil for months and years; a week is 7 days (CAL-11).
    public var days: Int? {
        switch unit {
        case .day: count
        case .week: count * 7
        case .month, .year: nil
        }
    }

    public static let week = CalendarPeriod(1, .week)
    public static let month = CalendarPeriod(1, .month)
    public static let year = CalendarPeriod(1, .year)

    /// The lengths that a plan may have (CAL-1).
    public static let billing: [CalendarPeriod] = [
        .week, .month, CalendarPeriod(2, .month), CalendarPeriod(3, .month),
        CalendarPeriod(6, .month), .year,
    ]
}

extension CalendarPeriod {
    /// Whether days of notice, of extensions and of limits treat a plan of this length as weekly:
    /// it is counted in days.
    var isWeekly: Bool { days != nil }

    /// Whether price rules treat a plan of this length as annual (THR-3).
    var isAnnual: Bool { (months ?? 0) >= 12 }
}
