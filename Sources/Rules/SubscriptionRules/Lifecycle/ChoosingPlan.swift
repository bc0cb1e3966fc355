/// The plan that a customer chooses: bought, changed, or to come with the renewal.
extension Subscription {
    mutating func choose(
        _ plan: Plan, grantsIntroductory: Bool, at now: Instant, under conditions: Conditions,
        _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        if let bill = outstanding?.bill {
            // What is chosen again is waited for already; a second bill there is never.
            guard bill.isChosen, bill.plan.delivers(sameAs: plan) else {
                throw .paymentPending
            }
            return []
        }
        guard !isOver else {
            let isIntroduced = hasUsedIntroductoryOffer && !grantsIntroductory
            return charge(.purchase, isIntroduced ? plan.withoutIntroductory : plan, newBill)
        }
        let plan = plan.withoutIntroductory
        if plan.delivers(sameAs: self.plan) {
            // Buying the same plan by hand ends a retry with a period from now (REN-5); in grace
            // it cannot be bought again (TAB-2.3).
            guard case .retrying = state else {
                return try stay(with: plan, at: now, under: conditions)
            }
            let resumed = plan.changingLines { line in
                guard line.offer == nil, let later = self.plan.line(line.sku)?.afterRenewal else {
                    return
                }
                (line.offer, line.nextOffer) = (later.offer, later.nextOffer)
            }
            return charge(.purchase, resumed, newBill)
        }
        let change = PlanChange(from: self.plan, to: plan)
        switch change.start(in: phase, trial: conditions.upgradeInTrial) {
        case .change:
            return charge(.planChange(.change), plan, credit: credit(at: now), newBill)
        case .runningTrial:
            let trial = self.plan.lines[0].offer
            let taken = plan.changingLines { line in
                line.nextOffer = line.offer ?? line.nextOffer
                line.offer = trial
            }
            return charge(
                .planChange(.runningTrial), taken, credit: credit(at: now), newBill)
        case .renewal:
            let actions = setRenewal(true, at: now, under: conditions)
            let isChange = nextPlan.map { !plan.delivers(sameAs: $0) } ?? true
            // The last choice counts, and costs what it costs today (CHG-7, PRC-9).
            nextPlan = plan
            if plan.hasOffer { return actions + [.notify(.offerRedeemed(.downgrade))] }
            guard isChange else { return actions }
            return actions + [.notify(.didChangeRenewalPreference(.downgrade))]
        }
    }

    /// What goes back of the running period when the plan changes at once (CHG-2).
    private func credit(at now: Instant) -> Money? {
        guard now < newestPeriod.end else { return nil }
        let credit = prorationRefund(
            of: Money(milliunits: newestPeriod.price, plan.currency), start: newestPeriod.purchased,
            end: newestPeriod.end, change: now)
        return credit.milliunits > 0 ? credit : nil
    }

    /// The current plan was chosen: a waiting change is withdrawn, a cancelled renewal resumed
    /// (TAB-2.2), and an offer begins at the next renewal (PRO-2); otherwise there is nothing to
    /// buy.
    private mutating func stay(
        with chosen: Plan, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard nextPlan != nil || !renewsAutomatically || chosen.hasOffer else {
            throw .alreadySubscribed
        }
        var actions = setRenewal(true, at: now, under: conditions)
        if nextPlan != nil {
            nextPlan = nil
            // What was to be told meanwhile is told from the start, as after renewal was off.
            if case .active = state {
                planIncreases(.turnedOnAgain(at: now), under: conditions) { increase in
                    increase.phase.announcement.map { $0 < now } ?? false
                }
            }
            actions.append(.notify(.didChangeRenewalPreference(.withdrawn)))
        }
        guard chosen.hasOffer else { return actions }
        redeem(chosen, at: now, under: conditions)
        return actions + [.notify(.offerRedeemed(nil))]
    }

    /// The offers of a chosen plan, which is the running one, begin at the next renewal. A higher
    /// price comes after them, so it is told from the start.
    private mutating func redeem(
        _ chosen: Plan, at now: Instant, under conditions: Conditions
    ) {
        plan = plan.changingLines { line in
            guard let redeemed = chosen.line(line.sku)?.offer else { return }
            line = line.redeeming(redeemed)
        }
        guard case .active = state else { return delayIncreases() }
        planIncreases(.turnedOnAgain(at: now), under: conditions)
    }
}
