extension Plan {
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

    /// The offer of a line with periods as long as they are here: beside lines with others, or with
    /// none, those of the plan.
    func counted(_ line: Line, _ kind: KeyPath<Line, AppliedOffer?>) -> AppliedOffer? {
        guard var offer = line[keyPath: kind], sharedLength(of: { $0[keyPath: kind] }) == nil
        else { return line[keyPath: kind] }
        (offer.period, offer.wholePeriod) = (period, period)
        return offer
    }
}
