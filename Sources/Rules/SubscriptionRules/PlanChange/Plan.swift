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

    /// One thing that a plan delivers.
    public struct Line: Hashable, Sendable {
        /// The product identifier, or the merchant's own SKU.
        public var sku: String
        /// The price that was agreed for a period, in milliunits, offers aside.
        public var price: Int64
        /// The offer that applies to this period of it.
        @Rare public var offer: AppliedOffer?
        /// The offer that begins at the renewal after the running one is used up: a code that
        /// follows the introductory offer (COD-3), or what was redeemed in a running period, which
        /// begins at the next renewal (PRO-2).
        @Rare public var nextOffer: AppliedOffer?
        /// A higher price that went live while the plan was waiting for the renewal, in
        /// milliunits: its first period costs what was shown, and then the increase takes its
        /// course (PRC-5). Nil in a plan that runs.
        public var raised: Int64?
        /// What a merchant says of its own item; nil for the catalogue's products.
        @Rare public var texts: DisplayTexts?
        /// In a plan that waits for the renewal, whose place a merchant's item takes there, be it
        /// its own; nil otherwise.
        public var replaces: String?

        public init(
            sku: String, price: Int64, offer: AppliedOffer? = nil, nextOffer: AppliedOffer? = nil,
            raised: Int64? = nil, texts: DisplayTexts? = nil, replaces: String? = nil
        ) {
            self.replaces = replaces
            self.texts = texts
            self.sku = sku
            self.price = price
            self.offer = offer
            self.nextOffer = nextOffer
            self.raised = raised
        }

        /// What this period of it costs, in milliunits: the offer's price while one runs.
        public var amount: Int64 { offer?.price ?? price }

        /// The same line one period later, as far as offers go.
        var afterRenewal: Line {
            var line = self
            if let goesOn = offer?.next {
                line.offer = goesOn
            } else {
                (line.offer, line.nextOffer) = (nextOffer, nil)
            }
            return line
        }

        /// Whether a plan that waits for the renewal gives a merchant's item an offer that does not
        /// go on from now.
        func isGivenOffer(in next: Plan?) -> Bool {
            guard let line = next?.lines.first(where: { ($0.replaces ?? $0.sku) == sku }),
                line.texts != nil, let offer = line.offer
            else { return false }
            return offer != afterRenewal.offer
        }

        /// The same line with an offer that begins at the next renewal, in the place of what is
        /// left of the running one and of any that was to follow (PRO-2).
        func redeeming(_ redeemed: AppliedOffer) -> Line {
            var line = self
            line.offer?.periodsLeft = 0
            line.nextOffer = redeemed
            return line
        }
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

    /// How long this period lasts: as long as the offer that all of it is in (CAL-12). An offer on
    /// some of several lines changes what they cost and not how long the others last (LIN-2).
    public var length: CalendarPeriod { sharedLength(of: \.offer) ?? period }

    /// Whether no offer ends on another day than a period of the plan, and none goes on while
    /// others are over: what a merchant may give to its items (ACM-3).
    public var isAligned: Bool { sharedLength(of: \.offer) != nil || hasOffersOfItsPeriod }

    /// Whether every offer lasts as long as the plan's periods.
    var hasOffersOfItsPeriod: Bool {
        lines.allSatisfy { $0.offer.map { $0.runningLength == period } ?? true }
    }

    /// The length of the offers that all lines have alike, with as many periods left; nil where
    /// they differ, or one has none.
    private func sharedLength(of offer: (Line) -> AppliedOffer?) -> CalendarPeriod? {
        guard let first = offer(lines[0]) else { return nil }
        let isShared = lines.dropFirst().allSatisfy { line in
            offer(line).map {
                ($0.runningLength, $0.periodsLeft) == (first.runningLength, first.periodsLeft)
            } ?? false
        }
        return isShared ? first.runningLength : nil
    }

    /// The offer of a plan of one line.
    public var onlyOffer: AppliedOffer? { lines.count == 1 ? lines[0].offer : nil }

    /// Whether an offer comes with it, for this period or a later one.
    var hasOffer: Bool { lines.contains { $0.offer != nil || $0.nextOffer != nil } }

    /// The line of a SKU; nil when it is not delivered.
    public func line(_ sku: String) -> Line? { lines.first { $0.sku == sku } }

    /// The offer of a line with periods as long as they are here: beside lines with others, or with
    /// none, those of the plan.
    func counted(_ line: Line, _ kind: KeyPath<Line, AppliedOffer?>) -> AppliedOffer? {
        guard var offer = line[keyPath: kind], sharedLength(of: { $0[keyPath: kind] }) == nil
        else { return line[keyPath: kind] }
        (offer.period, offer.wholePeriod) = (period, period)
        return offer
    }

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
