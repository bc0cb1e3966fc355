import NaiveModel

/// Requests that change what a subscriber has of a merchant's own items, in the ways in which they
/// can be sent: each item once, and what happens at once with what fits it.
extension Author {
    static let items = ["news", "sport", "chess", "radio", "maps", "books"]

    /// Items that a life has not, nor is to have.
    private func free(_ life: Life) -> [String] {
        let had = life.plan.skus.union(life.waiting?.skus ?? [])
        return Author.items.filter { !had.contains($0) }
    }

    mutating func modify(_ life: Life, keepsCycle: Bool? = nil) -> PlayedCommand {
        let keeps = keepsCycle ?? chance.happens(70)
        var change = Modification(keepsCycle: keeps)
        if chance.happens(6) {
            (change.keepsCycle, change.title) = (true, title())
            change.isTitleNow = chance.happens(70)
            return .merchant(.modify(life.account, change))
        }
        if chance.happens(keeps ? 8 : 35) {
            changePeriod(&change, life)
        } else {
            changeItems(&change, life)
        }
        if chance.happens(10) { change.title = title() }
        spoil(&change, life)
        return .merchant(.modify(life.account, change))
    }

    private mutating func title() -> String { chance.pick(["Mine", "Yours", "Everybody's"]) }

    /// Every item changes with the period, at once with a new cycle or with the renewal.
    private mutating func changePeriod(_ change: inout Modification, _ life: Life) {
        change.length = chance.pick(lengths.filter { $0 != life.plan.length })
        var others = free(life)
        for line in life.plan.lines {
            if life.plan.lines.count > 1, chance.happens(20),
                change.removed.count < life.plan.lines.count - 1
            {
                change.removed.append(line.sku)
            } else {
                let other = chance.happens(30) ? others.popLast() : nil
                change.changed.append(
                    self.change(line, to: other, life, isNow: !change.keepsCycle, false))
            }
        }
        // Now and then one is forgotten.
        if change.changed.count > 1, chance.happens(5) { change.changed.removeLast() }
    }

    private mutating func changeItems(_ change: inout Modification, _ life: Life) {
        var others = free(life).shuffled(using: &chance)
        let known = (life.waiting ?? life.plan).lines.count
        if known < 4, chance.happens(45), let sku = others.popLast() {
            let line = item(sku, life.plan.length, in: life.country, isAlone: false)
            change.added.append(
                Modification.Addition(
                    line, prorated: change.keepsCycle ? prorated(line, life) : nil))
        }
        for line in life.plan.lines.shuffled(using: &chance) {
            switch chance.number(1...10) {
            case 1...3:
                let other = chance.happens(60) ? others.popLast() : nil
                let isNow = !change.keepsCycle || chance.happens(50)
                change.changed.append(
                    self.change(line, to: other, life, isNow: isNow, change.keepsCycle))
            case 4...5 where change.removed.count < life.plan.lines.count - 1:
                change.removed.append(line.sku)
            default: break
            }
        }
        let isEmpty = change.added.isEmpty && change.changed.isEmpty
        if isEmpty, change.removed.isEmpty || !change.keepsCycle {
            let line = chance.pick(life.plan.lines)
            change.removed.removeAll { $0 == line.sku }
            change.changed.append(
                self.change(
                    line, to: chance.happens(60) ? others.popLast() : nil, life,
                    isNow: !change.keepsCycle || chance.happens(50), change.keepsCycle))
        }
    }

    private mutating func change(
        _ line: HeldLine, to other: String?, _ life: Life, isNow: Bool, _ mayProrate: Bool
    ) -> Modification.Change {
        var new = item(
            other ?? line.sku, life.plan.length, in: life.country,
            isAlone: life.plan.lines.count == 1)
        if other == nil {
            // What stays what it is has its price, or the one that was told.
            let told = life.increases[line.sku].flatMap { $0.isAnnounced ? $0.price : nil }
            let price = told.map { chance.happens(60) ? $0 : line.price } ?? line.price
            var offer = new.offer
            if let asked = offer?.price { offer?.price = min(asked, price) }
            new = HeldLine(sku: line.sku, price: price, offer: offer, name: new.name)
        }
        return Modification.Change(
            of: line.sku, to: new, prorated: isNow && mayProrate ? prorated(new, life) : nil,
            isNow: isNow)
    }

    /// What a merchant says that the rest of the period costs; never beside an offer.
    private mutating func prorated(_ line: HeldLine, _ life: Life) -> Int? {
        guard line.offer == nil, chance.happens(40) else { return nil }
        return chance.number(0...(line.price / life.country.step)) * life.country.step
    }

    /// What is to be refused.
    private mutating func spoil(_ change: inout Modification, _ life: Life) {
        switch chance.number(1...40) {
        case 1: change.removed.append("unknown")
        case 2 where !change.changed.isEmpty: change.changed[0].current = "unknown"
        case 3 where !change.added.isEmpty: change.added[0].line.price += life.country.step / 2
        case 4 where !change.changed.isEmpty: change.changed[0].line.price += life.country.step
        case 5 where !change.added.isEmpty && !life.plan.skus.isSubset(of: change.touched):
            change.added[0].line.sku =
                life.plan.lines.first { !change.touched.contains($0.sku) }!.sku
        case 6 where change.keepsCycle && change.changed.isEmpty:
            change.added = []
            change.removed = life.plan.lines.map(\.sku)
        default: break
        }
    }

    mutating func reactivate(_ life: Life) -> PlayedCommand {
        var skus: [String]?
        if chance.happens(55) {
            let lines = life.plan.lines.shuffled(using: &chance)
            skus = lines.prefix(chance.number(1...lines.count)).map(\.sku)
            if chance.happens(4) { skus!.append("unknown") }
        }
        return .merchant(.reactivate(life.account, skus))
    }

    /// Other words, and other SKUs.
    mutating func describe(_ life: Life) -> PlayedCommand {
        var others = free(life).shuffled(using: &chance)
        var naming = Naming(
            title: chance.happens(30) ? title() : nil, isTitleNow: chance.happens(60), items: [])
        let lines = (life.plan.lines + (life.waiting?.lines ?? [])).map(\.sku)
        for sku in Set(lines).sorted().shuffled(using: &chance).prefix(chance.number(1...2)) {
            let other = chance.happens(55) ? others.popLast() : nil
            naming.items.append(
                Naming.Item(
                    sku, sku: other,
                    name: other == nil || chance.happens(40) ? "The \(sku)" : nil,
                    isNow: chance.happens(55)))
        }
        // Two change names.
        if naming.items.count == 2, chance.happens(15) {
            for place in naming.items.indices {
                naming.items[place].sku = naming.items[1 - place].current
                naming.items[place].isNow = true
            }
        }
        if chance.happens(3) { naming.items[0].current = "unknown" }
        if chance.happens(3) { naming.items[0].sku = chance.pick(lines) }
        if naming.items.count == 2, naming.items[0].sku == naming.items[1].sku {
            naming.items.removeLast()
        }
        return .merchant(.describe(life.account, naming))
    }
}

extension Modification {
    /// What it is about already.
    fileprivate var touched: Set<String> {
        Set(
            removed + changed.map(\.current) + changed.map(\.line.sku) + added.map(\.line.sku))
    }
}
