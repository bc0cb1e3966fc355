public import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// A notification that the operator sends at will.
public struct Provocation: Sendable, Hashable {
    public let type: NotificationTypeV2
    public let subtype: Subtype?
    /// Why the customer asks for a refund; CONSUMPTION_REQUEST only.
    public let consumptionRequestReason: ConsumptionRequestReason?

    public init(
        _ type: NotificationTypeV2, _ subtype: Subtype? = nil,
        reason: ConsumptionRequestReason? = nil
    ) {
        self.type = type
        self.subtype = subtype
        consumptionRequestReason = reason
    }
}

extension Store {
    /// Sends a notification about a subscription as it stands now, whether or not that happened
    /// of which it tells. Nothing else changes.
    ///
    /// - Returns: its entry in the log, before the first attempt.
    /// - Throws: `StoreError.unknown(.originalTransaction)`, `.setting(.noNotificationURL)`, and
    ///   `.setting(.invalid)` when the type does not have the subtype or takes no reason.
    public func provoke(
        _ wanted: Provocation, subscription id: Int64, in environment: StoreEnvironment
    ) async throws -> NotificationLogEntry {
        guard wanted.type.allows(wanted.subtype) else {
            throw wanted.type.refusal(of: wanted.subtype)
        }
        guard wanted.consumptionRequestReason == nil || wanted.type == .consumptionRequest else {
            throw StoreError.setting(
                .invalid(
                    "consumptionRequestReason", reason: "only CONSUMPTION_REQUEST carries it"))
        }
        return try await write(about: .subscription(id)) { work in
            let found = try SubscriptionRecord.find(id, in: work.session)
            guard let found, found.environment == environment else {
                throw StoreError.unknown(.originalTransaction, String(id))
            }
            guard try work.listens(found.app, environment) else {
                throw StoreError.setting(.noNotificationURL)
            }
            let one = try work.subscription(id)
            return try work.logEntry(try one.provoke(wanted))
        }
    }

    /// Sends a TEST notification, which is about no subscription, to the app's URL.
    ///
    /// - Returns: its entry in the log, before the first attempt.
    /// - Throws: `StoreError.unknown(.app)`, `.setting(.noNotificationURL)`.
    public func provokeTest(
        bundleID: String, in environment: StoreEnvironment
    ) async throws -> NotificationLogEntry {
        try await write(about: .whatIsTakenUp) { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard try work.listens(app.id, environment) else {
                throw StoreError.setting(.noNotificationURL)
            }
            let uuid = work.notify(
                .test, nil, app: app.id, environment: environment, customer: nil, at: work.now,
                isProvoked: true)
            work.record(.requestedTestNotification) { $0.app = app.id }
            return try work.logEntry(uuid)
        }
    }
}

extension UnitOfWork {
    /// What the log has of a notification that was drafted just now.
    fileprivate func logEntry(_ uuid: String) throws -> NotificationLogEntry {
        try writeStaged()
        guard let record = try NotificationRecord.find(uuid: uuid, in: session) else {
            throw Stored.missing("a row", for: "notification \(uuid)")
        }
        return try StoreReader(session: session, now: now, apps: apps).logEntry(record)
    }
}

extension SubscriptionWork {
    /// Puts a notification on its way that nothing has brought about.
    fileprivate func provoke(_ wanted: Provocation) throws -> String {
        let presenter = try Presenter(app, customer: record.customer, in: work.session)
        let id = record.subscription.newestPeriod.transactionID
        guard let newest = try work.transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        let transaction = presenter.transaction(newest, signed: work.now)
        let renewal = presenter.renewalInfo(record, signed: work.now)
        let carries = wanted.carries
        let uuid = work.notify(
            wanted.type, wanted.subtype, app: record.app, environment: record.environment,
            customer: record.customer, at: work.now,
            status: carries == .subscription ? record.subscription.status : nil,
            transaction: carries == .subscription || carries == .transaction
                ? wanted.completed(transaction, at: work.now) : nil,
            renewal: carries == .subscription ? wanted.completed(renewal) : nil,
            detail: detail(of: wanted), subscription: record.subscription.id,
            extras: try extras(wanted, presenter), isProvoked: true)
        work.record(.provokedNotification) { entry in
            entry.app = record.app
            entry.customer = record.customer
            entry.subscription = record.subscription.id
            entry.event.detail = detail(wanted)
        }
        return uuid
    }

