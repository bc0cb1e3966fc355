import SubscriptionRules

/// Whether an offer can be what its maker wants (OFF-4, TAB-5.2).
struct OfferCheck {
    let offer: Offer
    let product: Product
    let terms: SubscriptionTerms
    let now: Instant
    /// Where a day begins.
    let zone: BillingZone

    /// How many offers of a kind a product can have at a time (TAB-5.2).
    private var most: Int {
        switch offer.kind {
        case .introductory: Int.max
        case .promotional, .offerCode: 10
        case .winBack: 350
        }
    }

    /// - Throws: `StoreError.setting(.invalid)`.
    func run() throws(StoreError) {
        guard !offer.isForMonthlyBilling || terms.monthlyBilling != nil else {
            throw StoreError.purchase(.notBilledMonthly(product.id, in: nil))
        }
        try checkName()
        try checkLength()
        try checkPrices()
        try checkAvailability()
        try checkTerms()
    }

    private func refuse(_ field: String, _ reason: String) -> StoreError {
        .setting(.invalid(field, reason: reason))
    }

    private func checkName() throws(StoreError) {
        let field = offer.kind == .introductory ? "referenceName" : "id"
        guard !offer.name.isEmpty else {
            throw refuse(
                field,
                offer.kind == .introductory
                    ? "say one: an introductory offer has no id, and is told apart by this name"
                    : "say the identifier by which apps ask for the offer")
        }
        guard Offer.isName(offer.name) else { throw refuse(field, Offer.nameRule) }
        guard !terms.offers.contains(where: { $0.kind == offer.kind && $0.name == offer.name })
        else { throw refuse(field, "the product has an offer of this name, or had it") }
    }

    private func checkLength() throws(StoreError) {
        switch offer.mode {
        case .freeTrial, .payUpFront:
            guard offer.periodCount == 1 else {
                throw refuse("periodCount", "only what is paid as one goes has several periods")
            }
            guard Offer.lengths.contains(offer.period),
                offer.mode == .freeTrial || offer.period.months != nil
            else {
                throw refuse(
                    "period",
                    offer.mode == .freeTrial
                        ? "it must be P3D, P1W, P2W, P1M, P2M, P3M, P6M or P1Y"
                        : "it must be P1M, P2M, P3M, P6M or P1Y")
            }
        case .payAsYouGo:
            let period = offer.isForMonthlyBilling ? CalendarPeriod.month : terms.period
            guard offer.period == period else {
                throw refuse("period", "each period is as long as the plan's, \(period.iso8601)")
            }
            guard (1...12).contains(offer.periodCount),
                offer.wholePeriod.months ?? 0 <= 12
            else {
                throw refuse("periodCount", "it must be 1 to 12, and a year at most in all")
            }
        }
    }

    private func checkPrices() throws(StoreError) {
        if offer.mode == .freeTrial {
            guard offer.basePrice == 0, offer.prices.isEmpty else {
                throw refuse("price", "what is free has no price")
            }
            return
        }
        guard
            let standard = offer.isForMonthlyBilling
                ? terms.monthlyBilling?.basePrice : product.basePrice
        else { return }
        try check(offer.basePrice, below: standard)
        for (code, price) in offer.prices.sorted(by: { $0.key < $1.key }) {
            guard let storefront = Storefront(code: code) else {
                throw .unknown(.storefront, code)
            }
            try storefront.currency.checkPrice(price)
            try check(
                price, below: product.price(offer.billing, in: storefront)?.milliunits ?? 0)
        }
    }

    /// What is paid as one goes costs less than the plan; what is paid up front may cost more.
    private func check(_ price: Int64, below standard: Int64) throws(StoreError) {
        guard (1...Catalogue.largestPrice).contains(price) else {
            throw refuse("price", "it must be 1 to \(Catalogue.largestPrice) milliunits")
        }
        guard offer.mode == .payUpFront || price < standard else {
            throw refuse("price", "it must be less than the plan's own, \(standard) milliunits")
        }
    }

    private func checkAvailability() throws(StoreError) {
        let availability = offer.availability
        try availability.check(at: now)
        let others = terms.offers.filter { $0.kind == offer.kind && !$0.isOver(at: now) }
        guard others.count < most else {
            throw refuse("type", "a product has \(most) offers of this kind at a time at most")
        }
        switch offer.kind {
        case .introductory: try checkIntroductory(among: others)
        case .winBack:
            let tomorrow = zone.startOfDay(after: now)
            guard let begins = availability.begins, begins >= tomorrow else {
                throw refuse(
                    "begins",
                    "a win-back offer begins tomorrow at the earliest: say a moment from "
                        + "\(tomorrow.iso8601) on")
            }
            guard others.count(where: { $0.availability.overlaps(availability) }) < 5 else {
                throw refuse("begins", "a storefront has 5 win-back offers of a product at a time")
            }
        case .promotional, .offerCode: break
        }
    }

    /// A product has one introductory offer now and one to come in a storefront (TAB-5.2).
    private func checkIntroductory(among others: [Offer]) throws(StoreError) {
        let availability = offer.availability
        let others = others.filter {
            $0.billing == offer.billing && $0.availability.sharesStorefront(with: availability)
        }
        if let other = others.first(where: { $0.availability.overlaps(availability) }) {
            throw refuse(
                "begins",
                "a storefront has one introductory offer at a time, and then it has \(other.name) "
                    + "already: say when this one begins, after that one ends, or end that one "
                    + "first")
        }
        guard availability.isToCome(at: now),
            let other = others.first(where: { $0.availability.isToCome(at: now) })
        else { return }
        throw refuse(
            "begins",
            "a storefront has one introductory offer now and one to come, and \(other.name) is to "
                + "come already: end it, or wait until it has begun")
    }

    private func checkTerms() throws(StoreError) {
        guard (offer.kind == .offerCode) == !offer.audiences.isEmpty else {
            throw refuse(
                "audiences",
                offer.kind == .offerCode
                    ? "say who may redeem its codes: new, existing, expired"
                    : "only offer codes have audiences")
        }
        guard (offer.kind == .winBack) == (offer.winBack != nil) else {
            throw refuse(
                "winBack",
                offer.kind == .winBack
                    ? "say who may be won back: paidMonths, 1 to 60, is the least paid service"
                    : "only win-back offers say who may be won back")
        }
        guard let winBack = offer.winBack else { return }
        guard WinBackTerms.paidRange.contains(winBack.paidMonths) else {
            throw refuse("paidMonths", "it must be 1 to 60, the least paid service in months")
        }
        if let since = winBack.monthsSinceEnd {
            let range = WinBackTerms.sinceEndRange
            guard range.contains(since.lowerBound), range.contains(since.upperBound) else {
                throw refuse("monthsSinceEnd", "both must be 1 to 24")
            }
        }
        if let wait = winBack.waitMonths, !WinBackTerms.waitRange.contains(wait) {
            throw refuse("waitMonths", "it must be 2 to 24")
        }
    }
}
