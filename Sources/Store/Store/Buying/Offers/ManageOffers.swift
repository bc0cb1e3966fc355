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
            work, app, product in
            guard var terms = product.subscription else {
                throw StoreError.subscription(.notASubscription(productID))
            }
            try OfferCheck(
                offer: offer, product: product, terms: terms, now: work.now,
                zone: app.settings.billingZone
            ).run()
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
