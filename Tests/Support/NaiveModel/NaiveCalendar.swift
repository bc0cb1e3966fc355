/// A calendar that counts on its fingers: year by year, month by month. Instants are milliseconds
/// since 1970 in UTC, days are numbered from 1 January 1970.
public enum NaiveCalendar {
    public static let minute = 60_000
    public static let hour = 60 * minute
    public static let day = 24 * hour

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The year, month and day of a numbered day.
    static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
        var (year, rest) = (1970, number)
        while rest >= (isLeap(year) ? 366 : 365) {
            rest -= isLeap(year) ? 366 : 365
            year += 1
        }
        var month = 1
        while rest >= days(in: month, of: year) {
            rest -= days(in: month, of: year)
            month += 1
        }
        return (year, month, rest + 1)
    }

    /// The year of an instant in UTC.
    public static func year(of instant: Int) -> Int { date(ofDay: instant / day).year }

    /// The number of a day.
    static func number(year: Int, month: Int, day: Int) -> Int {
        var number = day - 1
        for earlier in 1970..<year { number += isLeap(earlier) ? 366 : 365 }
        for earlier in 1..<month { number += days(in: earlier, of: year) }
        return number
    }

    /// An instant in UTC.
    public static func utc(
        _ year: Int, _ month: Int, _ day: Int, _ hours: Int = 0, _ minutes: Int = 0
    ) -> Int {
        number(year: year, month: month, day: day) * Self.day + hours * hour + minutes * minute
    }

    /// An instant as text, for people.
    public static func text(_ instant: Int) -> String {
        let date = date(ofDay: instant / day)
        let clock = instant % day
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let millis = clock % 1000 == 0 ? "" : ".\(clock % 1000)"
        return "\(date.year)-\(two(date.month))-\(two(date.day))T\(two(clock / hour)):"
            + "\(two(clock / minute % 60)):\(two(clock / 1000 % 60))\(millis)Z"
    }

    // MARK: Zones

    /// What wall clocks are ahead of UTC; Pacific has US daylight saving (CAL-7, CAL-9).
    static func offset(at instant: Int, isPacific: Bool) -> Int {
        guard isPacific else { return 0 }
        let year = date(ofDay: instant / day).year
        let isSummer = instant >= springForward(year) && instant < fallBack(year)
        return (isSummer ? -7 : -8) * hour
    }

    /// 02:00 standard time on the second Sunday of March.
    public static func springForward(_ year: Int) -> Int {
        sunday(2, year, 3) * day + 10 * hour
    }

    /// 02:00 daylight time on the first Sunday of November.
    public static func fallBack(_ year: Int) -> Int {
        sunday(1, year, 11) * day + 9 * hour
    }

    private static func sunday(_ count: Int, _ year: Int, _ month: Int) -> Int {
        var (day, found) = (number(year: year, month: month, day: 1), 0)
        while true {
            // 1 January 1970 was a Thursday, so Sundays are 3 days into the week.
            if day % 7 == 3 { found += 1 }
            if found == count { return day }
            day += 1
        }
    }

    /// The instant at which wall clocks show a time. A skipped time is the first valid moment, of
    /// a repeated one the first counts (CAL-9).
    static func instant(ofWall wall: Int, isPacific: Bool) -> Int {
        guard isPacific else { return wall }
        let (summer, winter) = (wall + 7 * hour, wall + 8 * hour)
        if offset(at: summer, isPacific: true) == -7 * hour { return summer }
        if offset(at: winter, isPacific: true) == -8 * hour { return winter }
        return springForward(date(ofDay: wall / day).year)
    }

    /// An anchor and so many months later, on the anchor's day where the month has it and at the
    /// same time of day (CAL-3 to CAL-6).
    static func adding(months: Int, to anchor: Int, isPacific: Bool) -> Int {
        let wall = anchor + offset(at: anchor, isPacific: isPacific)
        var (year, month, wanted) = date(ofDay: wall / day)
        for _ in 0..<months {
            month += 1
            if month == 13 { (year, month) = (year + 1, 1) }
        }
        let day = number(year: year, month: month, day: min(wanted, days(in: month, of: year)))
        return instant(ofWall: day * Self.day + wall % Self.day, isPacific: isPacific)
    }

    /// An anchor and so many days later, at the same time of day.
    static func adding(days: Int, to anchor: Int, isPacific: Bool) -> Int {
        let wall = anchor + offset(at: anchor, isPacific: isPacific)
        return instant(ofWall: wall + days * day, isPacific: isPacific)
    }
}
