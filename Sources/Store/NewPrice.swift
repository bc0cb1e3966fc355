import SubscriptionRules

/// A new price that an event is about, as the journal tells it: of the plan, all lines together.
struct NewPrice {
    /// In milliunits.
    var old: Int64
    var new: Int64
    /// The renewal that first charges it; nil while none is planned, and for a decrease.
    var from: Instant?

    /// - Returns: nil for an event that is about no price.
    init?(_ event: Event, from before: Subscription, to after: Subscription) {
        switch event {
        case .priceWasChanged, .answeredPriceIncrease: break
        case .becameDue where !after.increases.isEmpty: break
        default: return nil
        }
        var plan = before.plan
        if case .priceWasChanged(let sku, _) = event, plan.line(sku) == nil,
            let next = before.nextPlan
        {
            plan = next
        }
        old = plan.price.milliunits
        from = after.increases.values.compactMap { $0.schedule?.renewal }.min()
        switch event {
        case .priceWasChanged(let sku, let price):
            new = plan.price(with: [sku: price])
        case .answeredPriceIncrease:
            guard !after.increases.isEmpty else { return nil }
            new = plan.price(with: after.increases.mapValues(\.price))
        case .becameDue:
            // Only the announcement is about the new price.
            let announced = after.increases.filter { sku, increase in
                increase.isAccepted != nil && before.increases[sku]?.isAccepted == nil
            }
            guard !announced.isEmpty else { return nil }
            new = plan.price(with: announced.mapValues(\.price))
        default: return nil
        }
    }
}

extension Plan {
    /// What it costs with other prices of some lines, in milliunits.
    fileprivate func price(with prices: [String: Int64]) -> Int64 {
        lines.reduce(0) { $0 + (prices[$1.sku] ?? $1.price) }
    }
}
