/// Whom a price reaches that goes live for a product in a storefront.
public struct PriceReach: Hashable, Sendable {
    /// The product, or the merchant's own SKU, that it is the price of.
    public let productID: String
    /// How those are billed whose price it is.
    public let billing: BillingPlan
    /// The new price.
    public let price: Money
    /// What they pay whom an increase reaches: the list price that is replaced, or that of a
    /// cohort; nil where that is not known yet.
    public let pays: Int64?
    /// Whether only a preserved cohort is moved and the list price stays (PRC-6).
    public let isForCohort: Bool
    /// Whether an increase is for those who subscribed before, rather than kept from them (PRC-5).
    public let isForSubscribers: Bool

    /// Says what goes live.
    public init(
        productID: String, billing: BillingPlan = .upFront, price: Money, pays: Int64?,
        isForCohort: Bool, isForSubscribers: Bool
    ) {
        self.productID = productID
        self.billing = billing
        self.price = price
        self.pays = pays
        self.isForCohort = isForCohort
        self.isForSubscribers = isForSubscribers
    }

    /// Whether it changes what a subscriber will pay.
    ///
    /// Nobody keeps a higher price (PRC-4). A higher one reaches those who pay the price of before
    /// or are on their way to it, unless theirs is preserved; cohorts that pay another price keep
    /// it (PRC-5). Moving one cohort concerns nobody else (PRC-6), also nobody who is on the way
    /// from its price to another. For a plan that waits for the renewal the same holds.
    /// Amounts of two currencies cannot be compared: who still pays in one that is gone keeps it.
    public func includes(_ subscription: Subscription) -> Bool {
        if let next = subscription.nextPlan, next.billing == billing,
            let line = next.line(productID),
            includes(line.price, willPay: line.raised, in: next.currency)
        {
            return true
        }
        let plan = subscription.plan
        guard plan.billing == billing, let line = plan.line(productID) else { return false }
        return includes(
            line.price, willPay: subscription.increases[productID]?.price, in: plan.currency)
    }

    /// What somebody will pay once it is live who was to pay another price for a period, in
    /// milliunits.
    public func price(afterPaying old: Int64, in currency: Currency) -> Int64 {
        includes(old, willPay: nil, in: currency) ? price.milliunits : old
    }

    /// - Parameter willPay: the higher price that is on its way already.
    private func includes(_ old: Int64, willPay: Int64?, in currency: Currency) -> Bool {
        let new = price.milliunits
        // The same price again changes nothing, least of all what was agreed.
        guard currency == price.currency, willPay != new else { return false }
        if isForCohort { return new > old && (willPay ?? old) == pays }
        if old > new || (willPay ?? 0) > new { return true }
        return isForSubscribers && new > old && (old == pays || willPay == pays)
    }
}
