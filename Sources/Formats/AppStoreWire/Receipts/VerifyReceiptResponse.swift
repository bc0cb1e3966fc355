/// What verifyReceipt answers to an app receipt, and to whatever it refuses (RCP-3).
public struct VerifyReceiptResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The verdict.
    public var status: VerifyReceiptStatus
    /// Where the receipt comes from; where it is valid.
    public var environment: Environment?
    /// The receipt that was sent.
    public var receipt: VerifiedReceipt?
    /// A receipt of now in Base64; with auto-renewable subscriptions and the shared secret.
    public var latestReceipt: String?
    /// All transactions but consumables that are finished; as above.
    public var latestReceiptInfo: [ReceiptTransaction]?
    /// One for each auto-renewable subscription; as above.
    public var pendingRenewalInfo: [PendingRenewalInfo]?
    /// Whether asking again may help; with statuses 21100 to 21199.
    public var isRetryable: Bool?

    /// Makes the value; what is not given stays absent.
    public init(
        status: VerifyReceiptStatus, environment: Environment? = nil,
        receipt: VerifiedReceipt? = nil, latestReceipt: String? = nil,
        latestReceiptInfo: [ReceiptTransaction]? = nil,
        pendingRenewalInfo: [PendingRenewalInfo]? = nil, isRetryable: Bool? = nil
    ) {
        self.status = status
        self.environment = environment
        self.receipt = receipt
        self.latestReceipt = latestReceipt
        self.latestReceiptInfo = latestReceiptInfo
        self.pendingRenewalInfo = pendingRenewalInfo
        self.isRetryable = isRetryable
    }

    /// Reads an object; throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ReceiptKey.self)
        self.init(
            status: try values.decode(VerifyReceiptStatus.self, forKey: "status"),
            environment: try values.decodeIfPresent(Environment.self, forKey: "environment"),
            receipt: try values.decodeIfPresent(VerifiedReceipt.self, forKey: "receipt"),
            latestReceipt: try values.textIfPresent("latest_receipt"),
            latestReceiptInfo: try values.decodeIfPresent(
                [ReceiptTransaction].self, forKey: "latest_receipt_info"),
            pendingRenewalInfo: try values.decodeIfPresent(
                [PendingRenewalInfo].self, forKey: "pending_renewal_info"),
            isRetryable: try values.retryable())
    }

    /// Writes an object with the members in the reference's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("status", status)
            json.field("environment", environment)
            json.field("receipt", receipt)
            json.field("latest_receipt", latestReceipt)
            json.field("latest_receipt_info", latestReceiptInfo)
            json.field("pending_renewal_info", pendingRenewalInfo)
            json.field("is_retryable", isRetryable)
        }
    }
}

extension KeyedDecodingContainer where Key == ReceiptKey {
    /// Documented as a Boolean with the values 1 and 0, and seen with a hyphen.
    fileprivate func retryable() throws -> Bool? {
        let key: Key = contains("is_retryable") ? "is_retryable" : "is-retryable"
        if let number = try? decode(Int.self, forKey: key) {
            if number == 0 || number == 1 { return number == 1 }
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "The number is neither 0 nor 1.")
        }
        return try decodeIfPresent(Bool.self, forKey: key)
    }
}
