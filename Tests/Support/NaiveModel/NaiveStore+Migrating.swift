/// How a merchant's plan goes on for an ordinary subscription (ACM-6).
extension NaiveStore {
    /// The merchant's server lets items go on for what a customer has in a group: at once, at the
    /// same price and with the same renewal date.
    ///
    /// - Parameter renewing: the items of the plan that waits for the renewal; nil for none.
    public mutating func migrate(
        _ group: String, of name: Account.Name, to product: String, _ items: [String],
        renewing: [String]?
    ) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        guard !shop.deleted.contains(product) else { return .unknownProduct }
        let life = lives[index]
        if let refusal = refusal(ofMigrating: life, renewing) { return refusal }
        note("migrated")
        if life.waiting != nil { note("migrated with a plan that waits") }
        requestCount += 1
        let plan = merchantPlan(product, items, at: life.plan, life)
        var next: HeldPlan?
        if let renewing, let waiting = life.waiting {
            next = merchantPlan(product, renewing, at: waiting, life)
        }
        leave(index)
        let number = invoices.count
        var invoice = Invoice(
            .purchase, product, 0, of: name, in: life.country,
            group: shop.article(product)!.group, at: now, .begin(plan))
        (invoice.state, invoice.isPaidAtOnce) = (.paid, true)
        invoices.append(invoice)
        var moved = life
        (moved.number, moved.group, moved.plan, moved.waiting) = (
            number, invoice.group!, plan, next
        )
        (moved.offersTaken, moved.increases, moved.lastIncreases) = ([], [:], [:])
        let shares = shares(
            of: life.paid, among: plan.lines.map(\.price), step: life.country.step)
        for (line, share) in zip(plan.lines, shares) {
            moved.payments[line.sku] = Payment(
                receipt: life.receipt, at: receipts[life.receipt].purchased, amount: share)
        }
        charge(&moved, number, at: now, charges: plan.lines.map { _ in nil })
        moved.extended = life.extended
        lives.append(moved)
        if let last = life.lastIncreases.values.max() {
            for line in plan.lines { lives[lives.count - 1].lastIncreases[line.sku] = last }
        }
        // Another plan that waits voids it.
        if next == nil {
            bringAlong(life.increases.values.first, from: life.plan.price, lives.count - 1)
        }
        tell("MIGRATION", lives.count - 1, at: now)
        return .done
    }

    private func refusal(ofMigrating life: Life, _ renewing: [String]?) -> Outcome? {
        let isMigrated = migrated.contains(Shareable.life(index(life.account, life.group)!))
        guard !isMigrated else { return .alreadyMigrated }
        guard life.phase == .running, life.invoice == nil else { return .notEligible }
        guard accounts[life.account]!.country == life.country else { return .countryChanged }
        let plans = [life.plan] + [life.waiting].compactMap(\.self)
        guard plans.allSatisfy({ $0.billing == .upFront && $0.lines.count == 1 }),
            !(life.waiting ?? life.plan.afterwards).hasOffer,
            shop.article(life.plan.product)?.isShareable != true
        else { return .notMigrated }
        guard (renewing != nil) == (life.waiting != nil) else { return .otherChangesPending }
        // One that is only on its way comes along (ACS-9).
        let isTold = life.increases.values.contains { $0.isAnnounced && !$0.isDeclined }
        return isTold ? .increaseTold : nil
    }

    /// Items at the price of an ordinary plan, which they share: the first ones bear what is left
    /// over.
    private mutating func merchantPlan(
        _ product: String, _ items: [String], at ordinary: HeldPlan, _ life: Life
    ) -> HeldPlan {
        func parts(of price: Int) -> [Int] {
            let steps = price / life.country.step
            return items.indices.map { place in
                (steps / items.count + (place < steps % items.count ? 1 : 0)) * life.country.step
            }
        }
        var lines = zip(items, parts(of: ordinary.price)).map { HeldLine(sku: $0, price: $1) }
        if let raised = ordinary.lines[0].raised {
            note("increase of a plan that waits migrated")
            for (place, price) in parts(of: raised).enumerated() { lines[place].raised = price }
        }
        var plan = HeldPlan(product: product, length: ordinary.length, lines: lines)
        (plan.isMerchants, plan.request) = (true, requestCount)
        return plan
    }

    /// The ordinary one is over, and nobody is told.
    private mutating func leave(_ index: Int) {
        let life = lives[index]
        migrated.insert(.life(index))
        lives[index].extended = max(now - (life.end - life.extended), 0)
        lives[index].end = now
        receipts[life.receipt].until = now
        lives[index].increases = [:]
        (lives[index].phase, lives[index].renews, lives[index].waiting) = (.over(5), false, nil)
        lives[index].endedAt = now
    }

    /// An increase that was not told goes on for the items, for each its part.
    private mutating func bringAlong(
        _ increase: PriceIncrease?, from price: Int, _ index: Int
    ) {
        guard let increase, price > 0 else { return }
        note("increase migrated")
        let step = lives[index].country.step
        for line in lives[index].plan.lines {
            let (high, low) = line.price.multipliedFullWidth(by: 2 * increase.price)
            let doubled = (price * step).dividingFullWidth((high, low)).quotient
            let dearer = (doubled + 1) / 2 * step
            guard dearer > line.price else { continue }
            lives[index].increases[line.sku] = PriceIncrease(price: dearer, live: increase.live)
            planIncrease(of: line.sku, index, from: increase.live)
        }
    }
}
