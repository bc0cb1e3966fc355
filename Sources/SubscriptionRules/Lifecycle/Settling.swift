/// What follows from the bank's answers.
extension Subscription {
    /// Whether a bill is one that could have been asked for in this state.
    private func isWaiting(for bill: Bill, at now: Instant) -> Bool {
        switch (bill.purpose, state) {
        case (.renewal, .active): now >= term.end
        case (.recovery, .grace), (.recovery, .retrying): true
        case (.purchase, .retrying), (.purchase, .expired), (.purchase, .revoked): true
        case (.planChange, .active), (.planChange, .grace), (.planChange, .retrying): true
        case (.renewal, _), (.recovery, _), (.purchase, _), (.planChange, _): false
        }
    }

    mutating func settle(
        _ bill: Bill, transactionID: Int64, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard isWaiting(for: bill, at: now) else { throw .notBilled }
        switch bill.purpose {
        case .renewal:
            renewalCount += 1
            countIncrease(of: bill)
            let term = open(bill, transactionID, from: term.end, at: now, under: conditions)
            return [
                .open(term, plan, reason: .renewal), .notify(.didRenew(afterBillingProblem: false)),
            ]
        case .recovery:
            renewalCount += 1
            if bill.plan.productID != plan.productID { forgetIncreases() }
            let start = recoveryStart(of: bill, at: now, under: conditions)
            let term = open(bill, transactionID, from: start, at: now, under: conditions)
            planIncrease(.recovered(at: now), under: conditions)
            return [
                .open(term, plan, reason: .renewal), .notify(.didRenew(afterBillingProblem: true)),
            ]
        case .purchase:
            return repurchase(bill, transactionID, at: now, under: conditions)
        case .planChange(let start):
            return changePlan(bill, start, transactionID, at: now, under: conditions)
        }
    }

    /// Inside grace no paid day is lost: the period counts from the original due date. Later it
    /// counts from the recovery (TAB-3.1, GRA-6), as it does where the period would be over,
    /// which only a change of the Sandbox speed during grace can bring about.
    private mutating func recoveryStart(
        of bill: Bill, at now: Instant, under conditions: Conditions
    ) -> Instant {
        if case .grace = state, nextEnd(of: bill, under: conditions) > now { return term.end }
        cycle = BillingCycle(anchor: now)
        return now
    }

    /// Opens the period that a bill paid for, counted from where the cycle stands.
    private mutating func open(
        _ bill: Bill, _ transactionID: Int64, from start: Instant, at now: Instant,
        under conditions: Conditions
    ) -> Term {
        if start.since(serviceEnd) > conditions.tempo.ignoredLapse { serviceStart = start }
        let end = cycle.advance(
            by: bill.length, from: start, tempo: conditions.tempo, zone: conditions.zone)
        return begin(
            bill, transactionID, from: start, to: end, purchased: now, under: conditions)
    }

    /// Puts a paid bill's period in the place of the newest one, whose paid service is counted
    /// before the commission of the new one is decided (COM-8).
    private mutating func begin(
        _ bill: Bill, _ transactionID: Int64, from start: Instant, to end: Instant,
        purchased: Instant, under conditions: Conditions
    ) -> Term {
        paidService.count(
            served(until: start), tempo: conditions.tempo, zone: conditions.zone)
        term = Term(
            transactionID: transactionID, purchased: purchased, start: start, end: end,
            price: bill.amount.milliunits, offer: bill.offer,
            commission: paidService.rate(
                forPeriodStarting: start,
                isInSmallBusinessProgram: conditions.isInSmallBusinessProgram,
                tempo: conditions.tempo))
        if term.price > 0 { paidPeriods += 1 }
        plan = bill.plan
        nextPlan = nil
        state = .active
        increase?.keepRenewal(at: end)
        return term
    }

    /// When the newest period stopped, or will stop, giving access by itself.
    private var serviceEnd: Instant {
        term.refund.map { min($0.moment, term.end) } ?? term.end
    }

    /// What of the newest period was served before a moment. A period that was refunded in full
    /// while it ran was not paid; of one refunded in part the time until then counts.
    private func served(until moment: Instant) -> PaidServiceClock.Period {
        var isPaid = term.price > 0
        if case .revoked = state, term.refund?.isFull == true { isPaid = false }
        return PaidServiceClock.Period(
            start: term.start, end: min(serviceEnd, moment), paidEnd: term.end - term.extended,
            isPaid: isPaid)
    }

    /// A renewal that charges a higher price ends the increase and starts its twelve months
    /// (THR-1 c); one to another plan voids it (TAB-2.3).
    private mutating func countIncrease(of bill: Bill) {
        guard bill.plan.productID == plan.productID else { return forgetIncreases() }
        guard increase?.price(forRenewalAt: term.end) != nil, bill.offer == nil else { return }
        lastIncrease = term.end
        increase = nil
    }

