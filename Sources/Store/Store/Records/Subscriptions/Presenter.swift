public import AppStoreWire
import Storage
public import SubscriptionRules

/// Turns what the store knows into Apple's published payloads (JWS-3 to JWS-5).
struct Presenter {
    let app: App
    /// The customer's copy of the app.
    let appTransactionID: Int64
    /// The groups of which a family shares a subscription with the customer: nobody is won back
    /// there (WIN-1).
    private var sharedGroups: Set<String> = []

    init(_ app: App, customer: Int64, in session: any Session) throws {
        let copy = try AppCopy.find(customer: customer, app: app.id, in: session)
        try self.init(app, copy, customer: customer, in: session)
    }

    /// - Parameter copy: the customer's, which everybody has who bought anything.
    init(_ app: App, _ copy: AppCopy?, customer: Int64, in session: any Session) throws {
        guard let copy else {
            throw Stored.missing("the copy of app \(app.id)", for: "customer \(customer)")
        }
        self.init(app, appTransactionID: copy.transactionID)
        guard app.winsBack else { return }
        sharedGroups = try FamilyShare.groups(of: customer, app: app.id, in: session)
    }

    init(_ app: App, appTransactionID: Int64) {
        self.app = app
        self.appTransactionID = appTransactionID
    }

    /// A transaction as it is shown (TAB-16.1).
    func transaction(
        _ record: TransactionRecord, signed: Instant
    ) -> JWSTransactionDecodedPayload {
        let isSubscription = record.type == .autoRenewableSubscription
        return JWSTransactionDecodedPayload(
            transactionId: String(record.id), originalTransactionId: String(record.originalID),
            webOrderLineItemId: isSubscription
                ? String(Presenter.webOrderLineItem(record.id)) : nil,
            bundleId: app.bundleID, productId: record.productID,
            subscriptionGroupIdentifier: record.groupID,
            purchaseDate: record.purchased.milliseconds,
            originalPurchaseDate: record.firstPurchased.milliseconds,
            expiresDate: record.expires?.milliseconds, quantity: record.quantity,
            type: TransactionType(rawValue: record.type.rawValue),
            appAccountToken: record.appAccountToken,
            inAppOwnershipType: record.source == nil ? .purchased : .familyShared,
            signedDate: signed.milliseconds,
            revocationDate: record.revocation?.moment.milliseconds,
            revocationReason: (record.revocation?.reason?.rawValue)
                .map(RevocationReason.init(rawValue:)),
            revocationType: (record.revocation?.kind.typeText)
                .map(RevocationType.init(rawValue:)),
            revocationPercentage: record.revocation?.percentage,
            isUpgraded: record.isUpgraded ? true : nil,
            offerType: record.offer.map { OfferType(rawValue: $0.kind.rawValue) },
            offerIdentifier: record.offer.flatMap { $0.id.isEmpty ? nil : $0.id },
            offerDiscountType: record.offer.map { OfferDiscountType(rawValue: $0.mode) },
            offerPeriod: record.offer?.wholePeriod?.iso8601, environment: record.environment.wire,
            storefront: record.storefront.code, storefrontId: record.storefront.id,
            transactionReason: record.isRenewal ? .renewal : .purchase,
            price: record.price.milliunits, currency: record.price.currency.code,
            appTransactionId: String(appTransactionID),
            billingPlanType: isSubscription ? BillingPlanType(record.billing) : nil,
            commitmentInfo: record.instalment.map(TransactionCommitmentInfo.init),
            advancedCommerceInfo: record.advancedCommerce,
            previousOriginalTransactionId: record.previousOriginalID.map(String.init))
    }

