extension Subscription {
    /// The customer's first purchase in the group: the bill to be paid before `begin`.
    public static func firstBill(_ plan: Plan, introductory: AppliedOffer?) -> Bill {
        Bill(.purchase, plan, offer: introductory)
    }

    /// A subscription that begins with a paid bill, and what has to be done about it.
    public static func begin(
        _ bill: Bill, groupID: String, transactionID: Int64, at now: Instant,
        under conditions: Conditions
    ) -> (Subscription, [Action]) {
        var cycle = BillingCycle(anchor: now)
        let end = cycle.advance(
            by: bill.length, from: now, tempo: conditions.tempo, zone: conditions.zone)
        let term = Term(
            transactionID: transactionID, purchased: now, start: now, end: end,
            price: bill.amount.milliunits, offer: bill.offer)
        let subscription = Subscription(
            id: transactionID, groupID: groupID, plan: bill.plan, nextPlan: nil, term: term,
            cycle: cycle, state: .active, renewsAutomatically: true, renewalCount: 0,
            serviceStart: now, hasUsedIntroductoryOffer: bill.offer?.kind == .introductory)
        return (
            subscription,
            [.open(term, bill.plan, reason: .purchase), .notify(.subscribed(.initialBuy))]
        )
    }

    /// Takes an event and says what has to be done; on a refusal nothing has changed.
    ///
    /// What is due comes first: whoever sends an event sends `becameDue` for every `nextChange`
    /// up to that moment before it. A `charge` is answered with `wasPaid` or `wasDeclined` before
    /// any other event; an answer to a bill that the subscription does not wait for is refused.
    ///
    /// - Parameters:
    ///   - now: the moment of the event; for `becameDue` the moment that was due.
    ///   - conditions: the conditions that hold at that moment.
    public mutating func handle(
        _ event: Event, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        switch (state, event) {
        case (.active, .chosePlan(let plan, _)):
            return try choose(plan, in: standing, under: conditions)
        case (.grace, .chosePlan(let plan, _)):
            // The same plan cannot be bought again in grace; going back to it can be (2.3).
            return try choose(plan, in: .grace, under: conditions)
        case (.retrying, .chosePlan(let plan, _)):
            // Buying the same plan by hand ends the retry with a period from now (REN-5).
            guard plan.productID != self.plan.productID else {
                return [.charge(Bill(.purchase, plan, offer: term.offer?.next))]
            }
            return try choose(plan, in: .retry, under: conditions)
        case (.expired, .chosePlan(let plan, let introductory)):
            let offer = hasUsedIntroductoryOffer ? nil : introductory
            return [.charge(Bill(.purchase, plan, offer: offer))]

        case (.active, .turnedRenewalOff): return setRenewal(false)
        case (.active, .turnedRenewalOn): return setRenewal(true)
        case (.grace, .turnedRenewalOff), (.retrying, .turnedRenewalOff):
            // Giving up on a failed renewal ends everything at once (REN-3).
            return setRenewal(false) + expire(.voluntary, at: now)
        case (.grace, .turnedRenewalOn), (.retrying, .turnedRenewalOn): return []
        case (.expired, .turnedRenewalOff), (.expired, .turnedRenewalOn): throw .notActive

        case (.grace, .changedPaymentMethod), (.retrying, .changedPaymentMethod):
            return [.charge(nextBill)]
        case (.active, .changedPaymentMethod), (.expired, .changedPaymentMethod): return []

        case (.active, .becameDue(let forSale)):
            return try renew(forSale: forSale, at: now, under: conditions)
        case (.grace(let retry, let until), .becameDue(let forSale)):
            return try retryInGrace(retry, until: until, forSale: forSale, at: now)
        case (.retrying(let retry, _), .becameDue(let forSale)):
            return try retryAgain(retry, forSale: forSale, at: now)
        case (.expired, .becameDue): throw .notDue

        case (_, .wasPaid(let bill, let transactionID)):
            guard isWaiting(for: bill, at: now) else { throw .notBilled }
            return settle(bill, transactionID: transactionID, at: now, under: conditions)
        case (_, .wasDeclined(let bill)):
            return try miss(bill, at: now, under: conditions)

        case (.active, .wasEnded), (.grace, .wasEnded), (.retrying, .wasEnded):
            return cutShort(at: now) + expire(.other, at: now)
        case (.expired, .wasEnded): throw .notActive
        }
    }

