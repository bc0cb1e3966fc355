/// Reply of Extend a Subscription Renewal Date (API-5.12).
public struct ExtendRenewalDateResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The new expiry, in milliseconds.
    public var effectiveDate: Int64?
    /// The subscription.
    public var originalTransactionId: String
    /// Whether it was extended.
    public var success: Bool
    /// The purchase event that was extended.
    public var webOrderLineItemId: String?

    /// Makes a reply; what is not given stays absent.
    public init(
        effectiveDate: Int64? = nil, originalTransactionId: String, success: Bool,
        webOrderLineItemId: String? = nil
    ) {
        self.effectiveDate = effectiveDate
        self.originalTransactionId = originalTransactionId
        self.success = success
        self.webOrderLineItemId = webOrderLineItemId
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("effectiveDate", effectiveDate)
            json.field("originalTransactionId", originalTransactionId)
            json.field("success", success)
            json.field("webOrderLineItemId", webOrderLineItemId)
        }
    }
}
