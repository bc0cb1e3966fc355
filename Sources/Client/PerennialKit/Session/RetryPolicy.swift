/// How often and when a session asks again what failed for reasons that are likely to pass: a
/// store that is away, slow or busy.
///
/// Waits grow twofold from ``firstDelay`` to ``longestDelay``, each shortened by chance by up to a
/// half, so that a thousand apps do not come back in the same moment. A `Retry-After` of the
/// store's is heeded where it is longer.
public struct RetryPolicy: Sendable, Hashable {
    /// How often one call asks in all; 1 never asks again. The stream of updates asks for ever.
    public var attempts: Int
    /// The wait after the first failure.
    public var firstDelay: Duration
    /// The longest wait between two attempts.
    public var longestDelay: Duration
    /// The longest `Retry-After` that a call waits for by itself; where the store wants a longer
    /// one, the call throws ``StoreKitError/tooManyRequests(retryAfter:)``.
    public var patience: Duration

    public init(
        attempts: Int = 4, firstDelay: Duration = .milliseconds(500),
        longestDelay: Duration = .seconds(60), patience: Duration = .seconds(10)
    ) {
        precondition(attempts >= 1, "a call asks at least once, not \(attempts) times")
        precondition(
            firstDelay > .zero && longestDelay >= firstDelay, "waits are not in order")
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.patience = patience
    }

    /// How long to wait after so many failures in a row.
    func delay(
        afterFailures failures: Int, retryAfter: Duration?, chance: some StoreChance
    ) -> Duration {
        var (ceiling, left) = (firstDelay, failures - 1)
        while left > 0, ceiling < longestDelay { (ceiling, left) = (ceiling * 2, left - 1) }
        ceiling = min(ceiling, longestDelay)
        let jittered = ceiling / 2 + ceiling / 2 * (Double(chance.next() >> 11) / 0x1p53)
        return max(jittered, retryAfter ?? .zero)
    }
}
