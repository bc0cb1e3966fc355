import Storage
public import SubscriptionRules

/// A message that an app shows a customer when it is opened.
public struct PriceIncreaseMessage: Sendable, Hashable {
    /// The subscription that it is about.
    public let originalTransactionID: Int64
    /// The product, or the merchant's own SKU.
    public let productID: String
    /// What the customer pays, and what it will be.
    public let change: PriceChange
    /// The renewal that first charges the new price.
    public let renewal: Instant
    /// Whether the customer must agree; otherwise it is a notice.
    public let needsConsent: Bool
    /// Whether it is the end of an offer, in Korea, and not a new price.
    public let isConversion: Bool
}

extension Store {
    /// Why a price increase takes its way with one subscriber, and every date; nil while none is
    /// planned. Of several lines it is the first that has one.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func explainPriceIncrease(
        subscription id: Int64, in environment: StoreEnvironment
    ) async throws -> PriceIncreaseExplanation? {
        try await read { reader in
            guard
                let (record, customer) = try SubscriptionRecord.withCustomer(
                    id, in: reader.session),
                record.environment == environment
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            let subscription = record.subscription
            let conditions = try reader.apps[record.app].conditions(
                for: customer, in: record.storefront)
            return subscription.comingIncreases.lazy.compactMap {
                subscription.explanation(of: $0.line.sku, under: conditions)
            }.first
        }
    }

    /// What an app shows the customer on a device: increases that were announced and not answered,
    /// or of which the customer is only told (INC-5, INC-12).
    public func priceIncreaseMessages(
        for device: DeviceSession
    ) async throws -> [PriceIncreaseMessage] {
        try await read { reader in
            let app = try reader.apps[device.app]
            let merchantRoute = app.settings.priceChangeRoute
            return try SubscriptionRecord.all(
                ofCustomer: device.customer, app: device.app, in: reader.session
            ).map(\.subscription).flatMap { subscription in
                subscription.comingIncreases.compactMap { line, increase in
                    subscription.isTold(of: increase, of: line, by: merchantRoute)
                        ? PriceIncreaseMessage(subscription, line, increase) : nil
                }
                    + (PriceIncreaseMessage(conversionOf: subscription, at: reader.now).map { [$0] }
                        ?? [])
            }
        }
    }
}

extension PriceIncreaseMessage {
    /// The end of an offer that the customer is asked about (KOR-3).
    fileprivate init?(conversionOf subscription: Subscription, at now: Instant) {
        guard let conversion = subscription.conversion, conversion.isOpen(at: now) else {
            return nil
        }
        isConversion = true
        originalTransactionID = subscription.id
        productID = subscription.plan.productID
        change = PriceChange(
            from: subscription.newestPeriod.price, to: subscription.plan.price.milliunits,
            in: subscription.plan.currency)
        renewal = conversion.moment
        needsConsent = true
    }

    fileprivate init?(
        _ subscription: Subscription, _ line: Plan.Line, _ increase: PendingIncrease
    ) {
        switch increase.phase {
        case .asked(let schedule):
            renewal = schedule.renewal
            needsConsent = true
        case .accepted(let schedule) where schedule.path == .notice:
            renewal = schedule.renewal
            needsConsent = false
        case .waiting, .planned, .accepted, .declined:
            return nil
        }
        isConversion = false
        originalTransactionID = subscription.id
        productID = line.sku
        change = PriceChange(from: line.price, to: increase.price, in: subscription.plan.currency)
    }
}
