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

/// Why the price of a line takes its way with one subscriber.
public struct ExplainedIncrease: Sendable, Hashable {
    /// The product, or the merchant's own SKU.
    public let sku: String
    /// What a merchant calls its own item; nil for the catalogue's products.
    public let name: String?
    /// The items that end with it without consent.
    public let dependents: [String]
    public let explanation: PriceIncreaseExplanation
}

extension Store {
    /// Why a price increase takes its way with one subscriber, and every date; nil while none is
    /// planned. Of several lines it is the first that has one.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func explainPriceIncrease(
        subscription id: Int64, in environment: StoreEnvironment
    ) async throws -> PriceIncreaseExplanation? {
        try await explainPriceIncreases(subscription: id, in: environment).first?.explanation
    }

    /// The same of each line whose price is on its way, in the order of the plan. Where the
    /// merchant has called itself, nothing is asked any more.
    ///
    /// - Throws: `StoreError.unknown(.originalTransaction)`.
    public func explainPriceIncreases(
        subscription id: Int64, in environment: StoreEnvironment
    ) async throws -> [ExplainedIncrease] {
        try await read { reader in
            guard
                let (record, customer) = try SubscriptionRecord.withCustomer(
                    id, in: reader.session),
                record.environment == environment
            else { throw StoreError.unknown(.originalTransaction, String(id)) }
            let subscription = record.subscription
            let conditions = try reader.apps[record.app].conditions(
                for: customer, in: record.storefront)
            let isCalled =
                subscription.plan.merchant != nil
                && conditions.merchantRoute == .merchantManaged
            return subscription.comingIncreases.compactMap { line, increase in
                subscription.explanation(of: line.sku, under: conditions).map { found in
                    ExplainedIncrease(
                        sku: line.sku, name: line.texts?.displayName,
                        dependents: increase.dependents,
                        explanation: isCalled ? found.onceCalled : found)
                }
            }
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
                    + PriceIncreaseMessage.conversions(of: subscription, at: reader.now)
            }
        }
    }
}

extension PriceIncreaseMessage {
    /// The ends of offers that the customer is asked about (KOR-3): of a merchant's plan those of
    /// its items.
    fileprivate static func conversions(
        of subscription: Subscription, at now: Instant
    ) -> [PriceIncreaseMessage] {
        let plan = subscription.plan
        guard let conversion = subscription.askedConversion, conversion.isOpen(at: now) else {
            return []
        }
        let items = plan.lines.filter { conversion.items.contains($0.sku) }
        guard !items.isEmpty else {
            return [
                PriceIncreaseMessage(
                    conversion, of: plan.productID, in: subscription,
                    from: subscription.newestPeriod.price, to: plan.price.milliunits)
            ]
        }
        return items.map {
            PriceIncreaseMessage(
                conversion, of: $0.sku, in: subscription, from: $0.amount, to: $0.price)
        }
    }

    private init(
        _ conversion: PendingConversion, of productID: String, in subscription: Subscription,
        from old: Int64, to new: Int64
    ) {
        isConversion = true
        originalTransactionID = subscription.id
        self.productID = productID
        change = PriceChange(from: old, to: new, in: subscription.plan.currency)
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
