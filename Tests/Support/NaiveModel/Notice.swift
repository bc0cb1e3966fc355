/// One thing that the developer is told, and how what it is about stood after it.
public struct Notice: Hashable, Sendable {
    public var at: Int
    /// Whom it is about; nil for the summary of a mass extension.
    public var account: Account.Name?
    /// The group of the subscription; nil for what is bought once.
    public var group: String?
    /// The place of its life among all.
    var life: Int?
    /// Type and subtype, such as `DID_RENEW/BILLING_RECOVERY`.
    public var kind: String
    /// The place of the receipt that it carries; nil for a summary.
    var receipt: Int?
    /// The place of the handed-on receipt that it carries, of those who share.
    var shared: Int?
    /// Whose purchase it is, of those who share.
    public var owner: Account.Name?
    /// How the subscription stood; nil for what is bought once.
    public internal(set) var standing: Standing?
    /// What it carries; nil for a summary.
    public internal(set) var showing: Showing?
}

/// How a subscription is shown: its status and its renewal info (TAB-4.3, TAB-16.2).
public struct Standing: Hashable, Sendable {
    public var status: Int
    public var product: String
    /// The product of the next period.
    public var next: String
    public var renews: Bool
    /// The end of the newest period, also when it is past.
    public var renewal: Int
    /// What the next period costs, while there may be one.
    public var price: Int?
    public var currency: String?
    public var intent: Int?
    public var isRetrying: Bool
    public var graceEnds: Int?
    /// 0 asked, 1 agreed or only told, nil when no increase was announced.
    public var increase: Int?
    /// The offer of the next period, such as `PAY_AS_YOU_GO P3M`.
    public var offer: String?
    public var since: Int
    public var token: String?
    /// How the next period is paid, and what comes after the commitment that runs.
    public var billing: Billing?
    public var commitment: NextCommitment?
    /// A merchant's own items.
    public var items: [String]

    public init(
        status: Int, product: String, next: String, renews: Bool, renewal: Int, price: Int?,
        currency: String?, intent: Int?, isRetrying: Bool, graceEnds: Int?, increase: Int?,
        offer: String?, since: Int, token: String?, billing: Billing?,
        commitment: NextCommitment? = nil, items: [String] = []
    ) {
        self.status = status
        self.product = product
        self.next = next
        self.renews = renews
        self.renewal = renewal
        self.price = price
        self.currency = currency
        self.intent = intent
        self.isRetrying = isRetrying
        self.graceEnds = graceEnds
        self.increase = increase
        self.offer = offer
        self.since = since
        self.token = token
        self.billing = billing
        self.commitment = commitment
        self.items = items
    }
}

/// How a transaction is shown (TAB-16.1).
public struct Showing: Hashable, Sendable {
    public var product: String
    public var purchased: Int
    public var expires: Int?
    public var price: Int
    public var currency: String
    public var isUpgraded: Bool
    /// Whether the store renewed it; otherwise somebody bought it.
    public var isRenewal: Bool
    /// The offer of the period, such as `FREE_TRIAL P1M`.
    public var offer: String?
    /// When it was refunded, and how much of it: 100000 for all.
    public var revoked: Int?
    public var share: Int?
    public var token: String?
    /// Of what a family shares, when it came the first time.
    public var first: Int?
    /// How it is paid, of a subscription, and which month of which commitment it is.
    public var billing: Billing?
    public var month: MonthOfCommitment?
    /// A merchant's own items.
    public var items: [String]

    public init(
        product: String, purchased: Int, expires: Int?, price: Int, currency: String,
        isUpgraded: Bool, isRenewal: Bool, offer: String?, revoked: Int?, share: Int?,
        token: String?, billing: Billing?, month: MonthOfCommitment? = nil, items: [String] = []
    ) {
        self.product = product
        self.purchased = purchased
        self.expires = expires
        self.price = price
        self.currency = currency
        self.isUpgraded = isUpgraded
        self.isRenewal = isRenewal
        self.offer = offer
        self.revoked = revoked
        self.share = share
        self.token = token
        self.billing = billing
        self.month = month
        self.items = items
    }
}
