/// Money that goes back, as a whole or item by item, and refunds that are taken back.
extension Subscription {
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
    /// REF-10). Of a merchant's plan an older one may have paid for items that run: these end
    /// (ACM-7).
    mutating func refund(
        _ transactionID: Int64, fully: Bool, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        guard transactionID != newestPeriod.transactionID else {
            return endPeriod(fully: fully, at: now, under: conditions)
        }
        return endItems(
            items(paidBy: transactionID), byThemselves: false, fully: fully, at: now,
            under: conditions)
    }

    /// Items of a merchant's plan were given back. Those that end leave what runs and what renews;
    /// where none is left it ends as a whole (ACM-7).
    ///
    /// - Parameter isRest: whether nothing that the transaction paid for is left.
    mutating func refundItems(
        of transactionID: Int64, ending skus: [String], isRest: Bool, at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        let paid = items(paidBy: transactionID).filter(skus.contains)
        return endItems(paid, byThemselves: !isRest, fully: true, at: now, under: conditions)
    }

    private mutating func endPeriod(
        fully: Bool, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let actions = stopRenewing(
            after: newestPeriod.transactionID, at: now, under: conditions)
        // What has ended with its last items is given back no later.
        if newestPeriod.refund == nil {
            newestPeriod.refund = BillingPeriod.Refund(moment: now, isFull: fully)
        }
        guard case .active = state else { return actions + [.notify(.refunded)] }
        state = .revoked
        // A plan that waits comes back with the period where the refund is taken back, as an offer
        // does that waits, and its code with it (REF-9).
        if plan.merchant != nil { nextPlan = nil }
        // A request alone gives no plan change up: it may be declined.
        return actions + giveUpBill() + [.notify(.refunded)]
    }

    private mutating func endItems(
        _ skus: [String], byThemselves: Bool, fully: Bool, at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        if state == .revoked {
            // Of what was given back as a whole these do not come back with it.
            remember(skus, byThemselves: byThemselves, at: now)
            return [.notify(.refunded)]
        }
        guard !isOver, !skus.isEmpty else { return [.notify(.refunded)] }
        remember(skus, byThemselves: byThemselves, at: now)
        guard plan.lines.contains(where: { !skus.contains($0.sku) }) else {
            return endPeriod(fully: fully, at: now, under: conditions)
        }
        remove(skus)
        guard var next = nextPlan else {
            return giveUpBill() + [.notify(.refunded)]
        }
        next.lines.removeAll { skus.contains($0.replaces ?? $0.sku) }
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

    /// A reversal gives access back until the period's agreed end; renewal stays off, and a
    /// commitment goes on (REF-9). What was over when it was refunded is over as before.
    ///
    /// - Parameters:
    ///   - refunded: when it was refunded: what ended then comes back.
    ///   - isNewestGivenBack: whether the newest transaction is given back as a whole still: while
    ///     it is, so is everything.
    mutating func reverseRefund(
        of transactionID: Int64, from refunded: Instant, isNewestGivenBack: Bool, at now: Instant
    ) -> [Action] {
        let back = newestPeriod.ended.filter {
            $0.ended(with: transactionID, givenBackAt: refunded)
        }
        switch state {
        case .active where now < newestPeriod.end:
            return goOn(with: back) + [.notify(.refundReversed)]
        case .revoked:
            // Also while it stays so: it comes back with the rest.
            showAgain(back)
        case .new, .active, .awaitingPayment, .grace, .retrying, .expired:
            newestPeriod.ended.removeAll(where: back.contains)
        }
        let ended = plan.lines.map(\.sku).filter(hasEnded)
        let isAnythingPaid = ended.count < plan.lines.count
        guard !isNewestGivenBack, isAnythingPaid else { return [.notify(.refundReversed)] }
        newestPeriod.refund = nil
        if state == .revoked {
            // What was given back by itself stays away.
            remove(ended)
            state = .active
            if now >= newestPeriod.end {
                state = .expired(.voluntary, at: newestPeriod.end)
                nextPlan = nil
            }
        }
        return [.notify(.refundReversed)]
    }

    /// Like a subscription that comes back, items that do so in a running one do not renew; what
    /// was bought anew, be it from the renewal on, is there already. A change that is not paid yet
    /// was asked for without them, and is given up.
    private mutating func goOn(with items: [BillingPeriod.EndedItem]) -> [Action] {
        let known = (plan.lines + (nextPlan?.lines ?? [])).map(\.sku)
        let back = items.filter { !known.contains($0.line.sku) }
        guard !back.isEmpty else { return [] }
        newestPeriod.ended.removeAll(where: back.contains)
        nextPlan = nextPlan ?? plan.changingLines { $0 = $0.afterRenewal }
        bringBack(back)
        return outstanding?.bill.purpose == .modification ? giveUpBill() : []
    }

    // MARK: Items that end with a refund

    /// Whether a line is shown that has ended: of what was given back as a whole.
    private func hasEnded(_ sku: String) -> Bool {
        let payment = newestPeriod.payment(for: sku, of: plan)
        return newestPeriod.ended.contains { $0.line.sku == sku && $0.payment == payment }
    }

    private mutating func remember(_ skus: [String], byThemselves: Bool, at moment: Instant) {
        for sku in skus where !hasEnded(sku) {
            guard let line = plan.line(sku), let payment = newestPeriod.payment(for: sku, of: plan)
            else { continue }
            newestPeriod.ended.append(
                .init(
                    line: line, payment: payment, lastIncrease: lastIncreases[sku], at: moment,
                    isByItself: byThemselves))
        }
    }

    private mutating func remove(_ skus: [String]) {
        for (place, line) in plan.lines.enumerated().reversed() where skus.contains(line.sku) {
            plan.lines.remove(at: place)
            newestPeriod.charges.remove(at: place)
            newestPeriod.carried[line.sku] = nil
            increases[line.sku] = nil
            lastIncreases[line.sku] = nil
        }
    }

    /// Items that are paid again are shown as what was given back, as they were before it.
    private mutating func showAgain(_ items: [BillingPeriod.EndedItem]) {
        newestPeriod.ended.removeAll(where: items.contains)
        for item in items {
            // What was bought anew may be given back itself.
            if hasEnded(item.line.sku) { remove([item.line.sku]) }
            if plan.line(item.line.sku) == nil { bringBack([item]) }
        }
    }

    private mutating func bringBack(_ items: [BillingPeriod.EndedItem]) {
        for item in items {
            let isCarried = item.payment.transactionID != newestPeriod.transactionID
            plan.lines.append(item.line)
            newestPeriod.charges.append(isCarried ? 0 : item.payment.amount)
            newestPeriod.carried[item.line.sku] = isCarried ? item.payment : nil
            lastIncreases[item.line.sku] = item.lastIncrease
        }
    }

    /// The bank is to let go of what it has not answered. A modification was of a plan that is
    /// another one now: paid late it is nobody's, and goes back.
    private mutating func giveUpBill() -> [Action] {
        let isModification = outstanding?.bill.purpose == .modification
        let actions = voidOutstanding()
        if isModification { outstanding = nil }
        return actions
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
