import NaiveModel

/// One command of a plot, decided when it is due; nil when there is nothing to do any more.
typealias Scene = (inout Author) -> PlayedCommand?

/// Short stories with an aim: commands one after the other that bring one subscription to where a
/// rule turns, and do there what the rule is about.
extension Author {
    /// Begins one, about a life or about nobody yet.
    mutating func plot() -> PlayedCommand {
        guard let life = someLife() else { return .advance(to: laterMoment()) }
        agenda =
            switch chance.number(1...36) {
            case 1: thirdExtension(life)
            case 2: secondIncrease(life)
            case 3: comingBack(life)
            case 4: atAnEdge(life)
            case 5: extensionInGrace(life)
            case 6: twoRefunds(life)
            case 7: smallRefund(life)
            case 8: cohorts(life)
            case 9: graceInFebruary(life)
            case 10: increaseLeftBehind(life)
            case 11...17: billPlot(life)
            case 18...22: linePlot(life)
            case 23...34: pricePlot(life)
            case 35: aroundTheLimit(life)
            default: yearOfService(life)
            }
        return nextScene() ?? .advance(to: laterMoment())
    }

    mutating func nextScene() -> PlayedCommand? {
        while !agenda.isEmpty {
            let scene = agenda.removeFirst()
            if let command = scene(&self) { return command }
        }
        return nil
    }

    /// Mostly one that is not over.
    private mutating func someLife() -> Life? {
        let alive = store.lives.filter { !$0.isOver }
        return alive.isEmpty ? nil : chance.pick(alive)
    }

    // MARK: Scenes

    /// The same life as it stands by then.
    private func life(_ life: Life) -> Life? { store.life(life.account, in: life.group) }

    /// The clock goes to a moment, or a millisecond beside it.
    private func go(_ life: Life, to moment: @escaping (NaiveStore, Life) -> Int?) -> Scene {
        { author in
            guard let life = author.life(life), let moment = moment(author.store, life) else {
                return nil
            }
            let target = moment + author.chance.pick([-1, 0, 0, 0, 1])
            return target < author.store.now ? nil : .advance(to: target)
        }
    }

    private func bank(_ life: Life, _ bank: Account.Bank) -> Scene {
        { _ in .bank(life.account, bank) }
    }

    private func extend(_ life: Life, days: ClosedRange<Int>) -> Scene {
        { .extend(life.account, group: life.group, days: $0.chance.number(days)) }
    }

    /// A price of what the life has, as a share of what it pays.
    private func schedule(_ life: Life, percent: [Int], isPreserving: Bool) -> Scene {
        { author in
            guard let life = author.life(life) else { return nil }
            let (old, step) = (life.plan.price, life.country.step)
            let price = max(1, old * author.chance.pick(percent) / 100 / step) * step
            return .schedule(
                life.plan.product, life.country, price == old ? old + step : price,
                at: author.store.now, isPreserving: isPreserving)
        }
    }

    private func buy(_ life: Life, samePercent: Int) -> Scene {
        { author in
            let plans = author.store.shop.articles.map(\.id).filter { $0.hasPrefix(life.group) }
            let isSame = author.chance.happens(samePercent)
            let product = isSame ? life.plan.product : author.chance.pick(plans)
            return .buy(life.account, product, quantity: 1, token: nil)
        }
    }

    private func giveBack(_ life: Life, newest: Bool, fullyPercent: Int) -> Scene {
        { author in
            guard let receipt = author.receipt(life, newest: newest) else { return nil }
            return .giveBack(receipt: receipt, fully: author.chance.happens(fullyPercent))
        }
    }

    private func takeBack(_ life: Life, newest: Bool) -> Scene {
        { author in author.receipt(life, newest: newest).map { .takeBack(receipt: $0) } }
    }

    /// The newest receipt of a life, or the one before.
    private func receipt(_ life: Life, newest: Bool) -> Int? {
        guard let life = self.life(life) else { return nil }
        guard !newest else { return life.receipt }
        return store.receipts.indices.last {
            $0 < life.receipt && store.receipts[$0].account == life.account
                && store.receipts[$0].product == life.plan.product
        }
    }

    // MARK: Plots

    /// EXT-2: two extensions, and the third when the first no longer counts.
    private func thirdExtension(_ life: Life) -> [Scene] {
        [
            bank(life, .approves), extend(life, days: 1...20), extend(life, days: 1...20),
            go(life) { store, life in
                life.extensions.suffix(2).first.map { $0 + store.year(of: life) }
            },
            extend(life, days: 1...20),
        ]
    }

