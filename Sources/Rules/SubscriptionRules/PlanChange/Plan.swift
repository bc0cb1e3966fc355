/// What a subscription delivers and charges each period: lines with one period.
///
/// An ordinary subscription has one line, its product. Prices and offers hang on the line; dates
/// and renewal hang on the subscription.
public struct Plan: Hashable, Sendable {
    /// The store product that is sold.
    public var productID: String
    /// The level of service in its group; 1 is the highest (GRP-3).
    public var level: Int
    /// How long one period lasts, offers aside: what one billing event buys.
    public var period: CalendarPeriod
    /// How it is paid. Billed monthly, a period is a month of a commitment (CMT-1).
    public var billing: BillingPlan
    /// What is delivered; never empty, and no SKU twice.
    public var lines: [Line]
    /// The currency of every price in the plan.
    public var currency: Currency
    /// What the merchant says of a plan of its own (ACM-1); nil for the catalogue's.
    @Rare public var merchant: MerchantPlan?

    public init(
        productID: String, level: Int, period: CalendarPeriod, billing: BillingPlan = .upFront,
        lines: [Line], currency: Currency, merchant: MerchantPlan? = nil
    ) {
        precondition(!lines.isEmpty, "a plan delivers at least one thing")
        self.merchant = merchant
        self.billing = billing
        self.productID = productID
        self.level = level
        self.period = period
        self.lines = lines
        self.currency = currency
    }

    /// A plan of one product at one price, the ordinary case.
    public init(
        productID: String, level: Int, period: CalendarPeriod, billing: BillingPlan = .upFront,
        price: Money, offer: AppliedOffer? = nil
    ) {
        self.init(
            productID: productID, level: level, period: period, billing: billing,
            lines: [Line(sku: productID, price: price.milliunits, offer: offer)],
            currency: price.currency)
    }

    /// The standard price of one period: what the lines cost together, offers aside.
    public var price: Money { Money(milliunits: lines.reduce(0) { $0 + $1.price }, currency) }

    /// What one period will cost once the higher prices are charged that went live while the plan
    /// was waiting for the renewal; nil where none did.
    public var raisedPrice: Money? {
        guard lines.contains(where: { $0.raised != nil }) else { return nil }
        return Money(milliunits: lines.reduce(0) { $0 + ($1.raised ?? $1.price) }, currency)
    }

    /// What this period costs, offers included.
    public var amount: Money { Money(milliunits: lines.reduce(0) { $0 + $1.amount }, currency) }

    /// The offer of a plan of one line.
    public var onlyOffer: AppliedOffer? { lines.count == 1 ? lines[0].offer : nil }

    /// Whether an offer comes with it, for this period or a later one.
    var hasOffer: Bool { lines.contains { $0.offer != nil || $0.nextOffer != nil } }

    /// The line of a SKU; nil when it is not delivered.
    public func line(_ sku: String) -> Line? { lines.first { $0.sku == sku } }

    /// Whether the same is delivered and paid in the same way, at whatever price. How long a
    /// merchant's plan lasts no product says.
    public func delivers(sameAs other: Plan) -> Bool {
        productID == other.productID && billing == other.billing
            && (merchant == nil || period == other.period)
            && lines.count == other.lines.count
            && lines.allSatisfy { other.line($0.sku) != nil }
    }

    /// The same plan with another price of a line, in milliunits.
    func repriced(_ sku: String, to price: Int64) -> Plan {
        changingLines { if $0.sku == sku { $0.price = price } }
    }

    /// A plan that waits for the renewal, when the price of a line went live: a lower one holds
    /// from the start (PRC-4), a higher one after the first period.
    func promised(_ sku: String, at price: Int64) -> Plan {
        changingLines { line in
            guard line.sku == sku else { return }
            line.raised = price > line.price ? price : nil
            line.price = min(line.price, price)
        }
    }

    /// The same plan with other lines.
    public func changingLines(_ change: (inout Line) -> Void) -> Plan {
        var plan = self
        for (place, old) in lines.enumerated() {
            var line = old
            change(&line)
            // Most stay, and a plan that stays is not copied.
            if line != old { plan.lines[place] = line }
        }
        return plan
    }
}
