import SubscriptionRules

/// A new price that an event is about, as the journal tells it.
struct NewPrice {
    /// In milliunits.
    var old: Int64
    var new: Int64
    /// The renewal that first charges it; nil while none is planned, and for a decrease.
    var from: Instant?

    /// - Returns: nil for an event that is about no price.
    init?(_ event: Event, from before: Subscription, to after: Subscription) {
        var plan = before.plan
        if case .priceWasChanged(let id, _) = event, id != plan.productID,
            let next = before.nextPlan
        {
            plan = next
        }
        old = plan.price.milliunits
        from = after.increase?.schedule?.renewal
        switch event {
        case .priceWasChanged(_, let price): new = price
        case .answeredPriceIncrease:
            guard let increase = after.increase else { return nil }
            new = increase.price
        case .becameDue:
            // Only the announcement is about the new price.
            guard let increase = after.increase, increase.isAccepted != nil,
                before.increase?.isAccepted == nil
            else { return nil }
            new = increase.price
        default: return nil
        }
    }
}
