/// What will become of one auto-renewable subscription: `pending_renewal_info` (RCP-3.3).
///
/// Instants are in milliseconds since 1970 UTC; each is written in three forms, and every number
/// and flag as text.
public struct PendingRenewalInfo: WireEncodable, Decodable, Hashable, Sendable {
    /// The product at renewal.
    public var autoRenewProductId: String
    /// The product now.
    public var productId: String
    /// The subscription.
    public var originalTransactionId: String
    /// Whether it renews.
    public var autoRenewStatus: AutoRenewStatus
    /// Why it expired; where it did.
    public var expirationIntent: ExpirationIntent?
    /// Whether a payment that failed is tried again; where it failed.
    public var isInBillingRetryPeriod: Bool?
    /// When the grace period ends.
    public var gracePeriodExpiresDate: Int64?
    /// Whether the customer consented to an increase that needs it.
    public var priceConsentStatus: PriceIncreaseStatus?
    /// Whether the customer consented to an increase, or was told of one that needs no consent.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The reference name of the offer at renewal whose code was redeemed.
    public var offerCodeRefName: String?
    /// The promotional offer at renewal.
    public var promotionalOfferId: String?

    /// Makes the value; what is not given stays absent.
    public init(
        autoRenewProductId: String, productId: String, originalTransactionId: String,
        autoRenewStatus: AutoRenewStatus, expirationIntent: ExpirationIntent? = nil,
        isInBillingRetryPeriod: Bool? = nil, gracePeriodExpiresDate: Int64? = nil,
        priceConsentStatus: PriceIncreaseStatus? = nil,
        priceIncreaseStatus: PriceIncreaseStatus? = nil, offerCodeRefName: String? = nil,
        promotionalOfferId: String? = nil
    ) {
        self.autoRenewProductId = autoRenewProductId
        self.productId = productId
        self.originalTransactionId = originalTransactionId
        self.autoRenewStatus = autoRenewStatus
        self.expirationIntent = expirationIntent
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
        self.gracePeriodExpiresDate = gracePeriodExpiresDate
        self.priceConsentStatus = priceConsentStatus
        self.priceIncreaseStatus = priceIncreaseStatus
        self.offerCodeRefName = offerCodeRefName
        self.promotionalOfferId = promotionalOfferId
    }

    /// Reads an object; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ReceiptKey.self)
        self.init(
            autoRenewProductId: try values.text("auto_renew_product_id"),
            productId: try values.text("product_id"),
            originalTransactionId: try values.text("original_transaction_id"),
            autoRenewStatus: AutoRenewStatus(rawValue: try values.number("auto_renew_status")),
            expirationIntent: try values.numberIfPresent("expiration_intent")
                .map(ExpirationIntent.init(rawValue:)),
            isInBillingRetryPeriod: try values.bitIfPresent("is_in_billing_retry_period"),
            gracePeriodExpiresDate: try values.dateIfPresent("grace_period_expires_date"),
            priceConsentStatus: try values.numberIfPresent("price_consent_status")
                .map(PriceIncreaseStatus.init(rawValue:)),
            priceIncreaseStatus: try values.numberIfPresent("price_increase_status")
                .map(PriceIncreaseStatus.init(rawValue:)),
            offerCodeRefName: try values.textIfPresent("offer_code_ref_name"),
            promotionalOfferId: try values.textIfPresent("promotional_offer_id"))
    }

    /// Writes an object with the members in the reference's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("auto_renew_product_id", autoRenewProductId)
            json.field("product_id", productId)
            json.field("original_transaction_id", originalTransactionId)
            json.textField("auto_renew_status", autoRenewStatus.rawValue)
            json.textField("expiration_intent", expirationIntent?.rawValue)
            json.textField("is_in_billing_retry_period", bit: isInBillingRetryPeriod)
            json.dates("grace_period_expires_date", gracePeriodExpiresDate)
            json.textField("price_consent_status", priceConsentStatus?.rawValue)
            json.textField("price_increase_status", priceIncreaseStatus?.rawValue)
            json.field("offer_code_ref_name", offerCodeRefName)
            json.field("promotional_offer_id", promotionalOfferId)
        }
    }
}
