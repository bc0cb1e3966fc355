/// What time brings: renewals, retries, announcements, and the end.
extension Subscription {
    mutating func comeDue(
        forSale: Bool, at now: Instant, under conditions: Conditions, _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        switch state {
        case .active:
            if now < newestPeriod.end, let nextAnnouncement, now >= nextAnnouncement {
                return announceIncreases(forSale: forSale, at: now, under: conditions)
            }
            if now < newestPeriod.end, let nextQuestion, now >= nextQuestion {
                return askForConversion()
            }
            return try renew(forSale: forSale, at: now, under: conditions, newBill)
        case .awaitingPayment(let until):
            guard now >= until else { throw .notDue }
            return stopWaiting(at: now, under: conditions)
        case .grace(let retry, let until):
            if now >= until {
                state = .retrying(retry, graceEnded: until)
                return [.notify(.gracePeriodExpired)]
            }
            return try retryAgain(retry, forSale: forSale, at: now, newBill)
        case .retrying(let retry, let graceEnded):
            guard outstanding == nil else {
                return try insist(retry, graceEnded: graceEnded, at: now)
            }
            return try retryAgain(retry, forSale: forSale, at: now, newBill)
        case .new, .expired, .revoked: throw .notDue
        }
    }

    /// The period is over: the next one is charged, or it ends.
    mutating func renew(
        forSale: Bool, at now: Instant, under conditions: Conditions, _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        guard now >= newestPeriod.end else { throw .notDue }
        if outstanding != nil {
            // A plan change without an answer is given up before the old plan is charged again.
            state = .awaitingPayment(until: max(now, patience(under: conditions)))
            return voidOutstanding()
        }
        guard !owesInstalment else { return charge(.renewal, renewalPlan, newBill) }
        guard renewsAutomatically else {
            return expire(reasonNotToRenew(under: conditions), at: now)
        }
        guard forSale else { return expire(.notForSale, at: now) }
        if hasRenewedToTheLimit(under: conditions) {
            // What was announced will not be charged, whatever was waited for meanwhile (INC-8).
            delayIncreases()
            return setRenewal(false, at: now, under: conditions) + expire(.voluntary, at: now)
        }
        // Another plan voids the increase of this one (TAB-2.3); without consent it ends (INC-4),
        // or, of a merchant's plan, the item alone (ACS-2).
        let lapsing = plan.merchant == nil ? [] : lapsingItems
        if !lapsing.isEmpty {
            guard let rest = restOfMerchantPlan(without: lapsing) else {
                return expire(.priceIncrease, at: now)
            }
            nextPlan = rest
        } else if nextPlan == nil,
            increases.values.contains(where: { $0.lacksConsent(at: newestPeriod.end) })
        {
            return expire(.priceIncrease, at: now)
        }
        if plan.merchant == nil, lacksConversionConsent { return expire(.priceIncrease, at: now) }
        return charge(.renewal, renewalPlan, newBill)
    }

    /// The items of a merchant's plan that end with the renewal which is due, for lack of consent.
    private var lapsingItems: [String] {
        increases.filter { $0.value.lapses(at: newestPeriod.end) }.map(\.key)
            + (lacksConversionConsent ? conversion?.items ?? [] : [])
    }

    private mutating func retryAgain(
        _ retry: Retry, forSale: Bool, at now: Instant, _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        if now >= retry.givesUpAt { return expire(.billingError, at: now) }
        guard outstanding == nil, now >= retry.nextAttempt else { throw .notDue }
        guard forSale || owesInstalment else { return expire(.notForSale, at: now) }
        return charge(.recovery, renewalPlan, newBill)
    }

    /// A renewal that failed is charged to another payment method at once (REN-2). A bill that the
    /// old one has not answered is given up first.
    mutating func tryAgain(_ newBill: () -> Int64) -> [Action] {
        switch state {
        case .awaitingPayment, .grace, .retrying: break
        case .new, .active, .expired, .revoked: return []
        }
        guard let outstanding else { return charge(.recovery, renewalPlan, newBill) }
        return outstanding.bill.isChosen ? [] : voidOutstanding()
    }

    /// The operator ends it at once; a bill without an answer is nobody's any more.
    mutating func end(at now: Instant) throws(Refusal) -> [Action] {
        guard !isOver else { throw .notActive }
        let actions = voidOutstanding()
        outstanding = nil
        return actions + cutShort(at: now) + expire(.other, at: now)
    }

    /// Ends the newest period now, so that nothing grants access any longer.
    mutating func cutShort(at now: Instant) -> [Action] {
        guard now < newestPeriod.end else { return [] }
        // Of an extension only what was served of it remains.
        let agreed = newestPeriod.end - newestPeriod.extended
        newestPeriod.extended = max(now.since(agreed), Span(milliseconds: 0))
        newestPeriod.end = now
        return [.reschedule(transactionID: newestPeriod.transactionID, end: now)]
    }

    /// Whether it ends at its next renewal since it has renewed as often as it may, in Sandbox
    /// (SBX-1).
    public func hasRenewedToTheLimit(under conditions: Conditions) -> Bool {
        hasRenewed(toLimit: conditions.renewalLimit)
    }

    /// Whether it has renewed so often; false where there is no limit.
    public func hasRenewed(toLimit limit: Int?) -> Bool {
        limit.map { renewalCount >= $0 } ?? false
    }

    mutating func expire(_ reason: ExpirationReason, at now: Instant) -> [Action] {
        state = .expired(reason, at: now)
        renewsAutomatically = false
        nextPlan = nil
        return [.notify(.expired(reason))]
    }
}
