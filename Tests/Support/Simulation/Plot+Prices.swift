import NaiveModel

/// Short stories about prices that go live where nobody may be told of them yet: for a plan that
/// has not begun, for what is not paid, and for what is off sale.
extension Author {
    mutating func pricePlot(_ life: Life) -> [Scene] {
        switch chance.number(1...4) {
        case 1: risesWhileWaiting(life)
        case 2...3: risesWhileUnpaid(life)
        default: offSaleOnItsDay(life)
        }
    }

    /// The operator says what is asked in a country where somebody is, in amounts about as large as
    /// increases are.
    mutating func consent() -> PlayedCommand {
        let country =
            store.lives.isEmpty
            ? chance.pick(Scenario.countries) : chance.pick(store.lives).country
        func amount(_ author: inout Author) -> Int? {
            guard author.chance.happens(60) else { return nil }
            let price = author.store.lives.map(\.plan.price).randomElement(using: &author.chance)
            let share = author.chance.pick([0, 10, 50, 50, 51, 100])
            return (price ?? 9_990) * share / 100 / country.step * country.step
        }
        return .consent(
            country,
            ConsentTerms.Change(
                always: chance.pick([nil, nil, false, true]), amount: amount(&self),
                yearly: amount(&self), isReset: chance.happens(15)))
    }

    // MARK: Scenes

    /// The plans of the group that wait for the renewal when they are chosen.
    private func worse(than life: Life) -> [String] {
        store.shop.articles.filter { article in
            guard case .plan(life.group, let level, let length, _) = article.kind else {
                return false
            }
            let own = self.level(life.plan.product)
            return article.id != life.plan.product
                && (level > own || level == own && length != life.plan.length)
        }.map(\.id)
    }

    /// The other plans of the group.
    private func others(than life: Life) -> [String] {
        store.shop.articles.map(\.id).filter {
            $0.hasPrefix(life.group) && $0 != life.plan.product
        }
    }

