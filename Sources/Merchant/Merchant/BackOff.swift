import SubscriptionRules

extension Span {
    /// How long to wait after failures in a row: twice as long each time.
    ///
    /// - Parameters:
    ///   - failures: how many came before this one, which waits for `first`.
    ///   - longest: what it never exceeds.
    static func backOff(after failures: Int64, from first: Span, upTo longest: Span) -> Span {
        let doubled = first.milliseconds << min(max(failures, 0), 20)
        return Span(milliseconds: min(doubled, longest.milliseconds))
    }
}
