import ArgumentParser
import SubscriptionRules

/// Lists all money that moved.
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "List all money that moved between customers, developer and store.",
        discussion: """
            Of all apps of the environment, first to last. What the three gain makes nothing \
            together. `perennial proceeds` sums it up by month.

              perennial ledger
              perennial ledger --after 17 --limit 1000 --json
            """)

    @Option(
        help: ArgumentHelp("Only what comes after this entry.", valueName: "entry"),
        transform: Reading.count)
    var after: Int?

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().pages(
            StorePath("connect", "v1", "ledger"), list: "entries", limit: limit,
            largestPage: 1000
        ) { path, last in
            path.with("after", try last?.text("sequence") ?? after.map { String($0) })
        }
        try store.show(answer) { style in try Self.words(answer, style) }
    }

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let entries = try answer.list("entries")
        guard let last = entries.last else { return ["no money has moved"] }
        var table = Columns(
            [
                ("entry", .right), ("at", .left), ("why", .left), ("account", .left),
                ("product", .left), ("transaction", .left), ("customer", .right),
                ("developer", .right), ("store", .right),
            ], first: ["entry", "at", "why", "customer"])
        let amounts = try ["customer", "developer", "store"].map { party in
            AmountText.column(
                try entries.map { (try $0.integer(party), try $0.text("currency")) })
        }
        for (row, entry) in entries.enumerated() {
            table.add(
                [
                    try entry.text("sequence"), try entry.moment("at").plainText,
                    try entry.text("kind"), try entry.text("account"),
                    try entry.text("productId"), try entry.text("transactionId"),
                ] + amounts.map { $0[row] })
        }
        let more = "and more: --limit, or --after \(try last.text("sequence"))"
        return table.lines(style) + (try answer.bool("hasMore") ? [more] : [])
    }
}
