/// How a merchant's plan becomes another one (ACM-3, ACM-4), and renews again.
extension Subscription {
    mutating func modify(
        _ request: MerchantModification, at now: Instant, under conditions: Conditions,
        _ newBill: () -> Int64
    ) throws(Refusal) -> [Action] {
        guard outstanding == nil else { throw .paymentPending }
        if let refusal = refusal(of: request, at: now) { throw .notModified(refusal) }
        let request = request.atRunningPrices(of: plan)
        let modified = ModifiedPlan(plan, waiting: nextPlan, request)
        if let refusal = refusal(of: modified, request) { throw .notModified(refusal) }
        guard request.isPaidNow else {
            return wait(for: modified, request, at: now, under: conditions)
        }
        let items = request.immediate
        let terms = Bill.Modification(
            charges: modified.now.lines.map { charge(for: $0, items[$0.sku], request, at: now) },
            credits: credits(for: request, at: now), next: modified.waiting,
            keepsCycle: request.keepsCycle)
        let bill = Bill(id: newBill(), .modification, modified.now, modification: terms)
        outstanding = OutstandingBill(bill)
        return [.charge(bill)]
    }

    /// Renewal is on again, for all items or for those that are named; the others end with the
    /// period, and what was on its way for them with them. Where renewal is on, items that were to
    /// go come back. Whoever was told of a higher price, or was asked, comes back at it, and has
    /// agreed thereby (ACS-5).
    mutating func reactivate(
        _ skus: [String]?, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard outstanding == nil else { throw .paymentPending }
        guard case .active = state, plan.merchant != nil else { throw .notModified(.notActive) }
        guard skus?.allSatisfy({ plan.line($0) != nil }) ?? true else {
            throw .notModified(.changedItemMissing)
        }
        let isOff = !renewsAutomatically
        let back = (skus ?? plan.lines.map(\.sku)).filter { isOff || isToGo($0) }
        guard !back.isEmpty else { throw .notModified(.renewsAlready) }
        let waiting =
            isOff
            ? ModifiedPlan(plan, keeping: skus).waiting
            : nextPlan.flatMap { ModifiedPlan(plan, waiting: $0, restoring: back).waiting }
        let consents = back.contains { sku in
            increases[sku].map { $0.isAccepted == false || $0.phase.isDeclined } ?? false
        }
        renewsAutomatically = true
        let kept = Set((waiting ?? plan).lines.map(increaseKey))
        increases = increases.filter { kept.contains($0.key) }
        for sku in back { increases[sku]?.phase.accept() }
        let isTold = setWaiting(waiting, isRedeemed: false, isWithdrawn: !isOff)
        planIncreases(.turnedOnAgain(at: now), under: conditions) { $0.schedule == nil }
        return (isOff ? [.notify(.didChangeRenewalStatus(enabled: true))] : [])
            + (consents ? [.notify(.priceIncrease(isAccepted: true))] : []) + isTold
    }

    /// Whether an item that runs ends with the period, though renewal is on: it was removed or
    /// replaced, or its higher price was refused.
    private func isToGo(_ sku: String) -> Bool {
        guard increases[sku]?.phase.isDeclined != true else { return true }
        return nextPlan.map { !$0.lines.contains { runningItem(of: $0)?.sku == sku } } ?? false
    }

    private func refusal(
        of request: MerchantModification, at now: Instant
    ) -> MerchantModificationRefusal? {
        guard case .active = state, now < newestPeriod.end, plan.merchant != nil else {
            return .notActive
        }
        for change in request.changed {
            guard let line = plan.line(change.currentSKU) else { return .changedItemMissing }
            if request.keepsCycle, change.isImmediate, line.offer != nil { return .offerRuns }
            if change.currentSKU == change.item.line.sku, let refusal = refusal(of: change, line) {
                return refusal
            }
        }
        // What goes with the renewal anyhow can only go at once.
        let continued = nextPlan?.continued ?? plan.lines.map(\.sku)
        guard
            request.removed.allSatisfy({ sku in
                plan.line(sku) != nil && (!request.keepsCycle || continued.contains(sku))
            })
        else { return .removedItemMissing }
        // Whatever comes in its place, not everything is removed.
        guard !continued.allSatisfy(request.removed.contains) else { return .nothingLeft }
        let changed = Set(request.changed.map(\.currentSKU) + request.removed)
        guard request.period == nil || plan.lines.allSatisfy({ changed.contains($0.sku) }) else {
            return .itemsOfPeriodMissing
        }
        let coming =
            request.added.map(\.line.sku)
            + request.changed.filter { $0.currentSKU != $0.item.line.sku }.map(\.item.line.sku)
        return coming.contains { plan.line($0) != nil } ? .itemExists : nil
    }

