import NaiveModel

/// Writes the story of a simulated world, step by step. It follows the naive store, so that it can
/// aim at the moments at which something happens.
struct Author {
    var store: NaiveStore
    var chance: Chance
    /// Whether this is a world of Sandbox, where minutes count.
    let isSandbox: Bool
    let isListening: Bool
    let themes: [Theme]
    /// Whether its themes are nearly all that it is about.
    var isAboutThemes = false
    private(set) var names: [Account.Name] = []
    /// What comes next in a plot that was begun.
    var agenda: [Scene] = []

    init(
        store: NaiveStore, chance: Chance, isSandbox: Bool, isListening: Bool, themes: [Theme]
    ) {
        self.store = store
        self.chance = chance
        self.isSandbox = isSandbox
        self.isListening = isListening
        self.themes = themes
    }

    /// What everybody can do, and how often they do it.
    fileprivate enum Idea {
        case advance, buy, renewal, change, bank, end, move, speed, price, sale, terms, finish
        case signUp, extend, extendAll, refund, schedule, withdraw, raise, answer
        case name, level, provoke, test, plot, bill, bundle, reprice, consent
    }

    private static let ideas: [(Int, Idea)] = [
        (32, .advance), (20, .buy), (8, .renewal), (10, .change), (10, .bank), (1, .end),
        (3, .move), (2, .speed), (3, .price), (6, .sale), (2, .terms), (2, .finish), (4, .signUp),
        (5, .extend), (1, .extendAll), (9, .refund), (6, .schedule), (1, .withdraw), (2, .raise),
        (5, .answer),
        (2, .name), (1, .level), (1, .provoke), (1, .test), (18, .plot), (9, .bill),
        (9, .bundle), (5, .reprice), (2, .consent),
    ]

    mutating func nextStep() -> Step { weather(Step(nextDeed())) }

    /// Does a step, and says what fails while it is done.
    mutating func weather(_ calm: Step) -> Step {
        var step = calm
        switch step.command {
        case .buy, .bundle, .extend, .extendAll, .code(.redeem), .commitment(.buy), .merchant:
            step.isRepeated = chance.happens(15)
        default: break
        }
        let isAnswered = store.open.contains { number in
            guard case .advance(let to) = step.command else { return false }
            return store.invoices[number].answersAt.map { $0 <= to } ?? false
        }
        if chance.happens(isAnswered ? 40 : 12) { step.failsAtStatement = chance.number(1...30) }
        let outcome = step.command.apply(to: &store, isListening: isListening)
        if step.isRepeated, outcome != .done { step.isRepeated = false }
        // What is known by a key, or can be asked for again, survives a commit in doubt.
        switch step.command {
        case .buy, .bundle, .extend, .code(.redeem), .commitment(.buy), .merchant:
            step.losesCommit = outcome == .done && chance.happens(5)
        case .advance: step.losesCommit = chance.happens(3)
        case .answerBill where outcome == .answered:
            step.losesCommit = chance.happens(10)
            step.isRepeated = chance.happens(20)
        default: break
        }
        step.isLast = !store.open.isEmpty && chance.happens(15)
        return step
    }

    private mutating func nextDeed() -> PlayedCommand {
        guard !names.isEmpty else { return signUp() }
        if chance.happens(85), let command = nextScene() { return command }
        if chance.happens(15), let command = deedInTrouble() { return command }
        let name = chance.pick(names)
        if let deed = thematicDeed(name) { return deed }
        let idea = chance.pick(weighted: Author.ideas)
        switch idea {
        case .advance: return .advance(to: laterMoment())
        case .buy: return buy(name)
        case .renewal:
            return onLife { .renewal($0.account, group: $0.group, isOn: $1.happens(40)) }
        case .change:
            let plans = store.shop.articles.map(\.id)
            return onLife { life, chance in
                let ours = plans.filter { $0.hasPrefix(life.group) }
                let product = chance.happens(97) ? chance.pick(ours) : chance.pick(plans)
                return .change(life.account, group: life.group, product: product)
            }
        case .bank: return .bank(name, bank())
        case .end: return onLife { life, _ in .end(life.account, group: life.group) }
        case .move: return .move(name, chance.pick(Scenario.countries))
        case .speed:
            let minutes = chance.pick([3, 5, 15, 30, 60])
            return name.isSandbox ? .speed(name, minutes: minutes) : .bank(name, bank())
        case .price: return price()
        case .sale: return sale()
        case .terms:
            var terms = Scenario.terms(&chance)
            terms.merchantTells = store.shop.terms.merchantTells
            return .terms(terms)
        case .finish: return onLife { life, _ in .finish(life.account, group: life.group) }
        case .extend:
            return onLife { .extend($0.account, group: $0.group, days: $1.number(1...90)) }
        case .name:
            let token = token()
            return onLife { life, _ in .name(life.account, group: life.group, token: token) }
        case .level:
            let plans = store.shop.articles.filter { $0.id.count == 2 }
            return .level(chance.pick(plans).id, chance.number(1...3))
        case .provoke: return onLife { life, _ in .provoke(life.account, group: life.group) }
        case .test: return .test(isSandbox: isSandbox)
        case .extendAll, .refund, .schedule, .withdraw, .raise, .answer:
            return operatorsDeed(idea)
        case .plot: return plot()
        case .bill: return answerBill()
        case .bundle: return bundle(name)
        case .reprice: return reprice()
        case .consent: return consent()
        case .signUp: return names.count < mostNames ? signUp() : .advance(to: laterMoment())
        }
    }

