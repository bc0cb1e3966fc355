/// One transaction as verifyReceipt tells it, in `latest_receipt_info` and in `in_app` (RCP-3.2).
///
/// Instants are in milliseconds since 1970 UTC; each is written in three forms, and every number
/// and flag as text.
public struct ReceiptTransaction: WireEncodable, Decodable, Hashable, Sendable {
    /// How many were bought, 1 to 10.
    public var quantity: Int64
    /// The product.
    public var productId: String
    /// The transaction.
    public var transactionId: String
    /// The transaction that began it all.
    public var originalTransactionId: String
    /// When this was bought or renewed.
    public var purchaseDate: Int64
    /// When the original transaction was.
    public var originalPurchaseDate: Int64
    /// When a subscription ends or renews.
    public var expiresDate: Int64?
    /// The purchase of a subscription across devices.
    public var webOrderLineItemId: String?
    /// Whether this is a free trial.
    public var isTrialPeriod: Bool?
    /// Whether this is an introductory price that is paid.
    public var isInIntroOfferPeriod: Bool?
    /// True where an upgrade replaced it; absent otherwise, and in `in_app`.
    public var isUpgraded: Bool?
    /// When it was refunded or revoked.
    public var cancellationDate: Int64?
    /// Why it was refunded.
    public var cancellationReason: RevocationReason?
    /// Bought, or shared by the family.
    public var inAppOwnershipType: InAppOwnershipType?
    /// The subscription's group; not in `in_app`.
    public var subscriptionGroupIdentifier: String?
    /// The promotional offer that was redeemed.
    public var promotionalOfferId: String?
    /// The reference name of the offer whose code was redeemed; not in `in_app`.
    public var offerCodeRefName: String?
    /// The UUID that the app gave the purchase; not in `in_app`.
    public var appAccountToken: String?

    /// Makes the value; what is not given stays absent.
    public init(
        quantity: Int64, productId: String, transactionId: String, originalTransactionId: String,
        purchaseDate: Int64, originalPurchaseDate: Int64, expiresDate: Int64? = nil,
        webOrderLineItemId: String? = nil, isTrialPeriod: Bool? = nil,
        isInIntroOfferPeriod: Bool? = nil, isUpgraded: Bool? = nil, cancellationDate: Int64? = nil,
        cancellationReason: RevocationReason? = nil,
        inAppOwnershipType: InAppOwnershipType? = nil,
        subscriptionGroupIdentifier: String? = nil, promotionalOfferId: String? = nil,
        offerCodeRefName: String? = nil, appAccountToken: String? = nil
    ) {
        self.quantity = quantity
        self.productId = productId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.webOrderLineItemId = webOrderLineItemId
        self.isTrialPeriod = isTrialPeriod
        self.isInIntroOfferPeriod = isInIntroOfferPeriod
        self.isUpgraded = isUpgraded
        self.cancellationDate = cancellationDate
        self.cancellationReason = cancellationReason
        self.inAppOwnershipType = inAppOwnershipType
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.promotionalOfferId = promotionalOfferId
        self.offerCodeRefName = offerCodeRefName
        self.appAccountToken = appAccountToken
    }

    /// Reads an object; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ReceiptKey.self)
        try self.init(reading: values, expiresDate: values.dateIfPresent("expires_date"))
    }

    init(reading values: KeyedDecodingContainer<ReceiptKey>, expiresDate: Int64?) throws {
        self.init(
            quantity: try values.number("quantity"), productId: try values.text("product_id"),
            transactionId: try values.text("transaction_id"),
            originalTransactionId: try values.text("original_transaction_id"),
            purchaseDate: try values.date("purchase_date"),
            originalPurchaseDate: try values.date("original_purchase_date"),
            expiresDate: expiresDate,
            webOrderLineItemId: try values.textIfPresent("web_order_line_item_id"),
            isTrialPeriod: try values.flagIfPresent("is_trial_period"),
            isInIntroOfferPeriod: try values.flagIfPresent("is_in_intro_offer_period"),
            isUpgraded: try values.flagIfPresent("is_upgraded"),
            cancellationDate: try values.dateIfPresent("cancellation_date"),
            cancellationReason: try values.numberIfPresent("cancellation_reason")
                .map(RevocationReason.init(rawValue:)),
            inAppOwnershipType: try values.textIfPresent("in_app_ownership_type")
                .map(InAppOwnershipType.init(rawValue:)),
            subscriptionGroupIdentifier: try values.textIfPresent(
                "subscription_group_identifier"),
            promotionalOfferId: try values.textIfPresent("promotional_offer_id"),
            offerCodeRefName: try values.textIfPresent("offer_code_ref_name"),
            appAccountToken: try values.textIfPresent("app_account_token"))
    }

    /// Writes an object with the members in the reference's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            encodeMembers(to: &json) { json in json.dates("expires_date", expiresDate) }
        }
    }

    /// - Parameter expiry: writes the date at which it expires, which has other forms elsewhere.
    func encodeMembers(to json: inout JSONWriter, expiry: (inout JSONWriter) -> Void) {
        json.textField("quantity", quantity)
        json.field("product_id", productId)
        json.field("transaction_id", transactionId)
        json.field("original_transaction_id", originalTransactionId)
        json.dates("purchase_date", purchaseDate)
        json.dates("original_purchase_date", originalPurchaseDate)
        expiry(&json)
        json.field("web_order_line_item_id", webOrderLineItemId)
        json.textField("is_trial_period", flag: isTrialPeriod)
        json.textField("is_in_intro_offer_period", flag: isInIntroOfferPeriod)
        json.textField("is_upgraded", flag: isUpgraded)
        json.dates("cancellation_date", cancellationDate)
        json.textField("cancellation_reason", cancellationReason?.rawValue)
        json.field("in_app_ownership_type", inAppOwnershipType)
        json.field("subscription_group_identifier", subscriptionGroupIdentifier)
        json.field("promotional_offer_id", promotionalOfferId)
        json.field("offer_code_ref_name", offerCodeRefName)
        json.field("app_account_token", appAccountToken)
    }
}
