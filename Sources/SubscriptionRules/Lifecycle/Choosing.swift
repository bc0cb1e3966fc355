/// What a customer chooses: a plan, and whether it renews.
extension Subscription {
    mutating func choose(
        _ plan: Plan, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        if plan.productID == self.plan.productID {
            // Buying the same plan by hand ends a retry with a period from now (REN-5); in grace
            // it cannot be bought again (TAB-2.3).
            guard case .retrying = state else { return try stay(at: now, under: conditions) }
            return [.charge(Bill(.purchase, plan, offer: term.offer?.next))]
        }
        let change = PlanChange(from: self.plan, to: plan)
        switch change.start(in: standing, trial: conditions.upgradeInTrial) {
        case .change:
            return [.charge(Bill(.planChange(.change), plan, offer: nil))]
        case .runningTrial:
            return [.charge(Bill(.planChange(.runningTrial), plan, offer: term.offer))]
        case .renewal:
            let actions = setRenewal(true, at: now, under: conditions)
            let isChange = plan.productID != nextPlan?.productID
            // Chosen again, it costs what it costs today (CHG-7, PRC-9).
            nextPlan = plan
            guard isChange else { return actions }
            return actions + [.notify(.didChangeRenewalPreference(.downgrade))]
        }
    }

    /// The current plan was chosen: a waiting change is withdrawn, a cancelled renewal resumed
    /// (TAB-2.2); otherwise there is nothing to buy.
    private mutating func stay(
        at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard nextPlan != nil || !renewsAutomatically else { throw .alreadySubscribed }
        var actions = setRenewal(true, at: now, under: conditions)
        if nextPlan != nil {
            nextPlan = nil
            actions.append(.notify(.didChangeRenewalPreference(.withdrawn)))
        }
        return actions
    }

    /// Turns renewal off or on. Nobody is told of a higher price who will not renew; whoever comes
    /// back is told from the start (INC-8).
    mutating func setRenewal(
        _ isOn: Bool, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        guard renewsAutomatically != isOn else { return [] }
        renewsAutomatically = isOn
        if case .active = state { planIncrease(.turnedOnAgain(at: now), under: conditions) }
        return [.notify(.didChangeRenewalStatus(enabled: isOn))]
    }

    /// Giving up on a failed renewal ends everything at once (REN-3).
    mutating func giveUp(at now: Instant, under conditions: Conditions) -> [Action] {
        setRenewal(false, at: now, under: conditions) + expire(.voluntary, at: now)
    }

    /// The plan at the price that whoever comes back pays: a subscriber whose price was preserved
    /// keeps it for 60 days after the end of what was paid for, unless an increase was on its way
    /// (PRC-5). Billing retry belongs to those days, as it does for EXP-7.
    ///
    /// - Parameter plan: the plan at today's price, in the same storefront.
    public func returning(to plan: Plan, at now: Instant, under conditions: Conditions) -> Plan {
        let end: Instant
        switch state {
        case .expired(_, let at): end = min(at, term.end)
        case .active, .grace, .retrying, .revoked: return plan
        }
        guard increase == nil, plan.productID == self.plan.productID,
            plan.currency == self.plan.currency, plan.items.count == 1,
            self.plan.price.milliunits < plan.price.milliunits,
            now.since(end) <= conditions.tempo.ignoredLapse
        else { return plan }
        return plan.repriced(to: self.plan.price.milliunits)
    }
}
