/// How often and when a client asks again what failed for a reason that may pass.
///
/// Waits grow twofold, each shortened by chance by up to a half, so that many clients do not come
/// back in the same moment. A later moment that the server names in `Retry-After` is waited for.
public struct RequestRetries: Sendable, Hashable {
    /// How often one call asks in all; 1 never asks again.
    public var attempts: Int
    /// The wait after the first failure.
    public var firstDelay: Duration
    /// The longest wait before an attempt. Where the server names a later moment, the call fails
    /// at once, and ``ServerAPIError/retryAfter`` says when to call again.
    public var longestDelay: Duration

    public init(
        attempts: Int = 5, firstDelay: Duration = .milliseconds(500),
        longestDelay: Duration = .seconds(60)
    ) {
        precondition(attempts >= 1, "a call asks at least once, not \(attempts) times")
        precondition(
            firstDelay > .zero && longestDelay >= firstDelay, "waits are not in order")
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// How long to wait after so many failures in a row, by a random number.
    func delay(afterFailures failures: Int, chance: UInt64) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(1, failures) where delay < longestDelay { delay = delay * 2 }
        delay = min(delay, longestDelay)
        return delay / 2 + delay / 2000 * Int(chance % 1001)
    }
}
