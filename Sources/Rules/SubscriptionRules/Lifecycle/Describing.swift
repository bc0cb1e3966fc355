/// What a merchant calls things, and how an ordinary subscription becomes a merchant's (ACM-5,
/// ACM-6).
extension Subscription {
    mutating func describe(_ request: MerchantDescription) throws(Refusal) -> [Action] {
        guard outstanding == nil else { throw .paymentPending }
        guard !isOver, let merchant = plan.merchant else { throw .notModified(.notActive) }
        var (now, next) = (plan, nextPlan ?? plan.changingLines { $0 = $0.afterRenewal })
        let items = Dictionary(request.items.map { ($0.currentSKU, $0) }) { first, _ in first }
        let atOnce = items.filter(\.value.isImmediate)
        guard atOnce.keys.allSatisfy({ now.line($0) != nil }),
            items.keys.allSatisfy({ now.line($0) != nil || next.line($0) != nil })
        else { throw .notModified(.changedItemMissing) }
        now = now.changingLines { line in
            if let item = atOnce[line.sku] { line = item.applied(to: line) }
        }
        next = next.changingLines { line in
            let current = line.sku
            if let item = items[current] {
                line = item.applied(to: line)
                if !item.isImmediate, line.sku != current, line.replaces == nil {
                    line.replaces = current
                }
            }
            if let place = line.replaces, let sku = atOnce[place]?.sku { line.replaces = sku }
        }
        for plan in [now, next] {
            guard Set(plan.lines.map(\.sku)).count == plan.lines.count else {
                throw .notModified(.itemExists)
            }
        }
        if let words = request.words {
            let texts = words.value.applied(to: merchant.texts)
            next.merchant?.texts = texts
            if words.isImmediate { now.merchant?.texts = texts }
        }
        next.merchant?.requestID = request.requestID
        if let code = request.taxCode {
            now.merchant?.taxCode = code
            next.merchant?.taxCode = code
        }
        if request.isImmediate { now.merchant?.requestID = request.requestID }
        rename(atOnce.compactMapValues(\.sku))
        let lines = atOnce.compactMapValues { item in now.line(item.sku ?? item.currentSKU) }
        plan = now
        nextPlan = next == now.changingLines { $0 = $0.afterRenewal } ? nil : next
        guard request.isImmediate else { return [.notify(.metadataUpdated)] }
        return [.describe(transactionsOfPeriod, lines: lines), .notify(.metadataUpdated)]
    }

    /// The transactions that paid for what runs.
    private var transactionsOfPeriod: [Int64] {
        Set(newestPeriod.carried.values.map(\.transactionID) + [newestPeriod.transactionID])
            .sorted()
    }

    /// An item under another SKU keeps its increase (ACS-8), and what was paid for it.
    private mutating func rename(_ skus: [String: String]) {
        func renamed<Value>(_ values: [String: Value]) -> [String: Value] {
            Dictionary(
                values.map { (skus[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { $1 })
        }
        increases = renamed(increases).mapValues { increase in
            increase.naming(dependents: increase.dependents.map { skus[$0] ?? $0 })
        }
        lastIncreases = renamed(lastIncreases)
        newestPeriod.carried = renamed(newestPeriod.carried)
    }

    /// A merchant's plan takes the place of an ordinary subscription, which this one goes on for:
    /// its period, its cycle and what was paid for it. An increase that was not told yet comes
    /// along (ACS-9).
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
        if let increase = old.increases.values.first, old.plan.price.milliunits > 0 {
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