    /// What customers do whose renewal has failed.
    private mutating func deedInTrouble() -> PlayedCommand? {
        let troubled = store.lives.filter {
            ($0.phase != .running || $0.invoice != nil) && !$0.isOver
        }
        guard !troubled.isEmpty else { return nil }
        let life = chance.pick(troubled)
        let plans = store.shop.articles.map(\.id).filter { $0.hasPrefix(life.group) }
        let product = chance.happens(40) ? life.plan.product : chance.pick(plans)
        return switch chance.number(1...12) {
        case 11...12: answerBill(life.invoice)
        case 1...2: .bank(life.account, .approves)
        // Money for what comes next, but nothing is tried at once.
        case 3...4: .bank(life.account, .declines(until: store.now + 1, left: nil))
        case 5...7: .buy(life.account, product, quantity: 1, token: nil)
        case 8...9: .change(life.account, group: life.group, product: product)
        default: .renewal(life.account, group: life.group, isOn: false)
        }
    }

    /// A family of six leaves somebody who finds no place in it.
    var mostNames: Int { themes.contains(.families) ? 8 : 5 }

    mutating func signUp() -> PlayedCommand {
        let name = Account.Name(
            "customer\(names.count + 1)", isSandbox: isSandbox ? true : chance.happens(10))
        names.append(name)
        return .signUp(name, chance.pick(Scenario.countries))
    }

    mutating func onLife(_ command: (Life, inout Chance) -> PlayedCommand) -> PlayedCommand {
        guard !store.lives.isEmpty else { return buy(chance.pick(names)) }
        return command(chance.pick(store.lives), &chance)
    }

    private mutating func buy(_ name: Account.Name) -> PlayedCommand {
        let product = chance.happens(1) ? "unknown" : chance.pick(store.shop.articles).id
        let quantity = product == "coins" ? chance.number(1...11) : chance.happens(1) ? 2 : 1
        return .buy(
            name, product, quantity: quantity, token: chance.happens(20) ? token() : nil)
    }

    /// A developer's name for a customer, of a few.
    mutating func token() -> String {
        "00000000-0000-4000-8000-00000000000\(chance.number(0...9))"
    }

    private mutating func bank() -> Account.Bank {
        if chance.happens(30) { return laterBank() }
        return switch chance.number(1...10) {
        case 1...4: .approves
        case 5...7: .declines(until: nil, left: chance.number(1...6))
        case 8: .declines(until: nil, left: nil)
        case 9: .declines(until: max(laterMoment(), store.now + 1), left: nil)
        default:
            .declines(until: max(laterMoment(), store.now + 1), left: chance.number(1...40))
        }
    }

    private mutating func price() -> PlayedCommand {
        let country = chance.pick(Scenario.countries)
        return .price(
            chance.pick(store.shop.articles).id, country,
            chance.number(1...(99_000 / country.step)) * country.step)
    }

    private mutating func sale() -> PlayedCommand {
        let off = store.shop.isForSale.filter { !$0.value }.keys.sorted()
        // What went off sale mostly comes back.
        if let key = off.first, chance.happens(60) {
            let parts = key.split(separator: "/").map(String.init)
            let country = Scenario.countries.first { $0.code == parts[1] }
            return .sale(parts[0], country, isForSale: true)
        }
        let country = chance.happens(50) ? chance.pick(Scenario.countries) : nil
        return .sale(chance.pick(store.shop.articles).id, country, isForSale: false)
    }

