/// What follows from the bank's answers.
extension Subscription {
    mutating func settle(
        _ billID: Int64, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        let bill = try takeOutstanding(billID)
        switch bill.purpose {
        case .renewal, .recovery:
            return renewed(by: bill, at: now, under: conditions)
        case .planChange(let start) where !isOver:
            return changePlan(bill, start, at: now, under: conditions)
        case .modification where !isOver:
            guard let terms = bill.modification else { preconditionFailure("no modification") }
            return modified(by: bill, terms, at: now, under: conditions)
        case .purchase, .planChange, .modification:
            return repurchase(bill, at: now, under: conditions)
        }
    }

    /// A renewal was paid: when it was due, while its answer was waited for, or after it failed.
    private mutating func renewed(
        by bill: Bill, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let wasActive = state == .active
        let afterProblem: Bool
        switch state {
        case .grace, .retrying: afterProblem = true
        case .new, .active, .awaitingPayment, .expired, .revoked: afterProblem = false
        }
        renewalCount += 1
        countIncreases(of: bill)
        let start = renewalStart(of: bill, at: now, under: conditions)
        let newestPeriod = open(bill, from: start, at: now, under: conditions)
        planWaitingIncreases(wasActive, afterProblem, at: now, under: conditions)
        return [
            .open(newestPeriod, bill.plan, reason: .renewal),
            .notify(.didRenew(afterBillingProblem: afterProblem)),
        ]
    }

    /// What waited is planned now: what came up for this plan before it began; what was off sale
    /// on its day, with full notice from here on; and what a problem has delayed.
    private mutating func planWaitingIncreases(
        _ wasActive: Bool, _ afterProblem: Bool, at now: Instant, under conditions: Conditions
    ) {
        guard wasActive else {
            return planIncreases(.recovered(at: now), under: conditions) {
                $0.isToBePlannedAnew(afterProblem, at: now)
            }
        }
        planIncreases(.renews, under: conditions) { $0.phase == .waiting && $0.live >= now }
        planIncreases(.turnedOnAgain(at: now), under: conditions) { $0.phase == .waiting }
    }

    /// Opens the period that a bill paid for, counted from where the cycle stands.
    mutating func open(
        _ bill: Bill, from start: Instant, at now: Instant, under conditions: Conditions
    ) -> BillingPeriod {
        if state == .new || start.since(serviceEnd) > conditions.tempo.ignoredLapse {
            serviceStart = start
        }
        let end = cycle.advance(
            by: bill.plan.length, from: start, tempo: conditions.tempo, zone: conditions.zone)
        return begin(bill, from: start, to: end, purchased: now, under: conditions)
    }

    /// Puts a paid bill's period in the place of the newest one, whose paid service is counted
    /// before the commission of the new one is decided (COM-8).
    mutating func begin(
        _ bill: Bill, from start: Instant, to end: Instant, purchased: Instant,
        under conditions: Conditions
    ) -> BillingPeriod {
        if state != .new {
            paidService.count(
                served(until: start), tempo: conditions.tempo, zone: conditions.zone)
        }
        let (instalment, keepsChoice) = (instalment(of: bill), isInstalment(bill))
        let wasPaid = newestPeriod.isPaid
        newestPeriod = BillingPeriod(
            transactionID: bill.id, purchased: purchased, start: start, end: end,
            charges: bill.charges,
            commission: paidService.rate(
                forPeriodStarting: start,
                isInSmallBusinessProgram: conditions.isInSmallBusinessProgram,
                tempo: conditions.tempo),
            instalment: instalment)
        let countsAnew = !(bill.modification?.keepsCycle ?? false) || !wasPaid
        if newestPeriod.price > 0, countsAnew { paidPeriods += 1 }
        recordOffers(of: bill, at: purchased)
        plan = bill.plan.changingLines { line in
            line.price = bill.lowered[line.sku] ?? line.price
            line.raised = nil
        }
        // What went live for it while it waited, also while this bill had no answer; what was
        // chosen costs what was shown, and is raised by itself once it is paid.
        let waiting = nextPlan.flatMap { $0.delivers(sameAs: bill.plan) ? $0 : nil } ?? bill.plan
        for line in waiting.lines where !bill.isChosen {
            guard let price = line.raised else { continue }
            increases[line.sku] = PendingIncrease(price: price, live: start, phase: .waiting)
        }
        for line in plan.lines {
            guard var increase = increases[line.sku] else { continue }
            increase.keepRenewal(at: end)
            // What was announced may be no increase any more; a merchant's lower price has its day.
            let isOver = increase.price < line.price && plan.merchant == nil
            increases[line.sku] = increase.price == line.price || isOver ? nil : increase
        }
        if !keepsChoice { nextPlan = nil }
        state = .active
        return newestPeriod
    }

