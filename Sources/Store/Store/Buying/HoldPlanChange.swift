import SubscriptionRules

extension UnitOfWork {
    /// Puts a change of plan aside that somebody else lets happen, where the customer's are such.
    /// Nobody is asked for the plan that runs, by which a waiting change is withdrawn, nor for
    /// what waits for the bank.
    ///
    /// - Returns: what waits now; nil where nothing need.
    /// - Throws: what the change itself throws, and `StoreError.purchase(.paymentsNotAllowed)`.
    func hold(
        _ changes: [SubscriptionChange], of id: Int64, by device: DeviceSession
    ) throws -> HeldPurchase? {
        // Whatever the subscription refuses is refused by it, and so is what is shared or unknown.
        guard try SubscriptionRecord.exists(id, in: session) else { return nil }
        let one = try load(id)
        guard one.customer.hold != nil || !one.customer.canMakePayments,
            one.record.customer == device.customer, one.record.app == device.app,
            !one.record.subscription.isOver, one.record.subscription.outstanding == nil,
            let chosen = changes.chosenPlan
        else { return nil }
        let plan = try one.plan(of: chosen.productID, chosen.billing)
        guard !plan.delivers(sameAs: one.record.subscription.plan) else { return nil }
        try one.checkChoice(of: plan, in: one.record.storefront)
        return try hold(
            PurchaseRequest(productID: chosen.productID, billing: plan.billing), of: one.customer,
            in: one.app, subscription: id)
    }
}

extension [SubscriptionChange] {
    fileprivate var chosenPlan: (productID: String, billing: BillingPlan?)? {
        compactMap { change -> (String, BillingPlan?)? in
            guard case .product(let id, let billing) = change else { return nil }
            return (id, billing)
        }.last
    }

    /// What happens at once beside a plan that waits: nothing beside one that was interrupted,
    /// which fails as a whole.
    func besides(_ held: HeldPurchase) -> [SubscriptionChange] {
        guard held.reason == .askToBuy else { return [] }
        return filter { change in
            if case .product = change { false } else { true }
        }
    }
}