    /// THR-1 c: an increase, and the next one for the renewal twelve months after it was charged,
    /// or a day later.
    private func secondIncrease(_ life: Life) -> [Scene] {
        [
            bank(life, .approves), schedule(life, percent: [105, 120], isPreserving: false),
            { author in
                guard let life = author.life(life), let renewal = life.increase?.renewal else {
                    return nil
                }
                return .advance(to: max(renewal, author.store.now))
            },
            { author in
                author.chance.happens(50)
                    ? .extend(life.account, group: life.group, days: 1) : nil
            },
            { author in
                guard let life = author.life(life), let last = life.lastIncrease else { return nil }
                let isShort = life.plan.length == .months(1) || life.plan.length == .days(7)
                let before = author.store.days(isShort ? 28 : 61, life)
                let target = author.store.yearAfter(last, of: life) - before
                return target < author.store.now ? nil : .advance(to: target)
            },
            schedule(life, percent: [105, 120], isPreserving: false),
            go(life) { $1.increase?.told }, go(life) { $1.increase?.renewal },
        ]
    }

    /// EXP-7, PRC-5, COM-4: over, and back when a lapse is no longer ignored.
    private func comingBack(_ life: Life) -> [Scene] {
        [
            schedule(life, percent: [110, 160], isPreserving: true),
            { author in
                author.chance.happens(30)
                    ? .bank(life.account, .declines(until: nil, left: nil))
                    : .renewal(life.account, group: life.group, isOn: false)
            },
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
            go(life) { store, life in
                let ended = life.isOver ? min(life.endedAt, life.end) : life.end
                return ended + store.longestLapse(life) - 1
            },
            // The next purchase is paid, a millisecond later, but nothing is tried before it.
            { .bank(life.account, .declines(until: $0.store.now + 1, left: nil)) },
            { .advance(to: $0.store.now + 1) },
            buy(life, samePercent: 75),
        ]
    }

    /// Grace, retry and consent at their edges.
    private func atAnEdge(_ life: Life) -> [Scene] {
        [
            bank(life, .declines(until: nil, left: nil)),
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
            go(life) { store, life in
                store.landmarks(of: life).filter { $0 > store.now }.min()
            },
            { author in
                switch author.chance.number(1...6) {
                case 1: .renewal(life.account, group: life.group, isOn: false)
                case 2:
                    author.receipt(life, newest: true).map { .giveBack(receipt: $0, fully: true) }
                case 3: .bank(life.account, .declines(until: author.store.now + 1, left: nil))
                default: .bank(life.account, .approves)
                }
            },
            buy(life, samePercent: 60),
        ]
    }

    /// GRA-3: where clocks spring forward, a month that begins in February is an hour shorter than
    /// 28 days of grace.
    private func graceInFebruary(_ life: Life) -> [Scene] {
        func february(_ author: Author) -> Int {
            let years = 2024...2060
            let springs = years.filter { $0 % 4 != 0 }.map(NaiveCalendar.springForward)
            let shortest = author.store.now + 60 * NaiveCalendar.day
            return springs.first { $0 > shortest }! - 10 * NaiveCalendar.day
        }
        return [
            bank(life, .approves),
            { author in
                var terms = author.store.shop.terms
                (terms.isPacific, terms.graceDays, terms.graceOnlyPaid) = (true, 28, false)
                return .terms(terms)
            },
            { author in
                let before = february(author) - author.chance.number(35...45) * NaiveCalendar.day
                return .advance(to: max(author.store.now, before))
            },
            { author in
                guard let life = author.life(life) else { return nil }
                let days = (february(author) - life.end) / NaiveCalendar.day
                return (1...90).contains(days)
                    ? .extend(life.account, group: life.group, days: days) : nil
            },
            bank(life, .declines(until: nil, left: nil)),
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
        ]
    }

    /// A mass extension while somebody is in grace or retry.
    private func extensionInGrace(_ life: Life) -> [Scene] {
        [
            bank(life, .declines(until: nil, left: nil)),
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
            { author in
                .extendAll(
                    life.plan.product, in: nil, days: author.chance.number(1...90),
                    isSandbox: life.account.isSandbox)
            },
            bank(life, .approves),
        ]
    }

    /// REF-9, REF-10: two periods are given back, and taken back the other way round.
    private func twoRefunds(_ life: Life) -> [Scene] {
        [
            bank(life, .approves),
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
            giveBack(life, newest: false, fullyPercent: 80),
            giveBack(life, newest: true, fullyPercent: 60),
            takeBack(life, newest: false),
            { author in
                author.chance.happens(30) ? author.buy(life, samePercent: 60)(&author) : nil
            },
            takeBack(life, newest: true),
        ]
    }

