import SubscriptionRules

extension App {
    /// The win-back offers that a lapsed subscriber can have now, best first: those of high
    /// priority, then those of the product that was subscribed to, then in catalogue order
    /// (WIN-2).
    func winBackOffers(for record: SubscriptionRecord, at now: Instant) -> [String] {
        guard record.subscription.isOver else { return [] }
        // Whichever Sandbox speed it is, no time is counted there (SBX-6).
        let conditions = Conditions(
            zone: settings.billingZone,
            tempo: record.environment == .sandbox ? .sandbox(.fiveMinutes) : .real,
            storefront: record.storefront.code)
        var found: [(id: String, rank: Int)] = []
        for product in catalogue.products {
            guard let terms = product.subscription, terms.groupID == record.subscription.groupID,
                terms.offers.contains(where: { $0.kind == .winBack }),
                isForSale(product.id, in: record.storefront, record.environment)
            else { continue }
            let isOwn = product.id == record.subscription.plan.productID
            for offer in terms.offers where offer.kind == .winBack {
                guard let plan = product.plan(offer.billing, in: record.storefront),
                    isForSale(plan, in: record.storefront, record.environment)
                else { continue }
                let refusal = offer.refusal(
                    of: plan, for: record.subscription, at: now, under: conditions)
                guard refusal == nil, !found.contains(where: { $0.id == offer.id }) else {
                    continue
                }
                let isUrgent = offer.winBack?.priority == .high
                found.append((offer.id, (isUrgent ? 0 : 2) + (isOwn ? 0 : 1)))
            }
        }
        return found.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.id)
    }
}