    /// Where every other plan would hold at once, one of them gets a lower level of service.
    private func makesRoomBelow(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), author.worse(than: life).isEmpty,
                case let others = author.others(than: life), !others.isEmpty,
                author.level(life.plan.product) < 3
            else { return nil }
            return .level(author.chance.pick(others), 3)
        }
    }

    /// Where every other plan would wait for the renewal, this one gets a lower level of service.
    private func makesRoomAbove(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), case let others = author.others(than: life),
                !others.isEmpty, author.worse(than: life).count == others.count
            else { return nil }
            return .level(life.plan.product, 3)
        }
    }

    /// A plan is chosen that holds at once.
    private func choosesNow(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver,
                case let worse = author.worse(than: life),
                case let better = author.others(than: life).filter({ !worse.contains($0) }),
                !better.isEmpty
            else { return nil }
            return .buy(life.account, author.chance.pick(better), quantity: 1, token: nil)
        }
    }

    /// A plan is chosen that waits for the renewal, seldom one of several lines.
    private func choosesLater(_ life: Life) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver,
                case let plans = author.worse(than: life), !plans.isEmpty
            else { return nil }
            let product = author.chance.pick(plans)
            guard author.chance.happens(20) else {
                return .change(life.account, group: life.group, product: product)
            }
            return .bundle(
                life.account, product,
                author.lines(author.chance.number(1...3), of: product, in: life.country),
                token: nil)
        }
    }

    /// A price of what waits goes live, as a share of what it is to cost.
    private func repricesWaiting(_ life: Life, _ percent: [Int]) -> Scene {
        { author in
            guard let life = author.now(life), let waiting = life.waiting else { return nil }
            let line = author.chance.pick(waiting.lines)
            return author.dearer(line, of: waiting.product, life, percent)
        }
    }

    /// A price of what the life has goes live.
    private func reprices(_ life: Life, _ percent: [Int]) -> Scene {
        { author in
            guard let life = author.now(life), !life.isOver else { return nil }
            let line = author.chance.pick(life.plan.lines)
            return author.dearer(line, of: life.plan.product, life, percent)
        }
    }

    /// Another price of a line: of the store's own product for everybody, of a merchant's line for
    /// this subscriber.
    private mutating func dearer(
        _ line: HeldLine, of product: String, _ life: Life, _ percent: [Int]
    ) -> PlayedCommand {
        let step = life.country.step
        let price = max(1, line.price * chance.pick(percent) / 100 / step) * step
        guard line.sku == product else {
            return .reprice(life.account, group: life.group, sku: line.sku, price)
        }
        return .schedule(
            product, life.country, price, at: store.now, isPreserving: chance.happens(10))
    }

    /// What nobody has paid yet gets another price.
    private func repricesUnpaid(_ life: Life, _ percent: [Int]) -> Scene {
        { author in
            guard let number = author.unpaid(life) else { return nil }
            let (product, country) = (
                author.store.invoices[number].product, author.store.invoices[number].country
            )
            let (old, share) = (
                author.store.price(of: product, in: country), author.chance.pick(percent)
            )
            return .schedule(
                product, country, max(1, old * share / 100 / country.step) * country.step,
                at: author.store.now, isPreserving: author.chance.happens(15))
        }
    }

    /// The bill of somebody who has a subscription, or of whoever is to get one.
    private func unpaid(_ life: Life) -> Int? {
        store.open.first {
            store.invoices[$0].account == life.account && store.invoices[$0].group == life.group
        }
    }

    private func pays(_ life: Life, percent: Int) -> Scene {
        { author in
            guard let number = author.unpaid(life) else { return nil }
            return .answerBill(number, author.chance.happens(percent) ? .paid : .declined)
        }
    }

    /// So many hours pass, or minutes; in Sandbox as many seconds, since all of its periods are
    /// short.
    private func hours(_ range: ClosedRange<Int>) -> Scene {
        { author in
            let unit = author.isSandbox ? 1000 : NaiveCalendar.minute
            let minutes = author.chance.number(range) * (author.chance.happens(80) ? 60 : 1)
            return .advance(
                to: author.store.now + (author.isSandbox ? minutes / 6 : minutes) * unit)
        }
    }

    private func same(_ life: Life) -> Scene {
        { author in
            let product = author.now(life)?.plan.product ?? life.plan.product
            return .buy(life.account, product, quantity: 1, token: nil)
        }
    }

    private func sells(_ life: Life, _ isForSale: Bool, in country: Country?) -> Scene {
        { author in
            author.now(life).map { .sale($0.plan.product, country, isForSale: isForSale) }
        }
    }

    /// What was planned is told, answered and charged.
    private func takesItsCourse(_ life: Life) -> [Scene] {
        [
            toTold(life), maybe(60, answers(life, agreesPercent: 85)), toEnd(life),
            toTold(life), maybe(40, answers(life, agreesPercent: 85)), toEnd(life),
        ]
    }

    // MARK: Plots

    /// PRC-5: what was chosen for the next period gets dearer before it begins, maybe again, and
    /// maybe while that first period is still to be paid.
    private func risesWhileWaiting(_ life: Life) -> [Scene] {
        [
            approves(life), renews(life), makesRoomBelow(life), choosesLater(life),
            repricesWaiting(life, [105, 120, 160, 300]),
            maybe(25, repricesWaiting(life, [80, 90, 110, 200])),
            maybe(30, silent(life)), toEnd(life),
            maybe(30, repricesWaiting(life, [90, 110, 160])),
            pays(life, percent: 90), approves(life),
        ] + takesItsCourse(life)
    }

    /// PRC-5: what a customer has chosen, and has not paid yet, gets dearer for all who subscribe.
    private mutating func risesWhileUnpaid(_ life: Life) -> [Scene] {
        let choice: [Scene] =
            switch chance.number(1...6) {
            case 1...3: [approves(life), makesRoomAbove(life), silent(life), choosesNow(life)]
            case 4...5:
                [
                    { _ in .renewal(life.account, group: life.group, isOn: false) },
                    toEnd(life), silent(life), same(life),
                ]
            default:
                [
                    { _ in .bank(life.account, .declines(until: nil, left: nil)) },
                    toEnd(life), pass(life, days: 0...40),
                    // That the bank is another one is tried at once.
                    silent(life), pays(life, percent: 0), same(life),
                ]
            }
        return choice + [
            maybe(90, hours(1...9)), repricesUnpaid(life, [105, 120, 160, 300]),
            maybe(80, hours(0...5)), maybe(20, repricesUnpaid(life, [80, 90, 110, 200])),
            maybe(50, hours(0...5)), pays(life, percent: 95), approves(life),
        ] + takesItsCourse(life)
    }

    /// INC-8: on the day of an announcement the product is off sale, and then on sale again.
    private mutating func offSaleOnItsDay(_ life: Life) -> [Scene] {
        let country = chance.happens(50) ? life.country : nil
        return [
            approves(life), renews(life), reprices(life, [105, 160, 300]),
            { author in
                guard let told = author.now(life)?.told, told > author.store.now else {
                    return nil
                }
                let ahead = author.chance.pick([1, 1, NaiveCalendar.minute, NaiveCalendar.hour])
                return .advance(to: max(author.store.now, told - ahead))
            },
            sells(life, false, in: country),
            { author in
                guard let life = author.now(life), let told = life.told else { return nil }
                let rest = max(0, life.end - 1 - told)
                let late = author.chance.pick([0, 0, 1, author.chance.number(0...rest)])
                return .advance(to: max(author.store.now, told + min(late, rest)))
            },
            maybe(85, sells(life, true, in: country)), toEnd(life),
        ] + takesItsCourse(life) + [sells(life, true, in: country)]
    }
}
