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
    /// period. Whoever was told of a higher price comes back at it (ACS-5).
    mutating func reactivate(
        _ skus: [String]?, at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        guard outstanding == nil else { throw .paymentPending }
        guard case .active = state, plan.merchant != nil else { throw .notModified(.notActive) }
        guard skus?.allSatisfy({ plan.line($0) != nil }) ?? true else {
            throw .notModified(.changedItemMissing)
        }
        let waiting = ModifiedPlan(plan, keeping: skus).waiting
        guard !renewsAutomatically || waiting != nextPlan else {
            throw .notModified(.renewsAlready)
        }
        let told = increases.filter { $0.value.isAccepted != nil || $0.value.phase.isDeclined }
        let isOnAgain = !renewsAutomatically
        renewsAutomatically = true
        increases = increases.filter { (waiting ?? plan).line($0.key) != nil }
        for sku in told.keys { increases[sku]?.phase.accept() }
        planIncreases(.turnedOnAgain(at: now), under: conditions) { $0.schedule == nil }
        return (isOnAgain ? [.notify(.didChangeRenewalStatus(enabled: true))] : [])
            + setWaiting(waiting, isRedeemed: false)
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
        guard request.removed.allSatisfy({ plan.line($0) != nil }) else {
            return .removedItemMissing
        }
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
        }
        guard request.keepsCycle, now.onlyOffer != nil, request.isPaidNow else { return nil }
        return .misaligned
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
            let unused = prorationRefund(
                of: Money(milliunits: paid.amount, plan.currency), start: paid.at,
                end: newestPeriod.end, change: now)
            guard unused.milliunits > 0 else { return nil }
            return ItemRefund(
                transactionID: paid.transactionID, sku: line.sku, amount: unused.milliunits)
        }
    }

    /// Nothing is paid for now: what comes waits for the renewal, and words hold at once.
    private mutating func wait(
        for modified: ModifiedPlan, _ request: MerchantModification, at now: Instant,
        under conditions: Conditions
    ) -> [Action] {
        let (waited, described) = (nextPlan, plan)
        plan = modified.now
        keepIncreases(for: modified.next)
        let redeems = request.changed.contains { $0.item.line.offer != nil }
        let actions =
            setRenewal(true, at: now, under: conditions)
            + setWaiting(modified.waiting, isRedeemed: redeems)
        guard nextPlan == waited, plan != described else { return actions }
        return actions + [.notify(.metadataUpdated)]
    }

    private mutating func setWaiting(_ waiting: Plan?, isRedeemed: Bool) -> [Action] {
        guard waiting != nextPlan else { return [] }
        nextPlan = waiting
        guard waiting != nil else { return [.notify(.didChangeRenewalPreference(.withdrawn))] }
        return [
            .notify(
                isRedeemed ? .offerRedeemed(.downgrade) : .didChangeRenewalPreference(.downgrade))
        ]
    }

    /// The increases that stay: of items that renew as what they are, at another price than was
    /// sent (ACS-6, ACS-7). What comes with an offer is told of it anew after that.
    private mutating func keepIncreases(for next: Plan) {
        increases = increases.filter { sku, increase in
            guard let line = next.line(sku), plan.line(sku) != nil, next.period == plan.period,
                line.replaces == nil || line.replaces == sku
            else { return false }
            return line.price != increase.price
        }
        for sku in increases.keys where next.line(sku)?.offer != nil {
            increases[sku]?.phase = .waiting
        }
    }

    /// A modification was paid.
    mutating func modified(
        by bill: Bill, _ terms: Bill.Modification, at now: Instant, under conditions: Conditions
    ) -> [Action] {
        let (old, before) = (newestPeriod, plan)
        let carried = carried(by: bill.plan, terms)
        let superseded = Set([old.transactionID] + old.carried.values.map(\.transactionID))
            .subtracting(carried.values.map(\.transactionID))
        var actions: [Action] = superseded.sorted().map { .supersede(transactionID: $0) }
        if now < old.end {
            let credits = Dictionary(grouping: terms.credits, by: \.transactionID)
            actions += credits.sorted { $0.key < $1.key }.map { .refundItems($0.key, $0.value) }
        }
        if terms.keepsCycle { keepIncreases(for: terms.next ?? bill.plan) } else { increases = [:] }
        lastIncreases = lastIncreases.filter { bill.plan.line($0.key) != nil }
        for line in bill.plan.lines {
            guard let price = plan.line(line.sku)?.price, price < line.price else { continue }
            lastIncreases[line.sku] = now
        }
        actions += setRenewal(true, at: now, under: conditions)
        if terms.keepsCycle, now < old.end {
            _ = begin(bill, from: old.start, to: old.end, purchased: now, under: conditions)
            newestPeriod.carried = carried
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
            .notify(redeems ? .offerRedeemed(.upgrade) : .didChangeRenewalPreference(.upgrade)),
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