    /// Which offers begin with a bill; one that goes on was recorded when it began.
    private mutating func recordOffers(of bill: Bill, at now: Instant) {
        for line in bill.plan.lines {
            guard let offer = line.offer else { continue }
            let before = plan.lines.compactMap(\.offer)
            let goesOn: Bool
            switch bill.purpose {
            case .planChange(.runningTrial): goesOn = before.contains(offer)
            case .purchase where isOver: goesOn = false
            case .modification: goesOn = plan.line(line.sku)?.offer == offer
            case .purchase, .planChange, .renewal, .recovery:
                // Called something else from the renewal on, it is the same item.
                let current = nextPlan?.line(line.sku)?.replaces ?? line.sku
                goesOn = plan.line(current)?.offer?.next == offer
            }
            guard !goesOn else { continue }
            offersUsed.append(OfferUse(kind: offer.kind, id: offer.id, at: now))
        }
    }

    /// When the newest period stopped, or will stop, giving access by itself.
    private var serviceEnd: Instant {
        newestPeriod.refund.map { min($0.moment, newestPeriod.end) } ?? newestPeriod.end
    }

    /// What of the newest period was served before a moment. A period that was refunded in full
    /// while it ran was not paid; of one refunded in part the time until then counts.
    private func served(until moment: Instant) -> PaidServiceClock.Period {
        var isPaid = newestPeriod.isPaid
        if case .revoked = state, newestPeriod.refund?.isFull == true { isPaid = false }
        return PaidServiceClock.Period(
            start: newestPeriod.start, end: min(serviceEnd, moment),
            paidEnd: newestPeriod.end - newestPeriod.extended,
            isPaid: isPaid)
    }

    /// The days of paid service up to now, those of the newest period included (COM-2).
    func paidDays(under conditions: Conditions) -> Int {
        var service = paidService
        if state != .new {
            service.count(
                served(until: newestPeriod.end), tempo: conditions.tempo, zone: conditions.zone)
        }
        return service.days
    }

    /// A renewal that charges a higher price ends the increase and starts its twelve months
    /// (THR-1 c); one to another plan voids it (TAB-2.3).
    private mutating func countIncreases(of bill: Bill) {
        guard bill.plan.delivers(sameAs: plan) || plan.merchant != nil else {
            return forgetIncreases(for: bill.plan)
        }
        let agreed = agreedWithMigration(in: bill.plan)
        keepIncreases(of: bill.plan)
        for line in bill.plan.lines where line.offer == nil && !agreed.contains(line.sku) {
            guard line.price > priceBefore(line.sku, bill) else { continue }
            lastIncreases[line.sku] = newestPeriod.end
            // Another one may have gone live while the bank's answer was waited for.
            if increases[line.sku]?.price == line.price { increases[line.sku] = nil }
        }
    }

    /// The items of an ordinary plan that was chosen, and became the merchant's before it began:
    /// their prices were agreed to with the choice (PRC-9), and are no increase.
    private func agreedWithMigration(in renewed: Plan) -> Set<String> {
        guard plan.merchant != nil else { return [] }
        return Set(
            renewed.lines.filter { line in
                guard let chosen = nextPlan?.line(line.sku), chosen.price == line.price else {
                    return false
                }
                return increases[increaseKey(of: chosen)]?.price != line.price
            }.map(\.sku))
    }

    /// What is delivered no more has no increase; a merchant's item that is called something else
    /// from the renewal on keeps its own (ACS-8), and so does one that only comes with it.
    private mutating func keepIncreases(of renewed: Plan) {
        guard !increases.isEmpty || !lastIncreases.isEmpty else { return }
        var kept: [String: PendingIncrease] = [:]
        for line in renewed.lines {
            let key = nextPlan?.line(line.sku).map(increaseKey) ?? line.sku
            // What depends on it may have another name from now on as well.
            kept[line.sku] = increases[key].map { increase in
                increase.naming(
                    dependents: increase.dependents.map { sku in
                        nextPlan?.lines.first { $0.replaces == sku }?.sku ?? sku
                    })
            }
        }
        increases = kept
        lastIncreases = lastIncreases.filter { renewed.line($0.key) != nil }
    }

    /// What the subscriber paid for a line before a renewal. Where the price has fallen while its
    /// bill was pending, the plan has the lower one already, and a bill at the old price is no
    /// increase.
    private func priceBefore(_ sku: String, _ bill: Bill) -> Int64 {
        let current = nextPlan?.line(sku).flatMap(runningItem)?.sku ?? sku
        guard let place = plan.lines.firstIndex(where: { $0.sku == current }) else { return .max }
        let line = plan.lines[place]
        guard bill.lowered[sku] != nil else { return line.price }
        return line.offer == nil ? max(line.price, newestPeriod.charges[place]) : .max
    }

