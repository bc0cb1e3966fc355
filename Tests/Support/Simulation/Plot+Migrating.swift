import NaiveModel

/// Short stories about ordinary subscriptions that become a merchant's: as they run, while another
/// plan waits, and while a price is to rise.
extension Author {
    /// ACM-6, ACS-9: somebody who has nothing of a merchant's buys an ordinary plan first.
    mutating func goesOver() -> [Scene] {
        let plans = store.shop.articles.filter { $0.id.count == 2 && !$0.isShareable }
        let free = names.filter { store.life($0, in: MerchantDeed.group) == nil }
        guard !free.isEmpty else { return names.count < mostNames ? [{ $0.signUp() }] : [] }
        guard !plans.isEmpty else { return [] }
        let (name, plan) = (chance.pick(free), chance.pick(plans))
        let group = String(plan.id.prefix(1))
        func has(_ command: @escaping (inout Author, Life) -> PlayedCommand?) -> Scene {
            { author in
                guard let life = author.store.life(name, in: group), !life.isOver else {
                    return nil
                }
                return command(&author, life)
            }
        }
        return [
            { _ in .bank(name, .approves) },
            { author in
                guard author.store.life(name, in: group)?.isOver != false else { return nil }
                return .buy(name, plan.id, quantity: 1, token: nil)
            },
            maybe(40, has { .advance(to: max($1.end, $0.store.now)) }),
            maybe(40, has { $0.getsDearer($1) }),
            maybe(50, has { $0.choosesAnother($1, of: group) }),
            maybe(50, has { $0.partOfThePeriod($1) }),
            { author in author.migrate(name) }, { author in author.goesOn(name) },
        ]
    }

    /// Not yet told of, so that it goes over too.
    private mutating func getsDearer(_ life: Life) -> PlayedCommand? {
        let (step, percent) = (life.country.step, chance.pick([105, 120, 150, 200, 300]))
        let price = max(1, life.plan.price * percent / 100 / step) * step
        return .schedule(life.plan.product, life.country, price, at: store.now, isPreserving: false)
    }

    private mutating func choosesAnother(_ life: Life, of group: String) -> PlayedCommand? {
        let others = store.shop.articles.map(\.id).filter {
            $0.count == 2 && $0.hasPrefix(group) && $0 != life.plan.product
        }
        guard !others.isEmpty else { return nil }
        return .change(life.account, group: group, product: chance.pick(others))
    }

    private mutating func partOfThePeriod(_ life: Life) -> PlayedCommand? {
        let left = life.end - store.now
        guard left > 0 else { return nil }
        return .advance(to: store.now + left * chance.number(0...90) / 100)
    }

    /// What becomes of it as the merchant's.
    private mutating func goesOn(_ name: Account.Name) -> PlayedCommand? {
        guard let life = store.life(name, in: MerchantDeed.group), !life.isOver else { return nil }
        switch chance.number(1...10) {
        case 1...3: agenda = [{ $0.partOfThePeriod(life) }, { $0.revoke(life) }]
        case 4...7: agenda = itemPlot(life)
        case 8...9: agenda = merchantPlot(life)
        default: agenda = [toEnd(life), toEnd(life)]
        }
        return nextScene()
    }
}
