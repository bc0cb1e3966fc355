import NaiveModel

/// A whole simulated world: how it begins, and everything that is done in it.
public struct Scenario: Sendable {
    public let seed: UInt64
    let start: Int
    let shop: Shop
    /// Whether a developer's server takes notifications.
    let isListening: Bool
    /// Whether time passes by itself, so that what is due is done late.
    let isLate: Bool
    /// How many subscriptions the store takes up at once: with few of them every batch has edges.
    let batchSize: Int
    /// Whether it has more subscribers than the store takes up at once, as it is set up in life.
    public let isCrowded: Bool
    /// What it is about besides what every world is about.
    let themes: [Theme]
    var steps: [Step]
    /// How often each kind of thing happens in it, as the naive store has it.
    public let foreseen: [String: Int]

    static let countries = [
        Country(code: "USA", currency: "USD", step: 10),
        Country(code: "DEU", currency: "EUR", step: 10),
        Country(code: "JPN", currency: "JPY", step: 1000),
        Country(code: "GBR", currency: "GBP", step: 10),
    ]

    /// Draws a world from a seed.
    ///
    /// - Parameter theme: what it is about alone, and much; nil for what the seed says.
    public init(seed: UInt64, steps count: Int, about theme: Theme? = nil) {
        self.seed = seed
        var chance = Chance(seed: seed)
        start = Scenario.start(&chance)
        let drawn = Theme.some(&chance, seed: seed)
        themes = theme.map { [$0] } ?? drawn
        shop = Shop(
            articles: Scenario.articles(&chance, themes), terms: Scenario.terms(&chance))
        isListening = chance.happens(40)
        isLate = chance.happens(20)
        // More subscribers than the store takes up at once, as it is set up in life: seldom, since
        // it takes long.
        isCrowded = chance.number(1...150) == 1
        batchSize = isCrowded ? 1000 : chance.pick([1, 2, 3, 1000])
        steps = []
        var author = Author(
            store: NaiveStore(now: start, shop: shop), chance: chance,
            isSandbox: chance.happens(25), isListening: isListening, themes: themes)
        author.isAboutThemes = theme != nil
        if isCrowded {
            steps = author.crowdedSteps()
        } else {
            for _ in 0..<count { steps.append(author.nextStep()) }
        }
        foreseen = author.store.tally
    }

    /// Month ends, leap days and the days on which clocks change are more likely than others.
    private static func start(_ chance: inout Chance) -> Int {
        let year = chance.number(2024...2028)
        let days = [
            (1, 29), (1, 30), (1, 31), (2, 28), (3, 1), (3, 8), (8, 31), (10, 31), (12, 31),
        ]
        let (month, day) =
            chance.happens(50)
            ? chance.pick(days) : (chance.number(1...12), chance.number(1...28))
        let date = NaiveCalendar.utc(year, month, day)
        if chance.happens(10) {
            let change = chance.pick([
                NaiveCalendar.springForward(year), NaiveCalendar.fallBack(year),
            ])
            return change + chance.number(-120...120) * NaiveCalendar.minute
        }
        return date + chance.pick([0, 0, chance.number(0...86_399_999), 9 * NaiveCalendar.hour])
    }

