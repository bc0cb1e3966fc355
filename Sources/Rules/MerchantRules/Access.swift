public import SubscriptionRules

/// Why a customer has access, or has none: a closed list.
public enum AccessReason: String, Hashable, Sendable, CaseIterable {
    /// The paid period, or a trial, runs.
    case active
    /// The renewal was not paid, and access goes on for a while.
    case gracePeriod
    /// The period has ended a moment ago, and the news of the renewal may be on its way.
    case awaitingRenewal
    /// It was bought for good.
    case owned
    /// The renewal was not paid, and the store goes on trying.
    case billingRetry
    /// The period has ended.
    case expired
    /// The money went back.
    case refunded
    /// Whoever shared it does so no more.
    case sharingEnded
    /// Another plan took its place.
    case upgraded

    /// Whether the customer has access.
    public var isGranted: Bool {
        switch self {
        case .active, .gracePeriod, .awaitingRenewal, .owned: true
        case .billingRetry, .expired, .refunded, .sharingEnded, .upgraded: false
        }
    }
}

/// Whether a purchase gives access at a moment, and why.
public struct Access: Hashable, Sendable {
    public var reason: AccessReason
    /// When access ends by itself, or when it ended; nil where it has no end.
    public var until: Instant?
    /// Whether the store will charge for another period; nil where nobody has said so.
    public var willRenew: Bool?
    /// The transaction that decides it.
    public var transaction: TransactionFacts
    /// When the answer changes by itself, without any event; nil where it does not.
    public var nextChange: Instant?

    public var isGranted: Bool { reason.isGranted }
}

/// How access is judged where the sources leave a choice.
public struct AccessPolicy: Hashable, Sendable {
    /// For how long after a period's end access goes on while the news of its renewal may be late.
    /// Notifications were seen 66 minutes late (ING-8); none unless it is said.
    public var leeway = Span(milliseconds: 0)
    /// How long non-renewing subscriptions run, by product: Apple does not say. Without it they
    /// have no end.
    public var durations: [String: CalendarPeriod] = [:]

    public init() {}
}

/// One purchase with all of its periods: the newest of what was signed about it.
public struct Purchase: Hashable, Sendable {
    public var transactions: [TransactionFacts]
    public var renewal: RenewalFacts?

    /// - Parameter transactions: those of one original transaction, at least one.
    public init(transactions: [TransactionFacts], renewal: RenewalFacts? = nil) {
        precondition(!transactions.isEmpty, "a purchase has a transaction")
        self.transactions = transactions
        self.renewal = renewal
    }

    /// The transaction that counts at a moment: the latest that another plan did not replace and
    /// that was not taken back, whatever the last notification was about (ING-5). A renewal to
    /// another product, which is charged up to a day before, counts from the end of what runs.
    /// Where there is none, the latest that was taken back, then the latest of all.
    public func current(at now: Instant) -> TransactionFacts {
        let kept = transactions.filter { !$0.isUpgraded && $0.revoked == nil }
        let found =
            Self.latest(kept) ?? Self.latest(transactions.filter { !$0.isUpgraded })
            ?? Self.latest(transactions)
        guard let found else { preconditionFailure("a purchase has a transaction") }
        guard found.isRenewal, found.revoked == nil else { return found }
        let running = kept.filter { one in
            guard let end = one.expires, now < end, one.productID != found.productID else {
                return false
            }
            // Nothing tells of what was replaced long ago that it was.
            return one.purchased < found.purchased && found.purchased + .days(1) >= end
                && !wasReplaced(one, before: end)
        }
        return Self.latest(running) ?? found
    }

    private static func latest(_ candidates: [TransactionFacts]) -> TransactionFacts? {
        // Two transactions of one moment are told apart by their number, which grows.
        candidates.max { ($0.purchased, $0.number) < ($1.purchased, $1.number) }
    }

    /// Whether it gives access at a moment: a function of what was signed and of time alone, so
    /// that it ends without an event (ING-7).
    public func access(at now: Instant, under policy: AccessPolicy = AccessPolicy()) -> Access {
        let current = current(at: now)
        if let taken = taken(insteadOf: current, at: now) { return taken }
        switch current.kind {
        case .autoRenewable: return periodic(current, at: now, under: policy)
        case .nonRenewing:
            guard let duration = policy.durations[current.productID] else {
                return Access(reason: .owned, transaction: current)
            }
            var cycle = BillingCycle(anchor: current.purchased)
            let end = cycle.advance(by: duration, tempo: .real, zone: .utc)
            return Access(
                reason: now < end ? .active : .expired, until: end, willRenew: false,
                transaction: current, nextChange: now < end ? end : nil)
        case .nonConsumable, .consumable:
            return Access(reason: .owned, transaction: current)
        }
    }

