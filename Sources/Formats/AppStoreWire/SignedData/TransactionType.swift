/// The product type as transactions spell it (JWS-3).
///
/// The query filter of the history spells the same types differently: see ``ProductTypeFilter``.
public struct TransactionType: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A subscription that renews by itself.
    public static let autoRenewableSubscription = TransactionType(
        rawValue: "Auto-Renewable Subscription")
    /// Bought once, owned for good.
    public static let nonConsumable = TransactionType(rawValue: "Non-Consumable")
    /// Bought, used up, bought again.
    public static let consumable = TransactionType(rawValue: "Consumable")
    /// Service for a time, without renewal.
    public static let nonRenewingSubscription = TransactionType(
        rawValue: "Non-Renewing Subscription")

    /// The published values, in the order of the reference.
    public static let known: [TransactionType] = [
        .autoRenewableSubscription, .nonConsumable, .consumable, .nonRenewingSubscription,
    ]
}
