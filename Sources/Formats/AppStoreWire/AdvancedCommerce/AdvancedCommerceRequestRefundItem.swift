/// An item that money is to be given back for.
public struct AdvancedCommerceRequestRefundItem: WireEncodable, Hashable, Sendable {
    /// The developer's product, at most 128 characters.
    public var sku: String
    /// Why.
    public var refundReason: AdvancedCommerceRefundReason
    /// How much is given back.
    public var refundType: AdvancedCommerceRefundType
    /// Whether the customer loses it.
    public var revoke: Bool
    /// In milliunits, for the type CUSTOM alone; with tax, but without it in Canada and the USA.
    public var refundAmount: Int64?

    /// Makes the value; what is not given stays absent.
    public init(
        sku: String, refundReason: AdvancedCommerceRefundReason,
        refundType: AdvancedCommerceRefundType, revoke: Bool, refundAmount: Int64? = nil
    ) {
        self.sku = sku
        self.refundReason = refundReason
        self.refundType = refundType
        self.revoke = revoke
        self.refundAmount = refundAmount
    }

    init(reading object: RequestObject) throws(APIError) {
        try self.init(
            sku: object.sku(), refundReason: object.refundReason(),
            refundType: object.refundType(),
            revoke: object.flag(
                "revoke",
                or: Refusal.malformedPayload.saying("`revoke` is missing: send true or false.")),
            refundAmount: object.number("refundAmount"))
        try checkAmount(object)
    }

    private func checkAmount(_ object: RequestObject) throws(APIError) {
        guard let amount = refundAmount else {
            return try object.require(refundType != .custom, or: Refusal.nullRefundAmount)
        }
        try object.require(refundType == .custom, or: Refusal.refundAmountWithoutCustom)
        try object.require(amount >= 0, or: Refusal.negativeRefundAmount)
        try object.require(
            (1...AdvancedCommerceLimit.price).contains(amount),
            or: Refusal.invalidAmount.saying(
                amount == 0
                    ? "`refundAmount` is 0, so that nothing would be refunded: send more."
                    : "The amount is more than the store takes: send at most "
                        + "\(AdvancedCommerceLimit.price) milliunits."))
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("SKU", sku)
            json.field("refundReason", refundReason)
            json.field("refundType", refundType)
            json.field("revoke", revoke)
            json.field("refundAmount", refundAmount)
        }
    }
}
