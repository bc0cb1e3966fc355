/// A refund of an Advanced Commerce item (JWS-6).
public struct AdvancedCommerceRefund: WireEncodable, Decodable, Hashable, Sendable {
    /// What was paid back, in milliunits.
    public var refundAmount: Int64
    /// When, in milliseconds.
    public var refundDate: Int64
    /// Why.
    public var refundReason: AdvancedCommerceRefundReason
    /// How much of it.
    public var refundType: AdvancedCommerceRefundType

    /// Makes a refund.
    public init(
        refundAmount: Int64, refundDate: Int64, refundReason: AdvancedCommerceRefundReason,
        refundType: AdvancedCommerceRefundType
    ) {
        self.refundAmount = refundAmount
        self.refundDate = refundDate
        self.refundReason = refundReason
        self.refundType = refundType
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("refundAmount", refundAmount)
            json.field("refundDate", refundDate)
            json.field("refundReason", refundReason)
            json.field("refundType", refundType)
        }
    }
}
