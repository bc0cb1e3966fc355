/// What a modification may not ask for together, whatever the subscription has.
extension AdvancedCommerceSubscriptionModifyInAppRequest {
    private var added: [AdvancedCommerceSubscriptionModifyAddItem] { addItems ?? [] }
    private var changed: [AdvancedCommerceSubscriptionModifyChangeItem] { changeItems ?? [] }
    private var removed: [AdvancedCommerceSubscriptionModifyRemoveItem] { removeItems ?? [] }

    /// Something changes, each SKU once, and nothing is called as the whole is.
    func checkItems(_ object: RequestObject) throws(APIError) {
        let isEmpty = added.isEmpty && changed.isEmpty && removed.isEmpty
        guard !isEmpty || periodChange != nil || descriptors != nil else {
            throw Refusal.oneItemNeededInModify
        }
        // Who removes alone keeps the cycle, as Apple's own example does: the item goes with the
        // next renewal, and there is nothing that a new cycle could begin with.
        guard removed.isEmpty || retainBillingCycle || !added.isEmpty || !changed.isEmpty else {
            throw Refusal.removeItemsWithoutAddOrChangeItems
        }
        let touched =
            added.map { [$0.sku] } + changed.map { Array(Set([$0.currentSKU, $0.sku])) }
            + removed.map { [$0.sku] }
        try object.requireOnce(touched.flatMap { $0 })
        try object.requireOtherNames(
            added.map(\.displayName) + changed.map(\.displayName), than: descriptors?.displayName)
    }

    /// What happens at once and what waits for the next billing cycle fit each other.
    func checkTimes() throws(APIError) {
        let waits = changed.contains { $0.effective == .nextBillCycle }
        if let periodChange {
            guard !changed.isEmpty || !removed.isEmpty else {
                throw Refusal.missingUpdatedItemsWithPeriodChange
            }
            if periodChange.effective == .immediately {
                guard !retainBillingCycle else { throw Refusal.periodResetWithRetainBillingCycle }
                guard !waits else {
                    throw Refusal.periodChangeImmediateWithEffectiveAtNextBillingCycle
                }
            } else {
                let isNow = changed.contains { $0.effective == .immediately }
                guard added.isEmpty, !isNow else { throw Refusal.periodChangeEffectiveConflict }
                guard retainBillingCycle else { throw Refusal.billingCycleResetWithEffectiveLater }
            }
        }
        guard retainBillingCycle || !waits else {
            throw Refusal.billingCycleResetWithEffectiveLater
        }
        let isProrated =
            added.contains { $0.proratedPrice != nil }
            || changed.contains { $0.proratedPrice != nil }
        guard retainBillingCycle || !isProrated else { throw Refusal.invalidProratedPrice }
    }
}
