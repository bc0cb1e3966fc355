import NaiveModel

/// Subscriptions of several lines: what merchants make of them, and what becomes of their prices.
extension Author {
    private static let skus = ["news", "sport", "chess", "radio"]

    /// A customer buys lines, or others than before.
    mutating func bundle(_ name: Account.Name) -> PlayedCommand {
        let plans = store.shop.articles.filter { $0.id.count == 2 }
        let product = chance.pick(plans).id
        let life = store.life(name, in: String(product.prefix(1)))
        if let life, !life.isOver, chance.happens(60) { return otherLines(life) }
        let country = life.flatMap { $0.isOver ? nil : $0.country }
        return .bundle(
            name, product,
            lines(
                chance.number(1...3), of: product, in: country ?? store.accounts[name]!.country),
            token: chance.happens(10) ? "00000000-0000-4000-8000-000000000001" : nil)
    }

    /// The same product with some of the lines that there were, and maybe another; or the same
    /// lines with offers.
    mutating func otherLines(_ life: Life) -> PlayedCommand {
        let isInOffer = life.plan.lines.contains { $0.offer != nil || $0.upcoming != nil }
        if chance.happens(isInOffer ? 60 : 35) { return offers(of: life) }
        var kept = life.plan.lines.filter { _ in chance.happens(60) }.map { line in
            HeldLine(sku: line.sku, price: line.price)
        }
        if kept.count < 3, kept.isEmpty || chance.happens(60) {
            let new = lines(
                chance.number(1...(3 - kept.count)), of: life.plan.product, in: life.country)
            kept += new.filter { line in !kept.contains { $0.sku == line.sku } }
        }
        return .bundle(life.account, life.plan.product, kept, token: nil)
    }

    /// The same lines, some of them with an offer that a subscriber redeems.
    mutating func offers(of life: Life) -> PlayedCommand {
        let lines = life.plan.lines.map { line in
            let isCheaper = chance.happens(70) && line.price > life.country.step
            return HeldLine(
                sku: line.sku, price: line.price,
                offer: isCheaper ? offer(upTo: line.price, step: life.country.step) : nil)
        }
        return .bundle(life.account, life.plan.product, lines, token: nil)
    }

    /// So many lines, mostly such as can be. Sometimes one is the product itself.
    mutating func lines(_ count: Int, of product: String, in country: Country) -> [HeldLine] {
        var lines = Author.skus.shuffled(using: &chance).prefix(count).map { sku in
            line(sku, in: country)
        }
        if chance.happens(25) {
            lines[0].sku = product
            if chance.happens(60), lines[0].offer == nil {
                lines[0].price = store.price(of: product, in: country)
            }
        }
        switch chance.number(1...100) {
        case 1: lines.append(lines[0])
        case 2: lines[0].price += country.step / 2
        case 3: lines[0].offer = Discount(.payAsYouGo, .months(1), price: lines[0].price + 1000)
        case 4: lines = []
        case 5: lines[0].price = -lines[0].price
        default: break
        }
        return lines
    }

    private mutating func line(_ sku: String, in country: Country) -> HeldLine {
        let steps = chance.number(50...2_000) * 10 / country.step
        return HeldLine(
            sku: sku, price: max(steps, 2) * country.step,
            offer: chance.happens(35)
                ? offer(upTo: max(steps, 2) * country.step, step: country.step) : nil)
    }

    private mutating func offer(upTo price: Int, step: Int) -> Discount {
        let lengths: [Length] = [.days(7), .months(1), .months(1), .months(3), .months(12)]
        let (length, name) = (chance.pick(lengths), chance.pick(["hello", "again", nil]))
        let cost = chance.number(1...(price / step)) * step
        return switch chance.number(1...6) {
        case 1...2: Discount(.trial, length, name: name)
        case 3: Discount(.payUpFront, length, price: cost, name: name)
        default:
            Discount(
                .payAsYouGo, length, count: chance.number(1...4), price: cost, name: name)
        }
    }

    /// One of a subscriber's lines gets another price, about as much as a threshold.
    mutating func reprice() -> PlayedCommand {
        let several = store.lives.filter { !$0.isOver && $0.plan.lines.count > 1 }
        guard !several.isEmpty, chance.happens(90) else {
            return onLife { life, chance in
                .reprice(
                    life.account, group: life.group,
                    sku: chance.pick(life.plan.lines.map(\.sku) + Author.skus),
                    chance.number(1...900) * life.country.step)
            }
        }
        let life = chance.pick(several)
        return reprice(
            life, chance.pick((life.plan.lines + (life.waiting?.lines ?? [])).map(\.sku)),
            [50, 90, 100, 105, 120, 150, 151, 200, 300])
    }

    mutating func reprice(_ life: Life, _ sku: String, _ percent: [Int]) -> PlayedCommand {
        let old = (life.plan.line(sku) ?? life.waiting?.line(sku))?.price ?? 1000
        let step = life.country.step
        return .reprice(
            life.account, group: life.group, sku: sku,
            max(1, old * chance.pick(percent) / 100 / step) * step)
    }
}