    /// What a running subscription is in, as the plan-change tables see it (2.3).
    public var standing: PlanChange.Standing {
        switch state {
        case .grace: return .grace
        case .retrying, .expired: return .retry
        case .active: break
        }
        switch term.offer?.mode {
        case .freeTrial: return .freeTrial
        case .payAsYouGo: return .discountedPayAsYouGo
        case .payUpFront: return .discountedPayUpFront
        case nil: return .paidPeriod
        }
    }
}

// MARK: - Choices of the customer

extension Subscription {
    private mutating func choose(
        _ plan: Plan, in standing: PlanChange.Standing, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        if plan.productID == self.plan.productID { return try stay() }
        let change = PlanChange(from: self.plan, to: plan)
        switch change.start(in: standing, trial: conditions.upgradeInTrial) {
        case .change:
            return [.charge(Bill(.planChange(.change), plan, offer: nil))]
        case .runningTrial:
            return [.charge(Bill(.planChange(.runningTrial), plan, offer: term.offer))]
        case .renewal:
            let actions = setRenewal(true)
            let isChange = plan.productID != nextPlan?.productID
            // Chosen again, it costs what it costs today (CHG-7, PRC-9).
            nextPlan = plan
            guard isChange else { return actions }
            return actions + [.notify(.didChangeRenewalPreference(.downgrade))]
        }
    }

    /// The current plan was chosen: a waiting change is withdrawn, a cancelled renewal resumed
    /// (2.2); otherwise there is nothing to buy.
    private mutating func stay() throws(Refusal) -> [Action] {
        guard nextPlan != nil || !renewsAutomatically else { throw .alreadySubscribed }
        var actions = setRenewal(true)
        if nextPlan != nil {
            nextPlan = nil
            actions.append(.notify(.didChangeRenewalPreference(.withdrawn)))
        }
        return actions
    }

    private mutating func setRenewal(_ isOn: Bool) -> [Action] {
        guard renewsAutomatically != isOn else { return [] }
        renewsAutomatically = isOn
        return [.notify(.didChangeRenewalStatus(enabled: isOn))]
    }
}

// MARK: - What time brings

extension Subscription {
    private mutating func renew(
        forSale: Bool, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard now >= term.end else { throw .notDue }
        guard renewsAutomatically else { return expire(.voluntary, at: now) }
        guard forSale else { return expire(.notForSale, at: now) }
        if let limit = conditions.renewalLimit, renewalCount >= limit {
            return setRenewal(false) + expire(.voluntary, at: now)
        }
        return [.charge(nextBill)]
    }

    private mutating func retryInGrace(
        _ retry: Retry, until: Instant, forSale: Bool, at now: Instant
    ) throws(Refusal) -> [Action] {
        if now >= until {
            state = .retrying(retry, graceEnded: until)
            return [.notify(.gracePeriodExpired)]
        }
        return try retryAgain(retry, forSale: forSale, at: now)
    }

    private mutating func retryAgain(
        _ retry: Retry, forSale: Bool, at now: Instant
    ) throws(Refusal) -> [Action] {
        if now >= retry.givesUpAt { return expire(.billingError, at: now) }
        guard now >= retry.nextAttempt else { throw .notDue }
        guard forSale else { return expire(.notForSale, at: now) }
        return [.charge(nextBill)]
    }

    /// Ends the newest period now, so that nothing grants access any longer.
    private mutating func cutShort(at now: Instant) -> [Action] {
        guard now < term.end else { return [] }
        term.end = now
        return [.shorten(transactionID: term.transactionID, to: now)]
    }

    private mutating func expire(_ reason: ExpirationReason, at now: Instant) -> [Action] {
        state = .expired(reason, at: now)
        renewsAutomatically = false
        nextPlan = nil
        return [.notify(.expired(reason))]
    }
}

// MARK: - What the bank answers

extension Subscription {
    /// Whether a bill is one that could have been asked for in this state.
    private func isWaiting(for bill: Bill, at now: Instant) -> Bool {
        switch (bill.purpose, state) {
        case (.renewal, .active): now >= term.end
        case (.recovery, .grace), (.recovery, .retrying): true
        case (.purchase, .retrying), (.purchase, .expired): true
        case (.planChange, .active), (.planChange, .grace), (.planChange, .retrying): true
        case (.renewal, _), (.recovery, _), (.purchase, _), (.planChange, _): false
        }
    }

