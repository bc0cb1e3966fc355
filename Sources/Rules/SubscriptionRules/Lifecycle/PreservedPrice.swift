/// The preserved price at which a subscriber comes back.
extension Subscription {
    /// The plan at the price that whoever comes back pays: a subscriber whose price was preserved
    /// keeps it for 60 days after the end of what was paid for, unless an increase was on its way
    /// (PRC-5, EXP-8). Billing retry belongs to those days, as it does for EXP-7.
    ///
    /// - Parameter plan: the plan at today's price, in the same storefront.
    public func returning(to plan: Plan, at now: Instant, under conditions: Conditions) -> Plan {
        let end: Instant
        switch state {
        case .expired(_, let at): end = min(at, newestPeriod.end)
        case .new, .active, .awaitingPayment, .grace, .retrying, .revoked: return plan
        }
        guard increases.isEmpty, plan.currency == self.plan.currency,
            plan.billing == self.plan.billing,
            let line = plan.line(plan.productID), let kept = self.plan.line(line.sku)?.price,
            kept < line.price, now.since(end) <= conditions.tempo.ignoredLapse
        else { return plan }
        return plan.repriced(line.sku, to: kept)
    }
}
