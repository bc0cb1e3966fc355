import NaiveModel

/// What is discontinued: taken off sale everywhere, and then deleted.
extension Author {
    mutating func availabilityDeed() -> PlayedCommand {
        let plans = store.shop.articles.filter { $0.id.count == 2 }.map(\.id)
        let off = store.shop.isForSale.filter { $0.key.hasSuffix("/*") && !$0.value }
            .map { String($0.key.dropLast(2)) }.filter { !store.shop.deleted.contains($0) }.sorted()
        // Of a shop with nothing left there is no story.
        let mayGo = store.shop.deleted.count < max(1, plans.count / 2)
        if let product = off.first, mayGo, chance.happens(50) { return .delete(product) }
        if let product = store.shop.deleted.sorted().first, chance.happens(40) {
            return aboutDeleted(product)
        }
        let used = store.lives.filter { !$0.isOver }.flatMap { [$0.plan.product, $0.nextProduct] }
        let product = used.isEmpty || chance.happens(30) ? chance.pick(plans) : chance.pick(used)
        if chance.happens(5) { return .delete(product) }
        return .sale(product, nil, isForSale: false)
    }

    /// Nothing becomes of it any more, but what was bought stays.
    private mutating func aboutDeleted(_ product: String) -> PlayedCommand {
        let country = chance.pick(Scenario.countries)
        switch chance.number(1...7) {
        case 1: return .delete(product)
        case 2: return .sale(product, nil, isForSale: true)
        case 3: return .price(product, country, 10 * country.step)
        case 4:
            return .schedule(
                product, country, 99 * country.step, at: store.now, isPreserving: false)
        case 5: return .buy(chance.pick(names), product, quantity: 1, token: nil)
        case 6:
            return .extendAll(product, in: nil, days: 3, isSandbox: isSandbox)
        default:
            return onLife { life, _ in .change(life.account, group: life.group, product: product) }
        }
    }
}
