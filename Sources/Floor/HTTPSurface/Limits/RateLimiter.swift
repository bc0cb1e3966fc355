package import SubscriptionRules
import Synchronization

/// Counts calls by the hour of the machine's clock, or another window: a value without a clock of
/// its own.
///
/// Windows are fixed, not rolling: one number a key instead of a list of moments, and "the next
/// allowed moment" is simply the next window. All counts of one are dropped together, so the
/// memory is bounded by one window's callers.
package struct RateLimiter: Sendable {
    /// What is counted for itself.
    package struct Key: Hashable, Sendable {
        /// Who calls: an app, or whatever a token is for.
        let caller: String
        let endpoint: String
        /// The name of the server.
        let server: String

        package init(caller: String, endpoint: String, server: String) {
            self.caller = caller
            self.endpoint = endpoint
            self.server = server
        }
    }

    private static let hour: Int64 = 3_600_000
    private var number: Int64 = 0
    private var counts: [Key: Int] = [:]
    /// In milliseconds.
    private let window: Int64

    /// - Parameter window: at least a millisecond long.
    package init(window: Span = .hours(1)) { self.window = window.milliseconds }

    /// Counts one call.
    ///
    /// - Returns: nil when it may go ahead, else the next moment at which one may.
    package mutating func take(_ key: Key, limit: Int, at now: Instant) -> Instant? {
        let current = now.milliseconds / window
        // Another window, not a later one: a machine's clock that is set back begins anew as well.
        if current != number {
            number = current
            counts.removeAll(keepingCapacity: true)
        }
        let count = counts[key, default: 0]
        guard count < limit else { return next(after: now) }
        counts[key] = count + 1
        return nil
    }

    /// When a call may go ahead, were one made; nil when it may now. Nothing is counted.
    package func next(_ key: Key, limit: Int, at now: Instant) -> Instant? {
        let isCurrent = now.milliseconds / window == number
        guard isCurrent, counts[key, default: 0] >= limit else { return nil }
        return next(after: now)
    }

    private func next(after now: Instant) -> Instant {
        Instant(milliseconds: (now.milliseconds / window + 1) * window)
    }

    /// When the next hour begins.
    package static func nextHour(after now: Instant) -> Instant {
        Instant(milliseconds: (now.milliseconds / hour + 1) * hour)
    }
}

/// The limiter that all requests share.
package final class Traffic: Sendable {
    private let limiter: Mutex<RateLimiter>

    /// - Parameter window: for how long calls are counted together.
    package init(window: Span = .hours(1)) { limiter = Mutex(RateLimiter(window: window)) }

    package func next(_ key: RateLimiter.Key, limit: Int, at now: Instant) -> Instant? {
        limiter.withLock { $0.next(key, limit: limit, at: now) }
    }

    package func take(_ key: RateLimiter.Key, limit: Int, at now: Instant) -> Instant? {
        limiter.withLock { $0.take(key, limit: limit, at: now) }
    }
}

/// Somebody has called too often in this hour, or whatever else calls are counted by.
package struct RateLimitExceeded: Error {
    package let nextAllowed: Instant
    /// How long until then.
    package let pause: Span

    /// - Parameter now: what the machine's clock shows.
    package init(nextAllowed: Instant, now: Instant) {
        self.nextAllowed = nextAllowed
        pause = nextAllowed.since(now)
    }
}
