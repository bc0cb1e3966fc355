/// What signed renewal information says (JWS-4). It names no bundle.
///
/// Times are milliseconds since 1970 UTC, money is milliunits of `currency`.
public struct JWSRenewalInfoDecodedPayload: WireEncodable, Decodable, Hashable, Sendable {
    /// The subscription.
    public var originalTransactionId: String
    /// The current product.
    public var productId: String
    /// The product at the next renewal; differs after a downgrade.
    public var autoRenewProductId: String
    /// Whether it renews.
    public var autoRenewStatus: AutoRenewStatus
    /// The expiry of the newest purchase, in milliseconds (since version 1.8).
    public var renewalDate: Int64?
    /// The price at the next renewal in milliunits, with its offer (since version 1.12).
    public var renewalPrice: Int64?
    /// The currency of `renewalPrice`, ISO 4217.
    public var currency: String?
    /// Why it expired, or why it is in retry.
    public var expirationIntent: ExpirationIntent?
    /// Whether payment is being retried; present after a failed renewal.
    public var isInBillingRetryPeriod: Bool?
    /// The end of the grace period, in milliseconds; in or after grace.
    public var gracePeriodExpiresDate: Int64?
    /// The answer to a pending price increase.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The kind of offer of the next period.
    public var offerType: OfferType?
    /// The offer of the next period.
    public var offerIdentifier: String?
    /// How the offer of the next period is paid.
    public var offerDiscountType: OfferDiscountType?
    /// How long the offer of the next period lasts, ISO 8601.
    public var offerPeriod: String?
    /// Win-back offers for the customer, best first (since version 1.13).
    public var eligibleWinBackOfferIds: [String]?
    /// Start of the current run of service, in milliseconds (since version 1.5).
    public var recentSubscriptionStartDate: Int64?
    /// The UUID, lower case, for the next renewal (since version 1.15).
    public var appAccountToken: String?
    /// One per customer and app (since version 1.15).
    public var appTransactionId: String?
    /// The environment that signed it.
    public var environment: Environment
    /// When it was signed, in milliseconds.
    public var signedDate: Int64
    /// How the next period is billed (since version 1.21).
    public var renewalBillingPlanType: BillingPlanType?
    /// What follows the commitment (since version 1.21).
    public var commitmentInfo: RenewalCommitmentInfo?
    /// Advanced Commerce data (JWS-6).
    public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
    /// Base64 of the SHA-384 that ties the payload to a device (JWS-9); device only.
    public var deviceVerification: String?
    /// The UUID that `deviceVerification` was made with; device only.
    public var deviceVerificationNonce: String?

    /// Makes a payload; what is not given stays absent.
    public init(
        originalTransactionId: String, productId: String, autoRenewProductId: String,
        autoRenewStatus: AutoRenewStatus, renewalDate: Int64? = nil, renewalPrice: Int64? = nil,
        currency: String? = nil, expirationIntent: ExpirationIntent? = nil,
        isInBillingRetryPeriod: Bool? = nil, gracePeriodExpiresDate: Int64? = nil,
        priceIncreaseStatus: PriceIncreaseStatus? = nil, offerType: OfferType? = nil,
        offerIdentifier: String? = nil, offerDiscountType: OfferDiscountType? = nil,
        offerPeriod: String? = nil, eligibleWinBackOfferIds: [String]? = nil,
        recentSubscriptionStartDate: Int64? = nil, appAccountToken: String? = nil,
        appTransactionId: String? = nil, environment: Environment, signedDate: Int64,
        renewalBillingPlanType: BillingPlanType? = nil,
        commitmentInfo: RenewalCommitmentInfo? = nil,
        advancedCommerceInfo: AdvancedCommerceRenewalInfo? = nil, deviceVerification: String? = nil,
        deviceVerificationNonce: String? = nil
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
        self.renewalDate = renewalDate
        self.renewalPrice = renewalPrice
        self.currency = currency
        self.expirationIntent = expirationIntent
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
        self.priceIncreaseStatus = priceIncreaseStatus
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.eligibleWinBackOfferIds = eligibleWinBackOfferIds
        self.recentSubscriptionStartDate = recentSubscriptionStartDate
        self.appAccountToken = appAccountToken
        self.appTransactionId = appTransactionId
        self.environment = environment
        self.signedDate = signedDate
        self.renewalBillingPlanType = renewalBillingPlanType
        self.commitmentInfo = commitmentInfo
        self.advancedCommerceInfo = advancedCommerceInfo
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("originalTransactionId", originalTransactionId)
            json.field("productId", productId)
            json.field("autoRenewProductId", autoRenewProductId)
            json.field("autoRenewStatus", autoRenewStatus)
            json.field("renewalDate", renewalDate)
            json.field("renewalPrice", renewalPrice)
            json.field("currency", currency)
            json.field("expirationIntent", expirationIntent)
            json.field("isInBillingRetryPeriod", isInBillingRetryPeriod)
            json.field("gracePeriodExpiresDate", gracePeriodExpiresDate)
            json.field("priceIncreaseStatus", priceIncreaseStatus)
            json.field("offerType", offerType)
            json.field("offerIdentifier", offerIdentifier)
            json.field("offerDiscountType", offerDiscountType)
            json.field("offerPeriod", offerPeriod)
            json.field("eligibleWinBackOfferIds", eligibleWinBackOfferIds)
            json.field("recentSubscriptionStartDate", recentSubscriptionStartDate)
            json.field("appAccountToken", appAccountToken)
            json.field("appTransactionId", appTransactionId)
            json.field("environment", environment)
            json.field("signedDate", signedDate)
            json.field("renewalBillingPlanType", renewalBillingPlanType)
            json.field("commitmentInfo", commitmentInfo)
            json.field("advancedCommerceInfo", advancedCommerceInfo)
            json.field("deviceVerification", deviceVerification)
            json.field("deviceVerificationNonce", deviceVerificationNonce)
        }
    }
}
