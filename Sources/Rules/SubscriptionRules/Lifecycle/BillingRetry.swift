extension Tempo {
    /// How long failed renewals are tried again (REN-1, SBX-4).
    public var billingRetry: Span {
        switch self {
        case .real: .days(60)
        case .sandbox(let speed): speed.length(of: CalendarPeriod(2, .month))
        }
    }
}

extension Subscription {
    /// The attempts to collect a renewal that failed (REN-1).
    public struct Retry: Hashable, Sendable {
        /// When the renewal failed.
        public var since: Instant
        /// When it is tried again by itself.
        public var nextAttempt: Instant
        /// When trying ends: 60 days after the failure, grace included.
        public var givesUpAt: Instant

        public init(since: Instant, nextAttempt: Instant, givesUpAt: Instant) {
            self.since = since
            self.nextAttempt = nextAttempt
            self.givesUpAt = givesUpAt
        }
    }
}

extension Subscription.State {
    /// The same state with the next attempt after a moment.
    func retryingAfter(_ now: Instant) -> Self {
        switch self {
        case .grace(let retry, let until): .grace(retry.afterAttempt(at: now), until: until)
        case .retrying(let retry, let graceEnded):
            .retrying(retry.afterAttempt(at: now), graceEnded: graceEnded)
        case .new, .active, .awaitingPayment, .expired, .revoked: self
        }
    }
}

extension Subscription.Retry {
    /// How many attempts a retry period has room for.
    private static let attempts: Int64 = 60

    /// Attempts come 60 to a retry period: once a day in real life. Apple publishes no cadence;
    /// ours is regular so that a test can foresee it.
    public var interval: Span {
        Span(milliseconds: givesUpAt.since(since).milliseconds / Self.attempts)
    }

    /// The retry of a renewal that was due at a moment and is known to have failed now.
    init(failed due: Instant, at now: Instant, under conditions: Conditions) {
        self.init(
            since: due, nextAttempt: due,
            givesUpAt: due + conditions.era.billingRetry(at: conditions.tempo))
        self = afterAttempt(at: now)
    }

    /// The retry after an attempt that failed. Attempts keep to their own beat, so an extra one
    /// after a new payment method moves none, nor does another Sandbox speed (SBX-2).
    func afterAttempt(at now: Instant) -> Self {
        var later = self
        let beat = interval.milliseconds
        let beats = now.since(since).milliseconds / beat + 1
        later.nextAttempt = since + Span(milliseconds: beats * beat)
        return later
    }
}
