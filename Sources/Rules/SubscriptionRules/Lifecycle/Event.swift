/// What happens to a subscription.
public enum Event: Hashable, Sendable {
    /// The customer chose a plan of the group, on a paywall or a manage-subscriptions screen, with
    /// the offers that its lines carry. An introductory one is applied only where the customer may
    /// still have it, and never to a change of plan (INT-2).
    /// `grantsIntroductory` is the developer's word that the customer may have it once more.
    case chosePlan(Plan, grantsIntroductory: Bool = false)
    /// The customer turned automatic renewal off.
    case turnedRenewalOff
    /// The customer turned automatic renewal on again.
    case turnedRenewalOn
    /// The customer gave another payment method (REN-2).
    case changedPaymentMethod
    /// The moment `nextChange` has come. `forSale` says whether the product of the next period is
    /// on sale in the customer's storefront.
    case becameDue(forSale: Bool)
    /// The bank has the bill with this identifier, and will answer later.
    case billIsPending(Int64)
    /// The bill was paid.
    case billWasPaid(Int64)
    /// The bill was declined.
    case billWasDeclined(Int64)
    /// The bill was given up. `forSale` is as in `becameDue`.
    case billWasVoided(Int64, forSale: Bool)
    /// The customer has waited long enough for a purchase or a plan change.
    case gaveUpWaiting
    /// The operator ended it at once, without a refund.
    case wasEnded
    /// A new price of a SKU went live for existing subscribers, in milliunits of the plan's
    /// currency (PRC-4, PRC-5): of the plan's, or of the one that waits for the renewal, where it
    /// is billed so.
    case priceWasChanged(of: String, to: Int64, billed: BillingPlan = .upFront)
    /// The merchant changed prices of its own items, and in one request (ACP-3).
    case merchantChangedPrices([MerchantPriceChange])
    /// The customer agreed to a merchant's request that changes its plan (ACM-3).
    case merchantModified(MerchantModification)
    /// The customer agreed to a merchant's request that lets items renew again; nil for all.
    case merchantReactivated(skus: [String]?)
    /// The merchant calls its plan, or items of it, something else (ACM-5).
    case merchantDescribed(MerchantDescription)
    /// A merchant's plan goes on for an ordinary subscription as it was (ACM-6): `shares` is what
    /// of the running price each item has, in milliunits.
    indirect case merchantMigrated(from: Subscription, to: Plan, next: Plan?, shares: [Int64])
    /// A merchant's plan goes on for this subscription.
    case wasMigrated
    /// What was paid for items of one transaction was given back, and some of them end (ACM-7):
    /// `isRest` says whether nothing that it paid for is left.
    case itemsWereRefunded(transactionID: Int64, ended: [String], isRest: Bool)
    /// The customer answered an announced price increase (INC-12).
    case answeredPriceIncrease(agrees: Bool)
    /// The developer extends the running period (EXT-1).
    case wasExtended(ExtensionRequest)
    /// The customer asks for the price of one of its transactions back (REF-4).
    case requestedRefund(transactionID: Int64)
    /// That request was declined.
    case refundWasDeclined(transactionID: Int64)
    /// The price of a transaction was given back, in full or in part (REF-7).
    case wasRefunded(transactionID: Int64, fully: Bool)
    /// A refund of some moment was taken back again (REF-9), while the newest transaction is given
    /// back still, or not.
    case refundWasReversed(
        transactionID: Int64, refunded: Instant, isNewestGivenBack: Bool)
}

/// What has to be done about an event, in order.
public enum Action: Hashable, Sendable {
    /// Ask the bank for this amount, then report what it answers.
    case charge(Bill)
    /// Ask the bank to give the outstanding bill up, then report what it answers.
    case void(billID: Int64)
    /// Record the transaction of a period that begins.
    case open(BillingPeriod, Plan, reason: TransactionReason)
    /// Mark a transaction as replaced by an upgrade (CHG-1, CHG-5).
    case supersede(transactionID: Int64)
    /// Let a transaction's period end at another moment than agreed.
    case reschedule(transactionID: Int64, end: Instant)
    /// Give money back on a transaction that an upgrade cut short (CHG-2).
    case refund(transactionID: Int64, Money)
    /// Give money back for items of one transaction: they ended, or began anew (ACM-4).
    case refundItems(_ transactionID: Int64, [ItemRefund])
    /// Items of transactions are called something else, by the SKU that they have there.
    case describe(_ transactionIDs: [Int64], lines: [String: Plan.Line])
    /// Tell the developer's server.
    case notify(ServerNotification)

    /// How a transaction came about.
    public enum TransactionReason: Hashable, Sendable {
        case purchase
        case renewal
    }
}

