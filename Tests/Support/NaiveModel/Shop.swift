/// How long a period is: so many days, or so many months.
public enum Length: Hashable, Sendable {
    case days(Int)
    case months(Int)

    /// A week or less counts as weekly for grace (GRA-3).
    var isWeekly: Bool {
        switch self {
        case .days(let days): days <= 7
        case .months: false
        }
    }
}

/// A discount for a limited time (TAB-5.2).
public struct Discount: Hashable, Sendable {
    /// How it is paid (OFF-3).
    public enum Mode: Hashable, Sendable { case trial, payAsYouGo, payUpFront }

    public var mode: Mode
    /// One discounted period.
    public var length: Length
    /// How many of them.
    public var count: Int
    /// What one costs, in milliunits.
    public var price: Int
    /// The name of a promotional offer; nil for an introductory one, which has none.
    public var name: String?
    /// Whether it is had by code.
    public var isByCode = false

    public init(
        _ mode: Mode, _ length: Length, count: Int = 1, price: Int = 0, name: String? = nil
    ) {
        self.mode = mode
        self.length = length
        self.count = count
        self.price = price
        self.name = name
    }
}

/// Something for sale.
public struct Article: Hashable, Sendable {
    /// What kind of thing it is (TAB-1).
    public enum Kind: Hashable, Sendable {
        case consumable, nonConsumable, nonRenewing
        case plan(group: String, level: Int, Length, Discount?)
    }

    public var id: String
    public var kind: Kind
    /// The price as a number, rounded in each currency.
    public var price: Int
    public var codeOffers: [CodeOffer] = []
    /// How a year is sold month by month, if it is.
    public var monthly: MonthlyPlan?
    /// Whether a family may share it (FAM-1).
    public var isShareable = false
    /// Whether it stands for what merchants describe themselves, and is sold by requests alone.
    public var isGeneric = false

    /// Whether a family can share such a thing at all (FAM-1).
    var canBeShared: Bool { !isGeneric && (kind == .nonConsumable || group != nil) }

    /// The group of a plan.
    var group: String? {
        guard case .plan(let group, _, _, _) = kind else { return nil }
        return group
    }

    public init(id: String, kind: Kind, price: Int) {
        self.id = id
        self.kind = kind
        self.price = price
    }
}

/// The settings of the app that the naive store follows.
public struct Terms: Hashable, Sendable {
    /// The grace period in Production in days: 3, 16 or 28, or none (GRA-2).
    public var graceDays: Int?
    /// Whether Sandbox has grace.
    public var sandboxGrace = false
    /// Whether grace is only for those who paid before (GRA-4).
    public var graceOnlyPaid = false
    public var isPacific = false
    /// Whether an upgrade takes a running trial over (TAB-2.3, choice b).
    public var upgradeKeepsTrial = false
    /// After how many renewals a Sandbox subscription stops (SBX-1).
    public var sandboxRenewals: Int? = 12
    /// Who decides when money is asked back (REF-5).
    public var refunds = Refunds.somebody
    /// For how many days access goes on while nobody has answered a renewal.
    public var pendingDays = 6
    /// Whether Sandbox sells what is off sale (TAB-11), and can approve requests (ATB-3).
    public var sandboxSellsAll = false
    public var sandboxApproves = true
    /// Whether the store takes 15 % of everything (COM-5).
    public var isSmallBusiness = false
    /// Whether it does only up to a million dollars of proceeds a year.
    public var heedsLimit = true
    /// Whether merchants tell customers themselves of the prices of their own items, as until 2025.
    public var merchantTells = false

    /// Who decides when money is asked back: somebody at any time, or the store after half a day.
    public enum Refunds: Hashable, Sendable, CaseIterable {
        case somebody, granted, declined, developer
    }

    public init() {}
}

/// From when on an increase needs consent in a country (INC-1, THR-3, AMT-2).
public struct ConsentTerms: Hashable, Sendable {
    /// Whether every increase does.
    public var always: Bool
    /// The amounts above which one of more than a half does, a period and for a year a year; nil
    /// where none is known, and any such increase does.
    public var amount: Int?
    public var yearly: Int?

    /// What holds where the operator has set nothing.
    init(builtIn country: Country) {
        always = ["DEU", "AUT", "POL"].contains(country.code)
        (amount, yearly) = country.currency == "USD" ? (5_000, 50_000) : (nil, nil)
    }

    /// What the operator changes of it; nil stays as it is.
    public struct Change: Hashable, Sendable {
        public var always: Bool?
        public var amount: Int?
        public var yearly: Int?
        /// Whether what was set before goes first.
        public var isReset: Bool

        public init(always: Bool?, amount: Int?, yearly: Int?, isReset: Bool) {
            self.always = always
            self.amount = amount
            self.yearly = yearly
            self.isReset = isReset
        }
    }
}

/// Where a customer is at home.
public struct Country: Hashable, Sendable {
    public var code: String
    public var currency: String
    /// The smallest step of a price in milliunits.
    public var step: Int

    public init(code: String, currency: String, step: Int) {
        self.code = code
        self.currency = currency
        self.step = step
    }

    /// Rounds half up to a price that the currency has.
    func rounded(_ milliunits: Int) -> Int { (milliunits + step / 2) / step * step }
}

/// What is for sale, where, and for how much.
public struct Shop: Hashable, Sendable {
    public var articles: [Article]
    public var terms: Terms
    /// Prices set for a country, by `article/country`.
    public var prices: [String: Int] = [:]
    /// What the operator wants asked before prices rise, by country; what is built in elsewhere.
    public var consent: [String: ConsentTerms] = [:]
    /// Whether an article is for sale in a country, by `article/country`; everywhere with `*`.
    public var isForSale: [String: Bool] = [:]
    /// What was deleted, and never comes back.
    public var deleted: Set<String> = []

    public init(articles: [Article], terms: Terms = Terms()) {
        self.articles = articles
        self.terms = terms
    }

    /// Moves a plan to another level.
    mutating func move(_ id: String, toLevel level: Int) {
        guard let index = articles.firstIndex(where: { $0.id == id }),
            case .plan(let group, _, let length, let introduction) = articles[index].kind
        else { return }
        articles[index].kind = .plan(group: group, level: level, length, introduction)
    }

    public func article(_ id: String) -> Article? { articles.first { $0.id == id } }

    /// What one costs today.
    func price(_ article: Article, in country: Country) -> Int {
        prices["\(article.id)/\(country.code)"] ?? country.rounded(article.price)
    }

    func consent(in country: Country) -> ConsentTerms {
        consent[country.code] ?? ConsentTerms(builtIn: country)
    }

    /// Whether something is sold today; Sandbox may ignore what was set, and not that something
    /// was deleted (TAB-11).
    func sells(_ id: String, in country: Country, to name: Account.Name) -> Bool {
        guard !deleted.contains(id) else { return false }
        if name.isSandbox, terms.sandboxSellsAll { return true }
        return isForSale["\(id)/*"] != false && isForSale["\(id)/\(country.code)"] != false
    }
}
