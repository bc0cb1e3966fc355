/// A day of the Gregorian calendar and a time on it, to the second, in no zone of its own.
///
/// The essentials of Foundation know no time zones, and receipts tell each date three times.
package struct CivilTime: Sendable, Hashable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int

    private static let secondsPerDay: Int64 = 86_400

    /// The time in UTC at an instant in milliseconds since 1970, rounded down to a second.
    package init(milliseconds: Int64) {
        let seconds = Self.floor(milliseconds, by: 1000)
        let days = Self.floor(seconds, by: Self.secondsPerDay)
        let rest = Int(seconds - days * Self.secondsPerDay)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // Years begin in March, so that the day that only some years have is the last one.
        let shifted = days + 719_468
        let era = Self.floor(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    /// A day and time, or `nil` if the calendar or the clock has none such, or the year is not of
    /// four digits.
    package init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
        // 30 February is found as 1 or 2 March.
        guard CivilTime(milliseconds: milliseconds) == self else { return nil }
    }

    /// The instant at which UTC shows this, in milliseconds since 1970.
    package var milliseconds: Int64 {
        let year = Int64(month <= 2 ? year - 1 : year)
        let era = Self.floor(year, by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return (days * Self.secondsPerDay + Int64(hour * 3600 + minute * 60 + second)) * 1000
    }

    /// `2025-01-31`.
    package var dateText: String {
        "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
    }

    /// `09:05:00`.
    package var timeText: String {
        "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))"
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }
}
