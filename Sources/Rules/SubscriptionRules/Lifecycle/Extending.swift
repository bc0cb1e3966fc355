/// A later renewal date: a developer gives it to whoever pays (EXT-1), or it is a bonus.
extension Subscription {
    /// What decides about an extension (EXT-3, EXT-4).
    private var extensionEligibility: ExtensionEligibility {
        let status: ExtensionEligibility.Status =
            switch state {
            case .active: .active
            case .awaitingPayment, .grace: .grace
            case .retrying: .billingRetry
            case .new, .expired: .expired
            case .revoked: .revoked
            }
        return ExtensionEligibility(
            status: status, expires: newestPeriod.end, period: plan.period,
            isInFreeOffer: isInFreeTrial, paidPeriods: paidPeriods,
            extensions: extensions)
    }

    /// A bonus is for whoever is inside a period, be it free.
    private func refusal(
        of request: ExtensionRequest, at now: Instant, under conditions: Conditions
    ) -> ExtensionRefusal? {
        guard request.bonus != nil else {
            return extensionEligibility.refusal(at: now, tempo: conditions.tempo)
        }
        guard case .active = state, newestPeriod.end > now else { return .expired }
        return nil
    }

    mutating func extend(
        _ request: ExtensionRequest, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        if let refusal = refusal(of: request, at: now, under: conditions) {
            throw .notExtended(refusal)
        }
        let before = self
        let longer = ExtendedPeriod(
            cycle, ending: newestPeriod.end, by: request, period: plan.period,
            tempo: conditions.tempo,
            zone: conditions.zone)
        cycle = longer.cycle
        newestPeriod = newestPeriod.extended(to: longer)
        if request.bonus == nil {
            extensions = (extensions + [now]).suffix(ExtensionEligibility.mostExtensions)
        }
        moveIncreases(from: before, under: conditions)
        return [
            .reschedule(transactionID: newestPeriod.transactionID, end: newestPeriod.end),
            .notify(.renewalExtended),
        ]
    }
}
