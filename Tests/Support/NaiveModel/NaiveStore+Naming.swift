/// What a merchant calls its plan and its items, now or from the renewal (ACM-5).
extension NaiveStore {
    public mutating func describe(
        _ naming: Naming, in group: String, of name: Account.Name
    ) -> Outcome {
        guard let index = index(name, group), !lives[index].isOver else { return .notActive }
        let life = lives[index]
        let skus = Dictionary(
            uniqueKeysWithValues: naming.items.filter(\.isNow).compactMap { item in
                item.sku.map { (item.current, $0) }
            })
        // No receipt that paid for what runs has two items of one name.
        let paying = Set(life.payments.values.map(\.receipt) + [life.receipt])
        guard paying.allSatisfy({ receipts[$0].canBeRenamed(skus) }) else {
            return .invalidNaming
        }
        // Nor is an item called as one that may come back.
        let mayComeBack = life.ended.contains { item in
            skus.contains { $0 != $1 && $1 == item.line.sku }
        }
        guard !mayComeBack else { return .invalidNaming }
        guard life.invoice == nil else { return .notEligible }
        var (now, next) = (life.plan, life.waiting ?? life.plan.afterwards)
        guard
            naming.items.allSatisfy({
                now.line($0.current) != nil || !$0.isNow && next.line($0.current) != nil
            })
        else { return .changedItemMissing }
        requestCount += 1
        now.name(naming, isNow: true, request: requestCount)
        next.name(naming, isNow: false, request: requestCount)
        for place in next.lines.indices {
            next.lines[place].replaces = next.lines[place].replaces.map { skus[$0] ?? $0 }
        }
        guard [now, next].allSatisfy({ $0.skus.count == $0.lines.count }) else {
            return .invalidNaming
        }
        // What only comes with the renewal is not called as something else that runs.
        let waiting = (life.waiting ?? life.plan.afterwards).lines
        let isClear = zip(waiting, next.lines).allSatisfy {
            now.line($1.sku) == nil || life.running($0) != nil
        }
        guard isClear else { return .invalidNaming }
        note(naming.isNow ? "called something else" : "to be called something else")
        if !skus.isEmpty { note("item under another SKU") }
        lives[index].plan = now
        lives[index].waiting = next == now.afterwards ? nil : next
        let coming = naming.items.compactMap { item in
            life.plan.line(item.current) == nil ? item.sku.map { (item.current, $0) } : nil
        }
        rename(skus, Dictionary(uniqueKeysWithValues: coming), index)
        if naming.isNow {
            for receipt in paying { rename(naming, skus, receipt, now) }
        }
        tell("METADATA_UPDATE", index, at: self.now)
        return .done
    }

    /// An item under another SKU keeps its increase (ACS-8), and what was paid for it.
    ///
    /// - Parameter coming: what only comes with the renewal is what it will be called.
    private mutating func rename(
        _ skus: [String: String], _ coming: [String: String], _ index: Int
    ) {
        func renamed<Value>(_ values: [String: Value]) -> [String: Value] {
            Dictionary(uniqueKeysWithValues: values.map { (skus[$0.key] ?? $0.key, $0.value) })
        }
        if !skus.isEmpty, !lives[index].increases.isEmpty { note("increase under another SKU") }
        func naming(_ increase: PriceIncrease) -> PriceIncrease {
            var increase = increase
            increase.dependents = increase.dependents.map { skus[$0] ?? coming[$0] ?? $0 }
            return increase
        }
        lives[index].increases = renamed(lives[index].increases).mapValues(naming)
        let waiting = lives[index].waitingIncreases.map { (coming[$0.key] ?? $0.key, $0.value) }
        lives[index].waitingIncreases = Dictionary(uniqueKeysWithValues: waiting)
            .mapValues(naming)
        lives[index].lastIncreases = renamed(lives[index].lastIncreases)
        lives[index].payments = renamed(lives[index].payments)
    }

    private mutating func rename(
        _ naming: Naming, _ skus: [String: String], _ receipt: Int, _ plan: HeldPlan
    ) {
        receipts[receipt].title = plan.title
        for place in receipts[receipt].lines.indices {
            let old = receipts[receipt].lines[place].sku
            receipts[receipt].lines[place].name(naming, isNow: true)
            // What has ended in the cycle is called as what runs under its name.
            guard naming.items.contains(where: { $0.current == old && $0.isNow }),
                let running = plan.line(receipts[receipt].lines[place].sku)
            else { continue }
            receipts[receipt].lines[place].name = running.name
        }
        for place in receipts[receipt].returns.indices {
            let sku = receipts[receipt].returns[place].sku
            receipts[receipt].returns[place].sku = skus[sku] ?? sku
        }
        receipts[receipt].gone = Dictionary(
            uniqueKeysWithValues: receipts[receipt].gone.map { (skus[$0.key] ?? $0.key, $0.value) })
        // What is asked back is still asked back.
        for place in asked.indices where asked[place].receipt == receipt {
            for number in (asked[place].claim?.items ?? []).indices {
                let sku = asked[place].claim!.items[number].sku
                asked[place].claim!.items[number].sku = skus[sku] ?? sku
            }
        }
    }
}

extension HeldPlan {
    /// Calls things as they are called from now on, or as they are called with the renewal.
    fileprivate mutating func name(_ naming: Naming, isNow: Bool, request: Int) {
        for place in lines.indices { lines[place].name(naming, isNow: isNow) }
        if let title = naming.title, naming.isTitleNow || !isNow { self.title = title }
        if naming.isNow || !isNow { self.request = request }
    }
}

extension HeldLine {
    fileprivate mutating func name(_ naming: Naming, isNow: Bool) {
        guard let item = naming.items.first(where: { $0.current == sku }),
            item.isNow || !isNow
        else { return }
        if let name = item.name { self.name = name }
        guard let other = item.sku, other != sku else { return }
        if !item.isNow, replaces == nil { replaces = sku }
        sku = other
    }
}

extension Receipt {
    /// Whether it has no two items of one name when some have other names.
    fileprivate func canBeRenamed(_ skus: [String: String]) -> Bool {
        Set(lines.map { skus[$0.sku] ?? $0.sku }).count == lines.count
    }
}
