import HTTPSurface
import Merchant
import SubscriptionRules

/// What is said of campaigns that run: each object is declared once.
enum CampaignRunForms {
    private static let count = ObjectForm<CampaignRun.Count>(
        "How many have something in common.",
        .text("name", "What.", \.name), .optionalText("detail", "What more.", \.detail),
        .integer("count", "How many.", \.count))

    static let run = ObjectForm<CampaignRun>(
        "A campaign that was started.",
        .text("bundleId", "The app.", \.bundleID),
        .text("campaign", "Its name.", \.name),
        .text("kind", "price or outage.", \.kind),
        .choice("state", "How far it is.", \.state),
        .moment("started", "When it was started.", \.started),
        .moment("moved", "When its state changed last.", \.moved),
        .optionalText("problem", "Why it stands still, where it does.", \.problem),
        .integer("audience", "How many subscribers it has.", \.audience),
        .list("outcomes", "They add up to the audience.", \.outcomes, of: count),
        .list("states", "They add up to the audience too.", \.states, of: count),
        .list("messages", "By channel, with the state as the detail.", \.messages, of: count),
        .list("calls", "By state.", \.calls, of: count))

    static let today = ObjectForm<CampaignToday>(
        "What a campaign would do within a day.",
        .integer("mails", "Mails.", \.mails), .integer("sheets", "Sheets.", \.sheets),
        .integer("pushes", "Pushes.", \.pushes),
        .integer("calls", "Calls of the store that rest on no consent.", \.calls))

    static let message = ObjectForm<CampaignMessageReport>(
        "A message of a campaign.",
        .integer("id", "Its number.", \.id),
        .text("originalTransactionId", "The subscription.", \.originalTransactionID),
        .optionalText("account", "The account that owns it.", \.account),
        .text("occasion", "notice, consent or koreanConversion.", \.occasion),
        .text("channel", "mail, sheet or push.", \.channel),
        .integer("step", "The how many-th it is of its occasion and channel.", \.step),
        .moment("due", "When it was to be sent.", \.due),
        .choice("state", "How far it is.", \.state),
        .integer("attempts", "How often it was handed over.", \.attempts),
        .optionalMoment("sent", "When it was taken.", \.sent),
        .text("messageId", "The same however often it is handed over.", \.messageID),
        .text("title", "Its subject or title.", \.title), .text("body", "Its words.", \.body),
        .text("sha256", "Of the title, an empty line and the words.", \.digest),
        .optionalText("problem", "What came of the last attempt.", \.problem))

    static let subscriber = ObjectForm<CampaignSubscriberReport>(
        "A subscriber of a campaign that was started.",
        .integer("id", "What a page goes on behind.", \.id),
        .text("originalTransactionId", "The subscription.", \.originalTransactionID),
        .optionalText("account", "The account that owns it.", \.account),
        .text("productId", "The product.", \.productID),
        .optionalText("storefront", "Where it was bought.", \.storefront),
        .optionalText("currency", "The currency of its prices.", \.currency),
        .text("cohort", "What is asked, or why the campaign leaves it out.", \.cohort),
        .text("state", "How far it is.", \.state),
        .optionalText("detail", "The reason or code of the state.", \.detail),
        .choice("outcome", "Where reports count it.", \.outcome),
        .moment("outcomeAt", "Since when.", \.outcomeAt),
        .optionalMoment("nextMoment", "When it is due again.", \.nextMoment),
        .integer("oldPrice", "What a period cost when it began, in milliunits.", \.oldPrice),
        .integer("newPrice", "What it is to cost.", \.newPrice),
        .integer("priceNow", "What it costs now.", \.priceNow),
        .boolean("isRenewing", "Whether it goes on.", \.isRenewing))

    private static let answer = ObjectForm<CampaignConsents.Answer>(
        "An answer.",
        .text("evidence", "What was asked and answered: JSON, byte for byte.", \.evidence),
        .text("sha256", "The SHA-256 of the evidence; the next one names it.", \.digest))

    private static let call = ObjectForm<CampaignConsents.Call>(
        "A call of the store.",
        .text("requestReferenceId", "The UUID of the request.", \.reference),
        .choice("kind", "What it asks for.", \.kind), .texts("items", "Of what.", \.items),
        .choice("state", "How far it is.", \.state),
        .optionalMoment("answered", "When the store answered.", \.answered),
        .optional("code", .integer("The store's code of an error."), \.code))

    static let consents = ObjectForm<CampaignConsents>(
        "What proves the answers of a subscriber.",
        .text("campaign", "The campaign.", \.campaign),
        .text("originalTransactionId", "The subscription.", \.originalTransactionID),
        .list("consents", "The first first.", \.answers, of: answer),
        .list("calls", "What the store was asked for.", \.calls, of: call))

    private static let day = ObjectForm<CampaignReport.Day>(
        "How many got an outcome on a day.",
        .text("day", "In UTC.", \.day), .text("outcome", "Which.", \.outcome),
        .integer("count", "How many.", \.count))

    private static let cohort = ObjectForm<CampaignReport.Cohort>(
        "How many of a kind have an outcome.",
        .text("cohort", "What is asked, or why the campaign leaves them out.", \.cohort),
        .text("productId", "The product.", \.productID),
        .optionalText("storefront", "The storefront.", \.storefront),
        .text("outcome", "Which.", \.outcome), .integer("count", "How many.", \.count))

    private static let money = ObjectForm<CampaignReport.Money>(
        "What a group pays a period, in milliunits.",
        .text("currency", "The currency.", \.currency),
        .boolean("control", "Whether the campaign leaves them out.", \.isControl),
        .integer("subscribers", "How many they are.", \.subscribers),
        .integer("before", "When the campaign began.", \.before),
        .integer("after", "Now: who does not renew pays nothing.", \.after),
        .integer("renewing", "How many renew still.", \.renewing))

    static let report = ObjectForm<CampaignReport>(
        "What has come of a campaign, or what a rehearsal says will.",
        .text("bundleId", "The app.", \.bundleID), .text("campaign", "Its name.", \.name),
        .boolean("rehearsed", "Whether the answers were made up.", \.isRehearsed),
        .integer("audience", "The outcomes add up to it.", \.audience),
        .list("outcomes", "Each with how many.", \.outcomes, of: count),
        .list("days", "The first first.", \.days, of: day),
        .list("cohorts", "By what is asked, product and storefront.", \.cohorts, of: cohort),
        .list("money", "By currency; those who are left out by themselves.", \.money, of: money))
}
