/// What a server sends to verifyReceipt (RCP-1).
public struct VerifyReceiptRequest: WireEncodable, Hashable, Sendable {
    /// Why a request is not read: with which status it is answered, and what is wrong.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        /// The status of the reply.
        public let status: VerifyReceiptStatus
        /// A sentence for people; verifyReceipt itself says nothing but the status.
        public let reason: String

        /// Status and reason in one line.
        public var description: String { "\(status.rawValue): \(reason)" }
    }

    /// The receipt in Base64: an app receipt, or a transaction receipt of iOS 6.
    public var receiptData: String
    /// The shared secret, of the app or the primary one: needed for auto-renewable subscriptions.
    public var password: String?
    /// Whether `latest_receipt_info` shall hold only the newest transaction of each subscription.
    public var excludeOldTransactions: Bool?

    /// Makes the value; what is not given stays absent.
    public init(
        receiptData: String, password: String? = nil, excludeOldTransactions: Bool? = nil
    ) {
        self.receiptData = receiptData
        self.password = password
        self.excludeOldTransactions = excludeOldTransactions
    }

    /// Reads a request's body. `null` counts as absent and unknown members are passed over; whether
    /// the receipt is one is not judged here.
    public init(parsing body: [UInt8]) throws(Refusal) {
        let json: JSONValue
        do { json = try JSONValue(parsing: body) } catch {
            throw Self.malformed("The body is not JSON, byte \(error.offset): \(error.message)")
        }
        guard let members = json.object else {
            throw Self.malformed("The body is not a JSON object.")
        }
        func member<Value>(
            _ name: String, _ read: (JSONValue) -> Value?, or refusal: Refusal
        ) throws(Refusal) -> Value? {
            guard let json = members[name], !json.isNull else { return nil }
            guard let value = read(json) else { throw refusal }
            return value
        }
        let receipt = try member(
            "receipt-data", \.string, or: Self.malformed("`receipt-data` is not a text."))
        guard let receipt, !receipt.isEmpty else {
            throw Self.malformed("`receipt-data` is missing: send the receipt in Base64.")
        }
        receiptData = receipt
        // No secret is another thing than a text.
        password = try member(
            "password", \.string,
            or: Refusal(status: .wrongSecret, reason: "`password` is not a text."))
        excludeOldTransactions = try member(
            "exclude-old-transactions", \.bool,
            or: Self.malformed("`exclude-old-transactions` is neither true nor false."))
    }

    private static func malformed(_ reason: String) -> Refusal {
        Refusal(status: .malformedReceipt, reason: reason)
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("receipt-data", receiptData)
            json.field("password", password)
            json.field("exclude-old-transactions", excludeOldTransactions)
        }
    }
}

/// Loggers print values by reflection, and this one holds a secret.
extension VerifyReceiptRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "VerifyReceiptRequest" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
