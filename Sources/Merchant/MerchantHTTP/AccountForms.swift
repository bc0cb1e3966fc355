import HTTPSurface
import Merchant
import SubscriptionRules

/// What a merchant keeps about a person: each object is declared once.
enum AccountForms {
    static let transfer = ObjectForm<AccountTransfer>(
        "That an account got a purchase, or lost it; each move has one for each account.",
        .integer("id", "Its number, in the order in which transfers were written.", \.id),
        .choice("kind", "What has happened.", \.kind),
        .text("account", "The account, as it was called then.", \.account),
        .integer(
            "version",
            "The account's version that it led to: the versions call says what it had then.",
            \.version),
        .moment("at", "When it happened.", \.at),
        .optionalText(
            "originalTransactionId", "The purchase; absent where accounts were merged.",
            \.originalTransactionID),
        .optionalText("environment", "Where it was bought.", \.environmentName),
        .optionalText(
            "other", "The account on the other side; absent where there is none, or none any more.",
            \.other),
        .optionalText(
            "how", "How it was got: app, token, restore, support, order, merge or rebuild.", \.means
        ))

    private static let alias = ObjectForm<AccountAlias>(
        "Another name of the account.",
        .text("name", "The name.", \.name), .moment("since", "Since when.", \.since))

    private static let text = ObjectForm<KeptText>(
        "Something that the store has signed.",
        .optionalText("transactionId", "The transaction that it is about.", \.transactionID),
        .moment("signedDate", "When it was signed.", \.signedAt),
        .text(
            "source",
            "Where it came from: the UUID of a notification, app for an app, api for the App "
                + "Store Server API.", \.source),
        .text("signedText", "As it was signed (JWS).", \.text))

    private static let purchase = ObjectForm<ExportedPurchase>(
        "A purchase with everything that was signed about it.",
        .text("originalTransactionId", "What it is called.", \.originalTransactionID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .text("boundBy", "How the account came by it.", \.boundBy),
        .moment("since", "Since when the account has it.", \.since),
        .boolean("owner", "Whether the account owns it, and does not only share it.", \.isOwner),
        .optionalText("appAccountToken", "The token that it was bought with.", \.appAccountToken),
        .list("transactions", "By date.", \.transactions, of: text),
        .list("renewals", "The newest renewal information.", \.renewals, of: text),
        .list("notifications", "In the order of their signing.", \.notifications, of: text),
        .list("messages", "What campaigns wrote; the source is the channel.", \.messages, of: text),
        .list(
            "consents", "What proves answers to prices; the source is the SHA-256.", \.consents,
            of: text))

    static let export = ObjectForm<AccountExport>(
        "Everything that is kept about an account.",
        .text("account", "The app's name for it.", \.account),
        .integer("version", "0 for an account that was never heard of.", \.version),
        .moment("asOf", "When it was read.", \.asOf),
        .list("aliases", "By name.", \.aliases, of: alias),
        .texts("appAccountTokens", "The tokens that it has shown.", \.tokens),
        .list(
            "contacts", "How the customer is reached: one, or none.", \.contacts,
            of: ContactSurface.contact),
        .list(
            "storeCustomers", "Who the customer is at the store.", \.storeCustomers,
            of: CustomerForms.storeCustomer),
        .list("purchases", "The oldest first.", \.purchases, of: purchase),
        .list("transfers", "The newest first.", \.transfers, of: transfer))

    static let erased = ObjectForm<ErasedAccount>(
        "What was erased.",
        .integer("names", "The account's name and its other names.", \.names),
        .integer("tokens", "The tokens that it had shown.", \.tokens),
        .integer("purchases", "The purchases that nobody has now.", \.purchases),
        .integer("shared", "The purchases that other accounts have still.", \.shared))
}

extension AccountTransfer {
    fileprivate var environmentName: String? { environment?.name }
    fileprivate var means: String? { how?.rawValue }
}
