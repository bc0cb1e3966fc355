import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// What concerns families.
struct FamilyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "family",
        abstract: "Create, change and end families, and set what they share.",
        discussion: """
            A family is an organiser and up to five others, in one environment. If one member \
            shares a purchase, the others have it with their own transactions.

              perennial family create anna bea carl
              perennial family add anna dora
              perennial family share anna off
              perennial family show anna
              perennial family remove bea
              perennial family end anna
            """,
        subcommands: [
            FamilyListCommand.self, FamilyShowCommand.self, FamilyCreateCommand.self,
            FamilyAddCommand.self, FamilyRemoveCommand.self, FamilyShareCommand.self,
            FamilyDefaultCommand.self, FamilyEndCommand.self,
        ],
        defaultSubcommand: FamilyListCommand.self)

    /// Who is in a family, and what they share.
    static func words(_ family: Answer, _ style: Style) throws -> [String] {
        var table = Columns(
            [("account", .left), ("", .left), ("since", .left), ("new purchases", .left)],
            first: ["account", "since"])
        for member in try family.list("members") {
            table.add([
                try member.text("account"), try member.bool("organiser") ? "organiser" : "",
                member.optionalMoment("joined")?.plainText ?? "",
                try member.bool("sharesNewPurchases") ? "shared" : "kept",
            ])
        }
        let purchases = try family.list("purchases").flatMap(purchase)
        return table.lines(style) + (purchases.isEmpty ? ["nothing that can be shared"] : purchases)
    }

    private static func purchase(_ one: Answer) throws -> [String] {
        let holders = try one.list("sharedWith").map { try $0.text("account") }
        let whose = "\(try one.text("account"))'s \(try one.text("productId"))"
        let id = try one.text("originalTransactionId")
        guard try one.bool("shared") else { return ["\(whose) (\(id)) is not shared"] }
        return [
            "\(whose) (\(id)) is shared"
                + (holders.isEmpty
                    ? ", and nobody has it" : " with \(holders.joined(separator: ", "))")
        ]
    }
}

extension StoreClient {
    /// The family that an account is in.
    ///
    /// - Throws: `Failure` where it is in none.
    func family(of account: String) async throws -> Answer {
        let found = try await get(
            StorePath("connect", "v1", "families").with("account", account))
        guard let family = try found.list("families").first else {
            throw Failure.refused(
                "\(account) is in no family; `perennial family create ACCOUNT` makes one.")
        }
        return try await get(StorePath("connect", "v1", "families", try family.text("id")))
    }
}

/// Lists the families.
struct FamilyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the families of an environment.",
        discussion: """
              perennial family list
              perennial family list --sandbox --limit 500
            """)

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().pages(
            StorePath("connect", "v1", "families"), list: "families", limit: limit
        ) { path, last in
            path.with("after", try last?.text("id"))
        }
        try store.show(answer) { style in try Self.words(answer, style) }
    }

    private static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let families = try answer.list("families")
        guard !families.isEmpty else {
            return ["no families yet; `perennial family create ACCOUNT` makes one"]
        }
        var table = Columns(
            [("organiser", .left), ("members", .left), ("since", .left)],
            first: ["organiser", "members"])
        for family in families {
            let members = try family.list("members").map { try $0.text("account") }
            table.add([
                members.first ?? "", members.dropFirst().joined(separator: ", "),
                family.optionalMoment("created")?.plainText ?? "",
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }
}

/// Shows a family.
struct FamilyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show who is in an account's family, and what it shares.",
        discussion: """
              perennial family show anna
            """)

    @Argument(help: "Somebody in it.", transform: Reading.account)
    var account: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().family(of: account)
        try store.show(answer) { style in try FamilyCommand.words(answer, style) }
    }
}

/// Makes a family.
struct FamilyCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a family of an organiser and up to five others.",
        discussion: """
            Creates accounts that are new.

              perennial family create anna bea carl
            """)

    @Argument(help: "Whose family it is.", transform: Reading.account)
    var organiser: String

    @Argument(help: "The others.", transform: Reading.account)
    var members: [String] = []

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        for account in [organiser] + members {
            _ = try await client.madeIfNew(account) { try await client.customer(account) }
        }
        let answer = try await client.send(.POST, StorePath("connect", "v1", "families")) { json in
            json.field("organiser", organiser)
            json.array("members") { json in for member in members { json.element(member) } }
        }
        try store.show(answer, of: which) { style in try FamilyCommand.words(answer, style) }
    }
}

/// Adds somebody to a family.
struct FamilyAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an account to a family, and create it if it is new.",
        discussion: """
              perennial family add anna dora
            """)

    @Argument(help: "Somebody in the family.", transform: Reading.account)
    var family: String

    @Argument(help: "Who joins.", transform: Reading.account)
    var account: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.family(of: family).text("id")
        let answer = try await client.madeIfNew(account) {
            try await client.send(
                .POST, StorePath("connect", "v1", "families", id, "members")
            ) { $0.field("account", account) }
        }
        try store.show(answer, of: which) { style in try FamilyCommand.words(answer, style) }
    }
}

/// Lets somebody go.
struct FamilyRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an account from its family; it loses what was shared with it.",
        discussion: """
              perennial family remove bea
            """)

    @Argument(help: "Who leaves.", transform: Reading.account)
    var account: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let id = try await client.family(of: account).text("id")
        _ = try await client.send(
            .DELETE, StorePath("connect", "v1", "families", id, "members", account))
        let answer = try await client.get(StorePath("connect", "v1", "families", id))
        try store.show(answer) { style in try FamilyCommand.words(answer, style) }
    }
}
