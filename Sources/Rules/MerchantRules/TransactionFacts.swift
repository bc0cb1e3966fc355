public import SubscriptionRules

/// What one signed transaction says, as far as access goes.
public struct TransactionFacts: Hashable, Sendable {
    /// What was bought.
    public enum Kind: Int64, Hashable, Sendable, CaseIterable {
        case autoRenewable = 1
        case nonRenewing = 2
        case nonConsumable = 3
        case consumable = 4
    }

    /// Why a transaction gives nothing any more.
    public enum Revocation: Int64, Hashable, Sendable, CaseIterable {
        /// The money went back, all of it or a part.
        case refund = 1
        /// A family or an organisation stopped sharing it.
        case sharing = 2
    }

    public var transactionID: String
    public var productID: String
    /// The subscription group's number; auto-renewable subscriptions only.
    public var groupID: String?
    public var kind: Kind
    public var purchased: Instant
    /// When the period ends; auto-renewable subscriptions only.
    public var expires: Instant?
    /// Whether another plan of the group took its place before its end.
    public var isUpgraded: Bool
    public var revoked: Instant?
    public var revocation: Revocation?
    /// Whether somebody else bought it and shares it.
    public var isShared: Bool
    /// How many were bought at once; at least 1.
    public var quantity: Int64
    /// How much of the price went back, in thousandths of a per cent; nil for all of it where it
    /// was refunded.
    public var refundedShare: Int64?
    /// Whether the store charged for it by itself, at the end of the period before.
    public var isRenewal: Bool

    public init(
        transactionID: String, productID: String, groupID: String? = nil, kind: Kind,
        purchased: Instant, expires: Instant? = nil,
        isUpgraded: Bool = false, revoked: Instant? = nil, revocation: Revocation? = nil,
        isShared: Bool = false, quantity: Int64 = 1, refundedShare: Int64? = nil,
        isRenewal: Bool = false
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.groupID = groupID
        self.kind = kind
        self.purchased = purchased
        self.expires = expires
        self.isUpgraded = isUpgraded
        self.revoked = revoked
        self.revocation = revocation
        self.isShared = isShared
        self.quantity = quantity
        self.refundedShare = refundedShare
        self.isRenewal = isRenewal
    }

    /// How many are left of what was bought: a refund takes its share, rounded up to a whole one.
    public var quantityLeft: Int64 {
        guard revoked != nil else { return quantity }
        let share = min(max(refundedShare ?? 100_000, 0), 100_000)
        let (whole, overflows) = quantity.multipliedReportingOverflow(by: share)
        return overflows ? 0 : quantity - (whole + 99_999) / 100_000
    }
}

/// What signed renewal information says, as far as access goes.
public struct RenewalFacts: Hashable, Sendable {
    /// The product of the next period.
    public var nextProductID: String
    /// Whether the customer lets it renew.
    public var renewsAutomatically: Bool
    /// Whether the store still tries to charge for a renewal that was not paid.
    public var isInBillingRetry: Bool
    /// Until when access goes on although the renewal was not paid; nil where it does not.
    public var graceEnds: Instant?
    /// Why it ended or will end, in Apple's numbers; nil where nothing ends it.
    public var expirationIntent: Int64?
    /// 0 while a price increase that needs consent is not answered, 1 once the customer has agreed
    /// or was only told; nil where no increase is announced (INC-10).
    public var priceIncreaseStatus: Int64?
    /// When this was signed; nil where nobody has said so.
    public var signed: Instant?
    /// The last grace period that any signed renewal information has told of, for the newest says
    /// nothing of it once the store has stopped trying; nil where none was told of.
    public var lastGrace: Grace?

    /// A grace period that something signed has told of.
    public struct Grace: Hashable, Sendable {
        public var ends: Instant
        /// When what told of it was signed.
        public var signed: Instant

        public init(ends: Instant, signed: Instant) {
            self.ends = ends
            self.signed = signed
        }
    }

    public init(
        nextProductID: String, renewsAutomatically: Bool, isInBillingRetry: Bool = false,
        graceEnds: Instant? = nil, expirationIntent: Int64? = nil,
        priceIncreaseStatus: Int64? = nil, signed: Instant? = nil, lastGrace: Grace? = nil
    ) {
        self.nextProductID = nextProductID
        self.renewsAutomatically = renewsAutomatically
        self.isInBillingRetry = isInBillingRetry
        self.graceEnds = graceEnds
        self.expirationIntent = expirationIntent
        self.priceIncreaseStatus = priceIncreaseStatus
        self.signed = signed
        self.lastGrace = lastGrace
    }

    /// Until when access goes on, or went on, after a renewal that failed. A payment on which the
    /// bank has not decided has such a date too, and nothing has failed.
    public var graceOfFailure: Instant? {
        isInBillingRetry || expirationIntent != nil ? graceEnds : nil
    }

    /// Whether the next period costs more only if the customer agrees, who has not answered.
    public var needsConsent: Bool { priceIncreaseStatus == 0 }
}
