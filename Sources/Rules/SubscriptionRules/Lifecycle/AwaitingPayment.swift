/// What holds while the bank has not answered a bill.
extension Subscription {
    /// Makes a bill, which is outstanding from here on, the only one (BIL-1).
    mutating func charge(
        _ purpose: Bill.Purpose, _ plan: Plan, credit: Money? = nil,
        _ newBill: () -> Int64
    ) -> [Action] {
        // The first bill bears the identifier of the subscription that it begins.
        let bill = Bill(id: state == .new ? id : newBill(), purpose, plan, credit: credit)
        outstanding = OutstandingBill(bill)
        return [.charge(bill)]
    }

    /// The outstanding bill, now that it is answered for good.
    ///
    /// - Throws: `notBilled` when it is another one.
    mutating func takeOutstanding(_ billID: Int64) throws(Refusal) -> Bill {
        guard let bill = outstanding?.bill, bill.id == billID else { throw .notBilled }
        outstanding = nil
        return bill
    }

    /// What was chosen and is paid only now renews at the price of the day where that is lower:
    /// nobody keeps a higher price (PRC-4).
    public mutating func lowerWhatWasChosen(to price: Money) {
        guard let bill = outstanding?.bill, bill.isChosen, price.currency == bill.plan.currency,
            let line = bill.plan.line(bill.plan.productID), price.milliunits < line.price
        else { return }
        outstanding?.bill.lowered[line.sku] = price.milliunits
    }

    /// Asks the bank to give the outstanding bill up, if there is one.
    mutating func voidOutstanding() -> [Action] {
        guard let bill = outstanding?.bill else { return [] }
        outstanding?.isBeingVoided = true
        return [.void(billID: bill.id)]
    }

    /// The bank will answer later. What the customer asked for waits, and nothing has changed; at
    /// a renewal the period is over, and access goes on for a while.
    mutating func wait(
        for billID: Int64, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard let bill = outstanding?.bill, bill.id == billID else { throw .notBilled }
        guard case .active = state, !bill.isChosen else { return [] }
        return awaitPayment(at: now, under: conditions)
    }

    /// Nobody loses access because a bank is slow: for as long as the setting `pendingRenewalDays`
    /// says, six days unless it is set, or a grace period would last, and never beyond the period
    /// that is being paid for (BIL-2). Nothing has failed, so the developer is told nothing.
    mutating func awaitPayment(at now: Instant, under conditions: Conditions) -> [Action] {
        let until = patience(under: conditions)
        guard until > now else { return stopWaiting(at: now, under: conditions) }
        state = .awaitingPayment(until: until)
        return []
    }

    /// Until when access goes on while the renewal that is due has no answer.
    func patience(under conditions: Conditions) -> Instant {
        let period = renewalPlan.period
        let patience =
            newestPeriod.end
            + conditions.tempo.span(days: conditions.pendingRenewalDays, of: period)
        return min(
            max(patience, graceEnd(under: conditions) ?? patience),
            nextEnd(of: renewalPlan, under: conditions))
    }

    /// Still no answer: access stops as in billing retry, and so the developer is told.
    mutating func stopWaiting(at now: Instant, under conditions: Conditions) -> [Action] {
        let retry = Retry(failed: newestPeriod.end, at: now, under: conditions)
        state = .retrying(retry, graceEnded: nil)
        // With another Sandbox speed retry may be over by now (SBX-2).
        guard now < retry.givesUpAt else { return voidOutstanding() }
        return [.notify(.didFailToRenew(inGracePeriod: false))]
    }

    /// Billing retry is over and there is no answer: the bill is to be given up, which is asked
    /// for again until there is one. It does not end before.
    mutating func insist(
        _ retry: Retry, graceEnded: Instant?, at now: Instant
    ) throws(Refusal) -> [Action] {
        guard let nextChange, now >= nextChange else { throw .notDue }
        var later = retry
        later.nextAttempt = retry.afterAttempt(at: now).nextAttempt
        state = .retrying(later, graceEnded: graceEnded)
        return voidOutstanding()
    }

    /// The bank has let go of the bill. What the customer asked for does not happen; a renewal is
    /// charged anew, to a method that was given meanwhile, or ends. One that the bank gave up by
    /// itself has failed.
    mutating func giveUp(
        _ billID: Int64, forSale: Bool, at now: Instant, under conditions: Conditions,
        _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        let isExpected = outstanding.map { $0.isBeingVoided || $0.bill.isChosen } ?? false
        guard isExpected else { return try miss(billID, at: now, under: conditions, newBill) }
        let bill = try takeOutstanding(billID)
        switch state {
        case .new, .active, .expired, .revoked: return []
        case .awaitingPayment:
            return try renew(forSale: forSale, at: now, under: conditions, newBill)
        case .grace, .retrying: break
        }
        guard isRenewing else { return expire(.voluntary, at: now) }
        if case .retrying(let retry, _) = state, now >= retry.givesUpAt {
            return expire(.billingError, at: now)
        }
        guard !bill.isChosen else {
            state = state.retryingAfter(now)
            return []
        }
        guard forSale || owesInstalment else { return expire(.notForSale, at: now) }
        return charge(.recovery, renewalPlan, newBill)
    }
}

extension Bill {
    /// How long a customer waits for what was asked for: as long as a request for approval lives
    /// (BIL-3).
    public static let patience = Span.days(1)
}
