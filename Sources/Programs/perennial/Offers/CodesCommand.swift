import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Codes of offers.
struct CodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "Create, list, download and end offer codes, and show who redeemed them.",
        discussion: """
            Codes are valid in the environment in which you create them.

              perennial offer codes
              perennial offer codes create com.example.garden.estate.monthly WELCOME --count 100
              perennial offer codes create com.example.garden.estate.monthly WELCOME --custom SPRING26 \\
                  --count 5000 --expires 2027-01-01T00:00:00Z
              perennial offer codes download 400000000000009 > codes.csv
              perennial offer codes redemptions 400000000000009
              perennial offer codes end 400000000000009
            """,
        subcommands: [
            CodesListCommand.self, CodesCreateCommand.self, CodesDownloadCommand.self,
            CodesRedemptionsCommand.self, CodesEndCommand.self,
        ], defaultSubcommand: CodesListCommand.self)
}

/// Lists codes.
struct CodesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the batches of codes, newest first.",
        discussion: """
              perennial offer codes list
              perennial offer codes list --product com.example.garden.estate.monthly --limit 5
            """)

    @Option(help: ArgumentHelp("Only this product's.", valueName: "id"))
    var product: String?

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.pages(
            Codes.path(app).with("product", product), list: "offerCodes", limit: limit
        ) { path, last in path.with("before", try last?.text("id")) }
        try store.show(answer, of: which) { style in try Codes.table(answer, style) }
    }
}

