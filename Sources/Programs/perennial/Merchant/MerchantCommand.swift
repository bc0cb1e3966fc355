import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Asks the merchant.
struct MerchantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchant",
        abstract: "Run a merchant, and ask it: who has access, and why.",
        discussion: """
            `perennial dev` starts one beside a store, `perennial merchant serve` one alone.

              perennial merchant serve --config merchant.yaml
              perennial merchant status anna
              perennial merchant why anna
            """,
        subcommands: [
            MerchantServeCommand.self, MerchantCheckCommand.self, MerchantStatusCommand.self,
            MerchantWhyCommand.self, MerchantEventsCommand.self, MerchantDeadLettersCommand.self,
            MerchantReplayCommand.self, MerchantGapsCommand.self, MerchantSettleCommand.self,
            MerchantOwnerCommand.self, MerchantUnownedCommand.self, MerchantClaimCommand.self,
            MerchantAliasCommand.self, MerchantExportCommand.self, MerchantEraseCommand.self,
            MerchantCustomersCommand.self, MerchantAuditCommand.self, MerchantTokensCommand.self,
            MerchantRebuildCommand.self, MerchantConsoleCommand.self,
        ])
}

/// Shows what an account has.
struct MerchantStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what an account has, with the reason; without one the merchant's health.",
        discussion: """
              perennial merchant status
              perennial merchant status anna
              perennial merchant status anna --json
            """)

    @Argument(
        help: "The account; without one the merchant's health.", transform: Reading.account)
    var account: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        guard let account else {
            let overview = try await store.merchant(of: which).overview()
            return try store.show(overview) { try OverviewWords.lines(overview, $0) }
        }
        let answer = try await store.merchant(of: which).customer(account)
        try store.show(answer, of: which) { style in
            let entitlements = try answer.list("entitlements")
            let balances = try answer.numbers("balances").map { "\($0.name): \($0.number) bought" }
            guard !entitlements.isEmpty || !balances.isEmpty else {
                return [
                    "The merchant knows of nothing that \(account) has: the app has sent no "
                        + "purchase of this account. What nobody has claimed is kept."
                ]
            }
            let title = "\(account), version \(try answer.integer("version"))"
            guard !entitlements.isEmpty else { return [title] + balances }
            var table = Columns(
                [
                    ("entitlement", .left), ("access", .left), ("why", .left), ("until", .left),
                    ("renews", .left), ("product", .left), ("environment", .left),
                ], first: ["entitlement", "access", "why", "until"])
            for one in entitlements {
                table.add([
                    try one.text("id"), try one.bool("granted") ? "yes" : "no",
                    try AccessWords.reason(one), one.optionalMoment("until")?.plainText ?? "",
                    one.value["willRenew"]?.bool.map { $0 ? "yes" : "no" } ?? "",
                    try one.text("productId"), try one.text("environment"),
                ])
            }
            return [title] + table.lines(style) + balances
        }
    }
}

