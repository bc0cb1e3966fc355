import HTTPSurface
import Merchant
import SubscriptionRules

/// What is planned for campaigns: each object is declared once.
enum CampaignForms {
    private static let count = ObjectForm<PlanTotals.Count>(
        "How many subscribers have a decision for a reason.",
        .text("decision", "included, blocked, notEligible or leftOut.", \.decision),
        .text(
            "reason",
            "A word of a closed list. Of who is included what is asked: none, notice, consent or "
                + "extended.", \.reason),
        .text("sentence", "The reason as a sentence.", \.sentence),
        .integer("count", "How many.", \.count))

    private static let money = ObjectForm<PlanTotals.Money>(
        "Money in one currency, in milliunits.",
        .text("currency", "The currency.", \.currency),
        .integer("subscribers", "How many are included.", \.subscribers),
        .integer("oldPrice", "What a period of each costs today, summed up.", \.oldPrice),
        .integer("newPrice", "What it will cost.", \.newPrice),
        .value(
            "stake",
            .integer(
                "What new prices bring more in a year if everybody agrees and stays; of an outage "
                    + "what the days are worth that are given away, below zero.",
                Int64.min...Int64.max), \.stake))

    private static let named = ObjectForm<PlanTotals.Named>(
        "How many have something in common.",
        .text("name", "What.", \.name), .integer("count", "How many.", \.count))

    static let plan = ObjectForm<CampaignPlan>(
        "A plan of a campaign: what it would do.",
        .integer("id", "Its number.", \.id),
        .text("bundleId", "The app.", \.bundleID),
        .text("campaign", "The campaign's name.", \.name),
        .text("kind", "price or outage.", \.kind),
        .moment("plannedAt", "When it was made.", \.plannedAt),
        .integer(
            "audience", "How many subscribers were looked at: the counts add up to it.",
            \.totals.audience),
        .list("counts", "What is included first.", \.totals.counts, of: count),
        .integer("days", "How many days all get together; 0 for prices.", \.totals.days),
        .list("money", "By currency.", \.totals.money, of: money),
        .list(
            "unreachable",
            "How many of those who are not left out cannot be reached by mail, sheet or push.",
            \.totals.unreachable, of: named),
        .list("warnings", "How many have a warning.", \.totals.warnings, of: named))

    private static let reason = ObjectForm<PlanDetail.Reason>(
        "A test of whether an item's price needs consent.",
        .text("sku", "The item.", \.sku), .text("rule", "The rules it is from.", \.rule),
        .boolean("demandsConsent", "Whether it alone demands consent.", \.demandsConsent),
        .text("sentence", "Its outcome as a sentence.", \.sentence))

    private static let message = ObjectForm<PlanDetail.Message>(
        "A message.",
        .moment("at", "When it is sent, or from when the sheet may show.", \.moment),
        .text("occasion", "notice, consent or koreanConversion.", \.occasion),
        .text("channel", "mail, sheet or push.", \.channel),
        .text(
            "condition", "always, atFirstLaunch, unlessSheetWasSeen or untilAnswered.",
            \.condition),
        .texts("items", "What it tells of.", \.skus))

    private static let call = ObjectForm<PlanDetail.Call>(
        "A call of the store.",
        .texts("items", "Whose prices it names.", \.skus),
        .boolean("needsConsent", "Whether consent must be there first.", \.needsConsent),
        .moment("opens", "The first moment for it.", \.opens),
        .optionalMoment("closes", "The last one for the renewal that is meant.", \.closes))

    private static let warning = ObjectForm<PlanDetail.Warning>(
        "What would break a rule or reach nobody.",
        .text("code", "What.", \.code),
        .optionalMoment("at", "The moment that it is about.", \.moment))

    static let subscriber = ObjectForm<PlannedSubscriber>(
        "What a plan says of one subscriber.",
        .integer("id", "What a page goes on behind.", \.id),
        .text("originalTransactionId", "The subscription.", \.originalTransactionID),
        .text("environment", "Where it was bought: Production or Sandbox.", \.environment.name),
        .optionalText("account", "The account that owns it.", \.account),
        .text("transactionId", "The newest transaction.", \.transactionID),
        .text("productId", "The product.", \.productID),
        .optionalText("storefront", "Where it was bought, in three letters.", \.storefront),
        .optionalText("currency", "The currency of its prices.", \.currency),
        .choice("decision", "Whether the campaign reaches it.", \.decision),
        .text("reason", "Why, as a word.", \.reason),
        .text("sentence", "Why, as a sentence.", \.sentence),
        .optional(
            "oldPrice",
            .integer("What a period cost when the plan was made, in milliunits."), \.oldPrice),
        .optional("newPrice", .integer("What it will cost, in milliunits."), \.newPrice),
        .optionalMoment(
            "renewal", "The first renewal at the new price, or the end that an extension gives.",
            \.renewal),
        .optional("days", .integer("How many days are given."), \.days),
        .list("reasons", "What was tested of each item.", \.detail.reasons, of: reason),
        .list("messages", "What is sent, in order.", \.detail.messages, of: message),
        .list("calls", "The calls, in order.", \.detail.calls, of: call),
        .list("warnings", "What to know before.", \.detail.warnings, of: warning))
}
