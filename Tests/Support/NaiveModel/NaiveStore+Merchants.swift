/// What merchants describe themselves: subscriptions of their own items under a product that
/// stands for all, whose prices they change by requests (ACP-1 to ACP-12, ACS-1 to ACS-10).
extension NaiveStore {
    /// A customer subscribes to items. The naive store knows one such subscription of a customer:
    /// a second request names it, so that what is over begins again, and what runs is in the way.
    public mutating func create(
        _ product: String, _ items: [HeldLine], _ length: Length, token: String? = nil,
        by name: Account.Name
    ) -> Outcome {
        var wish = Wish(product: product, token: token)
        (wish.lines, wish.length) = (items, length)
        wish.currency = accounts[name]!.country.currency
        return create(wish, by: name)
    }

    /// Whether a customer's first subscription of a merchant's items is to be answered yet, by the
    /// bank or by somebody: what is asked for beside it would be a second one.
    public func awaitsMerchant(_ name: Account.Name, _ product: String) -> Bool {
        open.contains { invoices[$0].account == name && invoices[$0].product == product }
            || requests.contains {
                $0.account == name && $0.wish.product == product && $0.state == .waiting
            }
    }

    mutating func create(
        _ wish: Wish, by name: Account.Name, isApproved: Bool = false
    ) -> Outcome {
        guard let article = shop.article(wish.product) else { return .unknownProduct }
        let country = accounts[name]!.country
        guard article.isGeneric, let group = article.group,
            shop.sells(article.id, in: country, to: name), wish.currency == country.currency
        else { return .notSalable }
        let lines = wish.lines ?? []
        guard
            lines.allSatisfy({ line in
                [line.price, line.cost].allSatisfy { $0 % country.step == 0 }
            })
        else { return .invalidAmount }
        var plan = HeldPlan(product: article.id, length: wish.length!, lines: lines)
        plan.isMerchants = true
        guard plan.isAligned else { return .misaligned }
        if let life = life(name, in: group), !life.isOver { return .alreadyActive }
        if !isApproved, let outcome = hold(wish, in: group, by: name) { return outcome }
        if let number = awaited(by: name, group, article.id) {
            return asksAgain(for: plan, number)
        }
        note("merchant's plan")
        if lines.count > 1 { note("merchant's plan of several items") }
        if plan.hasOffer { note("merchant's offer") }
        var invoice = Invoice(
            .purchase, article.id, plan.cost, of: name, in: country, group: group, at: now,
            .begin(plan))
        invoice.token = wish.token
        return ask(invoice, index(name, group))
    }

    /// A new price of an item.
    public struct NewPrice: Hashable, Sendable {
        public var sku: String
        public var price: Int
        /// What ends with the item where its increase is refused or not answered (ACS-3).
        public var dependents: [String]

        public init(_ sku: String, _ price: Int, dependents: [String] = []) {
            (self.sku, self.price, self.dependents) = (sku, price, dependents)
        }
    }