/// Says why an account has what it has.
struct MerchantWhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Say why an account has access, or has none, and on what that rests.",
        discussion: """
            Tells the life of each purchase, with the notifications that each event rests on, and \
            draws it. Then it lists the last 50 transfers between accounts, for all purchases.

              perennial merchant why anna
              perennial merchant why anna 21434561
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Argument(
        help: """
            Only what unlocks this: a name of the configuration, or the number of a subscription \
            group.
            """)
    var entitlement: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let merchant = try store.merchant(of: which)
        let answer = try await merchant.why(account, entitlement)
        // What there is instead, where nothing unlocks what was asked for.
        var others: Answer?
        if entitlement != nil, try answer.list("purchases").isEmpty {
            others = try await merchant.why(account, nil)
        }
        let all = try (others ?? answer).list("purchases")
        try store.show(answer, of: which) { style in
            let purchases = try answer.list("purchases")
            let moves = try StoryWords.transfers(in: answer, style)
            guard !purchases.isEmpty else {
                return [StoryWords.nothing(of: account, unlocks: entitlement, among: all)] + moves
            }
            let now = try answer.moment("asOf")
            return try purchases.flatMap { try Self.words($0, at: now, style) } + moves
        }
    }

    /// What is bought again and again unlocks nothing, and is counted.
    static func counted(_ purchase: Answer, _ style: Style) throws -> [String] {
        let isLeft = try purchase.bool("granted") ? "counted" : "taken back"
        var lines = [
            style.paint("\(try purchase.text("productId")): \(isLeft)", .strong),
            style.paint(
                "  transaction \(try purchase.text("transactionId")), "
                    + (try purchase.text("environment")), .faint),
        ]
        lines += try StoryWords.lines(try purchase.list("story"), style)
        let others = try StoryWords.others(of: purchase, style)
        if !others.isEmpty { lines += ["  other notifications:"] + others }
        return lines
    }

    private static func words(
        _ purchase: Answer, at now: Instant, _ style: Style
    ) throws -> [String] {
        let unlocks = purchase.texts("entitlements").joined(separator: ", ")
        guard !unlocks.isEmpty else { return try counted(purchase, style) }
        let until = purchase.optionalMoment("until").map { " until \($0.plainText)" } ?? ""
        var lines = [
            style.paint(
                try purchase.bool("granted")
                    ? "\(unlocks): access\(until)" : "\(unlocks): no access", .strong),
            "  since \(try AccessWords.sentence(purchase))",
            style.paint(
                "  \(try purchase.text("productId")), transaction "
                    + "\(try purchase.text("transactionId")), purchase "
                    + "\(try purchase.text("originalTransactionId")), "
                    + (try purchase.text("environment")), .faint),
        ]
        let story = try purchase.list("story")
        lines += try StoryWords.lines(story, style)
        let others = try StoryWords.others(of: purchase, style)
        if !others.isEmpty { lines += ["  other notifications:"] + others }
        if let sketch = try StorySketch(story, at: now).sketch {
            lines += [""] + SketchDrawing.lines(of: sketch, at: now, style: style)
        }
        return lines
    }
}

/// Lists what the merchant could not process.
struct MerchantDeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters",
        abstract: "List the notifications that were accepted and could not be processed.",
        discussion: """
            `perennial merchant replay NUMBER` tries one again.

              perennial merchant dead-letters
            """)

    @Option(
        help: ArgumentHelp("How many at most, 1 to 200. (default: 50)", valueName: "n"),
        transform: Reading.number(1...200))
    var limit = 50

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant().deadLetters(limit: limit)
        try store.show(answer) { style in
            let letters = try answer.list("deadLetters")
            guard !letters.isEmpty else { return ["There is none."] }
            var table = Columns(
                [
                    ("number", .right), ("received", .left), ("type", .left), ("problem", .left),
                ], first: ["number", "type", "problem"])
            for one in letters {
                table.add([
                    String(try one.integer("id")), try one.moment("received").plainText,
                    try one.text("type"), one.optionalText("problem") ?? "",
                ])
            }
            return table.lines(style)
        }
    }
}

/// Tries a dead letter again.
struct MerchantReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Process a dead letter again.",
        discussion: """
            A letter that was set aside is taken in again under another number, if the \
            configuration now accepts it.

              perennial merchant replay 17
            """)

    @Argument(help: "Its number.", transform: Reading.number(1...Int64.max))
    var number: Int64

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant().replay(number)
        try store.show(answer) { _ in
            let kept = try answer.integer("id")
            let name =
                kept == number ? "\(number)" : "\(number) was taken in again as \(kept), which"
            switch try answer.text("state") {
            case "processed": return ["\(name) was processed."]
            case "waiting": return ["\(name) waits to be processed."]
            default: return ["\(name) failed again: \(answer.optionalText("problem") ?? "")"]
            }
        }
    }
}

/// Waits for the merchant.
struct MerchantSettleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Wait until everything that was accepted has been processed.",
        discussion: """
              perennial merchant settle
            """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant().settle()
        try store.show(answer) { _ in ["Everything that was accepted has been processed."] }
    }
}

/// Reasons of access in words.
enum AccessWords {
    /// In a word or two, for a table.
    static func reason(_ one: Answer) throws -> String {
        switch try one.text("reason") {
        case "active": "active"
        case "gracePeriod": "grace period"
        case "awaitingRenewal": "awaiting renewal"
        case "owned": "owned"
        case "billingRetry": "billing retry"
        case "expired": "expired"
        case "refunded": "refunded"
        case "sharingEnded": "sharing ended"
        case "upgraded": "upgraded"
        case let other: other
        }
    }

    /// As the end of a sentence.
    static func sentence(_ one: Answer) throws -> String {
        let end = one.optionalMoment("until").map { " on \($0.plainText)" } ?? ""
        return switch try one.text("reason") {
        case "active": "the paid period runs"
        case "gracePeriod": "the renewal was not paid and the grace period runs"
        case "awaitingRenewal": "the period ended a moment ago and the renewal may be on its way"
        case "owned": "it was bought for good"
        case "billingRetry": "the renewal was not paid, and the store goes on trying"
        case "expired": "access ended\(end)"
        case "refunded": "the money went back\(end)"
        case "sharingEnded": "whoever shared it stopped\(end)"
        case "upgraded": "another plan took its place"
        case let other: other
        }
    }

    /// What a purchase has unlocked, in one line; nil where it unlocks nothing.
    static func unlocked(_ customer: Answer) throws -> String? {
        let granted = try customer.list("entitlements").filter { try $0.bool("granted") }
        guard !granted.isEmpty else { return nil }
        return "the merchant unlocks "
            + (try granted.map { one in
                try one.text("id")
                    + (one.optionalMoment("until").map { " until \($0.plainText)" } ?? "")
            }.joined(separator: ", "))
    }
}

extension TalkOptions {
    /// The merchant that runs alone, or beside the store that was meant.
    ///
    /// - Parameter takesSandbox: whether --sandbox has an effect.
    func merchant(
        of app: AppOption? = nil, takesSandbox: Bool = false
    ) throws -> MerchantClient {
        guard takesSandbox || !sandbox else {
            throw Failure.usage(
                "The merchant answers for both environments at once: leave --sandbox out.")
        }
        if url == nil, let ready = MerchantReady.alone(ready) {
            return try MerchantClient(ready, of: app?.bundleID)
        }
        return try MerchantClient(client(of: app).address, of: app?.bundleID)
    }
}
