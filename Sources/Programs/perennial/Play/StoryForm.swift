/// What stands in a story's file, declared once.
enum StoryForm {
    /// The members of a story beside its steps.
    static let head = [
        StoryMember("story", .text, .own, needed: true, "What it shows, in a sentence."),
        StoryMember(
            "catalogue", .text, .own,
            "The products: a .storekit file, its path seen from the story's folder."),
        StoryMember(
            "example", .truth, .own,
            "Begin with the customers of the example, who have lived for a year."),
        StoryMember(
            "start", .moment, .own, "What the clock shows first; \(usualStart) unless given."),
        StoryMember(
            "merchant", .truth, .own,
            "Start a merchant beside the store, which says who has access."),
        StoryMember("sandbox", .truth, .own, "Play in Sandbox; in Production unless given."),
    ]

    static let usualStart = "2026-01-01T00:00:00Z"

    /// The step that acts on nothing, and looks.
    static let expect = "expect"

    /// The member of every act that is to be refused.
    static let refused = StoryMember(
        "refused", .text, .own,
        "The step must be refused, with this code: alreadySubscribed. Without it, it must succeed.")

    /// All steps.
    static let steps = buying + lives + decisions + [expectation]

    static func step(_ name: String) -> StepForm? { steps.first { $0.name == name } }

    private static let account = StoryMember(
        "account", .account, .option("account"), needed: true, "Who does it.")
    private static let home = StoryMember(
        "storefront", .storefront, .option("storefront"),
        "Where a new customer is at home, such as USA.")
    private static let billing = StoryMember(
        "billing", .choice(["up-front", "monthly"]), .option("billing-plan"),
        "How a year is billed.")

    private static func whose(_ place: Int) -> StoryMember {
        StoryMember("account", .account, .argument(place), needed: true, "Whose it is.")
    }

    private static let buying = [
        StepForm(
            "buy", .text, "Buy a product as a customer, who is new or known.", ["buy"],
            [
                account, home,
                StoryMember(
                    "quantity", .number(1...10), .option("quantity"), "How many of a consumable."),
                StoryMember(
                    "offer", .text, .option("offer"), "A promotional offer, by its identifier."),
                StoryMember(
                    "winBack", .text, .option("win-back"), "A win-back offer, by its identifier."),
                billing,
            ]),
        StepForm(
            "redeem", .text, "Redeem an offer code as a customer.", ["redeem"], [account, home]),
        StepForm(
            "pay", .choice(["approve", "decline", "later"]),
            "What the bank answers to a customer's payments from now on.", ["pay"],
            [
                whose(0),
                StoryMember(
                    "count", .number(1...1_000_000), .option("count"),
                    "Decline that many times, then approve."),
                StoryMember("until", .moment, .option("until"), "Decline until then."),
                StoryMember("after", .step, .option("after"), "Answer later, after so long."),
                StoryMember(
                    "then", .choice(["paid", "declined"]), .option("then"),
                    "What is answered after that."),
            ], valueAt: 1),
        StepForm(
            "change", .text, "Move a customer's subscription to another product.", ["plan"],
            [whose(0), billing], valueAt: 1),
    ]

    private static let lives = [
        StepForm(
            "cancel", .account, "The customer turns renewal off.", ["renewal"], [],
            trailing: ["off"]),
        StepForm(
            "resume", .account, "The customer turns renewal on again.", ["renewal"], [],
            trailing: ["on"]),
        StepForm(
            "refund", .account, "Refund the newest period of the customer's subscription.",
            ["refunds", "issue"],
            [
                StoryMember(
                    "prorated", .truth, .flag("prorated"), "Only the unused share of the period."),
                StoryMember(
                    "reason", .choice(["problemWithApp", "other"]), .option("reason"), "Why."),
            ]),
        StepForm(
            "extend", .account, "Move the renewal date of the customer's subscription.",
            ["extensions", "grant"],
            [
                StoryMember(
                    "days", .number(1...90), .option("days"), needed: true, "By how many days.")
            ]),
        StepForm(
            "family", .account, "Make a family of its organiser and others.",
            ["family", "create"],
            [StoryMember("with", .accounts, .argument(1), needed: true, "The others.")]),
        StepForm(
            "join", .account, "Join a family.", ["family", "add"],
            [StoryMember("of", .account, .argument(0), needed: true, "Somebody in it.")],
            valueAt: 1),
        StepForm("leave", .account, "Leave a family.", ["family", "remove"], []),
        StepForm(
            "share", .choice(["on", "off"]), "Share a subscription with the family, or stop that.",
            ["family", "share"], [whose(0)], valueAt: 1),
    ]

