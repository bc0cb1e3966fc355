/// A day of the proleptic Gregorian calendar. Our own arithmetic, because these rules import
/// nothing and must give the same answer on every platform.
public struct CivilDate: Hashable, Sendable {
    /// The year, such as 2026.
    public var year: Int
    /// The month, 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int

    /// Makes a date from its parts, which must be a real day.
    public init(year: Int, month: Int, day: Int) {
        precondition((1...12).contains(month), "month \(month) is not between 1 and 12")
        precondition(
            (1...CivilDate.days(inMonth: month, of: year)).contains(day),
            "\(year)-\(month) has no day \(day)")
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days from 1970-01-01 to this day.
    ///
    /// Years are counted from March, so that the leap day comes last in its year.
    public var daysSinceEpoch: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day that lies this many days after 1970-01-01.
    public init(daysSinceEpoch: Int) {
        let days = daysSinceEpoch + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Sunday is 0.
    public var weekday: Int {
        let shifted = (daysSinceEpoch + 4) % 7
        return shifted < 0 ? shifted + 7 : shifted
    }

    /// The day a number of months later. A month that lacks the day gives its last day (CAL-4).
    public func adding(months: Int) -> CivilDate {
        let index = year * 12 + (month - 1) + months
        let newYear = index >= 0 ? index / 12 : (index - 11) / 12
        let newMonth = index - newYear * 12 + 1
        return CivilDate(
            year: newYear, month: newMonth,
            day: min(day, CivilDate.days(inMonth: newMonth, of: newYear)))
    }

    /// The number of days in a month.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29 February.
    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
