/// One of the things that a plan delivers, at the price that was agreed.
public struct HeldLine: Hashable, Sendable {
    /// The product, or a name that the merchant gave it.
    public var sku: String
    /// What a period of it costs, discounts aside.
    public var price: Int
    /// The discount of this period of it, and how many discounted periods come after this one.
    public var offer: Discount?
    public var offersLeft = 0
    /// The discount that comes after that one.
    public internal(set) var upcoming: Discount?
    /// A higher price that came up while this was waiting for a renewal.
    public internal(set) var raised: Int?
    /// What customers read.
    public internal(set) var name: String
    /// Of a merchant's item that comes with the renewal, whose place it takes, be it its own.
    public internal(set) var replaces: String?

    public init(sku: String, price: Int, offer: Discount? = nil, name: String? = nil) {
        self.sku = sku
        self.price = price
        self.name = name ?? sku
        self.offer = offer
        offersLeft = offer.map { $0.count - 1 } ?? 0
    }

    /// What this period of it costs.
    public var cost: Int { offer?.price ?? price }

    /// The item that it is until the renewal.
    var origin: String { replaces ?? sku }

    /// Whether its discount begins with this period.
    var beginsOffer: Bool { offer.map { offersLeft == $0.count - 1 } ?? false }

    /// The same in the period after this one.
    var afterwards: HeldLine {
        var line = self
        if offer != nil, offersLeft > 0 {
            line.offersLeft -= 1
            return line
        }
        (line.offer, line.upcoming) = (upcoming, nil)
        line.offersLeft = upcoming.map { $0.count - 1 } ?? 0
        return line
    }

    /// The same a month later in a commitment: of what comes after it only a discount that is paid
    /// month by month begins there.
    var afterMonth: HeldLine {
        if offer != nil && offersLeft > 0 || upcoming?.mode == .payAsYouGo { return afterwards }
        var line = self
        (line.offer, line.offersLeft) = (nil, 0)
        return line
    }
}

/// A plan as a customer has it: the product, and what of it at the prices that were shown when it
/// was chosen. An ordinary one delivers its product and nothing else.
public struct HeldPlan: Hashable, Sendable {
    public var product: String
    public var length: Length
    public var lines: [HeldLine]
    public var billing = Billing.upFront
    /// Whether a merchant describes it itself, the length as well.
    public internal(set) var isMerchants = false
    /// What customers read of a merchant's plan as a whole.
    public internal(set) var title = "Mine"
    /// Which of all requests made a merchant's plan what it is.
    var request = 0

    /// What a period costs, discounts aside.
    public var price: Int { lines.reduce(0) { $0 + $1.price } }

    /// What this period costs.
    public var cost: Int { lines.reduce(0) { $0 + $1.cost } }

    public var skus: Set<String> { Set(lines.map(\.sku)) }

    public func line(_ sku: String) -> HeldLine? { lines.first { $0.sku == sku } }

    /// The discount of a plan that delivers one thing.
    public var offer: Discount? { lines.count == 1 ? lines[0].offer : nil }

    /// How long this period lasts: as long as the discount of everything that it delivers (CAL-12).
    /// Beside others a discount changes what is paid and no date.
    var lasts: Length { discountsOfAll.first ?? length }

    /// How long the discount lasts that all lines have, with as much of it left; else nothing.
    private var discountsOfAll: [Length] {
        let lengths = Set(lines.map { $0.offer?.length })
        let left = Set(lines.map(\.offersLeft))
        return lengths.count == 1 && left.count == 1 ? lengths.compactMap(\.self) : []
    }

    /// Whether discounts end when a period does.
    var isAligned: Bool { !discountsOfAll.isEmpty || discountsFitPeriods }

    var discountsFitPeriods: Bool { lines.compactMap(\.offer).allSatisfy { $0.length == length } }

    /// Whether nothing of it is paid for in this period, since all of it is on trial.
    var isTrial: Bool { lines.allSatisfy { $0.offer?.mode == .trial } }

    /// Whether anything of it comes cheaper for a while.
    var hasOffer: Bool { lines.contains { $0.offer != nil } }

    /// Whether somebody who has the one has the other, at whatever price.
    func isSame(as other: HeldPlan) -> Bool {
        product == other.product && billing == other.billing && skus == other.skus
            && (!isMerchants || length == other.length)
    }

    /// The plan in the period after this one.
    var afterwards: HeldPlan {
        var plan = self
        plan.lines = lines.map(\.afterwards)
        return plan
    }

    /// The plan a month later in a commitment.
    var afterMonth: HeldPlan {
        var plan = self
        plan.lines = lines.map(\.afterMonth)
        return plan
    }

    /// The plan as those get it who are not new in the group.
    var withoutIntroduction: HeldPlan {
        var plan = self
        for place in lines.indices where lines[place].offer?.name == nil {
            (plan.lines[place].offer, plan.lines[place].offersLeft) = (nil, 0)
        }
        return plan
    }

    /// What takes the place of an item at the renewal.
    func successor(of sku: String) -> HeldLine? { lines.first { $0.origin == sku } }

    /// Whether two plans renew as the same, whichever requests made them.
    func renews(as other: HeldPlan) -> Bool {
        var (plan, others) = (self, other)
        guard plan.lines.count == others.lines.count, Set(plan.lines) == Set(others.lines) else {
            return false
        }
        (plan.lines, others.lines) = ([], [])
        (plan.request, others.request) = (0, 0)
        return plan == others
    }

    /// An item renews as it is, whatever was to become of it.
    mutating func restore(_ sku: String, of plan: HeldPlan) {
        guard let line = plan.line(sku)?.afterwards else { return }
        let place =
            lines.firstIndex { $0.origin == sku } ?? lines.firstIndex { $0.sku == sku }
        if let place { lines[place] = line } else { lines.append(line) }
    }

    /// A merchant's plan as it runs, none of its items in the place of another any more.
    var settled: HeldPlan {
        var plan = self
        for place in lines.indices { plan.lines[place].replaces = nil }
        return plan
    }

    mutating func setRaised(_ price: Int?, of sku: String) {
        for place in lines.indices where lines[place].sku == sku { lines[place].raised = price }
    }

    mutating func setPrice(_ price: Int, of sku: String) {
        for place in lines.indices where lines[place].sku == sku { lines[place].price = price }
    }
}

/// That an offer was taken up.
public struct OfferTaken: Hashable, Sendable {
    /// Nil for an introductory one.
    public var name: String?
    public var at: Int
}
