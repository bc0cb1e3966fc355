import NaiveModel

/// Children who ask before they buy, and purchases that are interrupted.
extension Author {
    mutating func requestDeed(_ name: Account.Name) -> PlayedCommand {
        let waiting = store.requests.indices.filter { store.requests[$0].state == .waiting }
        guard !waiting.isEmpty else {
            let isAsking = store.accounts[name]!.asks || store.accounts[name]!.isInterrupted
            return isAsking && chance.happens(50) ? request(name) : .request(buying(name))
        }
        let number = chance.pick(waiting)
        let wish = store.requests[number]
        switch chance.number(1...20) {
        case 1...3: return .request(buying(name))
        case 4...9: return .request(.approve(number, byCustomer: chance.happens(30)))
        case 10: return .request(.decline(number))
        case 11: return .request(.approve(chance.number(0...99), byCustomer: chance.happens(30)))
        // The same again, or with another wish.
        case 12...13: return request(wish.account, chance.happens(70) ? wish.wish.product : nil)
        // What would be refused by then.
        case 14: return .sale(wish.wish.product, nil, isForSale: false)
        case 15: return .move(wish.account, chance.pick(Scenario.countries))
        case 16:
            return .request(.buying(wish.account, asks: false, isInterrupted: nil, mayPay: nil))
        case 17: return .bank(wish.account, .declines(until: nil, left: 1))
        default:
            let moment = wish.lapses + chance.pick([-1, 0, 0, 1])
            return .advance(to: max(store.now, chance.happens(40) ? moment : store.now + 1000))
        }
    }

    private mutating func request(
        _ name: Account.Name, _ product: String? = nil
    ) -> PlayedCommand {
        let product = product ?? chance.pick(store.shop.articles).id
        if let life = store.life(name, in: String(product.prefix(1))), !life.isOver,
            product.count == 2, chance.happens(50)
        {
            return .change(name, group: life.group, product: product)
        }
        return .buy(
            name, product, quantity: product == "coins" ? chance.number(1...3) : 1,
            token: chance.happens(30) ? token() : nil)
    }

    private mutating func buying(_ name: Account.Name) -> RequestDeed {
        switch chance.number(1...12) {
        case 1...6: .buying(name, asks: true, isInterrupted: nil, mayPay: nil)
        case 7...8: .buying(name, asks: false, isInterrupted: true, mayPay: nil)
        case 9: .buying(name, asks: true, isInterrupted: true, mayPay: nil)
        case 10: .buying(name, asks: nil, isInterrupted: nil, mayPay: false)
        default: .buying(name, asks: false, isInterrupted: false, mayPay: true)
        }
    }
}
