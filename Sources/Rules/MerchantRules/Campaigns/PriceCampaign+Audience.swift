import SubscriptionRules

extension PriceCampaign {
    /// The new prices of a subscriber's items, those that change only.
    ///
    /// - Throws: why the campaign does not reach the subscriber; of several reasons the first in
    ///   the order of the checks.
    func newPrices(for subscriber: CampaignSubscriber) throws(LeftOutReason) -> [String: Int64] {
        guard environments.contains(subscriber.environment) else { throw .otherEnvironment }
        if subscriber.isFamilyMember { throw .familyMember }
        if subscriber.status == .expired || subscriber.status == .revoked { throw .ended }
        let isOfRoute = subscriber.isAdvancedCommerce == (route != .appStoreConnect)
        guard isOfRoute else { throw .otherRoute }
        if let account = subscriber.account, exclusions.accounts.contains(account) {
            throw .excludedAccount
        }
        if exclusions.storefronts.contains(subscriber.storefront) { throw .excludedStorefront }
        let prices = try targetPrices(for: subscriber)
        var (changes, reasons): ([String: Int64], Set<LeftOutReason>) = ([:], [])
        for item in subscriber.items {
            guard let price = prices[item.sku] else { continue }
            if let reason = reason(against: price, of: item, in: subscriber.storefront) {
                reasons.insert(reason)
            } else {
                changes[item.sku] = price
            }
        }
        guard changes.isEmpty else { return changes }
        let order: [LeftOutReason] = [.noIncreasesInStorefront, .paysMore, .paysLess]
        throw order.first(where: reasons.contains) ?? .paysItAlready
    }

    /// What the campaign would have each item cost.
    private func targetPrices(
        for subscriber: CampaignSubscriber
    ) throws(LeftOutReason) -> [String: Int64] {
        let named = subscriber.items.map(\.sku).filter { targets[$0] != nil }
        if named.isEmpty { throw .otherProduct }
        var wanted = named.filter { !exclusions.products.contains($0) }
        if exclusions.products.contains(subscriber.productID) { wanted = [] }
        if wanted.isEmpty { throw .excludedProduct }
        var prices: [String: Int64] = [:]
        for sku in wanted {
            guard let price = targets[sku]?[subscriber.storefront] else { continue }
            guard price >= 0, subscriber.currency.allows(price) else { throw .priceNotAllowed }
            prices[sku] = price
        }
        if prices.isEmpty { throw .otherStorefront }
        return prices
    }

    private func reason(
        against price: Int64, of item: CampaignSubscriber.Item, in storefront: String
    ) -> LeftOutReason? {
        if price == item.price { return .paysItAlready }
        guard price > item.price else { return direction == .increases ? .paysMore : nil }
        if direction == .decreases { return .paysLess }
        return route.takesIncreases(in: storefront) ? nil : .noIncreasesInStorefront
    }

    /// Whom another campaign that runs for the same subscriber leaves to it; nil where this one
    /// takes its place.
    public var reasonWhereAnotherRuns: LeftOutReason? {
        switch whenAnotherRuns {
        case .refuse: .otherCampaignRuns
        case .supersede: nil
        }
    }
}
