import SubscriptionRules

/// Whether an offer of something that is bought once can be what its maker wants (COD-6).
struct OneTimeOfferCheck {
    let offer: OneTimeOffer
    let product: Product
    let app: App
    let now: Instant

    /// - Throws: `StoreError.setting(.invalid)`, `.unknown(.storefront)`.
    func run() throws(StoreError) {
        guard product.type != .autoRenewableSubscription else {
            throw refuse(
                "mode", "a subscription's offers are FREE_TRIAL, PAY_AS_YOU_GO or PAY_UP_FRONT")
        }
        guard Offer.isName(offer.id) else { throw refuse("id", Offer.nameRule) }
        guard offer.referenceName.isEmpty || Offer.isName(offer.referenceName) else {
            throw refuse("referenceName", Offer.nameRule)
        }
        guard product.oneTimeOffer(offer.id) == nil else {
            throw refuse("id", "the product has an offer of this name, or had it")
        }
        guard !offer.audiences.isEmpty else {
            throw refuse(
                "audiences",
                "say who may redeem its codes: nonSpender, activeSpender, churnedSpender")
        }
        try checkPrices()
        try offer.availability.check(at: now)
        let others = app.catalogue.products.flatMap(\.oneTimeOffers)
        guard
            others.count(where: { !$0.availability.isOver(at: now) }) < OneTimeOffer.mostPerApp
        else {
            throw refuse(
                "type",
                "an app has \(OneTimeOffer.mostPerApp) offers of what is bought once at a time at "
                    + "most")
        }
    }

    private func checkPrices() throws(StoreError) {
        try check(offer.basePrice, below: product.basePrice)
        for (code, price) in offer.prices.sorted(by: { $0.key < $1.key }) {
            guard let storefront = Storefront(code: code) else {
                throw .unknown(.storefront, code)
            }
            try storefront.currency.checkPrice(price)
            try check(price, below: product.price(in: storefront).milliunits)
        }
    }

    private func check(_ price: Int64, below standard: Int64) throws(StoreError) {
        guard 0 <= price, price < standard else {
            throw refuse("price", "it must be less than the product's own, \(standard) milliunits")
        }
    }

    private func refuse(_ field: String, _ reason: String) -> StoreError {
        .setting(.invalid(field, reason: reason))
    }
}

extension Product {
    /// Ends an offer; one that has not begun is forgotten.
    ///
    /// - Throws: `StoreError.purchase(.offer(.unknown))`.
    mutating func endOneTimeOffer(_ id: String, at now: Instant) throws(StoreError) {
        let place = oneTimeOffers.lastIndex {
            $0.id.utf8.elementsEqual(id.utf8) && !$0.availability.isOver(at: now)
        }
        guard let place else { throw .purchase(.offer(.unknown(id))) }
        if let begins = oneTimeOffers[place].availability.begins, begins > now {
            oneTimeOffers.remove(at: place)
        } else {
            oneTimeOffers[place].availability.ends = now
        }
    }
}