    /// The price of what stays what it is: that of today, or the one that was announced (ACS-6,
    /// ACS-7).
    private func refusal(
        of change: MerchantModification.Change, _ line: Plan.Line
    ) -> MerchantModificationRefusal? {
        let sent = change.item.line
        guard let increase = increases[line.sku], increase.isAccepted != nil else {
            return sent.price == line.price ? nil : .priceChange
        }
        guard sent.offer == nil else {
            return sent.price == increase.price ? nil : .notTheIncreasedPrice
        }
        return [line.price, increase.price].contains(sent.price) ? nil : .priceChange
    }

    private func refusal(
        of modified: ModifiedPlan, _ request: MerchantModification
    ) -> MerchantModificationRefusal? {
        let (now, next) = (modified.now, modified.next)
        guard !now.lines.isEmpty, !next.lines.isEmpty else { return .nothingLeft }
        for plan in [now, next] {
            guard plan.lines.count <= MerchantModification.mostItems else { return .tooManyItems }
            guard Set(plan.lines.map(\.sku)).count == plan.lines.count else { return .itemExists }
            if plan.callsItemAsWhole, !self.plan.callsItemAsWhole { return .sameName }
        }
        guard request.isPaidNow else { return next.isAligned ? nil : .misaligned }
        // What begins in the middle of a cycle ends with it.
        let isAligned =
            request.keepsCycle ? now.hasOffersOfItsPeriod && now.onlyOffer == nil : now.isAligned
        return isAligned && next.isAligned ? nil : .misaligned
    }

    /// What is charged for a line at once; nil where it goes on as it was paid.
    private func charge(
        for line: Plan.Line, _ item: MerchantModification.Item?, _ request: MerchantModification,
        at now: Instant
    ) -> Int64? {
        guard request.keepsCycle else { return line.amount }
        guard let item else { return nil }
        return item.proratedPrice
            ?? prorationRefund(
                of: Money(milliunits: line.amount, plan.currency), start: newestPeriod.start,
                end: newestPeriod.end, change: now
            ).milliunits
    }

    /// What goes back for items that end at once, or begin anew: the unused share of what was paid.
    private func credits(
        for request: MerchantModification, at now: Instant
    ) -> [ItemRefund] {
        let ending = Set(request.changed.filter(\.isImmediate).map(\.currentSKU))
        return plan.lines.compactMap { line in
            guard !request.keepsCycle || ending.contains(line.sku),
                let paid = newestPeriod.payment(for: line.sku, of: plan)
            else { return nil }
            let unused = unused(of: line.sku, paidBy: paid.transactionID, at: now)
            guard unused > 0 else { return nil }
            return ItemRefund(transactionID: paid.transactionID, sku: line.sku, amount: unused)
        }
    }

    /// The unused share of what a transaction was paid for a line that runs, in milliunits; 0 where
    /// it paid for no such line, and once its period is over.
    public func unused(
        of sku: String, paidBy transactionID: Int64, at moment: Instant
    ) -> Int64 {
        guard let paid = newestPeriod.payment(for: sku, of: plan),
            paid.transactionID == transactionID
        else { return 0 }
        return prorationRefund(
            of: Money(milliunits: paid.amount, plan.currency), start: paid.at,
            end: newestPeriod.end, change: moment
        ).milliunits
    }

    /// Nothing is paid for now: what comes waits for the renewal, and words hold at once.
    private mutating func wait(
        for modified: ModifiedPlan, _ request: MerchantModification, at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        let actions = setRenewal(true, at: now, under: conditions)
        keepIncreases(modified.now, modified.next, at: now, under: conditions)
        plan = modified.now
        guard !request.isWordsAlone else {
            nextPlan = modified.waiting
            return actions + [.notify(.metadataUpdated)]
        }
        let redeems = request.changed.contains { $0.item.line.offer != nil }
        return actions + setWaiting(modified.waiting, isRedeemed: redeems)
    }

