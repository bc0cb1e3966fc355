import HTTPSurface
import Merchant
import SubscriptionRules

/// Outages that run: each object is declared once.
enum OutageForms {
    private static let count = ObjectForm<OutageReport.Count>(
        "How many subscriptions have an outcome for a reason.",
        .text(
            "outcome", "waiting, extended, notEligible, failed or leftOut.", \.outcome),
        .text(
            "reason",
            "Of who was extended the call: mass, single or retry. Else a refusal, a reason to "
                + "leave it out, the code of a failure, or what is waited for.", \.reason),
        .text("sentence", "The reason as a sentence.", \.sentence),
        .integer("count", "How many.", \.count))

    private static let call = ObjectForm<OutageReport.Call>(
        "A call for all subscribers of a product.",
        .text("productId", "The product.", \.productID),
        .text("environment", "Production or Sandbox.", \.environment.name),
        .text(
            "requestIdentifier",
            "A UUID that follows from the campaign and the product, so that a repetition is the "
                + "same request.", \.requestIdentifier),
        .optionalMoment("accepted", "When the store took it.", \.accepted),
        .optionalMoment("completed", "When the store was done with it.", \.completed),
        .optional(
            "succeeded", .integer("How many the store says that it extended."), \.succeeded),
        .optional("failed", .integer("How many it says that it did not."), \.failed),
        .optionalText("problem", "Why the last attempt failed.", \.problem))

    private static let mails = ObjectForm<OutageReport.Mails>(
        "How many mails have come how far.",
        .text("state", "waiting, sent, noAddress, noRelay, refused or failed.", \.state),
        .integer("count", "How many.", \.count))

    static let report = ObjectForm<OutageReport>(
        "An outage campaign that was started.",
        .text("bundleId", "The app.", \.bundleID), .text("campaign", "Its name.", \.name),
        .choice("state", "How far it is.", \.state),
        .moment("started", "When it was started.", \.started),
        .moment("moved", "When it was started, paused, resumed, stopped or done last.", \.moved),
        .optionalText("problem", "Why it stands still; it goes on by itself.", \.problem),
        .integer(
            "audience", "How many subscriptions it is about: the counts add up to it.",
            \.audience),
        .list("counts", "By outcome and reason.", \.counts, of: count),
        .integer("retried", "How many were extended after another call had failed.", \.retried),
        .list("calls", "Those for all subscribers of a product.", \.calls, of: call),
        .list("mails", "To those who were extended.", \.mails, of: mails),
        .optionalMoment("next", "When something is due next.", \.next))

    static let subscriber = ObjectForm<OutageSubscriber>(
        "What became of one subscription.",
        .integer("id", "What a page goes on behind.", \.id),
        .text("originalTransactionId", "The subscription.", \.originalTransactionID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .optionalText("account", "The account that owns it.", \.account),
        .text("productId", "The product.", \.productID),
        .optionalText("storefront", "Where it was bought, in three letters.", \.storefront),
        .choice("outcome", "What became of it.", \.outcome),
        .text("reason", "By which call, or why not, as a word.", \.reason),
        .text("sentence", "The same as a sentence.", \.sentence),
        .integer("days", "How many days it was given.", \.days),
        .optionalMoment("endBefore", "When it ended as the campaign began.", \.endBefore),
        .optionalMoment("end", "When it ends now; absent where nothing moved.", \.end),
        .integer("calls", "How many calls were made for it alone.", \.calls),
        .optionalText("failure", "The last failure: a code of Apple's, or a word.", \.failure),
        .text("requestIdentifier", "That of its single calls.", \.requestIdentifier),
        .optionalMoment("nextAttempt", "When it is looked at next.", \.nextAttempt),
        .optionalText("mail", "What became of the mail to its customer.", \.mail))
}
