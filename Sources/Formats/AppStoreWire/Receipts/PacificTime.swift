/// What the clock on a wall in Los Angeles shows, for the `_pst` dates of receipts (RCP-3.4).
enum PacificTime {
    /// The day and time at an instant in milliseconds since 1970 UTC.
    static func wallClock(at milliseconds: Int64) -> CivilTime {
        let hour: Int64 = 3_600_000
        return CivilTime(
            milliseconds: milliseconds - (isSummerTime(at: milliseconds) ? 7 : 8) * hour)
    }

    /// Since 2007 from the second Sunday of March to the first of November, before from the first
    /// of April to the last of October, at 02:00 on the wall. Nothing here is older than 1987.
    private static func isSummerTime(at milliseconds: Int64) -> Bool {
        let year = CivilTime(milliseconds: milliseconds - 8 * 3_600_000).year
        let (start, end) =
            year >= 2007
            ? (sunday(onOrAfter: 8, 3, year), sunday(onOrAfter: 1, 11, year))
            : (sunday(onOrAfter: 1, 4, year), sunday(onOrAfter: 25, 10, year))
        let hour: Int64 = 3_600_000
        return (start + 10 * hour..<end + 9 * hour).contains(milliseconds)
    }

    /// Midnight in UTC.
    private static func sunday(onOrAfter day: Int, _ month: Int, _ year: Int) -> Int64 {
        var date = CivilTime(milliseconds: 0)
        (date.year, date.month, date.day) = (year, month, day)
        let dayLength: Int64 = 86_400_000
        let days = date.milliseconds / dayLength
        // 1 January 1970 was a Thursday; what is before it counts down.
        let weekday = ((days + 4) % 7 + 7) % 7
        return (days + (7 - weekday) % 7) * dayLength
    }
}
