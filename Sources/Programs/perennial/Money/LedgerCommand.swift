import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Lists all money that moved.
struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "List all movements of money between customers, developer and store.",
        discussion: """
            Newest first; --after continues from an entry, oldest first. The gains of the three \
            add up to zero. `perennial money proceeds` sums them up by month.

              perennial money ledger
              perennial money ledger --account anna
              perennial money ledger --after 17 --limit 1000 --json
            """)

    @Option(
        help: ArgumentHelp("Only what this account paid and got.", valueName: "account"),
        transform: Reading.account)
    var account: String?

    @Option(
        help: ArgumentHelp("Only what comes after this entry.", valueName: "entry"),
        transform: Reading.count)
    var after: Int?

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.pages(
            StorePath("connect", "v1", "ledger").with("account", account)
                .with("order", after == nil ? "newestFirst" : nil),
            list: "entries", limit: limit, largestPage: 1000,
            where: try await client.isOfItsApp()
        ) { path, last in
            path.with("after", try last?.text("sequence") ?? after.map { String($0) })
        }
        let namesApps = try await client.mixesApps()
        try store.show(answer, of: which) { style in
            try Self.words(answer, after: after, namesApps: namesApps, style)
        }
    }

    /// - Parameters:
    ///   - after: the entry after which the list begins; nil where it begins with the newest.
    ///   - namesApps: whether each says whose it is.
    static func words(
        _ answer: Answer, after: Int? = nil, namesApps: Bool = false, _ style: Style
    ) throws -> [String] {
        let entries = try answer.list("entries")
        guard let last = entries.last else {
            return ["no money has moved" + (after.map { " after entry \($0)" } ?? "")]
        }
        let namesItems = entries.contains { $0.value["sku"] != nil }
        var table = Columns(
            [
                ("entry", .right), ("at", .left), ("why", .left), ("account", .left),
                ("app", .left), ("product", .left), ("item", .left), ("transaction", .left),
                ("customer", .right), ("developer", .right), ("store", .right),
            ], first: ["entry", "at", "why", "customer"],
            without: (namesApps ? [] : ["app"]) + (namesItems ? [] : ["item"]))
        // Commission is divided to the thousandth, as `proceeds` shows it.
        let amounts = try [
            ("customer", nil), ("developer", 3), ("store", 3),
        ].map { (party, places: Int?) in
            AmountText.column(
                try entries.map { (try $0.integer(party), try $0.text("currency")) },
                places: places)
        }
        for (row, entry) in entries.enumerated() {
            table.add(
                [
                    try entry.text("sequence"), try entry.moment("at").plainText,
                    try entry.text("kind"), try entry.text("account"),
                    try entry.text("bundleId"), try entry.text("productId"),
                    entry.optionalText("sku") ?? "", try entry.text("transactionId"),
                ] + amounts.map { $0[row] })
        }
        let more =
            "and more: --limit" + (after == nil ? "" : ", or --after \(try last.text("sequence"))")
        return table.lines(style) + (try answer.bool("hasMore") ? [more] : [])
    }
}