    /// The merchant's server changes prices: all of them, or none.
    public mutating func changePrices(
        _ changes: [NewPrice], in group: String, of name: Account.Name
    ) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        let step = lives[index].country.step
        guard changes.allSatisfy({ $0.price % step == 0 }) else { return .invalidAmount }
        for change in changes {
            if let refusal = refusal(of: change, lives[index]) { return refusal }
        }
        if let refusal = refusalOfDependents(changes, lives[index]) { return refusal }
        let before = lives[index]
        for change in changes { set(change, index) }
        // Prices that stay, or are on their way, concern nobody.
        if before != lives[index] {
            tell("PRICE_CHANGE", index, at: now)
        }
        return .done
    }

    /// ACP-4: nothing that is over or tried again; where the store tells, nothing in grace, off or
    /// inside an offer either.
    private func refusal(of change: NewPrice, _ life: Life) -> Outcome? {
        guard !life.isOver, life.phase != .retry else { return .notEligible }
        let isStoreManaged = !shop.terms.merchantTells
        if isStoreManaged, life.phase != .running || !life.renews { return .notEligible }
        let next = life.waiting ?? life.plan
        guard let renewing = next.line(change.sku), next.skus.isSuperset(of: change.dependents)
        else { return .invalidSKU }
        guard isStoreManaged else { return nil }
        let running = life.running(renewing)
        if renewing.offer != nil || running?.offer != nil { return .notEligible }
        // What the customer was told holds.
        guard let line = running, let increase = life.increases[line.sku] else { return nil }
        let isTold = increase.isAnnounced && increase.price > line.price
        return isTold && !increase.isDeclined ? .notEligible : nil
    }

    /// ACS-3: who depends on an item depends on no other, and has none that depends on it.
    private func refusalOfDependents(_ changes: [NewPrice], _ life: Life) -> Outcome? {
        var pairs: [(of: String, on: String)] = []
        for line in (life.waiting ?? life.plan).lines {
            let change = changes.first { $0.sku == line.sku }
            let known = life.waitingIncreases[line.sku] ?? life.increases[line.origin]
            let dependents =
                change.map { $0.price == line.price ? [] : $0.dependents }
                ?? known?.dependents ?? []
            pairs += dependents.map { (of: $0, on: line.sku) }
        }
        if pairs.contains(where: { one in pairs.contains { $0.on == one.of } }) {
            return .dependentsInChain
        }
        return Set(pairs.map(\.of)).count < pairs.count ? .dependentsShared : nil
    }

    private mutating func set(_ change: NewPrice, _ index: Int) {
        let life = lives[index]
        let renewing = (life.waiting ?? life.plan).line(change.sku)!
        guard let line = life.running(renewing) else {
            return set(change, ofComing: renewing, index)
        }
        if line.sku != change.sku { note("merchant's price under a name to come") }
        let coming = life.increases[line.sku]
        guard coming?.price != change.price || coming?.dependents != change.dependents else {
            return
        }
        lives[index].increases[line.sku] = nil
        guard change.price != line.price else { return note("merchant keeps a price") }
        note("merchant's price " + (change.price > line.price ? "raised" : "lowered"))
        var increase = PriceIncrease(price: change.price, live: now)
        increase.dependents = change.dependents
        if !change.dependents.isEmpty { note("items that depend on another") }
        lives[index].increases[line.sku] = increase
        planIncrease(of: line.sku, index, from: now)
    }

    /// What only comes with the renewal costs what was shown for its first period, and gets dearer
    /// after that. What the store tells nobody of holds from the start, a day before (ACP-2).
    private mutating func set(_ change: NewPrice, ofComing line: HeldLine, _ index: Int) {
        let (life, coming) = (lives[index], lives[index].waitingIncreases[change.sku])
        guard coming?.price != change.price || coming?.dependents != change.dependents else {
            return
        }
        lives[index].waitingIncreases[change.sku] = nil
        lives[index].increases[line.origin] = nil
        guard change.price != line.price else { return }
        let isTold = change.price > line.price && !shop.terms.merchantTells
        guard isTold || life.end < now + days(1, life) else {
            note("merchant's price of what comes")
            lives[index].waiting!.setPrice(change.price, of: change.sku)
            return
        }
        note("merchant's price after what comes")
        var increase = PriceIncrease(price: change.price, live: now)
        increase.dependents = change.dependents
        lives[index].waitingIncreases[change.sku] = increase
    }

    /// The merchant's server turns renewal off.
    public mutating func cancelPlan(in group: String, of name: Account.Name) -> Outcome {
        guard let index = index(name, group) else { return .notActive }
        guard !lives[index].isOver else { return .notEligible }
        turn(false, index)
        stopTrying(index)
        return .done
    }

    // MARK: When a price is charged

    /// What nobody is told of by the store: lower prices, and all of which the merchant tells
    /// itself (ACP-10, ACP-12). It holds from the first renewal that is a day away (ACP-2).
    func isSilent(_ increase: PriceIncrease, _ line: HeldLine, _ life: Life) -> Bool {
        life.plan.isMerchants && (increase.price < line.price || shop.terms.merchantTells)
    }

    func planSilently(_ increase: inout PriceIncrease, _ life: Life) {
        var ahead = Ahead(life)
        let least = increase.live + days(1, life)
        while ahead.end < least { ahead.goOn(self) }
        (increase.renewal, increase.renewalsBefore) = (ahead.end, ahead.renewals)
        (increase.isAnnounced, increase.needsConsent) = (true, false)
    }

    /// What the store tells of, or asks.
    mutating func planMerchants(
        _ increase: inout PriceIncrease, _ line: HeldLine, _ life: Life, from: Int
    ) {
        let asking = merchantRenewal(life, line, increase, from: from, asks: true)
        increase.needsConsent = needsConsent(life, line, increase.price, at: asking.end)
        let first =
            increase.needsConsent
            ? asking : merchantRenewal(life, line, increase, from: from, asks: false)
        (increase.renewal, increase.renewalsBefore) = (first.end, first.before)
        increase.told = max(from, first.first)
    }

    /// The first renewal that leaves the whole time of the table (TAB-7.3): 60, 27 or 7 days of
    /// asking, never from before the period that it ends (ACC-9), or 27 of notice. In Sandbox the
    /// first renewal after the call keeps the old price (ACS-10).
    func merchantRenewal(
        _ life: Life, _ line: HeldLine, _ increase: PriceIncrease, from: Int, asks: Bool
    ) -> (start: Int, end: Int, before: Int, first: Int) {
        let lead =
            !asks || isMonthly(life.plan) ? 27 : life.plan.length.isWeekly ? 7 : 60
        var (ahead, start, from) = (Ahead(life), life.start, from)
        // What is had cheaper gets dearer a period after that (ACS-6, INC-6), and is told of it
        // when the offer is over (TAB-7.3).
        let discounted = discountedTerms(line.sku, ahead)
        while true {
            if ahead.renewals == discounted - 1 { from = max(from, ahead.end) }
            let usual = ahead.end - days(lead, life)
            let first = asks ? max(usual, start) : usual
            let isTooSoon = life.account.isSandbox && start <= increase.live
            if from <= first, !isTooSoon, ahead.renewals >= discounted {
                return (start, ahead.end, ahead.renewals, first)
            }
            start = ahead.end
            ahead.goOn(self)
        }
    }

    // MARK: What ends

    /// What would be left of a merchant's plan without some items and what depends on them; nil
    /// where nothing would (ACS-2, ACS-3).
    func rest(of life: Life, without skus: Set<String>) -> HeldPlan? {
        guard life.plan.isMerchants else { return nil }
        let dependents = skus.flatMap { life.increases[$0]?.dependents ?? [] }
        var plan = life.next
        plan.lines.removeAll {
            skus.contains($0.origin) || dependents.contains($0.sku)
                || dependents.contains($0.origin)
        }
        return plan.lines.isEmpty ? nil : plan
    }
}
