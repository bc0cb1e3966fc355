import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Shows what an app brought.
struct ProceedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proceeds",
        abstract: "Show an app's proceeds by month, storefront and product.",
        discussion: """
            Commission and proceeds are calculated to the thousandth, so they have three decimals.

              perennial money proceeds
              perennial money proceeds --from 2026-01-01 --to 2027-01-01 --csv > 2026.csv
            """)

    @Option(
        help: ArgumentHelp("The first moment that counts.", valueName: "instant"),
        transform: Reading.moment)
    var from: Instant?

    @Option(
        help: ArgumentHelp("The first moment that counts no longer.", valueName: "instant"),
        transform: Reading.moment)
    var to: Instant?

    @Flag(help: "Print comma-separated values.")
    var csv = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard !csv || !store.json else {
            throw ValidationError("--csv and --json exclude each other.")
        }
        if let from, let to, to <= from {
            throw ValidationError("--to must be later than --from.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app()
        let path = StorePath("connect", "v1", "apps", app, "proceeds")
            .with("from", from?.iso8601).with("to", to?.iso8601)
        guard !csv else {
            Output.write(try await client.text(path.with("format", "csv")))
            return
        }
        let answer = try await client.get(path)
        try store.show(answer, of: which) { style in
            [style.paint(app, .strong)] + (try Self.words(answer, style))
        }
    }

    /// The lines as a table, and the sum of each currency.
    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let lines = try answer.list("lines")
        guard !lines.isEmpty else { return ["no money has moved"] }
        var table = Columns(
            [
                ("month", .left), ("storefront", .left), ("product", .left), ("charges", .right),
                ("refunds", .right), ("paid", .right), ("refunded", .right), ("commission", .right),
                ("proceeds", .right),
            ], first: ["month", "product", "proceeds", "paid"])
        let sums = try Dictionary(grouping: lines) { try $0.text("currency") }
            .sorted { $0.key < $1.key }
        let amounts = try [
            ("paid", nil), ("refunded", nil), ("commission", 3), ("proceeds", 3),
        ].map { (member, places: Int?) in
            AmountText.column(
                try lines.map { (try $0.integer(member), try $0.text("currency")) }
                    + sums.map { (try $1.reduce(0) { try $0 + $1.integer(member) }, $0) },
                places: places)
        }
        for (row, line) in lines.enumerated() {
            table.add(
                [
                    try line.text("month"), try line.text("storefront"),
                    try line.text("productId"), String(try line.integer("charges")),
                    String(try line.integer("refunds")),
                ] + amounts.map { $0[row] })
        }
        for row in sums.indices {
            table.add(["all", "", "", "", ""] + amounts.map { $0[lines.count + row] })
        }
        return table.lines(style)
    }
}
