import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Lists what nobody has.
struct MerchantUnownedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unowned",
        abstract: "List the purchases that no account has.",
        discussion: """
            The store has told of them, and no app has sent them. `perennial merchant claim` gives \
            one to an account.

              perennial merchant unowned
              perennial merchant unowned --environment Production --product plus.monthly
            """)

    @Option(help: "Only of this environment: Production or Sandbox.")
    var environment: String?

    @Option(help: "Only where this product was bought.")
    var product: String?

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant(of: which).unowned(
            app: which.bundleID, environment: environment, product: product, limit: limit)
        try store.show(answer, of: which) { style in
            let purchases = try answer.list("purchases")
            guard !purchases.isEmpty else { return ["Every purchase has an account."] }
            var table = Columns(
                [
                    ("purchase", .left), ("product", .left), ("bought", .left), ("ends", .left),
                    ("app", .left), ("environment", .left), ("account", .left),
                ], first: ["purchase", "product", "bought"])
            for one in purchases {
                table.add([
                    try one.text("originalTransactionId"), one.optionalText("productId") ?? "",
                    one.optionalMoment("purchased")?.plainText ?? "",
                    one.optionalMoment("expires")?.plainText ?? "", try one.text("bundleId"),
                    try one.text("environment"),
                    one.optionalMoment("erased") == nil ? "" : "erased",
                ])
            }
            let count = try OverviewWords.count(answer, "count", "countIsExact")
            let rest = try answer.bool("hasMore") ? ["\(count) in all; --limit shows more."] : []
            return table.lines(style) + rest
        }
    }
}

/// Gives an account what nobody has.
struct MerchantClaimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Give an account a purchase that nobody has.",
        discussion: """
            With --order the App Store says what was bought; that needs `api` in the configuration.

              perennial merchant claim anna 2000000123456789
              perennial merchant claim anna --order MK5TTTVWJH
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Argument(help: "The purchase: its original transaction.")
    var purchase: String?

    @Option(help: ArgumentHelp("The order on the customer's receipt.", valueName: "id"))
    var order: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard (purchase == nil) != (order == nil) else {
            throw ValidationError("Name either a purchase or an order: --order ID.")
        }
    }

    func run() async throws {
        let merchant = try store.merchant(of: which)
        let answer: Answer
        if let order {
            answer = try await merchant.claim(order: order, for: account)
        } else {
            answer = try await merchant.claim(purchase ?? "", for: account)
        }
        try store.show(answer, of: which) { _ in
            let unlocked = try AccessWords.unlocked(answer) ?? "it unlocks nothing now"
            return ["\(account) has it: \(unlocked)."]
        }
    }
}

/// Says whose a purchase is.
struct MerchantOwnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Say whose a purchase is, and what comes of it if an account sends it.",
        discussion: """
            Changes nothing.

              perennial merchant owner 2000000123456789 anna
            """)

    @Argument(help: "The purchase: its original transaction.")
    var purchase: String

    @Argument(help: "The account that would send it.", transform: Reading.account)
    var account: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant(of: which).owner(of: purchase, asSeenBy: account)
        try store.show(answer, of: which) { _ in
            let owner =
                switch try answer.text("owner") {
                case "nobody": "Nobody has \(purchase)."
                case "this": "\(account) has \(purchase)."
                default: "\(answer.optionalText("account") ?? "Another account") has \(purchase)."
                }
            let first = answer.optionalText("postFirst").map {
                "If \(account) sends a first purchase's transaction, no renewal, \(Self.words($0))."
            }
            return [
                owner,
                "If \(account) sends it now, \(Self.words(try answer.text("post"))).",
            ] + (first.map { [$0] } ?? []) + [
                "If the customer restores it, \(Self.words(try answer.text("restore")))."
            ]
        }
    }

    /// What comes of it, as the end of a sentence.
    private static func words(_ outcome: String) -> String {
        switch outcome {
        case "has": "nothing changes"
        case "binds": "the account gets it"
        case "moves": "it moves to the account"
        case "shares": "both have it"
        case "ownedByAnother": "it is refused: only a restore moves it"
        case "keptByOwner": "it is refused: it stays where it is"
        case "stillActive": "it is refused: it is active there"
        case "sharedByTooMany": "it is refused: as many share it as may"
        case let other: other
        }
    }
}
