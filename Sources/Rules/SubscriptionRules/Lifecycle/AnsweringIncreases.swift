/// What the subscriber says to higher prices.
extension Subscription {
    /// Agreeing to what needs no consent changes nothing; declining turns renewal off (INC-12), and
    /// nobody is told of the other lines' increases who will not renew (INC-8).
    mutating func answerIncreases(
        agrees: Bool, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        // Another plan that waits for the renewal leaves nothing to agree to.
        guard case .active = state, increasesHold else { throw .noPriceIncrease }
        let (asked, declined) = (skus(in: \.isAsked), skus(in: \.isDeclined))
        // What was agreed to of a merchant's items can be refused until the renewal (ACS-2).
        let isOpen = !asked.isEmpty || !declined.isEmpty
        let agreed = isOpen || plan.merchant == nil ? [] : skus(in: \.isAgreedTo)
        let told = plan.lines.filter { line in
            increases[line.sku].map { $0.phase.isTold && $0.price > line.price } ?? false
        }
        switch agrees {
        case true where isOpen:
            // A change of mind: what was asked is agreed to, and renewal is on again.
            let isOnAgain =
                !renewsAutomatically && (!declined.isEmpty || asksAsIn2012(under: conditions))
            for sku in asked + declined { increases[sku]?.phase.accept() }
            if isOnAgain {
                renewsAutomatically = true
                planIncreases(.turnedOnAgain(at: now), under: conditions) { $0.schedule == nil }
            }
            return (isOnAgain ? [.notify(.didChangeRenewalStatus(enabled: true))] : [])
                + [.notify(.priceIncrease(isAccepted: true))]
        case false where isOpen || !agreed.isEmpty:
            for sku in asked + agreed { increases[sku]?.phase.decline() }
            // Of a merchant's plan the items end that were refused, and the others go on.
            guard restOfMerchantPlan(without: skus(in: \.isDeclined)) == nil else { return [] }
            guard renewsAutomatically else { return [] }
            renewsAutomatically = false
            planIncreases(.willNotRenew, under: conditions) { !$0.phase.isDeclined }
            return [.notify(.didChangeRenewalStatus(enabled: false))]
        case true where !told.isEmpty: return []
        case false where !told.isEmpty:
            return setRenewal(false, at: now, under: conditions)
        default: throw .noPriceIncrease
        }
    }
}
