import SubscriptionRules

/// What is right and could be better: what Apple tells developers about names, identifiers,
/// languages and levels ("Managing Subscriptions with In-App Purchase", WWDC 2012; the Human
/// Interface Guidelines on in-app purchase). Nothing of it keeps a file from being sold.
struct Advice {
    private let catalogue: Catalogue
    private let file: String
    private let places: [String: String]
    private var all: [Finding] = []

    /// - Parameters:
    ///   - file: what findings call the file.
    ///   - places: where the identifier of each product stands.
    static func all(
        on catalogue: Catalogue, file: String, places: [String: String]
    ) -> [Finding] {
        var advice = Advice(catalogue: catalogue, file: file, places: places)
        for product in catalogue.products {
            advice.adviseOnNames(of: product)
            advice.adviseOnIdentifier(of: product)
            advice.adviseOnLanguages(of: product)
        }
        for group in catalogue.groups {
            advice.adviseOnLevels(of: group)
            advice.adviseOnDurations(of: group)
        }
        if catalogue.policies.privacyPolicies.isEmpty { advice.adviseOnPrivacy() }
        return advice.all
    }

    private init(catalogue: Catalogue, file: String, places: [String: String]) {
        self.catalogue = catalogue
        self.file = file
        self.places = places
    }

    private mutating func advise(_ product: String?, _ problem: String, _ remedy: String) {
        all.append(
            Finding(
                file: file, path: product.flatMap { places[$0] } ?? "$", problem: problem,
                remedy: remedy))
    }

    // MARK: Names

    /// Words for a time, as English names and identifiers have them.
    private static let times: Set<String> = [
        "day", "days", "daily", "week", "weeks", "weekly", "month", "months", "monthly",
        "quarter", "quarterly", "year", "years", "yearly", "annual", "annually",
    ]

    /// Shorter forms, which stand in identifiers.
    private static let shortTimes: Set<String> = ["wk", "mo", "mon", "qtr", "yr", "ann"]

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// Mails and sheets say "subscription" and the duration beside the name.
    private mutating func adviseOnNames(of product: Product) {
        guard product.subscription != nil else { return }
        for text in product.localizations where text.locale.hasPrefix("en") {
            let words = Set(Advice.words(text.displayName))
            if !words.isDisjoint(with: ["subscription", "subscriptions"]) {
                advise(
                    product.id,
                    "The name \(quoted(text.displayName)) has the word \"subscription\", which the "
                        + "App Store writes beside it.",
                    "Name what is offered.")
            }
            if !words.isDisjoint(with: Advice.times) {
                advise(
                    product.id,
                    "The name \(quoted(text.displayName)) has the duration, which the App Store "
                        + "writes beside it.",
                    "Leave it out: products of several durations may have one name.")
            }
        }
    }

    /// Reports know a product by its identifier alone.
    private mutating func adviseOnIdentifier(of product: Product) {
        switch product.type {
        case .autoRenewableSubscription, .nonRenewingSubscription: break
        case .consumable, .nonConsumable: return
        }
        let words = Advice.words(product.id)
        let hasTime = words.contains { word in
            Advice.times.contains(word) || Advice.shortTimes.contains(word)
                || Advice.times.contains { word.hasSuffix($0) || word.hasPrefix($0) }
        }
        guard !hasTime, !Advice.hasShortPeriod(product.id) else { return }
        advise(
            product.id, "The identifier does not say how long it lasts.",
            "Put the duration into identifiers of new products: reports show nothing else.")
    }

    /// Whether a number stands before a letter for a time, as in `plus.1m` or `P1Y`.
    private static func hasShortPeriod(_ id: String) -> Bool {
        let letters = Array(id.lowercased())
        return letters.indices.dropLast().contains { place in
            letters[place].isNumber && "dwmy".contains(letters[place + 1])
                && (place + 2 == letters.count || !letters[place + 2].isLetter)
        }
    }

    // MARK: Languages

    /// What others of the file are translated into, this one should be too.
    private mutating func adviseOnLanguages(of product: Product) {
        let all = Set(catalogue.products.flatMap { $0.localizations.map(\.locale) })
        let missing = all.subtracting(product.localizations.map(\.locale)).sorted()
        guard !missing.isEmpty, !product.localizations.isEmpty else { return }
        advise(
            product.id,
            "It has no texts in \(missing.joined(separator: ", ")), which others of the file have.",
            "Add them: customers read names in mails, sheets and settings.")
    }

    // MARK: Levels

    /// Level 1 is the best: where what costs more stands lower, each step up is a downgrade, and
    /// waits for the next renewal.
    private mutating func adviseOnLevels(of group: SubscriptionGroup) {
        let plans = catalogue.products.compactMap { product in
            product.subscription.flatMap { terms in
                terms.groupID == group.id
                    ? (level: terms.level, period: terms.period, price: product.basePrice) : nil
            }
        }
        var steps = (up: 0, down: 0)
        for one in plans {
            for other in plans
            where one.period == other.period && one.price < other.price && one.level != other.level
            {
                if other.level < one.level { steps.up += 1 } else { steps.down += 1 }
            }
        }
        guard steps.down > 0, steps.up == 0 else { return }
        let name = group.referenceName.isEmpty ? group.id : group.referenceName
        advise(
            nil,
            "In the group \(quoted(name)) every step to a higher price is a downgrade, since what "
                + "costs more has a lower level.",
            "Give level 1 to what offers most.")
    }

    /// From the shorter plan to the longer one of the same service is an upgrade only where that
    /// has the better level, and gives the rest of the period back; the same level changes with
    /// the renewal (CHG-1).
    private mutating func adviseOnDurations(of group: SubscriptionGroup) {
        let plans = catalogue.products.filter { $0.subscription?.groupID == group.id }
        for plan in plans {
            guard let terms = plan.subscription else { continue }
            let longer = plans.first { other in
                guard let others = other.subscription else { return false }
                return terms.level < others.level && terms.period.isShorter(than: others.period)
                    && !Advice.services(of: plan).isDisjoint(with: Advice.services(of: other))
            }
            guard let longer else { continue }
            advise(
                plan.id,
                "It has a higher level than \(quoted(longer.id)), a longer plan of the same "
                    + "service: a change from the longer plan to it is an upgrade, which takes "
                    + "effect at once and refunds the rest of the longer period.",
                "Give plans of one service the same level: such a change waits for the renewal.")
        }
    }

    /// What a plan gives, without words for its duration: its identifier and its names.
    private static func services(of product: Product) -> Set<String> {
        let texts = product.localizations.map { "\($0.locale) \($0.displayName)" } + [product.id]
        return Set(
            texts.map { text in
                words(text).filter { !times.contains($0) && !shortTimes.contains($0) }
                    .joined(separator: " ")
            })
    }

    // MARK: Links

    private mutating func adviseOnPrivacy() {
        guard catalogue.products.contains(where: { $0.subscription != nil }) else { return }
        advise(
            nil, "No link to a privacy policy is given, which subscriptions need.",
            "Type it in Xcode, and in App Store Connect.")
    }
}

extension CalendarPeriod {
    /// By usual lengths: months have 30 days, years twelve months.
    fileprivate func isShorter(than other: CalendarPeriod) -> Bool {
        func usual(_ period: CalendarPeriod) -> Int {
            period.months.map { $0 * 30 } ?? period.days ?? 0
        }
        return usual(self) < usual(other)
    }
}
