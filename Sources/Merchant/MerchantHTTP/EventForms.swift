import HTTPSurface
import Merchant
import MerchantRules
import SubscriptionRules

/// What a merchant tells about the life of a purchase.
enum EventForms {
    static let event = ObjectForm<AccountEvent>(
        "Something in the life of a purchase.",
        .text("id", "Pass it as `before` to get the next page.", \.id),
        .moment("at", "When it happened, or will.", \.happening.at),
        .choice("event", "What happened, or will.", \.happening.kind),
        .boolean("isAhead", "Whether it is still to come.", \.happening.isAhead),
        .text("originalTransactionId", "The purchase.", \.originalTransactionID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .text(
            "transactionId", "The transaction that it is about.",
            \.happening.transaction.transactionID),
        .text("productId", "The product from then on.", \.happening.productID),
        .optionalText(
            "previousProductId", "The product before, where another one took its place.",
            \.happening.previousProductID),
        .optionalMoment(
            "until", "Until when what began goes on, as far as is known.", \.happening.until),
        .optional(
            "refundedShare",
            .integer(
                "How much of the price went back, in thousandths of a per cent; absent where "
                    + "nobody has said, or all of it did."), \.happening.refundedShare),
        .boolean(
            "isReversed", "Whether it is a refund that was taken back later.",
            \.happening.isReversed),
        .boolean(
            "needsConsent",
            "Whether it is a renewal that needs the customer's consent to a price increase by "
                + "then, which nobody has given or refused yet.", \.happening.needsConsent),
        .optional(
            "expirationIntent", .integer("Why it ended, in Apple's numbers."),
            \.happening.expirationIntent),
        .texts("entitlements", "What the purchase unlocks.", \.entitlements),
        .list(
            "notifications", "Those that said so, in the order of their signing.",
            \.happening.notices, of: notice))

    private static let notice = ObjectForm<Notice>(
        "A notification that an event rests on.",
        .text("notificationUUID", "Apple's identifier, the same in every retry.", \.uuid),
        .text("type", "Its type.", \.type),
        .optionalText("subtype", "Its subtype.", \.subtype),
        .moment("signedDate", "When it was signed.", \.signedAt))
}
