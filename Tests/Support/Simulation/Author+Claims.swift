import NaiveModel

/// What merchants give back.
extension Author {
    /// Items of a receipt: mostly of those that paid for what runs.
    mutating func claim(_ life: Life) -> PlayedCommand {
        let paying = Set(life.payments.values.map(\.receipt) + [life.receipt]).sorted()
        let mine = store.receipts.indices.filter {
            store.receipts[$0].isMerchants && store.receipts[$0].account == life.account
        }
        let receipt = chance.happens(80) ? chance.pick(paying) : chance.pick(mine)
        let taken = store.receipts[receipt]
        var items: [ItemClaim] = []
        for line in taken.lines.shuffled(using: &chance).prefix(chance.number(1...2)) {
            let place = taken.lines.firstIndex { $0.sku == line.sku }!
            items.append(
                ItemClaim(
                    line.sku, kind(upTo: taken.costs[place], step: life.country.step),
                    ends: chance.happens(45)))
        }
        if chance.happens(3) { items[0].sku = "unknown" }
        return .merchant(
            .claim(
                receipt: receipt, items, asksConsumption: chance.happens(35),
                isToBeDeclined: chance.happens(life.account.isSandbox ? 12 : 2)))
    }

    private mutating func kind(upTo price: Int, step: Int) -> ItemClaim.Kind {
        switch chance.number(1...9) {
        case 1...3: return .full
        case 4...6: return .prorated
        default:
            let steps = max(1, price / step * chance.pick([20, 50, 50, 100]) / 100)
            let amount = steps * step + (chance.happens(2) ? step / 2 : 0)
            return .custom(chance.happens(4) ? max(amount, price) + step : amount)
        }
    }

    mutating func revoke(_ life: Life) -> PlayedCommand {
        .merchant(
            .revoke(
                life.account, chance.happens(50) ? .full : .prorated,
                asksConsumption: chance.happens(45),
                isToBeDeclined: chance.happens(life.account.isSandbox ? 12 : 2)))
    }
}
