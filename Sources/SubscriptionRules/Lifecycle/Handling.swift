extension Subscription {
    /// The customer's first purchase in the group: the bill to be paid before `init(first:)`.
    public static func firstBill(_ plan: Plan, introductory: AppliedOffer?) -> Bill {
        Bill(.purchase, plan, offer: introductory)
    }

    /// A subscription that begins with a paid bill, and what has to be done about it.
    public static func begin(
        _ bill: Bill, groupID: String, transactionID: Int64, at now: Instant, under terms: Terms
    ) -> (Subscription, [Action]) {
        var cycle = BillingCycle(anchor: now)
        let end = cycle.advance(
            by: bill.length, tempo: terms.tempo, zone: terms.zone)
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
    /// - Parameters:
    ///   - now: the moment of the event; for `becameDue` the moment that was due.
    ///   - terms: the conditions that hold at that moment.
    public mutating func handle(
        _ event: Event, at now: Instant, under terms: Terms
    ) throws(Refusal) -> [Action] {
        switch (state, event) {
        case (.active, .chosePlan(let plan, _)):
            return try choose(plan, in: standing, under: terms)
        case (.grace, .chosePlan(let plan, _)):
            guard plan.productID != self.plan.productID else { throw .alreadySubscribed }
            return try choose(plan, in: .grace, under: terms)
        case (.retrying, .chosePlan(let plan, _)):
            // Buying the same plan by hand ends the retry with a period from now (REN-5).
            guard plan.productID != self.plan.productID else {
                return [.charge(Bill(.purchase, plan, offer: nil))]
            }
            return try choose(plan, in: .retry, under: terms)
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
            return try renew(forSale: forSale, at: now, under: terms)
        case (.grace(let retry, let until), .becameDue(let forSale)):
            return try retryInGrace(retry, until: until, forSale: forSale, at: now)
        case (.retrying(let retry, _), .becameDue(let forSale)):
            return try retryAgain(retry, forSale: forSale, at: now)
        case (.expired, .becameDue): throw .notDue

        case (_, .wasPaid(let bill, let transactionID)):
            return settle(bill, transactionID: transactionID, at: now, under: terms)
        case (_, .wasDeclined(let bill)):
            return try miss(bill, at: now, under: terms)

        case (.active, .wasEnded), (.grace, .wasEnded), (.retrying, .wasEnded):
            return expire(.other, at: now)
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
        case .payAsYouGo: return .introductoryPayAsYouGo
        case .payUpFront: return .introductoryPayUpFront
        case nil: return .paidPeriod
        }
    }
}

// MARK: - Choices of the customer

extension Subscription {
    private mutating func choose(
        _ plan: Plan, in standing: PlanChange.Standing, under terms: Terms
    ) throws(Refusal) -> [Action] {
        if plan.productID == self.plan.productID { return try stay() }
        let change = PlanChange(from: self.plan, to: plan)
        switch change.start(in: standing, trial: terms.upgradeInTrial) {
        case .change:
            return [.charge(Bill(.planChange, plan, offer: nil))]
        case .runningTrial:
            return [.charge(Bill(.planChange, plan, offer: term.offer))]
        case .renewal:
            guard plan.productID != nextPlan?.productID || !renewsAutomatically else { return [] }
            nextPlan = plan
            return setRenewal(true) + [.notify(.didChangeRenewalPreference(.downgrade))]
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
        forSale: Bool, at now: Instant, under terms: Terms
    ) throws(Refusal) -> [Action] {
        guard now >= term.end else { throw .notDue }
        guard renewsAutomatically else { return expire(.voluntary, at: now) }
        guard forSale else { return expire(.notForSale, at: now) }
        if let limit = terms.renewalLimit, renewalCount >= limit {
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

    private mutating func expire(_ reason: ExpirationReason, at now: Instant) -> [Action] {
        state = .expired(reason, at: now)
        renewsAutomatically = false
        nextPlan = nil
        return [.notify(.expired(reason))]
    }
}

// MARK: - What the bank answers

extension Subscription {
    private mutating func settle(
        _ bill: Bill, transactionID: Int64, at now: Instant, under terms: Terms
    ) -> [Action] {
        switch bill.purpose {
        case .renewal:
            renewalCount += 1
            let term = open(bill, transactionID, from: term.end, at: now, under: terms)
            return [
                .open(term, plan, reason: .renewal), .notify(.didRenew(afterBillingProblem: false)),
            ]
        case .recovery:
            renewalCount += 1
            let term = open(
                bill, transactionID, from: recoveryStart(at: now), at: now, under: terms)
            return [
                .open(term, plan, reason: .renewal), .notify(.didRenew(afterBillingProblem: true)),
            ]
        case .purchase:
            return repurchase(bill, transactionID, at: now, under: terms)
        case .planChange:
            return changePlan(bill, transactionID, at: now, under: terms)
        }
    }

    /// Inside grace no paid day is lost: the period counts from the original due date. Later it
    /// counts from the recovery (3.1, GRA-6).
    private mutating func recoveryStart(at now: Instant) -> Instant {
        if case .grace = state { return term.end }
        cycle = BillingCycle(anchor: now)
        return now
    }

    /// Opens the period that a bill paid for, counted from where the cycle stands.
    private mutating func open(
        _ bill: Bill, _ transactionID: Int64, from start: Instant, at now: Instant,
        under terms: Terms
    ) -> Term {
        let end = cycle.advance(by: bill.length, tempo: terms.tempo, zone: terms.zone)
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
        _ bill: Bill, _ transactionID: Int64, at now: Instant, under terms: Terms
    ) -> [Action] {
        let notice: Notice
        switch state {
        case .active, .expired: notice = .subscribed(.resubscribe)
        case .grace, .retrying: notice = .didRenew(afterBillingProblem: true)
        }
        if now.since(term.end) > terms.tempo.ignoredLapse { serviceStart = now }
        if bill.offer?.kind == .introductory { hasUsedIntroductoryOffer = true }
        cycle = BillingCycle(anchor: now)
        renewalCount = 0
        renewsAutomatically = true
        let term = open(bill, transactionID, from: now, at: now, under: terms)
        return [.open(term, plan, reason: .purchase), .notify(notice)]
    }

    /// A plan change with immediate effect: the unused share of the old plan goes back, the new
    /// one runs from now (2.2), or takes over the running trial.
    private mutating func changePlan(
        _ bill: Bill, _ transactionID: Int64, at now: Instant, under terms: Terms
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
        let opened: Term
        if bill.offer != nil {
            opened = Term(
                transactionID: transactionID, purchased: now, start: now, end: term.end, price: 0,
                offer: bill.offer)
            (term, plan, nextPlan) = (opened, bill.plan, nil)
        } else {
            cycle = BillingCycle(anchor: now)
            opened = open(bill, transactionID, from: now, at: now, under: terms)
        }
        actions.append(.open(opened, plan, reason: .purchase))
        actions.append(.notify(.didChangeRenewalPreference(.upgrade)))
        return actions
    }

    private mutating func miss(
        _ bill: Bill, at now: Instant, under terms: Terms
    ) throws(Refusal) -> [Action] {
        switch (bill.purpose, state) {
        case (.purchase, _), (.planChange, _):
            throw .paymentDeclined
        case (.renewal, _):
            return startRetrying(at: now, under: terms)
        case (.recovery, .grace(let retry, let until)):
            state = .grace(retry.afterAttempt(at: now, every: terms.tempo), until: until)
        case (.recovery, .retrying(let retry, let graceEnded)):
            state = .retrying(
                retry.afterAttempt(at: now, every: terms.tempo), graceEnded: graceEnded)
        case (.recovery, .active), (.recovery, .expired):
            preconditionFailure("a recovery was billed outside billing retry")
        }
        return []
    }

    private mutating func startRetrying(at now: Instant, under terms: Terms) -> [Action] {
        let retry = Retry(
            since: now, nextAttempt: now + terms.tempo.retryInterval,
            givesUpAt: now + terms.tempo.billingRetry)
        let isCovered = terms.graceScope == .allRenewals || term.price > 0
        guard let setting = terms.gracePeriod, isCovered else {
            state = .retrying(retry, graceEnded: nil)
            return [.notify(.didFailToRenew(inGracePeriod: false))]
        }
        state = .grace(retry, until: now + terms.tempo.grace(setting, for: plan.period))
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
