/// How an ordinary subscription becomes a merchant's (ACM-6).
extension Subscription {
    /// A merchant's plan takes the place of an ordinary subscription, which this one goes on for:
    /// its period, its cycle and what was paid for it. An increase that was not told yet comes
    /// along (ACS-9), unless another plan is to replace what it is of (TAB-2.3), and so does when
    /// one was charged last (THR-1 c).
    ///
    /// - Parameter shares: what of the running price each item has, in milliunits.
    mutating func migrate(
        from old: Subscription, to plan: Plan, next: Plan?, shares: [Int64], at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        self.plan = plan
        nextPlan = next
        newestPeriod = BillingPeriod(
            transactionID: id, purchased: now, start: old.newestPeriod.start,
            end: old.newestPeriod.end, charges: plan.lines.map { _ in 0 },
            extended: old.newestPeriod.extended, commission: old.newestPeriod.commission)
        for (line, share) in zip(plan.lines, shares) {
            newestPeriod.carried[line.sku] = BillingPeriod.Payment(
                transactionID: old.newestPeriod.transactionID, at: old.newestPeriod.purchased,
                amount: share)
        }
        (cycle, state) = (old.cycle, old.state)
        (renewsAutomatically, renewalCount) = (old.renewsAutomatically, old.renewalCount)
        (serviceStart, paidPeriods) = (old.serviceStart, old.paidPeriods)
        (extensions, paidService) = (old.extensions, old.paidService)
        if let last = old.lastIncreases.values.max() {
            for line in plan.lines { lastIncreases[line.sku] = last }
        }
        if let increase = old.increases.values.first, next == nil, old.plan.price.milliunits > 0 {
            for line in plan.lines {
                let (quotient, _) = old.plan.price.milliunits.dividingFullWidth(
                    line.price.multipliedFullWidth(by: increase.price))
                let price = plan.currency.rounded(quotient)
                guard price > line.price else { continue }
                increases[line.sku] = PendingIncrease(
                    price: price, live: increase.live, phase: .waiting)
                planIncrease(of: line, .renews, under: conditions)
            }
        }
        return [.open(newestPeriod, plan, reason: .purchase), .notify(.migrated)]
    }

    /// A merchant's plan goes on for this one, which is over.
    mutating func wasMigrated(at now: Instant) throws(Refusal) -> [Action] {
        guard case .active = state, outstanding == nil else { throw .notModified(.notActive) }
        let actions = cutShort(at: now)
        increases = [:]
        _ = expire(.other, at: now)
        return actions
    }
}