    /// What comes next for a subscription, as it is shown (TAB-16.2).
    func renewalInfo(
        _ record: SubscriptionRecord, signed: Instant
    ) -> JWSRenewalInfoDecodedPayload {
        let subscription = record.subscription
        let (intent, isRetrying, graceEnd) = subscription.billingProblem
        // What comes next is unknown once it is over.
        let next = subscription.isOver ? nil : subscription.renewalPlan
        // A merchant's items say their offers themselves.
        let offer = next?.merchant == nil ? next?.onlyOffer : nil
        let isShared = sharedGroups.contains(subscription.groupID)
        let winBackOffers = isShared ? [] : app.winBackOffers(for: record, at: signed)
        return JWSRenewalInfoDecodedPayload(
            originalTransactionId: String(subscription.id),
            productId: subscription.plan.productID,
            autoRenewProductId: subscription.nextProductID,
            autoRenewStatus: subscription.isRenewing ? .on : .off,
            renewalDate: subscription.newestPeriod.end.milliseconds,
            renewalPrice: next == nil ? nil : subscription.renewalAmount.milliunits,
            currency: next?.currency.code,
            expirationIntent: intent, isInBillingRetryPeriod: isRetrying,
            gracePeriodExpiresDate: graceEnd?.milliseconds,
            priceIncreaseStatus: subscription.agreesToIncreases.map { $0 ? .accepted : .pending },
            offerType: offer.map { OfferType(rawValue: $0.kind.rawValue) },
            offerIdentifier: offer.flatMap { $0.id.isEmpty ? nil : $0.id },
            offerDiscountType: offer.map { OfferDiscountType(rawValue: $0.mode.rawValue) },
            offerPeriod: offer?.wholePeriod.iso8601,
            eligibleWinBackOfferIds: winBackOffers.isEmpty ? nil : winBackOffers,
            recentSubscriptionStartDate: subscription.serviceStart.milliseconds,
            appAccountToken: record.appAccountToken, appTransactionId: String(appTransactionID),
            environment: record.environment.wire, signedDate: signed.milliseconds,
            renewalBillingPlanType: BillingPlanType((next ?? subscription.plan).billing),
            commitmentInfo: RenewalCommitmentInfo(subscription, in: app.settings.billingZone),
            advancedCommerceInfo: AdvancedCommerceRenewalInfo(subscription))
    }

    /// - Parameter isOnDevice: the device's copy names the version that runs; of the device itself
    ///   (`deviceVerification`) the store knows nothing.
    func appTransaction(
        acquired: Instant, environment: StoreEnvironment, signed: Instant, isOnDevice: Bool
    ) -> AppTransaction {
        AppTransaction(
            receiptType: environment.wire,
            appAppleId: environment == .production ? app.appleID : nil, bundleId: app.bundleID,
            applicationVersion: isOnDevice ? Presenter.appVersion : nil,
            receiptCreationDate: signed.milliseconds,
            originalPurchaseDate: acquired.milliseconds,
            originalApplicationVersion: Presenter.appVersion,
            originalPlatform: .iOS, appTransactionId: String(appTransactionID))
    }

    /// The version of every app: the store knows of no other.
    static let appVersion = "1.0"

    /// Identifiers of billing events follow from the transaction's, so they need no column.
    static func webOrderLineItem(_ transactionID: Int64) -> Int64 {
        transactionID + 500_000_000_000_000
    }
}

extension BillingPlanType {
    init(_ plan: BillingPlan) { self.init(rawValue: plan.rawValue) }
}

extension TransactionCommitmentInfo {
    /// What a month of a commitment says of it (CMT-1).
    fileprivate init(_ instalment: TransactionRecord.Instalment) {
        self.init(
            billingPeriodNumber: instalment.number,
            commitmentExpiresDate: instalment.commitmentEnd.milliseconds,
            commitmentPrice: instalment.commitmentPrice, totalBillingPeriods: Commitment.months)
    }
}

extension RenewalCommitmentInfo {
    /// What follows the running commitment; nil outside of one (CMT-1).
    fileprivate init?(_ subscription: Subscription, in zone: BillingZone) {
        guard let end = subscription.commitmentEnd(in: zone) else { return nil }
        let next = subscription.planOfNextTerm(in: zone)
        self.init(
            commitmentAutoRenewProductId: next.productID,
            commitmentAutoRenewStatus: subscription.renewsAutomatically ? .on : .off,
            commitmentRenewalBillingPlanType: BillingPlanType(next.billing),
            commitmentRenewalDate: end.milliseconds,
            commitmentRenewalPrice: next.billing == .monthly
                ? Commitment.price(ofMonth: next.price.milliunits) : next.amount.milliunits)
    }
}

extension Subscription {
    /// The product of the next period: inside a commitment nothing else can be.
    var nextProductID: String {
        (owesInstalment ? plan : nextPlan ?? plan).productID
    }

