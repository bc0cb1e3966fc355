import FoundationEssentials
public import SubscriptionRules

/// The machine's own clock and its waiting: the one place where time that nobody passed in
/// comes from.
public enum SystemTime {
    /// The machine's clock now, in milliseconds.
    public static func now() -> Instant {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// How long the process has been measuring time: a stopwatch that never goes back, for saying
    /// how long something took.
    public static func uptime() -> Duration { ContinuousClock.now - start }

    private static let start = ContinuousClock.now

    /// Waits; returns early when the task is cancelled.
    public static func wait(_ duration: Duration) async {
        try? await Task.sleep(for: duration)
    }
}