    /// A moment ahead: often exactly the next one at which something happens, or just beside it.
    mutating func laterMoment() -> Int {
        let (now, minute, day) = (store.now, NaiveCalendar.minute, NaiveCalendar.day)
        if let next = store.nextMoment, chance.happens(35) {
            return max(now, next + chance.pick([-1, 0, 0, 0, 1, minute]))
        }
        if chance.happens(15), case let landmarks = store.landmarks, !landmarks.isEmpty {
            return max(now, chance.pick(landmarks) + chance.pick([-1, 0, 0, 1]))
        }
        if isSandbox { return now + chance.number(0...120) * minute / chance.pick([1, 1, 7]) }
        return switch chance.number(1...20) {
        case 1: now + chance.number(0...3) * minute
        case 2...6: now + chance.number(0...7) * day
        case 7...10: now + chance.number(0...40 * day)
        case 11...16: now + chance.number(20...35) * day
        case 17...19: now + chance.number(30...200) * day
        default: now + chance.number(300...430) * day
        }
    }
}

// MARK: - The operator's side

extension Author {
    private mutating func operatorsDeed(_ idea: Idea) -> PlayedCommand {
        switch idea {
        case .extendAll:
            return onLife { life, chance in
                .extendAll(
                    life.plan.product,
                    in: chance.pick([nil, ["USA"], ["USA", "DEU"], [life.country.code]]),
                    days: chance.number(1...90), isSandbox: life.account.isSandbox)
            }
        case .schedule: return schedule()
        case .raise: return raise()
        case .withdraw:
            guard let change = store.coming.first else { return schedule() }
            return .withdraw(change.product, change.country)
        case .answer:
            let asked = store.lives.filter { $0.increases.values.contains(where: \.isAnnounced) }
            guard !asked.isEmpty else {
                return onLife { life, _ in .answer(life.account, group: life.group, agrees: true) }
            }
            let life = chance.pick(asked)
            return .answer(life.account, group: life.group, agrees: chance.happens(75))
        default: return refund()
        }
    }

    private mutating func refund() -> PlayedCommand {
        guard !store.receipts.isEmpty else { return .advance(to: laterMoment()) }
        // Mostly what is new or was asked for, seldom anything.
        var receipt = chance.number(0...(store.receipts.count - 1))
        if chance.happens(60) { receipt = store.receipts.count - 1 - receipt % 5 }
        receipt = max(receipt, 0)
        let asked = store.asked.last?.receipt ?? receipt
        let isPeriod = store.receipts[receipt].until != nil
        switch chance.number(1...15) {
        case 1...4: return .askBack(receipt: receipt)
        case 5: return .declineBack(receipt: asked)
        case 6: return .grantBack(receipt: asked, fully: chance.happens(50))
        case 7...8:
            let isAboutPeriod = store.receipts[asked].until != nil
            return .consume(
                receipt: asked, chance.pick([nil, .decline, .full, .part]),
                used: isAboutPeriod || chance.happens(30) ? nil : chance.number(0...100_000))
        case 9...11:
            return .giveBack(receipt: receipt, fully: !isPeriod || chance.happens(50))
        case 12: return .giveBack(receipt: asked, fully: true)
        case 13:
            return onLife {
                .cancel($0.account, group: $0.group, fully: $1.happens(50))
            }
        default:
            let given = store.receipts.lastIndex { $0.isRevoked } ?? receipt
            return .takeBack(receipt: given)
        }
    }

    /// Mostly of those who pay less than everybody, to what everybody pays or somewhat less.
    private mutating func raise() -> PlayedCommand {
        let kept = store.lives.filter { life in
            !life.isOver && store.price(of: life.plan.product, in: life.country) > life.plan.price
        }
        guard !kept.isEmpty else { return schedule() }
        let life = chance.pick(kept)
        let list = store.price(of: life.plan.product, in: life.country)
        let (pays, step) = (life.plan.price, life.country.step)
        let price = chance.pick([list, list, (pays + list) / 2 / step * step, list + step, pays])
        return .raise(
            life.plan.product, life.country, from: pays, to: price,
            at: chance.happens(60) ? store.now : laterMoment())
    }

    private mutating func schedule() -> PlayedCommand {
        let plans = store.shop.articles.filter { $0.id.count == 2 }
        var (product, country) = (chance.pick(plans).id, chance.pick(Scenario.countries))
        var old = store.shop.articles.first { $0.id == product }!.price
        if !store.lives.isEmpty, chance.happens(80) {
            let life = chance.pick(store.lives)
            (product, country, old) = (life.plan.product, life.country, life.plan.price)
        }
        let percent = chance.pick([50, 90, 100, 105, 120, 140, 150, 151, 200, 300])
        let price = max(1, old * percent / 100 / country.step) * country.step
        return .schedule(
            product, country, price, at: chance.happens(60) ? store.now : laterMoment(),
            isPreserving: chance.happens(20))
    }
}
