import SubscriptionRules

/// A new price that an event is about, as the journal tells it: of the plan, all lines together.
struct NewPrice {
    /// In milliunits.
    var old: Int64
    var new: Int64
    /// The renewal that first charges it; nil while none is planned, for a decrease, and where the
    /// subscription renews as another plan, which begins before.
    var from: Instant?
    /// The product of a plan that waits for the renewal, where it is the price of that.
    var waitingProductID: String?

    /// - Returns: nil for an event that is about no price.
    init?(_ event: Event, from before: Subscription, to after: Subscription) {
        switch event {
        case .chosePlan:
            // What waits was chosen again, and costs what it costs today.
            guard let waiting = before.nextPlan, let chosen = after.nextPlan,
                chosen.delivers(sameAs: waiting), chosen.price != waiting.price
            else { return nil }
            (old, new) = (waiting.price.milliunits, chosen.price.milliunits)
            waitingProductID = chosen.productID
            return
        case .priceWasChanged, .answeredPriceIncrease: break
        case .becameDue where !after.increases.isEmpty: break
        default: return nil
        }
        var plan = before.plan
        if case .priceWasChanged(let sku, _, let billing) = event,
            plan.line(sku) == nil || plan.billing != billing, let next = before.nextPlan
        {
            plan = next
            waitingProductID = next.productID
        }
        old = plan.price.milliunits
        from = after.comingIncreases.compactMap { $0.increase.schedule?.renewal }.min()
        switch event {
        case .priceWasChanged(let sku, let price, _):
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
