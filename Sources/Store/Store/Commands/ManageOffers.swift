import Journal
import Storage
public import SubscriptionRules

extension Store {
    /// Adds an offer to a subscription product (OFF-4). What it is cannot be changed afterwards:
    /// it is ended, and another one is made (INT-3).
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`,
    ///   `.subscription(.notASubscription)`, and `.setting(.invalid)` for what cannot be offered.
    public func createOffer(_ offer: Offer, of productID: String, bundleID: String) async throws {
        try await changeOffers(of: productID, bundleID, .createdOffer, about: offer.name) {
            work, _, product in
            guard var terms = product.subscription else {
                throw StoreError.subscription(.notASubscription(productID))
            }
            try OfferCheck(offer: offer, product: product, terms: terms, now: work.now).run()
            terms.offers.append(offer)
            product.subscription = terms
        }
    }

    /// Adds an offer to a product that is bought once (COD-6). What it is cannot be changed
    /// afterwards.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, and `.setting(.invalid)` for
    ///   what cannot be offered.
    public func createOffer(
        _ offer: OneTimeOffer, of productID: String, bundleID: String
    ) async throws {
        try await changeOffers(of: productID, bundleID, .createdOffer, about: offer.id) {
            work, app, product in
            try OneTimeOfferCheck(offer: offer, product: product, app: app, now: work.now).run()
            product.oneTimeOffers.append(offer)
        }
    }

    /// Ends an offer: nobody takes it up any more; who has done so has it to its end. One that has
    /// not begun is forgotten.
    ///
    /// - Parameter name: the offer's identifier; of an introductory one its reference name.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`,
    ///   `.purchase(.offer(.unknown))`.
    public func endOffer(
        _ kind: Offer.Kind, named name: String, of productID: String, bundleID: String
    ) async throws {
        try await changeOffers(of: productID, bundleID, .endedOffer, about: name) {
            work, _, product in
            guard var terms = product.subscription else {
                guard kind == .offerCode else {
                    throw StoreError.purchase(.offer(.unknown(name)))
                }
                return try product.endOneTimeOffer(name, at: work.now)
            }
            let place = terms.offers.lastIndex {
                $0.kind == kind && $0.name == name && !$0.isOver(at: work.now)
            }
            guard let place else { throw StoreError.purchase(.offer(.unknown(name))) }
            if let begins = terms.offers[place].availability.begins, begins > work.now {
                terms.offers.remove(at: place)
            } else {
                terms.offers[place].availability.ends = work.now
            }
            product.subscription = terms
        }
    }

    private func changeOffers(
        of productID: String, _ bundleID: String, _ kind: JournalEvent.Kind, about name: String,
        _ change: @escaping @Sendable (UnitOfWork, App, inout Product) throws -> Void
    ) async throws {
        // What was due before goes by the old offers.
        try await catchUp()
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard var product = app.product(productID) else {
                throw StoreError.unknown(.product, productID)
            }
            guard product.deleted == nil else {
                throw StoreError.setting(.productDeleted(productID))
            }
            try change(work, app, &product)
            try app.save(Catalogue(groups: [], products: [product]), in: work.session)
            work.record(kind) { entry in
                entry.app = app.id
                entry.event.note = name
                entry.event.detail.productID = productID
            }
            work.settingsChanged()
        }
    }
}

extension Offer {
    /// What the operator calls it: its identifier; of an introductory one, which has none, the
    /// reference name.
    public var name: String { id.isEmpty ? referenceName : id }

    /// What a name must be.
    static let nameRule = "it must be 1 to 64 bytes of text on one line"

    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && CatalogueText.line.allows(text)
            && InvisibleCharacter.all(in: text).isEmpty
    }

    /// Whether it can be taken up no more.
    public func isOver(at now: Instant) -> Bool { availability.isOver(at: now) }
}

extension OfferAvailability {
    func isOver(at now: Instant) -> Bool { ends.map { $0 <= now } ?? false }

    /// - Throws: `StoreError.setting(.invalid)` for an end that is past or before the beginning;
    ///   `.unknown(.storefront)`.
    func check(at now: Instant) throws(StoreError) {
        if let ends {
            guard ends > now else {
                throw .setting(.invalid("ends", reason: "it is not in the future"))
            }
            if let begins, begins >= ends {
                throw .setting(.invalid("ends", reason: "it must be later than begins"))
            }
        }
        if let unknown = storefronts?.sorted().first(where: { Storefront(code: $0) == nil }) {
            throw .unknown(.storefront, unknown)
        }
    }
}

/// Whether an offer can be what its maker wants (OFF-4, TAB-5.2).
private struct OfferCheck {
    let offer: Offer
    let product: Product
    let terms: SubscriptionTerms
    let now: Instant

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
        case .introductory:
            if let other = others.first(where: {
                $0.billing == offer.billing && $0.availability.overlaps(availability)
            }) {
                throw refuse(
                    "begins",
                    "the introductory offer \(other.name) can be had then: a storefront has one "
                        + "at a time")
            }
        case .winBack:
            guard others.count(where: { $0.availability.overlaps(availability) }) < 5 else {
                throw refuse("begins", "a storefront has 5 win-back offers of a product at a time")
            }
        case .promotional, .offerCode: break
        }
    }

    private func checkTerms() throws(StoreError) {
        guard (offer.kind == .offerCode) == !offer.audiences.isEmpty else {
            throw refuse(
                "audiences",
                offer.kind == .offerCode
                    ? "say who may redeem its codes: new, existing, expired"
                    : "only offer codes have audiences")
        }
        guard let winBack = offer.winBack else { return }
        guard winBack.paidMonths == 0 || WinBackTerms.paidRange.contains(winBack.paidMonths) else {
            throw refuse("paidMonths", "it must be 1 to 60, or 0 for anybody")
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
