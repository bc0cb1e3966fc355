import NaiveModel

/// Subscriptions of a merchant's own items: who begins one, and what becomes of their prices.
extension Author {
    mutating func merchantDeed(_ name: Account.Name) -> PlayedCommand {
        let mine = store.lives.filter { $0.plan.isMerchants }
        let alive = mine.filter { !$0.isOver }
        if chance.happens(12), let command = migrate() { return command }
        switch chance.number(1...28) {
        case 1...4 where alive.count < 2, 5: return create(name)
        case 6:
            var terms = store.shop.terms
            terms.merchantTells.toggle()
            return .terms(terms)
        case 7: return mine.isEmpty ? create(name) : .merchant(.cancel(chance.pick(mine).account))
        case 8...9: return mine.isEmpty ? create(name) : newPrices(chance.pick(mine))
        case 10: return .buy(name, MerchantDeed.product, quantity: 1, token: nil)
        case 11:
            guard let life = alive.first else { return create(name) }
            return .change(life.account, group: life.group, product: MerchantDeed.product)
        case 15...16: return migrate() ?? create(name)
        case 17...18:
            agenda = goesOver()
            return nextScene() ?? create(name)
        case 12: return mine.isEmpty ? create(name) : modify(chance.pick(mine))
        case 13: return mine.isEmpty ? create(name) : claim(chance.pick(mine))
        case 14: return mine.isEmpty ? create(name) : someMerchantDeed(chance.pick(mine))
        default:
            guard !alive.isEmpty else { return create(name) }
            agenda = merchantPlot(chance.pick(alive))
            return nextScene() ?? .advance(to: laterMoment())
        }
    }

    /// An ordinary subscription of somebody who has none of a merchant's yet, nor is to have.
    mutating func migrate(_ name: Account.Name? = nil) -> PlayedCommand? {
        var some = store.lives.filter { life in
            name == nil || life.account == name
        }.filter { life in
            !life.plan.isMerchants && store.life(life.account, in: MerchantDeed.group) == nil
                && !store.awaitsMerchant(life.account, MerchantDeed.product)
        }
        // Mostly such as can be.
        let alone = some.filter { life in
            life.phase == .running && life.plan.billing == .upFront && life.plan.lines.count == 1
                && life.next.lines.count == 1 && life.next.lines[0].offer == nil
                && store.shop.articles.contains { $0.id == life.plan.product && !$0.isShareable }
        }
        if !alone.isEmpty || name != nil, chance.happens(90) { some = alone }
        guard !some.isEmpty else { return nil }
        let life = chance.pick(some)
        func items() -> [String] {
            Array(Author.items.shuffled(using: &chance).prefix(chance.number(1...3)))
        }
        let isRight = chance.happens(95)
        return .merchant(
            .migrate(
                life.account, group: life.group, items(),
                renewing: (life.waiting != nil) == isRight ? items() : nil))
    }

    private mutating func someMerchantDeed(_ life: Life) -> PlayedCommand {
        switch chance.number(1...3) {
        case 1: reactivate(life)
        case 2: describe(life)
        default: revoke(life)
        }
    }

    var lengths: [Length] {
        [
            .days(7), .months(1), .months(1), .months(1), .months(2), .months(3), .months(6),
            .months(12),
        ]
    }

    mutating func create(_ name: Account.Name) -> PlayedCommand {
        guard !store.awaitsMerchant(name, MerchantDeed.product) else {
            return .advance(to: laterMoment())
        }
        let had = store.life(name, in: MerchantDeed.group)
        if let had, !had.isOver, chance.happens(75) { return modify(had) }
        if had == nil, chance.happens(40), let command = migrate(name) { return command }
        let (length, country) = (chance.pick(lengths), store.accounts[name]!.country)
        let skus = Author.items.prefix(4).shuffled(using: &chance).prefix(chance.number(1...4))
        var items = skus.map { item($0, length, in: country, isAlone: skus.count == 1) }
        // An offer of any length is one on all items.
        if items.count > 1, chance.happens(20) {
            let offer = item(items[0].sku, length, in: country, isAlone: true).offer
            items = items.map { item in
                HeldLine(sku: item.sku, price: max(item.price, offer?.price ?? 0), offer: offer)
            }
        }
        if chance.happens(2) { items[0].price += country.step / 2 }
        return .merchant(
            .create(name, items, length, token: chance.happens(15) ? token() : nil))
    }

    /// An item, with an offer now and then.
    ///
    /// - Parameter isAlone: whether its offer may be of any length; beside others it is mostly as
    ///   long as a period.
    mutating func item(
        _ sku: String, _ length: Length, in country: Country, isAlone: Bool
    ) -> HeldLine {
        let steps = chance.number(50...2_000) * 10 / country.step
        let price = max(steps, 2) * country.step
        guard chance.happens(30) else {
            return HeldLine(sku: sku, price: price, name: chance.happens(10) ? "The \(sku)" : nil)
        }
        let reason = chance.pick(["ACQUISITION", "WIN_BACK", "RETENTION"])
        let lengths: [Length] =
            isAlone || chance.happens(8)
            ? [
                .days(3), .days(7), .days(14), .months(1), .months(2), .months(6), length, length,
            ] : [length]
        let offer =
            chance.happens(40)
            ? Discount(.trial, chance.pick(lengths), name: reason)
            : Discount(
                .payAsYouGo, chance.pick(lengths), count: chance.number(1...4),
                price: chance.number(1...(price / country.step)) * country.step, name: reason)
        return HeldLine(sku: sku, price: price, offer: offer)
    }

    /// New prices of some of what somebody has, and sometimes of what nobody has.
    mutating func newPrices(
        _ life: Life, _ percents: [Int] = [50, 90, 100, 105, 120, 150, 151, 200, 300]
    ) -> PlayedCommand {
        // The store takes no price of what is to get cheaper already where it tells of others.
        let open = life.next.lines.filter { line in
            guard let coming = life.increases[line.sku]?.price, !store.shop.terms.merchantTells
            else { return true }
            return coming > line.price
        }
        guard !open.isEmpty else { return .advance(to: laterMoment()) }
        let (lines, step) = (open.shuffled(using: &chance), life.country.step)
        var changes: [NaiveStore.NewPrice] = []
        for line in lines.prefix(chance.number(1...max(1, lines.count))) {
            let price = max(1, line.price * chance.pick(percents) / 100 / step) * step
            changes.append(NaiveStore.NewPrice(line.sku, price))
        }
        // What ends with another item is named by none that ends with one itself.
        let others = lines.map(\.sku).filter { sku in !changes.contains { $0.sku == sku } }
        if !others.isEmpty, chance.happens(50) { changes[0].dependents = [others[0]] }
        switch chance.number(1...60) {
        case 1: changes[0].sku = "unknown"
        case 2: changes[0].price += step / 2
        case 3: changes[0].dependents = ["unknown"]
        default: break
        }
        return .merchant(.prices(life.account, changes))
    }
}
