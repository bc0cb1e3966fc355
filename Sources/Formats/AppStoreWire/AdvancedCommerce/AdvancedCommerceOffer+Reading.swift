extension AdvancedCommerceOffer {
    /// Reads an offer on an item of `itemPrice` milliunits.
    init(reading object: RequestObject, itemPrice: Int64) throws(APIError) {
        let period: AdvancedCommerceOfferPeriod = try object.choice(
            "period", or: Refusal.nullOfferPeriod, unknown: Refusal.invalidOfferPeriod)
        let count = try object.number("periodCount", or: Refusal.nullPeriodCount)
        try object.require(count > 0, or: Refusal.periodCountNotPositive)
        let limits = AdvancedCommerceLimit.offerPeriods
        guard let count = Int(exactly: count), limits.contains(count) else {
            throw object.refusal(Refusal.invalidOfferPeriodCount)
        }
        let price = try object.price()
        let reason: AdvancedCommerceOfferReason = try object.choice(
            "reason", or: Refusal.nullReason, unknown: Refusal.invalidOfferReason)
        try object.require(price <= itemPrice, or: Refusal.invalidOfferPrice)
        try object.require(
            price > 0 || count == 1, or: Refusal.freeTrialOfferMustUsePeriodCountOfOne)
        self.init(period: period, periodCount: count, price: price, reason: reason)
    }
}

extension RequestObject {
    /// The offer on an item of `itemPrice` milliunits, if it has one.
    func offer(itemPrice: Int64) throws(APIError) -> AdvancedCommerceOffer? {
        guard let object = try object("offer") else { return nil }
        return try AdvancedCommerceOffer(reading: object, itemPrice: itemPrice)
    }
}
