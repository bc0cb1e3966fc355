/// What a merchant calls things (ACM-5).
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
        // What only comes with the renewal is not called as something else that runs.
        for (old, new) in zip((nextPlan ?? plan).lines, next.lines) where now.line(new.sku) != nil {
            guard runningItem(of: old) != nil else { throw .notModified(.itemExists) }
        }
        if let words = request.words {
            let texts = words.value.applied(to: merchant.texts)
            next.merchant?.texts = texts
            if words.isImmediate { now.merchant?.texts = texts }
        }
        guard plan.callsItemAsWhole || !now.callsItemAsWhole && !next.callsItemAsWhole else {
            throw .notModified(.sameName)
        }
        next.merchant?.requestID = request.requestID
        if let code = request.taxCode {
            now.merchant?.taxCode = code
            next.merchant?.taxCode = code
        }
        if request.isImmediate { now.merchant?.requestID = request.requestID }
        // What only comes with the renewal is what it will be called.
        rename(
            items.filter { $0.value.isImmediate || plan.line($0.key) == nil }
                .compactMapValues(\.sku))
        let lines = atOnce.compactMapValues { item in now.line(item.sku ?? item.currentSKU) }
        plan = now
        nextPlan = next == now.changingLines { $0 = $0.afterRenewal } ? nil : next
        guard request.isImmediate else { return [.notify(.metadataUpdated)] }
        return [
            .describe(newestPeriod.payers.sorted(), lines: lines), .notify(.metadataUpdated),
        ]
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
}
