import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// From which amounts price increases need consent.
struct ThresholdsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thresholds",
        abstract: "Show and set from which amounts a price increase needs consent.",
        discussion: """
            An increase needs the subscriber's consent if it is more than half of the price and \
            more than the amount for the storefront.

              perennial price thresholds
              perennial price thresholds list --storefront JPN
              perennial price thresholds set JPN --amount 750 --annual-amount 7500
              perennial price thresholds set DEU --always-consent off
            """,
        subcommands: [ThresholdsListCommand.self, ThresholdsSetCommand.self],
        defaultSubcommand: ThresholdsListCommand.self)
}

/// Lists the thresholds.
struct ThresholdsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List from which amounts a price increase needs consent.",
        discussion: """
            Without --storefront it lists the United States, and all storefronts that you set or \
            in which every increase needs consent.

              perennial price thresholds list
              perennial price thresholds list --storefront JPN --storefront DEU
            """)

    @OptionGroup var only: StorefrontFilter

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let answer = try await client.get(StorePath("connect", "v1", "consent-thresholds"))
        try store.show(try Thresholds.narrowed(answer, to: only.storefront)) { style in
            try Thresholds.table(answer, only.storefront, style)
                + (only.storefront.isEmpty
                    ? [
                        "Everywhere else the amounts of the United States hold where prices are "
                            + "in US dollars. In other currencies none is known, so that more than "
                            + "half of the price is enough: --storefront shows it."
                    ] : [])
        }
    }
}

/// Sets the thresholds of a storefront.
struct ThresholdsSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set from which amounts a price increase needs consent in a storefront.",
        discussion: """
            Options that you leave out stay as they are. The amounts apply to every increase that \
            is planned for a subscriber from now on, in all apps and in both environments.

              perennial price thresholds set JPN --amount 750 --annual-amount 7500
              perennial price thresholds set DEU --always-consent off
              perennial price thresholds set DEU --reset
            """)

    @Argument(help: "The storefront, such as USA.", transform: Reading.storefront)
    var storefront: String

    @Option(help: "The amount for each period of a plan shorter than a year, such as 4.99.")
    var amount: String?

    @Option(help: "The amount a year for a yearly plan, such as 49.99.")
    var annualAmount: String?

    @Option(help: "Whether every increase needs consent, even the smallest.")
    var alwaysConsent: Switch?

    @Flag(help: "Reset to the built-in amounts.")
    var reset = false

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard amount != nil || annualAmount != nil || alwaysConsent != nil || reset else {
            throw ValidationError("Say what to set, such as --always-consent off.")
        }
        _ = (try milliunits(amount), try milliunits(annualAmount))
    }

    func run() async throws {
        let client = try store.client()
        let (period, year) = (try milliunits(amount), try milliunits(annualAmount))
        let answer = try await client.send(
            .PATCH, StorePath("connect", "v1", "consent-thresholds", storefront)
        ) { json in
            json.field("nonAnnualAmount", period)
            json.field("annualAmount", year)
            json.field("alwaysConsent", alwaysConsent.map { $0 == .on })
            if reset { json.field("reset", true) }
        }
        try store.show(answer) { _ in
            [
                "\(storefront): \(try Thresholds.words(answer)), for increases that are planned "
                    + "from now on"
            ]
        }
    }

    private func milliunits(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        guard let currency = Storefront(code: storefront)?.currency else {
            throw ValidationError("'\(storefront)' is no storefront.")
        }
        return try Reading.price(text, currency)
    }
}

/// Thresholds in words.
enum Thresholds {
    /// The same answer with the storefronts that were asked for; all where none was.
    static func narrowed(_ answer: Answer, to storefronts: [String]) throws -> Answer {
        guard !storefronts.isEmpty else { return answer }
        let rows = try answer.list("thresholds").filter { row in
            try storefronts.contains(row.text("storefront"))
        }
        return Answer(
            value: .object(["thresholds": .array(rows.map(\.value))]), source: answer.source)
    }

    static func table(
        _ answer: Answer, _ storefronts: [String], _ style: Style
    ) throws -> [String] {
        var table = Columns(
            [
                ("storefront", .left), ("a period", .right), ("a year", .right),
                ("always", .left), ("", .left),
            ], first: ["storefront", "a period", "a year"])
        for row in try answer.list("thresholds") {
            let code = try row.text("storefront")
            let isOwn = try row.bool("isOwn")
            let always = try row.bool("alwaysConsent")
            let isWanted =
                storefronts.isEmpty
                ? isOwn || always || code == Storefront.usa.code : storefronts.contains(code)
            guard isWanted else { continue }
            table.add([
                code, try amount(row, "nonAnnualAmount"), try amount(row, "annualAmount"),
                always ? "yes" : "no", isOwn ? "set there" : "",
            ])
        }
        return table.lines(style)
    }

    /// What holds in a storefront.
    static func words(_ row: Answer) throws -> String {
        guard try !row.bool("alwaysConsent") else { return "every increase needs consent" }
        let period = try amount(row, "nonAnnualAmount")
        let year = try amount(row, "annualAmount")
        return "an increase of more than half needs consent beyond \(period) a period, or "
            + "\(year) a year for yearly plans"
    }

    private static func amount(_ row: Answer, _ key: String) throws -> String {
        guard let amount = row.optionalInteger(key) else { return "any amount" }
        return Money.plainText(amount, try row.text("currency"))
    }
}
