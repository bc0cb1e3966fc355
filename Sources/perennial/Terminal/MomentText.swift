import SubscriptionRules

extension Instant {
    /// The day and minute in UTC, such as `2026-01-31 00:00`.
    var minuteText: String { String(secondText.prefix(16)) }

    /// The day and second in UTC, such as `2026-01-31 00:00:06`.
    var secondText: String {
        let (date, milliseconds) = BillingZone.utc.wallClock(at: self)
        let seconds = Int(milliseconds / 1000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
            .map { padded($0, to: 2) }.joined(separator: ":")
        return "\(date.iso8601) \(clock)"
    }
}
