import NaiveModel

/// Years that are billed monthly: who begins one, and what they cost.
extension Author {
    mutating func commitmentDeed(_ name: Account.Name) -> PlayedCommand {
        let years = store.shop.articles.filter { $0.monthly != nil }
        guard !years.isEmpty else { return .advance(to: laterMoment()) }
        let committed = store.lives.filter { $0.owesMonth }
        switch chance.number(1...24) {
        case 1...5: return begin(name, chance.pick(years).id)
        case 6...16:
            guard !committed.isEmpty else { return begin(name, chance.pick(years).id) }
            agenda = commitmentPlot(chance.pick(committed))
            return nextScene() ?? .advance(to: laterMoment())
        case 17...19: return chooseAnother(years.map(\.id))
        case 20:
            let year = chance.pick(store.shop.articles.filter { $0.id.count == 2 && isYear($0) })
            let price = max(1000, year.price / chance.number(6...12) / 10 * 10)
            return .commitment(.set(year.id, price: price, isSold: chance.happens(70)))
        case 21: return listPrice(chance.pick(years).id)
        default: return monthlyPrice(committed, chance.pick(years).id)
        }
    }

    private func isYear(_ article: Article) -> Bool {
        if case .plan(_, _, .months(12), _) = article.kind { true } else { false }
    }

    /// Mostly where it is sold.
    private mutating func begin(_ name: Account.Name, _ product: String) -> PlayedCommand {
        let country = store.accounts[name]!.country
        if country.code == "USA", chance.happens(80) {
            return .move(name, chance.pick(Array(Scenario.countries.dropFirst())))
        }
        return .commitment(.buy(name, product, token: chance.happens(10) ? token() : nil))
    }

    private mutating func chooseAnother(_ years: [String]) -> PlayedCommand {
        let isMonthly = chance.happens(60)
        return onLife { life, chance in
            let ours = years.filter { $0.hasPrefix(life.group) }
            let product = ours.isEmpty || chance.happens(10) ? years[0] : chance.pick(ours)
            return .commitment(
                .choose(
                    life.account, group: life.group, product: product,
                    isMonthly ? .monthly : .upFront))
        }
    }

    private mutating func listPrice(_ product: String) -> PlayedCommand {
        let country = chance.pick(Scenario.countries)
        return .commitment(
            .price(product, country, chance.number(1...(19_000 / country.step)) * country.step))
    }

    /// Mostly of somebody's month.
    private mutating func monthlyPrice(_ committed: [Life], _ product: String) -> PlayedCommand {
        var (product, country) = (product, chance.pick(Scenario.countries))
        var old = store.price(of: product, .monthly, in: country)
        if !committed.isEmpty, chance.happens(85) {
            let life = chance.pick(committed)
            (product, country, old) = (life.plan.product, life.country, life.plan.price)
        }
        let moment = chance.happens(60) ? store.now : laterMoment()
        let list = store.price(of: product, .monthly, in: country)
        switch chance.number(1...6) {
        case 1: return .commitment(.withdraw(product, country))
        case 2 where list > old:
            return .commitment(.raise(product, country, from: old, to: list, at: moment))
        default:
            let percent = chance.pick([50, 90, 100, 105, 140, 151, 200])
            return .commitment(
                .schedule(
                    product, country, max(1, old * percent / 100 / country.step) * country.step,
                    at: moment, isPreserving: chance.happens(25)))
        }
    }
}
