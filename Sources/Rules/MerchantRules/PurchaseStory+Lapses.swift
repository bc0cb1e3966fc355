import SubscriptionRules

/// The time between the end of a period and what came next.
struct Gap {
    /// How late the store may charge on time.
    private static let punctuality = Span.seconds(60)

    let before: TransactionFacts
    let end: Instant
    let next: TransactionFacts
    let retries: Span?

    init(
        after before: TransactionFacts, at end: Instant, until next: TransactionFacts,
        retries: Span?
    ) {
        self.before = before
        self.end = end
        self.next = next
        self.retries = retries
    }

    /// Whether it is one.
    var isOpen: Bool { end + Self.punctuality < next.purchased }

    /// Whether periods of which nothing was heard may lie in it.
    var hasRoom: Bool {
        let lengths = [end.since(before.purchased), next.expires?.since(next.purchased)]
        guard let shortest = lengths.compactMap(\.self).min() else { return true }
        // Months differ in length.
        return shortest.milliseconds / 10 * 9 <= next.purchased.since(end).milliseconds
    }

    /// Whether the store may have tried to charge during the whole of it.
    var isWithinRetries: Bool {
        retries.map { next.purchased <= end + $0 + Self.punctuality } ?? true
    }
}

/// A renewal that was not paid, as something signed says.
struct FailedRenewal {
    let begin: Happening
    /// When the news of it was signed, where a notification brought it.
    let told: Instant?
    /// When its grace period ended or was to end, as far as is known.
    let graceEnds: Instant?

    var hasGrace: Bool { begin.kind == .graceBegan }
    var happenings: [Happening] { [begin] }
}

extension Purchase {
    /// That a renewal was not paid; nil where nothing says so (STO-2). A notification says it, or
    /// renewal information that was signed after the end of the period.
    func failure(
        after one: TransactionFacts, at end: Instant, before limit: Instant, _ notices: [Notice]
    ) -> FailedRenewal? {
        let about = notices.filter { $0.transactionID == one.transactionID }
        let told = about.first { $0.type == "DID_FAIL_TO_RENEW" && $0.signedAt < limit }
        let graceOver = about.first {
            $0.type == "GRACE_PERIOD_EXPIRED" && $0.signedAt < limit
        }
        let graceEnds = registeredGrace(after: end, before: limit) ?? graceOver?.signedAt
        let hasGrace = told?.subtype == "GRACE_PERIOD" || graceEnds != nil
        guard told != nil || hasGrace || isInRetry(after: end, before: limit) else { return nil }
        var begin = Happening(hasGrace ? .graceBegan : .retryBegan, at: end, one)
        begin.until = graceEnds
        return FailedRenewal(begin: begin, told: told?.signedAt, graceEnds: graceEnds)
    }

    /// The end of a grace period that the registers tell of and that followed on a period.
    private func registeredGrace(after end: Instant, before limit: Instant) -> Instant? {
        guard let renewal else { return nil }
        if let grace = renewal.lastGrace, end <= grace.signed, grace.signed < limit,
            end < grace.ends
        {
            return grace.ends
        }
        guard isOfThen(renewal, end, limit), let ends = renewal.graceOfFailure, end < ends else {
            return nil
        }
        return ends
    }

    /// Whether renewal information says that the store tried to charge for the next period.
    private func isInRetry(after end: Instant, before limit: Instant) -> Bool {
        guard let renewal, renewal.isInBillingRetry else { return false }
        return isOfThen(renewal, end, limit)
    }

    /// Whether renewal information is of the time between two moments; the newest is about how
    /// things stand.
    private func isOfThen(_ renewal: RenewalFacts, _ start: Instant, _ limit: Instant) -> Bool {
        guard limit < .never else { return true }
        return renewal.signed.map { start <= $0 && $0 < limit } ?? false
    }

    /// A renewal, and what is known of the time before it.
    func renewed(
        _ opening: Happening, over gap: Gap, _ notices: [Notice]
    ) -> [Happening] {
        var opening = opening
        let recovery = notices.first {
            $0.type == "DID_RENEW" && $0.subtype == "BILLING_RECOVERY"
                && $0.transactionID == gap.next.transactionID
        }
        let limit = gap.isOpen ? gap.next.purchased : gap.next.expires ?? .never
        let failed = failure(after: gap.before, at: gap.end, before: limit, notices)
        guard gap.isOpen else {
            guard recovery != nil || failed != nil else { return [opening] }
            let isInGrace = failed?.hasGrace ?? true
            opening.kind = isInGrace ? .recoveredInGrace : .recovered
            // It was charged when that was said; its period counts from the day that was due.
            if isInGrace, let paid = recovery?.signedAt, paid < limit {
                opening.at = max(opening.at, paid)
            }
            return (failed?.happenings ?? []) + [opening]
        }
        if recovery != nil { opening.kind = .recovered }
        guard let failed else { return [nothingKnown(since: gap.end, gap), opening] }
        var happenings = failed.happenings
        let graceEnds = failed.graceEnds.flatMap { $0 < gap.next.purchased ? $0 : nil }
        if let graceEnds { happenings.append(Happening(.graceEnded, at: graceEnds, gap.before)) }
        if !gap.hasRoom || recovery != nil && gap.isWithinRetries {
            opening.kind = .recovered
        } else {
            let last = [gap.end, failed.told, graceEnds].compactMap(\.self).max() ?? gap.end
            happenings.append(nothingKnown(since: last, gap))
        }
        return happenings + [opening]
    }

    private func nothingKnown(since start: Instant, _ gap: Gap) -> Happening {
        var unknown = Happening(.unknown, at: start, gap.before)
        unknown.until = gap.next.purchased
        return unknown
    }

    /// That it ended with a period, with the grace period and the retries that went before.
    ///
    /// - Parameter limit: when something else came; nil where nothing did.
    func lapse(
        of one: TransactionFacts, at end: Instant, until limit: Instant?, _ notices: [Notice]
    ) -> [Happening] {
        guard let failed = failure(after: one, at: end, before: limit ?? .never, notices) else {
            return [Happening(.ended, at: end, one)]
        }
        let over = notices.first {
            $0.type == "EXPIRED" && $0.transactionID == one.transactionID && end <= $0.signedAt
        }?.signedAt
        var access = failed.graceEnds ?? end
        // The newest renewal information may say that the store stopped within the grace period.
        if limit == nil, failed.hasGrace { access = min(access, max(end, accessEnd(after: end))) }
        let ended = min(max(over ?? access, end), limit ?? .never)
        var happenings = failed.happenings
        if let graceEnds = failed.graceEnds, graceEnds < ended {
            happenings.append(Happening(.graceEnded, at: graceEnds, one))
        }
        return happenings + [Happening(.ended, at: ended, one)]
    }
}

extension Instant {
    /// After every moment.
    static let never = Instant(milliseconds: .max)
}