    private mutating func settle(
        _ bill: Bill, transactionID: Int64, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        switch bill.purpose {
        case .renewal:
            renewalCount += 1
            let term = open(bill, transactionID, from: term.end, at: now, under: conditions)
            return [
                .open(term, plan, reason: .renewal), .notify(.didRenew(afterBillingProblem: false)),
            ]
        case .recovery:
            renewalCount += 1
            let start = recoveryStart(of: bill, at: now, under: conditions)
            let term = open(bill, transactionID, from: start, at: now, under: conditions)
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
    /// counts from the recovery (3.1, GRA-6), as it does where the period would be over already,
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
        if start.since(term.end) > conditions.tempo.ignoredLapse { serviceStart = start }
        let end = cycle.advance(
            by: bill.length, from: start, tempo: conditions.tempo, zone: conditions.zone)
        term = Term(
            transactionID: transactionID, purchased: now, start: start, end: end,
            price: bill.amount.milliunits, offer: bill.offer)
        plan = bill.plan
        nextPlan = nil
        state = .active
        return term
    }

    /// A purchase by hand: again after expiry, or during billing retry.
    private mutating func repurchase(
        _ bill: Bill, _ transactionID: Int64, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let notice: Notice
        switch state {
        case .expired, .active: notice = .subscribed(.resubscribe)
        case .grace, .retrying: notice = .didRenew(afterBillingProblem: true)
        }
        if bill.offer?.kind == .introductory { hasUsedIntroductoryOffer = true }
        cycle = BillingCycle(anchor: now)
        renewalCount = 0
        renewsAutomatically = true
        let term = open(bill, transactionID, from: now, at: now, under: conditions)
        return [.open(term, plan, reason: .purchase), .notify(notice)]
    }

    /// A plan change with immediate effect: the unused share of the old plan goes back, the new
    /// one runs from now (2.2), or takes over the running trial.
    private mutating func changePlan(
        _ bill: Bill, _ start: PlanChange.Start, _ transactionID: Int64, at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        var actions: [Action] = []
        if now < term.end {
            actions.append(.supersede(transactionID: term.transactionID))
            let refund = prorationRefund(
                of: Money(milliunits: term.price, plan.currency), start: term.start, end: term.end,
                change: now)
            if refund.milliunits > 0 {
                actions.append(.refund(transactionID: term.transactionID, refund))
            }
        }
        actions += setRenewal(true)
        renewalCount = 0
        let opened: Term
        switch start {
        case .runningTrial:
            opened = Term(
                transactionID: transactionID, purchased: now, start: now, end: term.end,
                price: bill.amount.milliunits, offer: bill.offer)
            (term, plan, nextPlan) = (opened, bill.plan, nil)
        case .change, .renewal:
            cycle = BillingCycle(anchor: now)
            opened = open(bill, transactionID, from: now, at: now, under: conditions)
        }
        actions.append(.open(opened, plan, reason: .purchase))
        actions.append(.notify(.didChangeRenewalPreference(.upgrade)))
        return actions
    }

    private mutating func miss(
        _ bill: Bill, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        switch (bill.purpose, state) {
        case (.purchase, _), (.planChange, _):
            throw .paymentDeclined
        case (.renewal, _):
            guard isWaiting(for: bill, at: now) else { throw .notBilled }
            return startRetrying(at: now, under: conditions)
        case (.recovery, .grace(let retry, let until)):
            state = .grace(retry.afterAttempt(at: now, every: conditions.tempo), until: until)
        case (.recovery, .retrying(let retry, let graceEnded)):
            state = .retrying(
                retry.afterAttempt(at: now, every: conditions.tempo), graceEnded: graceEnded)
        case (.recovery, .active), (.recovery, .expired):
            throw .notBilled
        }
        return []
    }

    private mutating func startRetrying(at now: Instant, under conditions: Conditions) -> [Action] {
        let retry = Retry(
            since: now, nextAttempt: now + conditions.tempo.retryInterval,
            givesUpAt: now + conditions.tempo.billingRetry)
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
    /// after a new payment method moves none.
    fileprivate func afterAttempt(at now: Instant, every tempo: Tempo) -> Self {
        let beat = tempo.retryInterval.milliseconds
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
    /// How long the period lasts that is paid for: the whole length of a free trial or of an
    /// offer paid up front, one period of the plan otherwise (CAL-12).
    var length: CalendarPeriod {
        guard let offer else { return plan.period }
        switch offer.mode {
        case .freeTrial, .payUpFront: return offer.wholePeriod
        case .payAsYouGo: return offer.period
        }
    }
}