    private mutating func forgetIncreases() {
        increase = nil
        lastIncrease = nil
    }

    /// A purchase by hand: again after expiry, or during billing retry.
    private mutating func repurchase(
        _ bill: Bill, _ transactionID: Int64, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let notice: Notice
        switch state {
        case .expired, .revoked, .active: notice = .subscribed(.resubscribe)
        case .grace, .retrying: notice = .didRenew(afterBillingProblem: true)
        }
        if bill.offer?.kind == .introductory { hasUsedIntroductoryOffer = true }
        // Whoever buys by hand sees the price of the day and agrees to it (PRC-9).
        increase = nil
        if bill.plan.productID != plan.productID { lastIncrease = nil }
        cycle = BillingCycle(anchor: now)
        renewalCount = 0
        renewsAutomatically = true
        let term = open(bill, transactionID, from: now, at: now, under: conditions)
        return [.open(term, plan, reason: .purchase), .notify(notice)]
    }

    /// A plan change with immediate effect: the unused share of the old plan goes back, the new
    /// one runs from now (TAB-2.2), or takes over the running trial.
    private mutating func changePlan(
        _ bill: Bill, _ start: PlanChange.Start, _ transactionID: Int64, at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        var actions: [Action] = []
        if now < term.end {
            actions.append(.supersede(transactionID: term.transactionID))
            let refund = prorationRefund(
                of: Money(milliunits: term.price, plan.currency), start: term.purchased,
                end: term.end, change: now)
            if refund.milliunits > 0 {
                actions.append(.refund(transactionID: term.transactionID, refund))
            }
        }
        forgetIncreases()
        actions += setRenewal(true, at: now, under: conditions)
        renewalCount = 0
        let opened: Term
        switch start {
        case .runningTrial:
            opened = begin(
                bill, transactionID, from: now, to: term.end, purchased: now, under: conditions)
        case .change, .renewal:
            cycle = BillingCycle(anchor: now)
            opened = open(bill, transactionID, from: now, at: now, under: conditions)
        }
        actions.append(.open(opened, plan, reason: .purchase))
        actions.append(.notify(.didChangeRenewalPreference(.upgrade)))
        return actions
    }

    mutating func miss(
        _ bill: Bill, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        switch (bill.purpose, state) {
        case (.purchase, _), (.planChange, _):
            throw .paymentDeclined
        case (.renewal, _):
            guard isWaiting(for: bill, at: now) else { throw .notBilled }
            return startRetrying(at: now, under: conditions)
        case (.recovery, .grace(let retry, let until)):
            state = .grace(retry.afterAttempt(at: now), until: until)
        case (.recovery, .retrying(let retry, let graceEnded)):
            state = .retrying(retry.afterAttempt(at: now), graceEnded: graceEnded)
        case (.recovery, .active), (.recovery, .expired), (.recovery, .revoked):
            throw .notBilled
        }
        return []
    }

    private mutating func startRetrying(at now: Instant, under conditions: Conditions) -> [Action] {
        let retry = Retry(
            since: now, nextAttempt: now + conditions.tempo.retryInterval,
            givesUpAt: now + conditions.tempo.billingRetry)
        // One more period at the old price once it recovers, then full notice (INC-7).
        increase?.phase = .waiting
        let isCovered = conditions.graceScope == .allRenewals || term.price > 0
        guard let setting = conditions.gracePeriod, isCovered else {
            state = .retrying(retry, graceEnded: nil)
            return [.notify(.didFailToRenew(inGracePeriod: false))]
        }
        // The grace period belongs to the renewal that failed, so a plan that was waiting decides
        // its length; and it never outlasts the period that a recovery in it would open.
        let bill = nextBill
        let until = min(
            now + conditions.tempo.grace(setting, for: bill.plan.period),
            nextEnd(of: bill, under: conditions))
        state = .grace(retry, until: until)
        return [.notify(.didFailToRenew(inGracePeriod: true))]
    }
}

extension Subscription.Retry {
    /// The retry after an attempt that failed. Attempts keep to their own beat, so an extra one
    /// after a new payment method moves none, nor does another Sandbox speed (SBX-2).
    fileprivate func afterAttempt(at now: Instant) -> Self {
        let beat = givesUpAt.since(since).milliseconds / Tempo.retryAttempts
        var later = self
        let beats = now.since(since).milliseconds / beat + 1
        later.nextAttempt = since + Span(milliseconds: beats * beat)
        return later
    }
}

extension Subscription {
    /// Where the period would end that comes after the running one.
    private func nextEnd(of bill: Bill, under conditions: Conditions) -> Instant {
        var cycle = cycle
        return cycle.advance(
            by: bill.length, from: term.end, tempo: conditions.tempo, zone: conditions.zone)
    }
}

extension Bill {
    /// How long the period lasts that is paid for (CAL-12).
    var length: CalendarPeriod { offer?.runningLength ?? plan.period }
}