    /// REF-7: so little or so much of a period is unused that the percentage is near its ends.
    private func smallRefund(_ life: Life) -> [Scene] {
        [
            { author in
                guard let life = author.life(life) else { return nil }
                let moment =
                    author.chance.happens(60)
                    ? life.end - author.chance.pick([1, 1000, 60_000, 3_600_000])
                    : life.end + author.chance.pick([0, 1, 1000, 60_000])
                return moment < author.store.now ? nil : .advance(to: moment)
            },
            giveBack(life, newest: true, fullyPercent: 0),
        ]
    }

    /// PRC-4 to PRC-6: a preserved price, and list prices that rise on for everybody or fall below
    /// it.
    private func cohorts(_ life: Life) -> [Scene] {
        [
            schedule(life, percent: [110, 150, 200], isPreserving: true),
            schedule(life, percent: [90, 105, 130, 250], isPreserving: false),
            { author in
                guard let life = author.life(life), author.chance.happens(60) else { return nil }
                let list = author.store.price(of: life.plan.product, in: life.country)
                return .raise(
                    life.plan.product, life.country, from: life.plan.price, to: list,
                    at: author.store.now)
            },
            go(life) { $1.increase?.told },
            schedule(life, percent: [80, 100, 110, 140], isPreserving: false),
            go(life) { $1.increase?.renewal ?? $1.end },
        ]
    }

    /// 2.3: an increase of a plan that is left at the renewal, in time or after a failure.
    private func increaseLeftBehind(_ life: Life) -> [Scene] {
        [
            schedule(life, percent: [110, 160], isPreserving: false),
            { author in
                let plans = author.store.shop.articles.map(\.id).filter {
                    $0.hasPrefix(life.group) && $0 != life.plan.product
                }
                guard !plans.isEmpty else { return nil }
                return .change(
                    life.account, group: life.group, product: author.chance.pick(plans))
            },
            { author in
                author.chance.happens(70)
                    ? .bank(life.account, .declines(until: nil, left: nil)) : nil
            },
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
            bank(life, .approves), go(life) { $1.increase?.told ?? $1.end },
        ]
    }

    /// COM-1 to COM-4: a year of paid service is nearly full, with an extension or a change of
    /// plan in it.
    private func yearOfService(_ life: Life) -> [Scene] {
        [
            bank(life, .approves),
            { author in
                author.chance.happens(50)
                    ? .extend(life.account, group: life.group, days: author.chance.number(1...90))
                    : author.buy(life, samePercent: 0)(&author)
            },
            { author in
                guard let life = author.life(life) else { return nil }
                let day = author.store.days(1, life)
                let beside = author.chance.pick([-30, -1, 0, 0, 1, 20]) * day
                let target = life.serviceStart + author.store.year(of: life) + beside
                return target < author.store.now ? nil : .advance(to: target)
            },
            { author in author.buy(life, samePercent: 0)(&author) },
            { author in author.life(life).map { .advance(to: max($0.end, author.store.now)) } },
        ]
    }
}

// MARK: - Crowds

extension Author {
    /// A short story of more subscribers than the store takes up at once: they renew, fail, are
    /// extended and pay more, all of them at the same moments.
    mutating func crowdedSteps() -> [Step] {
        let plans = store.shop.articles.filter { $0.id.count == 2 }
        let (plan, country) = (chance.pick(plans), chance.pick(Scenario.countries))
        let crowd = PlayedCommand.crowd(chance.number(1001...1050), country, plan.id)
        _ = crowd.apply(to: &store, isListening: isListening)
        // A crash in the middle of it would be one of many customers' own.
        var steps = [Step(crowd)]
        while steps.count < 8 { steps.append(weather(Step(crowdDeed(plan.id, country)))) }
        return steps
    }

    private mutating func crowdDeed(_ plan: String, _ country: Country) -> PlayedCommand {
        let life = store.lives[chance.number(0...(store.lives.count - 1))]
        let price = store.price(of: plan, in: country)
        return switch chance.number(1...10) {
        case 1...2:
            .extendAll(plan, in: nil, days: chance.number(1...90), isSandbox: false)
        case 3...4:
            .schedule(
                plan, country,
                max(1, price * chance.pick([80, 110, 160]) / 100 / country.step)
                    * country.step, at: store.now, isPreserving: false)
        case 5: .bank(life.account, .declines(until: nil, left: nil))
        case 6: .renewal(life.account, group: life.group, isOn: false)
        default: .advance(to: store.nextMoment ?? store.now)
        }
    }
}
