public import SubscriptionRules

extension Wording {
    /// A difference in per cent of the old price with two decimals, such as `49.95 %`; only to
    /// read: decisions compare integers.
    public func percent(of change: PriceChange) -> String {
        guard change.old > 0 else { return text(.percentFromNothing) }
        let size = UInt64(change.difference.magnitude)
        let base = UInt64(change.old)
        guard size / base < 10_000 else { return text(.percentBeyondReason) }
        let (part, remainder) = base.dividingFullWidth(
            (size % base).multipliedFullWidth(by: 10_000))
        let hundredths = size / base * 10_000 + part + (remainder >= base - remainder ? 1 : 0)
        let sign = change.difference < 0 ? "-" : ""
        return "\(sign)\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst()) %"
    }

    /// A change, such as `9.99 USD → 14.98 USD (+49.95 %)`.
    public func change(_ change: PriceChange) -> String {
        let prices =
            Money(milliunits: change.old, change.currency).plainText + " → "
            + Money(milliunits: change.new, change.currency).plainText
        guard change.old > 0 else { return prices }
        return prices + " (\(change.isIncrease ? "+" : "")\(percent(of: change)))"
    }

    /// A length of time: whole days as `14 days`, anything else as `3 days 5 h 30 min` or
    /// `1 min 40 s`, milliseconds cut off.
    public func length(_ span: Span) -> String {
        let seconds = max(0, span.milliseconds / 1000)
        let parts = [
            (seconds / 86_400, seconds / 86_400 == 1 ? "day" : "days"),
            (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let used = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return used.isEmpty ? "0 days" : used.joined(separator: " ")
    }
}
