/// What time brings: renewals, retries, announcements, and the end.
extension Subscription {
    /// The next change of an active subscription: an announcement, or the end of the period.
    mutating func comeDue(
        forSale: Bool, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        if now < term.end, case .planned(let schedule) = increase?.phase,
            now >= schedule.announcement
        {
            return announceIncrease(schedule)
        }
        return try renew(forSale: forSale, at: now, under: conditions)
    }

    private mutating func renew(
        forSale: Bool, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard now >= term.end else { throw .notDue }
        guard renewsAutomatically else { return expire(.voluntary, at: now) }
        guard forSale else { return expire(.notForSale, at: now) }
        if let limit = conditions.renewalLimit, renewalCount >= limit {
            return setRenewal(false, at: now, under: conditions) + expire(.voluntary, at: now)
        }
        // Another plan voids the increase of this one (TAB-2.3); without consent it ends (INC-4).
        if nextPlan == nil, case .asked(let schedule) = increase?.phase,
            schedule.renewal <= term.end
        {
            return expire(.priceIncrease, at: now)
        }
        return [.charge(nextBill)]
    }

    mutating func retryInGrace(
        _ retry: Retry, until: Instant, forSale: Bool, at now: Instant
    ) throws(Refusal) -> [Action] {
        if now >= until {
            state = .retrying(retry, graceEnded: until)
            return [.notify(.gracePeriodExpired)]
        }
        return try retryAgain(retry, forSale: forSale, at: now)
    }

    mutating func retryAgain(
        _ retry: Retry, forSale: Bool, at now: Instant
    ) throws(Refusal) -> [Action] {
        if now >= retry.givesUpAt { return expire(.billingError, at: now) }
        guard now >= retry.nextAttempt else { throw .notDue }
        guard forSale else { return expire(.notForSale, at: now) }
        return [.charge(nextBill)]
    }

    /// Ends the newest period now, so that nothing grants access any longer.
    mutating func cutShort(at now: Instant) -> [Action] {
        guard now < term.end else { return [] }
        // Of an extension only what was served of it remains.
        let agreed = term.end - term.extended
        term.extended = max(now.since(agreed), Span(milliseconds: 0))
        term.end = now
        return [.reschedule(transactionID: term.transactionID, end: now)]
    }

    mutating func expire(_ reason: ExpirationReason, at now: Instant) -> [Action] {
        state = .expired(reason, at: now)
        renewsAutomatically = false
        nextPlan = nil
        return [.notify(.expired(reason))]
    }
}
