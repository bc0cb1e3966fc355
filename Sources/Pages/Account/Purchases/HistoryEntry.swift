import AppStoreWire
import ConnectAnswers
import SubscriptionRules

/// A purchase as the customer's device is told of it.
struct HistoryEntry: Sendable {
    let id: String
    let orderID: String
    let productID: String
    let quantity: Int64
    let purchased: Instant
    /// When the first one of its chain was bought.
    let originalPurchased: Instant
    /// Until when a period of a subscription lasts.
    let expires: Instant?
    /// What was paid, in milliunits.
    let price: Int64
    let currency: String
    /// Whether another one of the family paid for it.
    let isShared: Bool
    let refunded: Int64?
    /// How far the newest claim for its price has come: `open`, `granted`, `declined`.
    let claim: String?
    private let isUpgraded: Bool
    private let isRevoked: Bool

    /// - Throws: `UnusableAnswer`.
    init(_ answer: Answer) throws {
        id = try answer.text("transactionId")
        orderID = try answer.text("orderId")
        productID = try answer.text("productId")
        quantity = try answer.integer("quantity")
        purchased = try answer.moment("purchased")
        originalPurchased = try answer.moment("originalPurchased")
        expires = answer.optionalMoment("expires")
        price = try answer.integer("price")
        currency = try answer.text("currency")
        isShared = try answer.bool("familyShared")
        isUpgraded = try answer.bool("upgraded")
        isRevoked = answer.optionalMoment("revoked") != nil
        refunded = answer.optionalInteger("refunded")
        claim = answer.value["refundRequest"]?["state"]?.string
    }

    /// Whether its price can be asked back now.
    var canBeClaimed: Bool {
        price > 0 && !isShared && !isUpgraded && !isRevoked && claim != "open"
    }
}