    private static let decisions = [
        StepForm(
            "priceChange", .text, "Schedule a price for a product in a storefront.",
            ["price", "schedule"],
            [
                StoryMember(
                    "storefront", .storefront, .argument(1), needed: true, "Where, such as USA."),
                StoryMember("to", .amount, .argument(2), needed: true, "The new price: 14.99."),
                StoryMember(
                    "existing", .choice(["preserve", "apply"]), .option("existing"),
                    "Whether subscribers keep a lower price."),
                StoryMember(
                    "start", .moment, .option("start"), "When it goes live; at once unless given."),
            ], isOfBoth: true),
        StepForm(
            "consent", .choice(["agree", "decline"]),
            "The customer answers a price increase that was announced.", ["consent"], [whose(0)],
            valueAt: 1),
        StepForm(
            "gracePeriod", .choice(["3", "16", "28", "none"]),
            "Set the app's Billing Grace Period, in days.", ["app", "set"], [],
            valueOption: "grace-period", isOfBoth: true),
        StepForm(
            "advance", .step, "Move the clock, through everything that happens until then.",
            ["advance"], [], isOfBoth: true),
        StepForm(
            "advanceTo", .moment, "Move the clock to a moment.", ["advance"], [],
            valueOption: "to", isOfBoth: true),
    ]

    private static let expectation = StepForm(
        expect, .account, "Look at a customer, and fail where anything is different.", [],
        [
            StoryMember(
                "product", .text, .own,
                "The subscription that is meant, where the customer has several."),
            StoryMember(
                "status",
                .choice([
                    "active", "awaitingPayment", "grace", "retrying", "expired", "revoked", "none",
                ]), .own, "The state of the subscription; none where there is none."),
            StoryMember(
                "expires", .moment, .own,
                "When the period that is paid for ends: a moment, or any time of a day."),
            StoryMember("willRenew", .truth, .own, "Whether renewal is on."),
            StoryMember("renewsAs", .text, .own, "The product of the next renewal."),
            StoryMember("price", .amount, .own, "What the period costs: 9.99, or 9.99 USD."),
            StoryMember(
                "entitled", .truth, .own,
                "Whether the customer has the product at the store, be it shared by a family."),
            StoryMember(
                "notifications", .notifications, .own,
                "What the store has sent about the customer since the last step that looked, in "
                    + "order: DID_RENEW, EXPIRED/VOLUNTARY; or none."),
            StoryMember(
                "access", .truth, .own, "Whether the merchant gives the customer access."),
        ])
}

/// A kind of step: what it holds, and the command that does it.
struct StepForm: Hashable, Sendable {
    /// The step's name, with what stands behind it.
    var value: StoryMember
    var members: [StoryMember]
    /// The verbs of the command; none for `expect`.
    var verbs: [String]
    /// Arguments behind all others.
    var trailing: [String]
    /// Whether the command is about both environments.
    var isOfBoth: Bool

    var name: String { value.name }
    var about: String { value.about }
    /// All members, the step's own name first.
    var all: [StoryMember] { [value] + members + (verbs.isEmpty ? [] : [StoryForm.refused]) }

    init(
        _ name: String, _ kind: StoryMember.Kind, _ about: String, _ verbs: [String],
        _ members: [StoryMember], valueAt place: Int = 0, valueOption: String? = nil,
        trailing: [String] = [], isOfBoth: Bool = false
    ) {
        let use = valueOption.map { StoryMember.Use.option($0) } ?? .argument(place)
        value = StoryMember(name, kind, use, needed: true, about)
        self.members = members
        self.verbs = verbs
        self.trailing = trailing
        self.isOfBoth = isOfBoth
    }
}
