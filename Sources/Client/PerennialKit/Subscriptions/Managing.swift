public import AppStoreWire

/// What the system's sheet for managing subscriptions does: without a system there is none, so an
/// app shows its own and says here what the customer chose.
extension Product.SubscriptionInfo.Status {
    /// What came of a change.
    public enum ChangeResult: Sendable {
        /// It was made; this is how the subscription stands now.
        case changed(Product.SubscriptionInfo.Status)
        /// Somebody else has to approve it first; once that was done it comes in
        /// ``Product/SubscriptionInfo/Status/updates(in:)``.
        case pending(Product.SubscriptionInfo.Status)
    }

    /// Turns renewal on or off. Of a commitment it counts when that ends: its months are paid
    /// anyway.
    public func setAutoRenew(_ isOn: Bool) async throws -> ChangeResult {
        try await change { $0.field("autoRenew", isOn) }
    }

    /// Chooses another product of the group, or the current one to withdraw a change that waits
    /// for the renewal. An upgrade is paid at once.
    ///
    /// - Parameter billingPlan: nil leaves the current product's as it is; any other product is
    ///   then paid up front.
    /// - Throws: ``Product/PurchaseError`` or ``StoreKitError``. Where the answer was lost, read
    ///   the status: asking once more for what is chosen already charges nothing.
    public func changePlan(
        to productID: String, billingPlan: BillingPlanType? = nil
    ) async throws -> ChangeResult {
        try await change { json in
            json.field("productId", productID)
            json.field("billingPlanType", billingPlan)
        }
    }

    /// Answers a price increase. Declining turns renewal off; agreeing afterwards turns it on
    /// again.
    public func answerPriceIncrease(agrees: Bool) async throws -> ChangeResult {
        try await session.answerPriceIncrease(of: originalTransactionID, agrees: agrees)
    }

    private func change(_ write: (inout JSONWriter) -> Void) async throws -> ChangeResult {
        try await session.change(originalTransactionID, write)
    }
}

extension StoreSession {
    func answerPriceIncrease(
        of subscription: UInt64, agrees: Bool
    ) async throws -> Product.SubscriptionInfo.Status.ChangeResult {
        try await change(subscription) {
            $0.field("priceIncrease", agrees ? "agree" : "decline")
        }
    }

    func change(
        _ subscription: UInt64, _ write: (inout JSONWriter) -> Void
    ) async throws -> Product.SubscriptionInfo.Status.ChangeResult {
        do throws(StoreKitError) {
            let answer = try await exchange.change(
                "PATCH", StorePath("/storefront/v1/subscriptions/\(subscription)"),
                repetition: .onlyIfRefused, body: write)
            let status = try await status(answer)
            return answer["requestId"] == nil ? .changed(status) : .pending(status)
        } catch {
            if case .refused(let refusal) = error,
                let known = Product.PurchaseError(code: refusal.code)
            {
                throw known
            }
            throw error
        }
    }
}
