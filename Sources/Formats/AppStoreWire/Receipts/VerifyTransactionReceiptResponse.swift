/// What verifyReceipt answers to a transaction receipt of iOS 6 (RCP-3.5).
public struct VerifyTransactionReceiptResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The verdict: with 21006 the latest transaction is in ``latestExpiredReceiptInfo``.
    public var status: VerifyReceiptStatus
    /// Where the receipt comes from.
    public var environment: Environment?
    /// The transaction that was sent.
    public var receipt: TransactionReceiptInfo?
    /// A receipt of the latest transaction, in Base64.
    public var latestReceipt: String?
    /// The latest transaction of the subscription.
    public var latestReceiptInfo: TransactionReceiptInfo?
    /// The latest transaction of a subscription that has expired.
    public var latestExpiredReceiptInfo: TransactionReceiptInfo?
    /// Whether the subscription renews; a number here.
    public var autoRenewStatus: AutoRenewStatus?
    /// The product at renewal.
    public var autoRenewProductId: String?
    /// Why the subscription expired.
    public var expirationIntent: ExpirationIntent?
    /// Whether a payment that failed is tried again.
    public var isInBillingRetryPeriod: Bool?

    /// Makes the value; what is not given stays absent.
    public init(
        status: VerifyReceiptStatus, environment: Environment? = nil,
        receipt: TransactionReceiptInfo? = nil, latestReceipt: String? = nil,
        latestReceiptInfo: TransactionReceiptInfo? = nil,
        latestExpiredReceiptInfo: TransactionReceiptInfo? = nil,
        autoRenewStatus: AutoRenewStatus? = nil, autoRenewProductId: String? = nil,
        expirationIntent: ExpirationIntent? = nil, isInBillingRetryPeriod: Bool? = nil
    ) {
        self.status = status
        self.environment = environment
        self.receipt = receipt
        self.latestReceipt = latestReceipt
        self.latestReceiptInfo = latestReceiptInfo
        self.latestExpiredReceiptInfo = latestExpiredReceiptInfo
        self.autoRenewStatus = autoRenewStatus
        self.autoRenewProductId = autoRenewProductId
        self.expirationIntent = expirationIntent
        self.isInBillingRetryPeriod = isInBillingRetryPeriod
    }

    /// Reads an object; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ReceiptKey.self)
        self.init(
            status: try values.decode(VerifyReceiptStatus.self, forKey: "status"),
            environment: try values.decodeIfPresent(Environment.self, forKey: "environment"),
            receipt: try values.decodeIfPresent(TransactionReceiptInfo.self, forKey: "receipt"),
            latestReceipt: try values.textIfPresent("latest_receipt"),
            latestReceiptInfo: try values.decodeIfPresent(
                TransactionReceiptInfo.self, forKey: "latest_receipt_info"),
            latestExpiredReceiptInfo: try values.decodeIfPresent(
                TransactionReceiptInfo.self, forKey: "latest_expired_receipt_info"),
            autoRenewStatus: try values.decodeIfPresent(
                AutoRenewStatus.self, forKey: "auto_renew_status"),
            autoRenewProductId: try values.textIfPresent("auto_renew_product_id"),
            expirationIntent: try values.numberIfPresent("expiration_intent")
                .map(ExpirationIntent.init(rawValue:)),
            isInBillingRetryPeriod: try values.bitIfPresent("is_in_billing_retry_period"))
    }

    /// Writes an object; absent members stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("status", status)
            json.field("environment", environment)
            json.field("receipt", receipt)
            json.field("latest_receipt", latestReceipt)
            json.field("latest_receipt_info", latestReceiptInfo)
            json.field("latest_expired_receipt_info", latestExpiredReceiptInfo)
            json.field("auto_renew_status", autoRenewStatus)
            json.field("auto_renew_product_id", autoRenewProductId)
            json.textField("expiration_intent", expirationIntent?.rawValue)
            json.textField("is_in_billing_retry_period", bit: isInBillingRetryPeriod)
        }
    }
}
