import SubscriptionRules

extension Span {
    /// The length in ISO 8601, in whole seconds: `P1DT2H`, `PT1M30S`.
    package var iso8601: String {
        let seconds = milliseconds / 1000
        let days = seconds / 86_400
        let parts = [(seconds / 3600 % 24, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        let time = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return "P" + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T\(time)")
    }
}