    /// Whoever goes over to another plan sees its prices and agrees to them (PRC-9). What it
    /// delivers as the old one did was raised when it was.
    private mutating func forgetIncreases(for plan: Plan) {
        increases = [:]
        lastIncreases = lastIncreases.filter { plan.line($0.key) != nil }
    }

    /// A purchase by hand: the first, again after expiry, or during billing retry.
    private mutating func repurchase(
        _ bill: Bill, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let notice: ServerNotification
        switch state {
        case .new: notice = .subscribed(.initialBuy)
        case .expired, .revoked, .active: notice = .subscribed(.resubscribe)
        case .awaitingPayment, .grace, .retrying: notice = .didRenew(afterBillingProblem: true)
        }
        forgetIncreases(for: bill.plan)
        cycle = BillingCycle(anchor: now)
        renewalCount = 0
        renewsAutomatically = true
        let newestPeriod = open(bill, from: now, at: now, under: conditions)
        return [.open(newestPeriod, bill.plan, reason: .purchase), .notify(notice)]
    }

    /// A plan change with immediate effect: the unused share of the old plan goes back, the new
    /// one runs from now (TAB-2.2), or takes over the running trial.
    private mutating func changePlan(
        _ bill: Bill, _ start: PlanChange.Start, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        var actions: [Action] = []
        if now < newestPeriod.end {
            actions.append(.supersede(transactionID: newestPeriod.transactionID))
            if let credit = bill.credit {
                actions.append(.refund(transactionID: newestPeriod.transactionID, credit))
            }
        }
        forgetIncreases(for: bill.plan)
        actions += setRenewal(true, at: now, under: conditions)
        renewalCount = 0
        let opened: BillingPeriod
        // A trial that is over by the time of the answer cannot be taken over.
        if start == .runningTrial, now < newestPeriod.end {
            opened = begin(bill, from: now, to: newestPeriod.end, purchased: now, under: conditions)
        } else {
            cycle = BillingCycle(anchor: now)
            opened = open(bill, from: now, at: now, under: conditions)
        }
        actions.append(.open(opened, bill.plan, reason: .purchase))
        let redeems =
            start == .runningTrial
            ? bill.plan.lines.contains { $0.nextOffer != nil } : bill.plan.hasOffer
        actions.append(
            .notify(redeems ? .offerRedeemed(.upgrade) : .didChangeRenewalPreference(.upgrade)))
        return actions
    }

    /// What was asked for and declined changes nothing; a renewal goes into billing retry.
    mutating func miss(
        _ billID: Int64, at now: Instant, under conditions: Conditions, _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        let bill = try takeOutstanding(billID)
        switch state {
        case .new, .expired, .revoked: return []
        case .active:
            guard !bill.isChosen else { return [] }
            return startRetrying(at: now, under: conditions)
        case .awaitingPayment:
            guard isRenewing else { return expire(.voluntary, at: now) }
            // It was the plan change that was declined; the renewal has not been tried.
            guard !bill.isChosen else {
                return try renew(forSale: true, at: now, under: conditions, newBill)
            }
            return startRetrying(at: now, under: conditions)
        case .grace(let retry, _), .retrying(let retry, _):
            guard isRenewing else { return expire(.voluntary, at: now) }
            // The price that was announced waits, now that its renewal has failed (INC-7).
            delayIncreases()
            guard now < retry.givesUpAt else { return expire(.billingError, at: now) }
            if !bill.isChosen || retry.nextAttempt <= now { state = state.retryingAfter(now) }
            return []
        }
    }

    private mutating func startRetrying(at now: Instant, under conditions: Conditions) -> [Action] {
        let retry = Retry(failed: newestPeriod.end, at: now, under: conditions)
        // One more period at the old price once it recovers, then full notice (INC-7).
        delayIncreases()
        guard now < retry.givesUpAt else { return expire(.billingError, at: now) }
        guard let until = graceEnd(under: conditions), until > now else {
            state = .retrying(retry, graceEnded: nil)
            return [.notify(.didFailToRenew(inGracePeriod: false))]
        }
        state = .grace(retry, until: until)
        return [.notify(.didFailToRenew(inGracePeriod: true))]
    }
}

extension Subscription {
    /// Where the period would end that comes after the running one.
    func nextEnd(of plan: Plan, under conditions: Conditions) -> Instant {
        var cycle = cycle
        return cycle.advance(
            by: plan.length, from: newestPeriod.end, tempo: conditions.tempo, zone: conditions.zone)
    }
}
