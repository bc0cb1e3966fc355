package import SubscriptionRules

/// When a message that failed is tried again.
package struct RetrySchedule: Sendable, Hashable {
    /// How long it waits after its first attempt, its second, and so on.
    private let pauses: [Span]

    /// - Parameter pauses: one less than there are attempts; none for one attempt only.
    package init(_ pauses: [Span]) { self.pauses = pauses }

    /// The moment of the next attempt; nil where there is none.
    ///
    /// - Parameters:
    ///   - attempts: how many were made, 1 or more.
    ///   - moment: of the last one.
    package func next(after attempts: Int, at moment: Instant) -> Instant? {
        pauses.indices.contains(attempts - 1) ? moment + pauses[attempts - 1] : nil
    }
}