    /// The status number of the App Store Server API (TAB-4.3): 5 whenever the newest transaction
    /// carries a revocation, in whole or in part, or a merchant's items have all ended by refunds.
    public var status: Status {
        guard !isRevoked else { return .revoked }
        return switch state {
        case .active: .active
        case .new, .expired: .expired
        case .revoked: .revoked
        case .retrying: .billingRetry
        case .awaitingPayment, .grace: .billingGracePeriod
        }
    }

    /// What renewal info says of a failed renewal or an end: the intent, whether billing is being
    /// retried (absent where no renewal failed), and the end of a grace period.
    fileprivate var billingProblem:
        (intent: ExpirationIntent?, isRetrying: Bool?, graceEnd: Instant?)
    {
        switch state {
        case .new, .active, .revoked:
            (nil, nil, nil)
        case .awaitingPayment(let until):
            // Nothing has failed; access lasts until then all the same.
            (nil, nil, until)
        case .grace(_, let until):
            (.billingError, true, until)
        case .retrying(_, let graceEnded):
            (.billingError, true, graceEnded)
        case .expired(let reason, _):
            (
                ExpirationIntent(rawValue: reason.rawValue),
                reason == .billingError ? false : nil, nil
            )
        }
    }
}

extension ServerNotification {
    /// Whether it tells how the subscription stands, and so carries its newest transaction also
    /// where what brought it about concerns an older one.
    var isOfSubscription: Bool {
        switch self {
        case .didChangeRenewalStatus, .expired: true
        default: false
        }
    }

    /// The notification's type on the wire (TAB-16.3).
    var type: NotificationTypeV2 {
        switch self {
        case .subscribed: .subscribed
        case .didRenew: .didRenew
        case .didFailToRenew: .didFailToRenew
        case .gracePeriodExpired: .gracePeriodExpired
        case .didChangeRenewalPreference: .didChangeRenewalPref
        case .didChangeRenewalStatus: .didChangeRenewalStatus
        case .offerRedeemed: .offerRedeemed
        case .expired: .expired
        case .priceIncrease: .priceIncrease
        case .priceChanged: .priceChange
        case .metadataUpdated: .metadataUpdate
        case .migrated: .migration
        case .renewalExtended: .renewalExtended
        case .renewalExtensionFailed: .renewalExtension
        case .consumptionRequested: .consumptionRequest
        case .refunded: .refund
        case .refundDeclined: .refundDeclined
        case .refundReversed: .refundReversed
        }
    }

    /// The notification's subtype on the wire, where it has one.
    var subtype: Subtype? {
        switch self {
        case .subscribed(.initialBuy): .initialBuy
        case .subscribed(.resubscribe): .resubscribe
        case .didRenew(afterBillingProblem: true): .billingRecovery
        case .didRenew(afterBillingProblem: false): nil
        case .didFailToRenew(inGracePeriod: true): .gracePeriod
        case .didFailToRenew(inGracePeriod: false): nil
        case .gracePeriodExpired: nil
        case .didChangeRenewalPreference(.upgrade), .offerRedeemed(.upgrade): .upgrade
        case .didChangeRenewalPreference(.downgrade), .offerRedeemed(.downgrade): .downgrade
        case .didChangeRenewalPreference(.withdrawn), .offerRedeemed(.withdrawn),
            .offerRedeemed(nil):
            nil
        case .didChangeRenewalStatus(enabled: true): .autoRenewEnabled
        case .didChangeRenewalStatus(enabled: false): .autoRenewDisabled
        case .expired(.voluntary): .voluntary
        case .expired(.billingError): .billingRetry
        case .expired(.priceIncrease): .priceIncrease
        case .expired(.notForSale): .productNotForSale
        case .expired(.other): nil
        case .priceIncrease(isAccepted: true): .accepted
        case .priceIncrease(isAccepted: false): .pending
        case .renewalExtensionFailed: .failure
        case .priceChanged, .metadataUpdated, .migrated, .renewalExtended, .consumptionRequested,
            .refunded, .refundDeclined, .refundReversed:
            nil
        }
    }

    /// Type and subtype as the journal and the timeline show them: `EXPIRED/VOLUNTARY`.
    var journalText: String {
        guard let subtype else { return type.rawValue }
        return "\(type.rawValue)/\(subtype.rawValue)"
    }
}
