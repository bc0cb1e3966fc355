public import SubscriptionRules

/// What a device may show of sharing with the publisher, about one subscription.
public struct OptInQuestion: Sendable, Hashable {
    public let originalTransactionID: Int64
    public let productID: String
    /// Whether the customer is to be asked now: the app wants it, the subscription runs, and
    /// nothing was answered.
    public let asks: Bool
    /// Whether something is shared.
    public let isShared: Bool
    /// The publisher's name in the customer's language; nil where the app asks nobody any more.
    public let publication: String?
    /// The customer's language, in which the question is put.
    public let locale: String
    /// What a yes is rewarded with, unless it was before.
    public let bonus: CalendarPeriod?
}

extension Store {
    /// Whether to ask the customer on a device, and under which name, for each of the customer's
    /// own subscriptions of the app about which there is anything to say (S308-95).
    public func optIns(for device: DeviceSession) async throws -> [OptInQuestion] {
        try await read { reader in
            let app = try reader.apps[device.app]
            guard let customer = try Customer.find(device.customer, in: reader.session) else {
                throw Stored.missing("customer \(device.customer)", for: "a signed-in device")
            }
            let answers = Dictionary(
                try OptIn.all(ofCustomer: customer.id, in: reader.session)
                    .map { ($0.subscription, $0) }, uniquingKeysWith: { one, _ in one })
            let name = app.optIn.names.best(for: customer.locale, or: app.settings.locale)?.name
            return try SubscriptionRecord.all(ofCustomer: customer.id, in: reader.session)
                .filter { $0.app == app.id }
                .compactMap { record in
                    let subscription = record.subscription
                    let answer = answers[subscription.id]
                    let isOver = subscription.isOver || subscription.newestPeriod.end <= reader.now
                    let asks = answer == nil && name != nil && !isOver
                    guard asks || answer != nil else { return nil }
                    return OptInQuestion(
                        originalTransactionID: subscription.id,
                        productID: subscription.plan.productID, asks: asks,
                        isShared: answer?.state == .shared, publication: name,
                        locale: customer.locale,
                        bonus: answer?.bonus == nil ? app.optIn.bonus : nil)
                }
        }
    }

    /// What customers share with an app's publisher at this moment, in the order of their yes: who
    /// has revoked it is not there (S308-97).
    ///
    /// - Parameters:
    ///   - from: only what was shared then or later.
    ///   - to: only what was shared before.
    ///   - after: only those with higher numbers.
    /// - Throws: `StoreError.unknown(.app)`.
    public func optInReport(
        bundleID: String, in environment: StoreEnvironment, from: Instant? = nil,
        to: Instant? = nil, after: Int64 = 0, limit: Int
    ) async throws -> [OptIn] {
        try await read { reader in
            try OptIn.report(
                app: try reader.apps.find(bundleID: bundleID).id, in: environment, from: from,
                to: to, after: after, limit: limit, reader.session)
        }
    }
}
