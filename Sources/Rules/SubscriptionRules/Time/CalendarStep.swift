/// A step by which the store's clock is moved, written as an ISO 8601 duration: `P1M`, `P5Y`,
/// `P60D`, `PT1H30M`, `P1DT12H`. Unlike a `CalendarPeriod` it may mix units.
public struct CalendarStep: Hashable, Sendable {
    /// Years and months together; a year is 12 months (CAL-11).
    public let months: Int
    /// Weeks and days together; a week is 7 days (CAL-11).
    public let days: Int
    /// Hours, minutes and seconds together.
    public let time: Span

    /// How many digits a number has at most: far more than the store's clock spans, which is for
    /// the clock to refuse, and far less than could overflow.
    private static let dateDigits = 5
    private static let timeDigits = 10

    /// Reads a duration; nil when the text has another form.
    ///
    /// Strict: units in their order and each once, weeks only alone, no sign, no fraction, at
    /// least one number, at most five digits for a date and ten for a time. `PT0S` is a step of
    /// nothing, with which what is due at this very moment gets done.
    public init?(iso8601 text: String) {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].first == "P",
            let date = Self.counts(
                in: parts[0].dropFirst(), of: "YMWD", digits: Self.dateDigits),
            let time =
                parts.count == 2
                ? Self.counts(in: parts[1], of: "HMS", digits: Self.timeDigits) : [:],
            parts.count == 1 || !time.isEmpty, !(date.isEmpty && time.isEmpty),
            date["W"] == nil || (date.count == 1 && time.isEmpty)
        else { return nil }
        let months = date["Y", default: 0] * 12 + date["M", default: 0]
        let days = date["W", default: 0] * 7 + date["D", default: 0]
        let seconds =
            time["H", default: 0] * 3600 + time["M", default: 0] * 60 + time["S", default: 0]
        self.months = months
        self.days = days
        self.time = .seconds(seconds)
    }

    /// The moment a step later, by the calendar in UTC: first years and months, where a month
    /// that lacks the day gives its last day (CAL-4), then days, then the time.
    public func applied(to instant: Instant) -> Instant {
        let (date, milliseconds) = BillingZone.utc.wallClock(at: instant)
        let day = date.adding(months: months).daysSinceEpoch + days
        let moment = BillingZone.utc.instant(
            of: CivilDate(daysSinceEpoch: day), milliseconds: milliseconds)
        return moment + time
    }

    /// Reads pairs of a number and a unit, the units in the order given and each at most once.
    private static func counts(
        in text: some StringProtocol, of units: String, digits most: Int
    ) -> [Unicode.Scalar: Int]? {
        var counts: [Unicode.Scalar: Int] = [:]
        var unitsLeft = Substring(units).unicodeScalars
        var number: Int?
        var digits = 0
        for scalar in text.unicodeScalars {
            if let digit = Self.digit(scalar) {
                guard digits < most else { return nil }
                number = (number ?? 0) * 10 + digit
                digits += 1
            } else {
                guard let count = number, let index = unitsLeft.firstIndex(of: scalar) else {
                    return nil
                }
                counts[scalar] = count
                unitsLeft = unitsLeft[unitsLeft.index(after: index)...]
                number = nil
                digits = 0
            }
        }
        return number == nil ? counts : nil
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value - 0x30) : nil
    }
}
