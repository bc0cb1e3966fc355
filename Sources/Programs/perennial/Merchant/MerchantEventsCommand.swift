import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Where something was bought, as an option.
enum BoughtIn: String, ExpressibleByArgument, CaseIterable {
    case production, sandbox

    /// Apple's word for it.
    var name: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }
}

/// Lists what has happened to an account's purchases.
struct MerchantEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List what has happened to an account's purchases, the latest first.",
        discussion: """
            Computed from the newest of what was signed, so the order in which it came does not \
            matter. What comes next by itself is in the list too.

              perennial merchant events anna
              perennial merchant events anna --entitlement club --environment production
              perennial merchant events anna --purchase 400000000000005 --json
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Option(help: ArgumentHelp("Only purchases that unlock this.", valueName: "id"))
    var entitlement: String?

    @Option(help: ArgumentHelp("Only this original transaction.", valueName: "id"))
    var purchase: String?

    @Option(help: "Only what was bought there.")
    var environment: BoughtIn?

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.number(1...100_000))
    var limit = 50

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.merchant(of: which).events(
            account, entitlement: entitlement, purchase: purchase,
            environment: environment?.name, limit: limit)
        try store.show(answer, of: which) { style in
            let events = try answer.list("events")
            guard !events.isEmpty else { return ["The merchant knows of no such event."] }
            var table = Columns(
                [("at", .left), ("what", .left), ("purchase", .left), ("told by", .left)],
                first: ["at", "what"])
            for event in events {
                let told = try event.list("notifications").map { notice in
                    let subtype = notice.optionalText("subtype").map { "/\($0)" } ?? ""
                    return try notice.text("type") + subtype
                }
                table.add([
                    try event.moment("at").plainText, try StoryWords.sentence(event),
                    try event.text("originalTransactionId"), told.joined(separator: ", "),
                ])
            }
            let more = try answer.bool("hasMore") ? ["There are more: raise --limit."] : []
            return table.lines(style) + more
        }
    }
}
