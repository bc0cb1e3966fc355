/// Where the period begins that a renewal pays for, in time or by a recovery.
extension Subscription {
    /// While access lasted no paid day is lost: the period counts from the original due date.
    /// Later it counts from the recovery (TAB-3.1, GRA-6), as it does where the period would be
    /// over already, which only a change of the Sandbox speed during grace can bring about.
    mutating func renewalStart(
        of bill: Bill, at now: Instant, under conditions: Conditions
    ) -> Instant {
        switch state {
        case .active: return newestPeriod.end
        case .awaitingPayment, .grace:
            if nextEnd(of: bill.plan, under: conditions) > now { return newestPeriod.end }
        case .new, .retrying, .expired, .revoked: break
        }
        cycle = BillingCycle(anchor: now)
        return now
    }
}
