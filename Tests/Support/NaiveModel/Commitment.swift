/// How a subscription is paid: each period when it begins, or a year month by month, to all of
/// whose months whoever begins it has agreed (CMT-1).
public enum Billing: String, Hashable, Sendable { case upFront, monthly }

/// A year as it is sold month by month.
public struct MonthlyPlan: Hashable, Sendable {
    /// What a month costs, as a number that is rounded in each currency.
    public var price: Int
    public var introduction: Discount?
    /// Whether anybody may begin it.
    public var isSold = true

    public init(price: Int, introduction: Discount? = nil) {
        self.price = price
        self.introduction = introduction
    }
}

/// What a receipt of a month says of its commitment.
public struct MonthOfCommitment: Hashable, Sendable {
    /// From 1 to 12.
    public var number: Int
    public var of: Int
    public var ends: Int
    /// What all twelve cost.
    public var price: Int

    public init(number: Int, of: Int = 12, ends: Int, price: Int) {
        self.number = number
        self.of = of
        self.ends = ends
        self.price = price
    }
}

/// What is said of the time after a commitment.
public struct NextCommitment: Hashable, Sendable {
    public var product: String
    public var renews: Bool
    public var billing: Billing
    public var at: Int
    public var price: Int

    public init(product: String, renews: Bool, billing: Billing, at: Int, price: Int) {
        self.product = product
        self.renews = renews
        self.billing = billing
        self.at = at
        self.price = price
    }
}

extension HeldPlan {
    /// The number of the first period as a month of a commitment: what is free or paid at once
    /// comes before it.
    var firstMonth: Int? {
        guard billing == .monthly else { return nil }
        return offer.map { $0.mode == .payAsYouGo } ?? true ? 1 : nil
    }
}

extension Life {
    /// Whether the next renewal is owed: it is a month of a commitment that runs.
    public var owesMonth: Bool { !isOver && month.map { $0 < 12 } ?? false }
}

extension Shop {
    /// Whether a plan is sold as it is paid: by the month not in all countries, and there Sandbox
    /// is no exception.
    func sells(_ id: String, _ billing: Billing, in country: Country, to name: Account.Name) -> Bool
    {
        guard sells(id, in: country, to: name) else { return false }
        guard billing == .monthly else { return true }
        return article(id)?.monthly?.isSold == true && !["USA", "SGP"].contains(country.code)
    }

    /// What one costs today, paid in one way or the other.
    func price(_ article: Article, _ billing: Billing, in country: Country) -> Int {
        guard billing == .monthly else { return price(article, in: country) }
        return prices[Shop.key(article.id, billing, country)]
            ?? country.rounded(article.monthly?.price ?? 0)
    }

    /// Where the price of a country is kept.
    public static func key(_ id: String, _ billing: Billing, _ country: Country) -> String {
        "\(id)\(billing == .monthly ? " monthly" : "")/\(country.code)"
    }
}

/// The periods of a life to come, one after the other, if nothing comes in between.
struct Ahead {
    private(set) var plan: HeldPlan
    private(set) var month: Int?
    private(set) var start: Int
    private(set) var end: Int
    /// How many renewals lie before the end.
    private(set) var renewals = 0
    private var counting: Counting
    private let account: Account.Name
    /// How long a month of the running commitment is in Sandbox: as long as this one was to be.
    private let shortMonth: Int
    private var isFirstTerm = true

    init(_ life: Life) {
        (plan, month, start, end) = (life.plan, life.month, life.start, life.end)
        (counting, account) = (life.counting, life.account)
        shortMonth = life.end - life.extended - life.start
    }

    /// Whether what comes after the period may cost more, or be something else.
    var isEndOfTerm: Bool { month.map { $0 == 12 } ?? true }

    mutating func goOn(_ store: NaiveStore) {
        let isOwed = !isEndOfTerm
        (start, renewals) = (end, renewals + 1)
        plan = isOwed ? plan.afterMonth : plan.afterwards
        if !isOwed { isFirstTerm = false }
        month = isOwed ? month! + 1 : plan.firstMonth
        if isOwed, isFirstTerm, account.isSandbox {
            counting.elapsed += shortMonth
            end += shortMonth
        } else {
            end = store.count(plan.lasts, from: end, &counting, for: account)
        }
    }

    mutating func toEndOfTerm(_ store: NaiveStore) {
        while !isEndOfTerm { goOn(store) }
    }
}

extension NaiveStore {
    /// When the running commitment is over; nil where there is none.
    public func commitmentEnd(of life: Life) -> Int? {
        guard life.month != nil else { return nil }
        var ahead = Ahead(life)
        ahead.toEndOfTerm(self)
        return ahead.end
    }

    /// What comes after the running commitment.
    func nextCommitment(of life: Life) -> NextCommitment? {
        guard !life.isOver, life.month != nil else { return nil }
        var ahead = Ahead(life)
        ahead.toEndOfTerm(self)
        let next = life.waiting ?? ahead.plan.afterwards
        var price = next.billing == .monthly ? 12 * next.price : next.cost
        if life.waiting == nil, let increase = life.increases[life.plan.product],
            increase.isAnnounced, !increase.isDeclined,
            life.account.isSandbox
                ? increase.isDue(at: ahead.end, isSandbox: true)
                : increase.renewalsBefore == ahead.renewals
        {
            price = 12 * increase.price
        }
        return NextCommitment(
            product: next.product, renews: life.renews, billing: next.billing, at: ahead.end,
            price: price)
    }

    /// The operator says what a month of a year costs, and whether anybody may begin it.
    public mutating func setMonthly(_ product: String, price: Int, isSold: Bool) -> Outcome {
        guard let place = shop.articles.firstIndex(where: { $0.id == product }) else {
            return .unknownProduct
        }
        guard !shop.deleted.contains(product) else { return .productDeleted }
        var monthly = shop.articles[place].monthly ?? MonthlyPlan(price: price)
        (monthly.price, monthly.isSold) = (price, isSold)
        shop.articles[place].monthly = monthly
        return .done
    }
}
