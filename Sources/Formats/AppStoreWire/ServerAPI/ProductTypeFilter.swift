/// A product type in the history's `productType` query (API-5.2).
///
/// Transactions spell the same types differently: see ``TransactionType``.
public struct ProductTypeFilter: OpenEnum {
    /// The text on the wire.
    public let rawValue: String

    /// Makes a value of any text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Auto-renewable subscriptions.
    public static let autoRenewable = ProductTypeFilter(rawValue: "AUTO_RENEWABLE")
    /// Non-renewing subscriptions.
    public static let nonRenewable = ProductTypeFilter(rawValue: "NON_RENEWABLE")
    /// Consumables.
    public static let consumable = ProductTypeFilter(rawValue: "CONSUMABLE")
    /// Non-consumables.
    public static let nonConsumable = ProductTypeFilter(rawValue: "NON_CONSUMABLE")

    /// The published values, in the order of the reference.
    public static let known: [ProductTypeFilter] = [
        .autoRenewable, .nonRenewable, .consumable, .nonConsumable,
    ]
}