    /// Lets another plan wait for the renewal, or none, and says what that is. The same once more
    /// is nothing new.
    ///
    /// - Parameter isWithdrawn: whether what was to go comes back.
    private mutating func setWaiting(
        _ waiting: Plan?, isRedeemed: Bool, isWithdrawn: Bool = false
    ) -> [Action] {
        let same = plan.changingLines { $0 = $0.afterRenewal }
        let (before, after) = (nextPlan ?? same, waiting ?? same)
        guard !after.renews(as: before) else { return [] }
        nextPlan = waiting
        guard waiting != nil, !isWithdrawn else {
            return [.notify(.didChangeRenewalPreference(.withdrawn))]
        }
        // An offer on what renews anyhow is no change of plan.
        let effect: ServerNotification.Effect? = after.delivers(sameAs: before) ? nil : .downgrade
        return [
            .notify(isRedeemed ? .offerRedeemed(effect) : .didChangeRenewalPreference(.downgrade))
        ]
    }

    /// The increases that stay: of items that renew as what they are, at another price than was
    /// sent (ACS-6, ACS-7). What is given an offer is told of it anew after that.
    private mutating func keepIncreases(
        _ modified: Plan, _ next: Plan, at now: Instant, under conditions: Conditions
    ) {
        increases = increases.filter { sku, increase in
            guard next.period == plan.period else { return false }
            // What comes with the renewal as it was to keeps it, under whatever name.
            if let waiting = nextPlan?.lines.first(where: { increaseKey(of: $0) == sku }),
                waiting.sku != sku || plan.line(sku) == nil, next.lines.contains(waiting)
            {
                return true
            }
            guard plan.line(sku) != nil, let line = next.line(sku),
                line.replaces == nil || line.replaces == sku
            else { return false }
            return line.price != increase.price
        }
        for line in plan.lines {
            guard let increase = increases[line.sku] else { continue }
            let current = modified.line(line.sku)
            let isGiven = current?.offer.map { $0 != line.offer } ?? false
            guard isGiven || (current ?? line).isGivenOffer(in: next) else { continue }
            increases[line.sku]?.phase = .waiting
            // Of what the store tells nobody, the day stays (ACP-2).
            guard !isTold(of: increase, of: line, by: conditions.merchantRoute) else { continue }
            planIncrease(of: line, .turnedOnAgain(at: now), under: conditions)
        }
    }

    /// A modification was paid.
    mutating func modified(
        by bill: Bill, _ terms: Bill.Modification, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let (old, before) = (newestPeriod, plan)
        let carried = carried(by: bill.plan, terms)
        let superseded = old.payers.subtracting(carried.values.map(\.transactionID))
        var actions: [Action] = superseded.sorted().map { .supersede(transactionID: $0) }
        if now < old.end {
            let credits = Dictionary(grouping: terms.credits, by: \.transactionID)
            actions += credits.sorted { $0.key < $1.key }.map { .refundItems($0.key, $0.value) }
        }
        actions += setRenewal(true, at: now, under: conditions)
        if terms.keepsCycle {
            let next = terms.next ?? bill.plan.changingLines { $0 = $0.afterRenewal }
            keepIncreases(bill.plan, next, at: now, under: conditions)
        } else {
            increases = [:]
        }
        lastIncreases = lastIncreases.filter { bill.plan.line($0.key) != nil }
        for line in bill.plan.lines {
            guard let price = plan.line(line.sku)?.price, price < line.price else { continue }
            lastIncreases[line.sku] = now
        }
        // Answered at the very end of the cycle, what is new was in it all the same: it is renewed
        // with the rest.
        if terms.keepsCycle {
            _ = begin(bill, from: old.start, to: old.end, purchased: now, under: conditions)
            newestPeriod.carried = carried
            newestPeriod.ended = old.ended
            newestPeriod.extended = old.extended
        } else {
            renewalCount = 0
            cycle = BillingCycle(anchor: now)
            _ = open(bill, from: now, at: now, under: conditions)
        }
        nextPlan = terms.next
        planIncreases(.turnedOnAgain(at: now), under: conditions) { $0.phase == .waiting }
        let redeems = plan.lines.contains {
            $0.offer != nil && $0.offer != before.line($0.sku)?.offer
        }
        return actions + [
            .open(newestPeriod, plan, reason: .purchase),
            .notify(
                redeems
                    ? .offerRedeemed(plan.delivers(sameAs: before) ? nil : .upgrade)
                    : .didChangeRenewalPreference(.upgrade)),
        ]
    }

    /// What was paid for items that go on, by SKU.
    private func carried(
        by plan: Plan, _ terms: Bill.Modification
    ) -> [String: BillingPeriod.Payment] {
        var carried: [String: BillingPeriod.Payment] = [:]
        for (line, charge) in zip(plan.lines, terms.charges) where charge == nil {
            carried[line.sku] = newestPeriod.payment(for: line.sku, of: self.plan)
        }
        return carried
    }
}