    /// Under a name of its own: among the notices it would look as if it had happened.
    private func detail(_ wanted: Provocation) -> JournalDetail {
        let subscription = record.subscription
        var detail = JournalDetail()
        detail.productID = subscription.plan.productID
        detail.currency = subscription.plan.currency.code
        detail.until = subscription.newestPeriod.end
        detail.nextProductID = subscription.nextPlan?.productID
        detail.nextOffer = subscription.waitingOffer.map { NamedOffer($0) }
        let subtype = wanted.subtype.map { "/\($0.rawValue)" } ?? ""
        detail.provoked = wanted.type.rawValue + subtype
        return detail
    }

    /// What the type carries in place of the purchase, made up plausibly: a token of this moment,
    /// or the customer's copy of the app.
    private func extras(_ wanted: Provocation, _ presenter: Presenter) throws -> NotificationExtras?
    {
        switch wanted.carries {
        case .externalPurchaseToken:
            let prefix = record.environment == .sandbox ? "SANDBOX_" : ""
            let isCustomLink = wanted.subtype != .unreported
            return NotificationExtras(
                externalPurchaseToken: ExternalPurchaseToken(
                    externalPurchaseId: prefix + work.derivedUUID("external purchase"),
                    tokenCreationDate: work.now.milliseconds, appAppleId: app.appleID,
                    bundleId: app.bundleID, tokenType: isCustomLink ? .services : nil,
                    tokenExpirationDate: isCustomLink
                        ? (work.now + .days(365)).milliseconds : nil))
        case .app:
            let copy = try AppCopy.find(
                customer: record.customer, app: record.app, in: work.session)
            guard let copy else {
                throw Stored.missing(
                    "the copy of app \(record.app)", for: "customer \(record.customer)")
            }
            return NotificationExtras(
                appTransaction: presenter.appTransaction(
                    acquired: copy.acquired, environment: record.environment,
                    signed: work.now, isOnDevice: false))
        case .summary, .subscription, .transaction, .nothing:
            return nil
        }
    }

    /// The reason of a request for consumption data, or the summary of an extension of this one
    /// subscription.
    private func detail(of wanted: Provocation) -> String? {
        if wanted.type == .consumptionRequest {
            return (wanted.consumptionRequestReason ?? .unintendedPurchase).rawValue
        }
        guard wanted.carries == .summary else { return nil }
        return Summary(
            requestIdentifier: work.derivedUUID("extension request"),
            environment: record.environment.wire,
            appAppleId: record.environment == .production ? app.appleID : nil,
            bundleId: app.bundleID, productId: record.subscription.plan.productID,
            storefrontCountryCodes: [record.storefront.code], succeededCount: 1, failedCount: 0
        ).jsonText()
    }
}

extension Provocation {
    /// What a notification is about (NTF-2, column "Carries").
    fileprivate enum Carries {
        case nothing, transaction, subscription, summary, externalPurchaseToken, app
    }

    fileprivate var carries: Carries {
        switch (type, subtype) {
        case (.test, _): .nothing
        case (.oneTimeCharge, _): .transaction
        case (.renewalExtension, .summary?): .summary
        case (.externalPurchaseToken, _): .externalPurchaseToken
        case (.rescindConsent, _): .app
        default: .subscription
        }
    }

    /// A REFUND or REVOKE without a revocation would be none: the one thing that is put on.
    fileprivate func completed(
        _ transaction: JWSTransactionDecodedPayload, at now: Instant
    ) -> JWSTransactionDecodedPayload {
        guard type == .refund || type == .revoke, transaction.revocationDate == nil else {
            return transaction
        }
        var transaction = transaction
        transaction.revocationDate = now.milliseconds
        transaction.revocationReason = .other
        return transaction
    }

    /// Nor is a PRICE_INCREASE one without its status.
    fileprivate func completed(
        _ renewal: JWSRenewalInfoDecodedPayload
    ) -> JWSRenewalInfoDecodedPayload {
        guard type == .priceIncrease else { return renewal }
        var renewal = renewal
        renewal.priceIncreaseStatus = subtype == .pending ? .pending : .accepted
        return renewal
    }
}
