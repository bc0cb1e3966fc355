public import AppStoreWire
public import FoundationEssentials

extension Product.SubscriptionInfo {
    /// What comes next in a subscription.
    public struct RenewalInfo: SignedValue, Hashable {
        /// Why a subscription expired, or why its payment is tried again.
        public typealias ExpirationReason = ExpirationIntent
        /// The answer to a price increase.
        public typealias PriceIncreaseStatus = AppStoreWire.PriceIncreaseStatus
        /// What follows a commitment.
        public typealias CommitmentInfo = RenewalCommitmentInfo
        /// What a merchant described itself.
        public typealias AdvancedCommerceInfo = AdvancedCommerceRenewalInfo

        /// Every member as it was signed: times in UNIX milliseconds, money in milliunits.
        public let payload: JWSRenewalInfoDecodedPayload
        /// As it was signed: what a server verifies.
        public let jwsRepresentation: String
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The subscription.
    public var originalTransactionID: UInt64 { UInt64(payload.originalTransactionId) ?? 0 }
    /// The current product.
    public var currentProductID: String { payload.productId }
    /// The product at the next renewal; nil where it does not renew.
    public var autoRenewPreference: String? {
        willAutoRenew ? payload.autoRenewProductId : nil
    }
    /// Whether it renews.
    public var willAutoRenew: Bool { payload.autoRenewStatus == .on }
    /// The end of the newest period, by the store's clock.
    public var renewalDate: Date? { payload.renewalDate.map(Date.init(milliseconds:)) }
    /// The price at the next renewal, in thousandths of the currency's unit.
    public var renewalPriceMilliunits: Int64? { payload.renewalPrice }
    /// The price at the next renewal, in units of the currency: exact.
    public var renewalPrice: Decimal? { payload.renewalPrice.map { Decimal(milliunits: $0) } }
    /// The currency, ISO 4217.
    public var currencyCode: String? { payload.currency }
    /// Why it expired, or why payment is tried again.
    public var expirationReason: ExpirationReason? { payload.expirationIntent }
    /// Whether payment is tried again.
    public var isInBillingRetry: Bool { payload.isInBillingRetryPeriod ?? false }
    /// Until when the customer has access while payment is tried again.
    public var gracePeriodExpirationDate: Date? {
        payload.gracePeriodExpiresDate.map(Date.init(milliseconds:))
    }
    /// The answer to a price increase; nil where none is pending.
    public var priceIncreaseStatus: PriceIncreaseStatus? { payload.priceIncreaseStatus }
    /// The offer of the next period.
    public var offer: Transaction.Offer? {
        payload.offerType.map {
            Transaction.Offer(
                type: $0, id: payload.offerIdentifier, paymentMode: payload.offerDiscountType,
                period: payload.offerPeriod)
        }
    }
    /// Win-back offers that the customer may have, best first.
    public var eligibleWinBackOfferIDs: [String] { payload.eligibleWinBackOfferIds ?? [] }
    /// Since when the customer has been subscribed without a longer break.
    public var recentSubscriptionStartDate: Date? {
        payload.recentSubscriptionStartDate.map(Date.init(milliseconds:))
    }
    /// The developer's own name for the customer, for the next renewal.
    public var appAccountToken: UUID? { payload.appAccountToken.flatMap(UUID.init(uuidString:)) }
    /// One for each customer and app.
    public var appTransactionID: String? { payload.appTransactionId }
    /// The environment that signed it.
    public var environment: AppStore.Environment { payload.environment }
    /// When it was signed, by the store's clock.
    public var signedDate: Date { Date(milliseconds: payload.signedDate) }
    /// How the next period is billed.
    public var renewalBillingPlanType: BillingPlanType? { payload.renewalBillingPlanType }
    /// What follows the commitment.
    public var commitmentInfo: CommitmentInfo? { payload.commitmentInfo }
    /// What the merchant described itself.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { payload.advancedCommerceInfo }
}