    private static func articles(_ chance: inout Chance, _ themes: [Theme]) -> [Article] {
        var lengths: [Length] = [
            .days(7), .months(1), .months(1), .months(2), .months(3), .months(6), .months(12),
        ]
        let isCommitting = themes.contains(.commitments)
        if isCommitting { lengths += [.months(12), .months(12), .months(12), .months(12)] }
        var articles: [Article] = []
        for group in ["a", "b", "c"].prefix(chance.number(1...3)) {
            for number in 1...chance.number(1...5) {
                // Of commitments there is no story without a year.
                let isFirst = isCommitting && articles.isEmpty
                let length = isFirst ? .months(12) : chance.pick(lengths)
                let tens = chance.number(100...9_999)
                // Only of something dear can a part be so small that its percentage rounds to 0.
                let price = tens * (tens % 20 == 0 ? 10_000 : 10)
                var article = Article(
                    id: "\(group)\(number)",
                    kind: .plan(
                        group: group, level: chance.number(1...3), length,
                        chance.happens(50) ? discount(&chance, length: length, price) : nil),
                    price: price)
                if themes.contains(.codes) {
                    article.codeOffers = codeOffers(&chance, length: length, price)
                }
                article.isShareable = themes.contains(.families) && chance.happens(65)
                if isCommitting, length == .months(12), isFirst || chance.happens(75) {
                    sellMonthly(&article, &chance, themes)
                }
                articles.append(article)
            }
        }
        if themes.contains(.merchants) {
            var mine = Article(
                id: "mine", kind: .plan(group: "m", level: 1, .months(1), nil), price: 9_990)
            mine.isGeneric = true
            articles.append(mine)
        }
        var forever = Article(id: "forever", kind: .nonConsumable, price: 49_990)
        forever.isShareable = themes.contains(.families) && chance.happens(80)
        return articles + [
            Article(id: "coins", kind: .consumable, price: chance.number(100...500) * 10),
            forever,
            Article(id: "season", kind: .nonRenewing, price: 14_990),
        ]
    }

    /// A year that is sold by the month as well, with offers of that plan.
    private static func sellMonthly(
        _ article: inout Article, _ chance: inout Chance, _ themes: [Theme]
    ) {
        let price = max(1000, article.price / chance.number(8...12) / 10 * 10)
        article.monthly = MonthlyPlan(
            price: price,
            introduction: chance.happens(50)
                ? discount(&chance, length: .months(1), price) : nil)
        guard themes.contains(.codes) else { return }
        article.codeOffers += codeOffers(&chance, length: .months(1), price).map { offer in
            var offer = offer
            offer.discount.name! += "MONTHLY"
            offer.billing = .monthly
            return offer
        }
    }

    /// Of most plans one or two, for whom they may be.
    private static func codeOffers(
        _ chance: inout Chance, length: Length, _ price: Int
    ) -> [CodeOffer] {
        ["HELLO", "AGAIN"].prefix(chance.number(0...2)).map { name in
            var discount = discount(&chance, length: length, price)
            discount.name = name
            var audience = Set(CodeOffer.Audience.allCases)
            while audience.count > 1, chance.happens(30) {
                audience.remove(chance.pick(CodeOffer.Audience.allCases))
            }
            return CodeOffer(discount, audience: audience, isSecond: chance.happens(50))
        }
    }

    /// OFF-4: what lengths there are.
    private static func discount(
        _ chance: inout Chance, length: Length, _ price: Int
    ) -> Discount {
        switch chance.number(1...3) {
        case 1:
            let lengths: [Length] = [
                .days(3), .days(7), .days(14), .months(1), .months(2), .months(3), .months(6),
                .months(12),
            ]
            return Discount(.trial, chance.pick(lengths))
        case 2:
            let most: Int =
                switch length {
                case .days: 12
                case .months(let months): 12 / months
                }
            return Discount(
                .payAsYouGo, length, count: chance.number(1...most), price: price / 20 * 10)
        default:
            let lengths: [Length] = [.months(1), .months(2), .months(3), .months(6), .months(12)]
            return Discount(
                .payUpFront, chance.pick(lengths), price: chance.number(100...5_000) * 10)
        }
    }

    static func terms(_ chance: inout Chance) -> Terms {
        var terms = Terms()
        terms.graceDays = chance.pick([nil, 3, 16, 28])
        terms.sandboxGrace = chance.happens(50)
        terms.graceOnlyPaid = chance.happens(30)
        terms.isPacific = chance.happens(30)
        terms.upgradeKeepsTrial = chance.happens(30)
        // Without a limit a year of Sandbox would be a hundred thousand renewals.
        terms.sandboxRenewals = chance.pick([12, 12, 1, 3])
        terms.refunds = chance.pick([.somebody, .somebody, .granted, .declined, .developer])
        let size = chance.number(1...100)
        (terms.isSmallBusiness, terms.heedsLimit) = (size <= 20, size % 4 > 0)
        terms.pendingDays = chance.pick([6, 6, 6, 0, 1, 3, 17, 28])
        terms.sandboxSellsAll = chance.happens(30)
        terms.sandboxApproves = chance.happens(70)
        return terms
    }
}