/// Makes codes.
struct CodesCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create codes of an offer.",
        discussion: """
            A one-time code is valid for one customer and at most six months. A custom code is one \
            text that many customers can redeem. It has 3 to 64 letters A to Z and digits, without \
            spaces, hyphens or accents; capital and small letters are the same.

              perennial offer codes create com.example.garden.estate.monthly WELCOME --count 100
              perennial offer codes create com.example.garden.estate.monthly WELCOME --custom SPRING26 \\
                  --count 5000
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "The offer's identifier.")
    var offer: String

    @Option(
        help: ArgumentHelp("How many codes, or redemptions of a custom one.", valueName: "n"),
        transform: Reading.count)
    var count: Int

    @Option(
        help: ArgumentHelp("A custom code: 3 to 64 ASCII letters and digits.", valueName: "text"))
    var custom: String?

    @Option(
        help: ArgumentHelp("When they end by themselves.", valueName: "instant"),
        transform: Reading.moment)
    var expires: Instant?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.send(.POST, Codes.path(app)) { json in
            json.field("productId", product)
            json.field("offerId", offer)
            json.field("count", count)
            json.field("custom", custom)
            json.field("expires", expires?.iso8601)
        }
        try store.show(answer, of: which) { _ in
            let id = try answer.text("id")
            return [
                try Codes.words(answer),
                custom == nil
                    ? "`perennial offer codes download \(word: id)` prints them, one a line"
                    : "`perennial redeem \(word: try answer.text("custom")) --account ACCOUNT` "
                        + "redeems it",
            ]
        }
    }
}

/// Downloads codes.
struct CodesDownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Print codes, one a line, as a CSV file of one column.",
        discussion: """
              perennial offer codes download 400000000000009 > codes.csv
            """)

    @Argument(help: "The number under which they were made.")
    var codes: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let text = try await client.text(Codes.path(app, codes, "codes"))
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard !store.json else {
            let list = JSONValue.object(["codes": .array(lines.map(JSONValue.string))])
            return Output.line(PrettyJSON.text(of: list))
        }
        for line in lines { Output.line(line) }
    }
}

/// Lists who redeemed codes.
struct CodesRedemptionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redemptions",
        abstract: "List who redeemed codes, and when.",
        discussion: """
              perennial offer codes redemptions 400000000000009
              perennial offer codes redemptions 400000000000009 --limit 100
            """)

    @Argument(help: "The number under which they were made.")
    var codes: String

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.pages(
            Codes.path(app, codes, "redemptions"), list: "redemptions", limit: limit
        ) { path, last in path.with("after", try last?.text("account")) }
        try store.show(answer, of: which) { style in try Codes.redemptions(answer, style) }
    }
}

/// Ends codes.
struct CodesEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End codes.",
        discussion: """
              perennial offer codes end 400000000000009
            """)

    @Argument(help: "The number under which they were made.")
    var codes: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.send(
            .POST, Codes.path(app, codes, "end"))
        try store.show(answer, of: which) { _ in [try Codes.words(answer)] }
    }
}

/// Redeems a code as a customer does.
struct RedeemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redeem",
        abstract: "Redeem an offer code as a customer, and create the customer if new.",
        discussion: """
            Buys the product with the code's offer. If the customer already subscribes to it, the \
            offer begins with the next renewal. If the customer already owns a one-time product, \
            it is delivered again, and the code stays valid.

              perennial redeem SPRING26 --account anna
              perennial redeem SPRING26 --account kenji --storefront JPN
            """)

    @Argument(help: "The code.")
    var code: String

    @Option(help: ArgumentHelp("Who redeems it.", valueName: "account"), transform: Reading.account)
    var account: String

    @Option(
        help: ArgumentHelp(
            "Where a new customer is at home, such as USA. (default: the app's own storefront)",
            valueName: "code"),
        transform: Reading.storefront)
    var storefront: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which).naming([.account: account])
        let app = try await client.app(selling: nil)
        try await client.checkHome(of: account, storefront)
        let token = try await client.signIn(account, in: app, storefront: storefront)
        let answer = try await client.ask(
            .POST, StorePath("storefront", "v1", "redemptions"),
            StoreClient.members { $0.field("code", code) }, token: token)
        let unlocked = try await client.tellMerchant(of: answer, by: account, in: app)
        let request = try await client.request(of: answer)
        var bill: Answer?
        if let id = answer.optionalText("billId") { bill = try await client.bill(id) }
        let told = answer.with([
            "account": .string(account), "request": request?.value, "bill": bill?.value,
            "merchant": unlocked?.value,
        ])
        try store.show(told, of: which) { style in
            if let request { return try PurchaseRequests.words(request) }
            if let bill {
                return ["\(account) redeemed \(code): the offer begins once it is paid"]
                    + (try Bills.pending(bill))
            }
            let id = answer.payload("signedTransactionInfo")?["productId"]?.string
            guard let id else {
                let moment = answer.optionalMoment("renewalDate").map { ", \($0.plainText)" }
                return [
                    "\(account) redeemed \(code): the offer begins with the next renewal"
                        + (moment ?? "")
                ]
            }
            return try BuyCommand.words(answer, account, id, style)
                + [try unlocked.flatMap(AccessWords.unlocked)].compactMap(\.self)
        }
    }
}

/// Codes in words.
enum Codes {
    static func path(_ app: String, _ rest: String...) -> StorePath {
        StorePath(parts: ["connect", "v1", "apps", app, "offer-codes"] + rest)
    }

    static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        let all = try answer.list("offerCodes")
        guard !all.isEmpty else {
            return [
                "no codes were made; `perennial offer codes create PRODUCT OFFER --count 100` does"
            ]
        }
        var table = Columns(
            [
                ("id", .left), ("product", .left), ("offer", .left), ("code", .left),
                ("redeemed", .right), ("of", .right), ("until", .left),
            ], first: ["id", "offer"])
        for codes in all {
            table.add([
                try codes.text("id"), try codes.text("productId"), try codes.text("offerId"),
                codes.optionalText("custom") ?? "one-time", String(try codes.integer("redeemed")),
                String(try codes.integer("count")),
                codes.optionalText("ended").map { "ended \($0)" } ?? codes.optionalText("expires")
                    ?? "",
            ])
        }
        return table.lines(style)
    }

    static func redemptions(_ answer: Answer, _ style: Style) throws -> [String] {
        let all = try answer.list("redemptions")
        guard !all.isEmpty else { return ["nobody has redeemed them"] }
        var table = Columns(
            [
                ("account", .left), ("redeemed", .left), ("code", .left), ("transaction", .left),
            ], first: ["account", "code"])
        for one in all {
            table.add([
                try one.text("account"), try one.moment("redeemed").plainText,
                try one.text("code"),
                one.optionalText("transactionId") ?? "none: with the renewal, or not paid yet",
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    static func words(_ codes: Answer) throws -> String {
        let count = try codes.integer("count")
        let what =
            codes.optionalText("custom").map { "the custom code \($0), for \(count) customers," }
            ?? "\(count) one-time code\(count == 1 ? "" : "s")"
        let end =
            codes.optionalText("ended").map { ", ended \($0)" } ?? codes.optionalText("expires").map
        {
            ", good until \($0)"
        } ?? ""
        return "\(try codes.text("id")): \(what) of \(try codes.text("offerId")), "
            + "\(try codes.text("productId"))\(end)"
    }
}
