import Storage
public import SubscriptionRules

/// What a subscription will be charged next, and what is needed to tell it.
public struct BillForecast: Sendable, Hashable {
    /// The subscription as it is.
    public let subscription: Subscription
    /// What comes next; nil where it is over.
    public let next: NextBill?
    /// Where its months are counted.
    public let zone: BillingZone
}

extension Store {
    /// What a subscription will be charged next as things are, line by line, or that and why it
    /// ends: found by letting the rules carry out what falls due until then, on a copy. Prices of
    /// the catalogue that are scheduled until then are part of it; nobody answers, and every bill
    /// before is as it is.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func nextBill(
        subscription id: Int64, in environment: StoreEnvironment
    ) async throws -> BillForecast {
        try await read { reader in
            guard
                let (record, customer) = try SubscriptionRecord.withCustomer(
                    id, in: reader.session),
                record.environment == environment
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            let app = try reader.apps[record.app]
            let subscription = record.subscription
            let skus = ([subscription.plan] + [subscription.nextPlan].compactMap(\.self))
                .flatMap(\.lines).map(\.sku)
            var next = subscription.nextBill(
                under: app.conditions(for: customer, in: record.storefront),
                prices: try ScheduledPrice.coming(
                    app: app.id, productIDs: skus, record.storefront, in: reader.session)
            ) { plan in
                app.isForSale(plan, in: record.storefront, record.environment)
            }
            if case .pending(let bill)? = next?.outcome {
                next?.at = try BillRecord.find(bill.id, in: reader.session)?.made
            }
            return BillForecast(
                subscription: subscription, next: next, zone: app.settings.billingZone)
        }
    }
}
