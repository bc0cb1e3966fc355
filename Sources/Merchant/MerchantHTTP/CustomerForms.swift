import HTTPSurface
import Merchant
import MerchantRules
import SubscriptionRules

/// What a merchant tells about a customer: each object is declared once.
enum CustomerForms {
    static let entitlement = ObjectForm<Entitlement>(
        "Whether something is unlocked, and why.",
        .text(
            "id",
            "What is unlocked: a name of the configuration, else the number of the subscription "
                + "group, or the product where it has none.", \.id),
        .boolean("granted", "Whether the customer has it now.", \.access.isGranted),
        .optionalMoment(
            "until", "When access ends by itself, or when it ended; absent where it has no end.",
            \.access.until),
        .optionalBoolean(
            "willRenew",
            "Whether the store will charge for another period; absent where nobody has said so.",
            \.access.willRenew),
        .choice("reason", "Why the customer has it, or has it not.", \.access.reason),
        .text("productId", "The product that decides it.", \.access.transaction.productID),
        .text(
            "transactionId", "The transaction that decides it.",
            \.access.transaction.transactionID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .text(
            "ownership", "Whose purchase it is: purchased or shared.",
            \.access.transaction.ownership),
        .optionalMoment(
            "nextChange", "When the answer changes by itself; absent where it does not.",
            \.access.nextChange))

    static let notification = ObjectForm<AcceptedNotification>(
        "A notification that was accepted.",
        .integer("id", "Its number, in the order of arrival.", \.id),
        .text("notificationUUID", "Apple's identifier, the same in every retry.", \.uuid),
        .text("type", "Its type.", \.type),
        .optionalText("subtype", "Its subtype.", \.subtype),
        .moment("signedDate", "When it was signed.", \.signedAt),
        .moment("received", "When it came in first.", \.receivedAt),
        .text("state", "What became of it: waiting, processed or dead.", \.stateName),
        .optionalText("problem", "Why it could not be processed.", \.problem))

    static let purchase = ObjectForm<OwnedPurchase>(
        "A purchase of the account, with all of its periods.",
        .text("originalTransactionId", "The original transaction id.", \.originalTransactionID),
        .text("productId", "The product that counts now.", \.access.transaction.productID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .choice("reason", "Why it gives access, or gives none.", \.access.reason),
        .boolean("granted", "Whether it gives access now.", \.access.isGranted),
        .optionalMoment("until", "When access ends by itself, or when it ended.", \.access.until),
        .optionalText(
            "boundBy",
            "How the account came by it: app, token, restore, support, order, merge or rebuild.",
            \.boundBy),
        .texts("entitlements", "What it unlocks.", \.entitlements))

    private static let subscription = ObjectForm<OwnedPurchase>(
        "An auto-renewable subscription of the account.",
        .text("originalTransactionId", "The original transaction id.", \.originalTransactionID),
        .text("productId", "The product that counts now.", \.access.transaction.productID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .text(
            "ownership", "Whose purchase it is: purchased or shared.",
            \.access.transaction.ownership),
        .choice("status", "Why it gives access, or gives none.", \.access.reason),
        .optionalMoment("until", "When access ends by itself, or when it ended.", \.access.until),
        .optionalBoolean(
            "willRenew",
            "Whether the store will charge for another period; absent where nobody has said so.",
            \.access.willRenew),
        .optionalText(
            "nextProductId", "The product of the next period; absent where it will not renew.",
            \.nextProductID),
        .optional(
            "price", .integer("What the period that counts has cost, in milliunits."),
            \.prices?.paid),
        .optional(
            "nextPrice",
            .integer(
                "What the next period costs, in milliunits; absent where none follows, or nobody "
                    + "has said so."),
            \.prices?.next),
        .optionalText("currency", "The currency of both.", \.prices?.currency),
        .texts("entitlements", "What it unlocks.", \.entitlements))

    static let customer = ObjectForm<MerchantCustomer>(
        "What an account has, and why.",
        .text("account", "The app's name for it.", \.account),
        .integer(
            "version",
            "Grows with each change: a higher one never shows an older state. 0 for an account "
                + "that was never heard of.", \.version),
        .moment("asOf", "The moment for which it was judged.", \.asOf),
        .optionalMoment(
            "nextChange", "When the answer changes by itself; absent where it does not.",
            \.nextChange),
        .list("entitlements", "By name.", \.entitlements, of: entitlement),
        .list(
            "subscriptions", "The auto-renewable purchases, in the same order.",
            \.subscriptions, of: subscription),
        .list(
            "purchases", "By their latest transaction, the newest first.", \.purchases,
            of: purchase),
        .numbers(
            "balances", "Consumable products by name, of Production.",
            of: "How many were bought and not taken back.", \.balances),
        .list(
            "storeCustomers",
            "Who the customer is at the store, as far as apps have sent their app transaction.",
            \.storeCustomers, of: storeCustomer))

    static let reason = ObjectForm<OwnedPurchase>(
        "A purchase, and what the answer rests on.",
        .text("originalTransactionId", "The original transaction id.", \.originalTransactionID),
        .text("productId", "The product that counts now.", \.access.transaction.productID),
        .text(
            "transactionId", "The transaction that decides it.",
            \.access.transaction.transactionID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .choice("reason", "Why it gives access, or gives none.", \.access.reason),
        .boolean("granted", "Whether it gives access now.", \.access.isGranted),
        .optionalMoment("until", "When access ends by itself, or when it ended.", \.access.until),
        .texts("entitlements", "What it unlocks.", \.entitlements),
        .texts(
            "sources",
            "What said so last: UUIDs of notifications; app, receipt or verifyReceipt for what an "
                + "app has sent; api for what the store was asked.",
            \.sources),
        .list(
            "notifications", "Those about it, in the order of their signing.", \.notifications,
            of: notification),
        .list("story", "Its life in the order of time.", \.story, of: EventForms.event))

    static let storeCustomer = ObjectForm<StoreCustomer>(
        "Who a customer is at the store: one for each Apple Account and app.",
        .text("appTransactionId", "The store's identifier.", \.appTransactionID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .moment("originalPurchaseDate", "When the customer first got the app.", \.acquired),
        .text(
            "originalApplicationVersion", "The version that the customer first got.",
            \.originalVersion))
}

extension TransactionFacts {
    fileprivate var ownership: String { isShared ? "shared" : "purchased" }
}

extension AcceptedNotification.State {
    /// What it is called in answers.
    var name: String {
        switch self {
        case .waiting: "waiting"
        case .processed: "processed"
        case .dead: "dead"
        }
    }
}

extension AcceptedNotification {
    fileprivate var stateName: String { state.name }
}