    /// That nothing runs since it was taken back or replaced: where the latest purchase was taken
    /// back, an earlier period may still run.
    private func taken(insteadOf current: TransactionFacts, at now: Instant) -> Access? {
        if current.isUpgraded {
            return Access(
                reason: .upgraded, until: current.revoked, willRenew: false, transaction: current)
        }
        let newest = Self.latest(transactions.filter { !$0.isUpgraded })
        guard let newest, let revoked = newest.revoked else { return nil }
        let stillRuns = current.expires.map { now < $0 && !wasReplaced(current, before: $0) }
        if current.revoked == nil, stillRuns ?? true { return nil }
        // Access that was over before has not ended with the refund.
        let until = newest.expires.map { min(revoked, accessEnd(after: $0)) }
        return Access(
            reason: newest.revocation == .sharing ? .sharingEnded : .refunded,
            until: until ?? revoked, willRenew: false, transaction: newest)
    }

    /// When the grace period after a period's end was to end; nil where nothing signed tells of
    /// one. What was signed before that end is about an earlier one.
    func grace(after end: Instant) -> Instant? {
        guard let renewal else { return nil }
        if let ends = renewal.graceOfFailure, end < ends { return ends }
        guard let grace = renewal.lastGrace, end <= grace.signed, end < grace.ends else {
            return nil
        }
        return grace.ends
    }

    /// When access ended after a period that was not renewed: with its grace period, or with the
    /// word that the store has stopped trying within it, as where the customer turns renewal off
    /// (REN-3).
    func accessEnd(after end: Instant) -> Instant {
        guard let graceEnds = grace(after: end) else { return end }
        guard let renewal, !renewal.isInBillingRetry, let signed = renewal.signed else {
            return graceEnds
        }
        return min(graceEnds, max(end, signed))
    }

    /// Whether something was bought in its place before its end, be it taken back since. The store
    /// marks what was replaced, and signs that only when it is asked. What renews is charged within
    /// the last day.
    private func wasReplaced(_ transaction: TransactionFacts, before end: Instant) -> Bool {
        transactions.contains { other in
            transaction.purchased < other.purchased && other.purchased < end && !other.isRenewal
                && (other.productID != transaction.productID
                    || other.purchased + .days(1) < end)
        }
    }

    private func periodic(
        _ current: TransactionFacts, at now: Instant, under policy: AccessPolicy
    ) -> Access {
        // A subscription without an end was never signed; one that has none gives nothing.
        let end = current.expires ?? current.purchased
        // In retry an intent says why it has ended so far, and the store goes on trying.
        let willRenew = renewal.map {
            $0.renewsAutomatically && ($0.expirationIntent == nil || $0.isInBillingRetry)
        }
        func granted(_ reason: AccessReason, until end: Instant) -> Access {
            Access(
                reason: reason, until: end, willRenew: willRenew, transaction: current,
                nextChange: end)
        }
        if now < end { return granted(.active, until: end) }
        // The date stays in what is signed after grace, and after renewal was turned off in it.
        if let renewal, renewal.isInBillingRetry, let graceEnds = renewal.graceEnds,
            now < graceEnds
        {
            return granted(.gracePeriod, until: graceEnds)
        }
        if renewal?.isInBillingRetry == true {
            return Access(
                reason: .billingRetry, until: accessEnd(after: end), willRenew: willRenew,
                transaction: current)
        }
        let late = end + policy.leeway
        if willRenew == true, now < late { return granted(.awaitingRenewal, until: late) }
        return Access(
            reason: .expired, until: accessEnd(after: end), willRenew: willRenew.map { _ in false },
            transaction: current)
    }
}

extension TransactionFacts {
    /// The identifier as a number; identifiers that are none come first.
    fileprivate var number: Int64 { Int64(transactionID) ?? -1 }
}

extension Access {
    /// Of several purchases that unlock the same the one that a customer goes by: one with access
    /// before one without, the latest end before an earlier one, one's own before one that is
    /// shared.
    public static func best(of all: [Access]) -> Access? {
        all.max { first, second in first.rank < second.rank }
    }

    private var rank: Rank {
        Rank(
            parts: [
                isGranted ? 1 : 0, until?.milliseconds ?? (isGranted ? .max : .min),
                transaction.isShared ? 0 : 1, transaction.purchased.milliseconds,
                transaction.number,
            ])
    }

    private struct Rank: Comparable {
        let parts: [Int64]

        static func < (first: Rank, second: Rank) -> Bool {
            first.parts.lexicographicallyPrecedes(second.parts)
        }
    }
}