/// What the developer's server is told about a subscription (TAB-16.3).
public enum ServerNotification: Hashable, Sendable {
    case subscribed(First)
    case didRenew(afterBillingProblem: Bool)
    case didFailToRenew(inGracePeriod: Bool)
    case gracePeriodExpired
    case didChangeRenewalPreference(Effect)
    case didChangeRenewalStatus(enabled: Bool)
    /// An active subscriber took up an offer: for a plan to which the subscription changes with
    /// that effect, or, with nil, for the running one (PRO-3).
    case offerRedeemed(Effect?)
    case expired(ExpirationReason)
    /// A higher price was announced: it needs an answer, or it has one or needs none.
    case priceIncrease(isAccepted: Bool)
    /// The merchant's change of its prices was taken (ACP-1, ACS-1).
    case priceChanged
    /// What a merchant calls things changed (ACM-5).
    case metadataUpdated
    /// A merchant's plan took the place of an ordinary subscription (ACM-6).
    case migrated
    case renewalExtended
    /// An extension for all subscribers could not extend this one.
    case renewalExtensionFailed
    case consumptionRequested
    case refunded
    case refundDeclined
    case refundReversed

    /// Whether a purchase is the first of its group.
    public enum First: Hashable, Sendable {
        case initialBuy
        case resubscribe
    }

    /// What a change of plan does.
    public enum Effect: Hashable, Sendable {
        /// It takes effect at once.
        case upgrade
        /// It waits for the renewal.
        case downgrade
        /// A waiting change was withdrawn.
        case withdrawn
    }
}

/// Why an event is not possible; nothing has changed.
public enum Refusal: Error, Hashable, Sendable {
    /// The customer has this very plan already ("You're currently subscribed").
    case alreadySubscribed
    /// There is no subscription running that could be changed.
    case notActive
    /// The bank has yet to answer an earlier bill.
    case paymentPending
    /// Prices of a merchant's items are not changed so.
    case priceNotChanged(MerchantPriceRefusal)
    /// A merchant's plan is not modified so.
    case notModified(MerchantModificationRefusal)
    /// Nothing is due yet.
    case notDue
    /// The bill that was answered is not the one that the subscription waits for.
    case notBilled
    /// No price increase was announced that could be answered.
    case noPriceIncrease
    /// The renewal date cannot be extended.
    case notExtended(ExtensionRefusal)
}

/// The conditions that a subscription lives under: how its app, its environment and its store
/// are set up. They are looked at when something happens, never kept (GRA-5 fixes the grace
/// period of a running one by storing its end).
public struct Conditions: Hashable, Sendable {
    public var zone: BillingZone
    public var tempo: Tempo
    /// The Billing Grace Period, or nil when the app has none (GRA-1).
    public var gracePeriod: GracePeriod?
    public var graceScope: GraceScope
    public var upgradeInTrial: UpgradeInTrial
    /// For how many days access goes on when the bank has not answered the bill of a renewal at
    /// the end of the period; a Billing Grace Period that is longer holds instead.
    public var pendingRenewalDays: Int
    /// After how many renewals a subscription is cancelled: 12 in Sandbox (SBX-1), nil for never.
    public var renewalLimit: Int?
    /// The alpha-3 code of the subscription's storefront, which decides about consent (THR-1).
    public var storefront: String
    /// Whether the developer is in the Small Business Program (COM-5).
    public var isInSmallBusinessProgram: Bool
    /// From which amounts an increase that is planned needs consent (THR-5).
    public var thresholds: ConsentThresholds
    /// Who tells the subscribers of a merchant's own plans about higher prices (TAB-7.4).
    public var merchantRoute = PriceChangeRoute.storeManaged
    /// Whose ways hold where 2012 and today differ (TAB-19).
    public var era = Era.today

    public init(
        zone: BillingZone = .utc, tempo: Tempo = .real, gracePeriod: GracePeriod? = nil,
        graceScope: GraceScope = .allRenewals, upgradeInTrial: UpgradeInTrial = .endsTrial,
        pendingRenewalDays: Int = 6, renewalLimit: Int? = nil, storefront: String = "USA",
        isInSmallBusinessProgram: Bool = false, thresholds: ConsentThresholds = .standard
    ) {
        self.zone = zone
        self.tempo = tempo
        self.gracePeriod = gracePeriod
        self.graceScope = graceScope
        self.upgradeInTrial = upgradeInTrial
        self.pendingRenewalDays = pendingRenewalDays
        self.renewalLimit = renewalLimit
        self.storefront = storefront
        self.isInSmallBusinessProgram = isInSmallBusinessProgram
        self.thresholds = thresholds
    }
}
