/// What a developer gives a customer: a later renewal date, or the money back.
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

    /// Asking for the newest period's price back turns renewal off (REF-4); what is owed of a
    /// commitment is tried again until the refund is granted.
    mutating func requestRefund(
        of transactionID: Int64, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let isNewest = transactionID == newestPeriod.transactionID
        let actions =
            isNewest && owesInstalment
            ? setRenewal(false, at: now, under: conditions)
            : stopRenewing(after: transactionID, at: now, under: conditions)
        return actions + [.notify(.consumptionRequested)]
    }

    /// A refund of the newest period is how the subscription stands from then on, and ends it at
    /// once while it runs, its commitment with it; an older one changes nothing (REF-7, REF-8,
    /// REF-10).
    mutating func refund(
        _ transactionID: Int64, fully: Bool, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let actions = stopRenewing(after: transactionID, at: now, under: conditions)
        guard transactionID == newestPeriod.transactionID else {
            return actions + [.notify(.refunded)]
        }
        newestPeriod.refund = BillingPeriod.Refund(moment: now, isFull: fully)
        guard case .active = state else { return actions + [.notify(.refunded)] }
        state = .revoked
        nextPlan = nil
        // A request alone gives no plan change up: it may be declined.
        return actions + giveUpBill() + [.notify(.refunded)]
    }

    /// The bank is to let go of what it has not answered. A modification was of what ends here:
    /// paid late it is nobody's, and goes back.
    private mutating func giveUpBill() -> [Action] {
        let isModification = outstanding?.bill.purpose == .modification
        let actions = voidOutstanding()
        if isModification { outstanding = nil }
        return actions
    }

    /// A reversal gives access back until the period's agreed end; renewal stays off, and a
    /// commitment goes on (REF-9). What was over when it was refunded is over as before.
    mutating func reverseRefund(of transactionID: Int64, at now: Instant) -> [Action] {
        if transactionID == newestPeriod.transactionID {
            newestPeriod.refund = nil
            if case .revoked = state {
                state =
                    now < newestPeriod.end ? .active : .expired(.voluntary, at: newestPeriod.end)
            }
        }
        return [.notify(.refundReversed)]
    }

    /// Items of a merchant's plan were given back. Those that end leave what runs and what renews;
    /// where none is left it ends as a whole (ACM-7).
    mutating func refundItems(
        of transactionID: Int64, ending skus: [String], at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        let paid = items(paidBy: transactionID).filter(skus.contains)
        guard !isOver, !paid.isEmpty else { return [.notify(.refunded)] }
        guard plan.lines.contains(where: { !paid.contains($0.sku) }) else {
            return refund(newestPeriod.transactionID, fully: true, at: now, under: conditions)
        }
        for (place, line) in plan.lines.enumerated().reversed() where paid.contains(line.sku) {
            plan.lines.remove(at: place)
            newestPeriod.charges.remove(at: place)
            newestPeriod.carried[line.sku] = nil
            increases[line.sku] = nil
            lastIncreases[line.sku] = nil
        }
        guard var next = nextPlan else {
            return giveUpBill() + [.notify(.refunded)]
        }
        next.lines.removeAll { paid.contains($0.replaces ?? $0.sku) }
        guard next.lines.isEmpty else {
            nextPlan = next == plan.changingLines { $0 = $0.afterRenewal } ? nil : next
            return giveUpBill() + [.notify(.refunded)]
        }
        // What is left was to go with the renewal, and does.
        nextPlan = nil
        guard case .active = state else {
            return stopTrying(at: now, under: conditions) + [.notify(.refunded)]
        }
        return setRenewal(false, at: now, under: conditions) + giveUpBill()
            + [.notify(.refunded)]
    }

    private mutating func stopRenewing(
        after transactionID: Int64, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        guard transactionID == newestPeriod.transactionID else { return [] }
        switch state {
        case .active:
            return setRenewal(false, at: now, under: conditions)
        case .awaitingPayment, .grace, .retrying: return stopTrying(at: now, under: conditions)
        case .new, .expired, .revoked: return []
        }
    }
}
