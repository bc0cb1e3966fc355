public import SubscriptionRules

/// One subscription of a campaign's audience, as the merchant's registers know it. Whoever reads
/// the registers fills it in; the rules of campaigns ask nothing else.
public struct CampaignSubscriber: Hashable, Sendable {
    /// Which of the App Store's two environments it was bought in; Apple's own words.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        case production = "Production"
        case sandbox = "Sandbox"
    }

    /// One thing that the subscription charges for each period.
    public struct Item: Hashable, Sendable {
        /// The merchant's SKU; for an ordinary subscription the product identifier.
        public var sku: String
        /// What a period costs this subscriber, offers aside, in milliunits of the currency.
        public var price: Int64
        /// The offer that the running period belongs to; nil where none runs.
        public var offer: AppliedOffer?
        /// When an increased price of this item was last charged; nil where that is not known.
        public var lastIncrease: Instant?
        /// The SKUs that end with it where its increase is refused or unanswered.
        public var dependents: [String]

        public init(
            sku: String, price: Int64, offer: AppliedOffer? = nil, lastIncrease: Instant? = nil,
            dependents: [String] = []
        ) {
            self.sku = sku
            self.price = price
            self.offer = offer
            self.lastIncrease = lastIncrease
            self.dependents = dependents
        }
    }

    /// The original transaction identifier, by which a campaign knows the subscription.
    public var originalTransactionID: String
    /// The newest transaction identifier, by which a call names it.
    public var transactionID: String
    /// The merchant's name for the account; nil where nobody has claimed the purchase.
    public var account: String?
    public var environment: Environment
    /// The alpha-3 code of the storefront.
    public var storefront: String
    /// The currency of all its prices.
    public var currency: Currency
    /// The product identifier; for Advanced Commerce the generic product.
    public var productID: String
    /// What it charges for; at least one item.
    public var items: [Item]
    /// Whether it was sold by Advanced Commerce, where calls change its prices.
    public var isAdvancedCommerce: Bool
    /// The length of the plan's periods.
    public var period: CalendarPeriod
    /// When the subscription was bought for the first time.
    public var purchased: Instant
    /// When the running period began.
    public var periodStart: Instant
    /// When the running period ends, extensions included.
    public var renews: Instant
    /// From when periods are counted, where that is known.
    public var anchor: Instant?
    /// When the running offer began; nil for the start of the running period.
    public var offerBegan: Instant?
    /// What it is in: active, grace, retry, expired or revoked.
    public var status: ExtensionEligibility.Status
    /// Whether it can be expected to renew. In grace it is `inBillingRetry` as well.
    public var expectation: RenewalOutlook.Expectation
    /// Whether it came by Family Sharing.
    public var isFamilyMember: Bool
    /// Whether another change of price or plan waits for the next renewal already.
    public var hasPendingChange: Bool
    /// Extensions within the last 365 days, in any order.
    public var extensions: [Instant]
    /// Periods that were paid, the running one included.
    public var paidPeriods: Int
    /// The address for mail; nil where there is none.
    public var email: String?
    /// The tokens of the devices that take pushes.
    public var pushTokens: [String]
    /// The language tag of the account.
    public var locale: String?
    /// The entitlements that it gives.
    public var entitlements: [String]
    /// How long periods really last: shortened in Sandbox.
    public var tempo: Tempo

    public init(
        originalTransactionID: String, transactionID: String, account: String? = nil,
        environment: Environment = .production, storefront: String, currency: Currency,
        productID: String, items: [Item], isAdvancedCommerce: Bool = false,
        period: CalendarPeriod, purchased: Instant, periodStart: Instant, renews: Instant,
        anchor: Instant? = nil, offerBegan: Instant? = nil,
        status: ExtensionEligibility.Status = .active,
        expectation: RenewalOutlook.Expectation = .renews, isFamilyMember: Bool = false,
        hasPendingChange: Bool = false, extensions: [Instant] = [], paidPeriods: Int = 1,
        email: String? = nil,
        pushTokens: [String] = [], locale: String? = nil, entitlements: [String] = [],
        tempo: Tempo = .real
    ) {
        precondition(!items.isEmpty, "a subscription charges for something")
        self.originalTransactionID = originalTransactionID
        self.transactionID = transactionID
        self.account = account
        self.environment = environment
        self.storefront = storefront
        self.currency = currency
        self.productID = productID
        self.items = items
        self.isAdvancedCommerce = isAdvancedCommerce
        self.period = period
        self.purchased = purchased
        self.periodStart = periodStart
        self.renews = renews
        self.anchor = anchor
        self.offerBegan = offerBegan
        self.status = status
        self.expectation = expectation
        self.isFamilyMember = isFamilyMember
        self.hasPendingChange = hasPendingChange
        self.extensions = extensions
        self.paidPeriods = paidPeriods
        self.email = email
        self.pushTokens = pushTokens
        self.locale = locale
        self.entitlements = entitlements
        self.tempo = tempo
    }

    /// What all items cost a period, offers aside, in milliunits.
    public var price: Int64 { items.reduce(0) { $0 + $1.price } }

    /// Whether it can be reached on a channel: a mail needs an address, a push a device, and the
    /// sheet an account that the app signs in to.
    public func isReachable(by channel: PriceMessage.Channel) -> Bool {
        switch channel {
        case .mail: email != nil
        case .sheet: account != nil
        case .push: !pushTokens.isEmpty
        }
    }

    /// The renewals that lie ahead for one of its items.
    func outlook(of item: Item) -> RenewalOutlook {
        guard tempo == .real else {
            return RenewalOutlook(
                periodStart: periodStart, periodEnd: renews, cycle: BillingCycle(anchor: renews),
                period: period, offer: item.offer, expectation: expectation, tempo: tempo)
        }
        return RenewalOutlook(
            periodStart: periodStart, nextRenewal: renews, anchor: anchor, period: period,
            offer: item.offer, expectation: expectation)
    }
}
