/// Whether it renews, as the customer wants it: access lasts to the end of the period, and nothing
/// is charged when renewal is turned on again before (EXP-1); in grace and retry it ends (REN-3).
extension Subscription {
    /// Turns renewal off or on. Nobody is told of a higher price who will not renew; whoever comes
    /// back is told from the start (INC-8).
    mutating func setRenewal(
        _ isOn: Bool, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        guard renewsAutomatically != isOn else { return [] }
        renewsAutomatically = isOn
        let agreement = isOn ? agreeByRenewing(under: conditions) : []
        if case .active = state {
            // What was told of a merchant's item it comes back with (ACS-5).
            let keepsTold = plan.merchant != nil || asksAsIn2012(under: conditions)
            planIncreases(.turnedOnAgain(at: now), under: conditions) {
                !keepsTold || $0.isAccepted == nil && !$0.phase.isDeclined
            }
        }
        return [.notify(.didChangeRenewalStatus(enabled: isOn))] + agreement
    }

    mutating func turnRenewalOff(
        at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        switch state {
        case .active: return setRenewal(false, at: now, under: conditions)
        // What is owed of a commitment is tried again all the same (CMT-1).
        case .awaitingPayment where owesInstalment, .retrying where owesInstalment:
            return setRenewal(false, at: now, under: conditions)
        case .awaitingPayment, .grace, .retrying: return stopTrying(at: now, under: conditions)
        case .new, .expired, .revoked: throw .notActive
        }
    }

    /// Giving up on a renewal that failed, or has no answer yet, ends everything at once (REN-3):
    /// where the bank is still to answer, once it has let go of the bill.
    mutating func stopTrying(at now: Instant, under conditions: Conditions) -> [Action] {
        let actions = setRenewal(false, at: now, under: conditions)
        guard outstanding == nil else { return actions + voidOutstanding() }
        return actions + expire(.voluntary, at: now)
    }
}
