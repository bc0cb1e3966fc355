/// Why an Advanced Commerce item was refunded (JWS-6).
public struct AdvancedCommerceRefundReason: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The purchase was a mistake.
    public static let unintendedPurchase = AdvancedCommerceRefundReason(
        rawValue: "UNINTENDED_PURCHASE")
    /// The item was not delivered.
    public static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
    /// The customer was not satisfied.
    public static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(
        rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// A legal reason.
    public static let legal = AdvancedCommerceRefundReason(rawValue: "LEGAL")
    /// Another reason.
    public static let other = AdvancedCommerceRefundReason(rawValue: "OTHER")
    /// The items of the subscription were changed.
    public static let modifyItemsRefund = AdvancedCommerceRefundReason(
        rawValue: "MODIFY_ITEMS_REFUND")
    /// Asks the sandbox to decline (advanced-commerce-api.md).
    public static let simulateRefundDecline = AdvancedCommerceRefundReason(
        rawValue: "SIMULATE_REFUND_DECLINE")

    /// The published values, in the order of the reference.
    public static let known: [AdvancedCommerceRefundReason] = [
        .unintendedPurchase, .fulfillmentIssue, .unsatisfiedWithPurchase, .legal, .other,
        .modifyItemsRefund, .simulateRefundDecline,
    ]
}
