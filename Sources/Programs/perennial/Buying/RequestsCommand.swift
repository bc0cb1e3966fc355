import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import SubscriptionRules
import Timeline

/// Purchases that wait for somebody else.
struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List purchases that wait for approval, and decide them.",
        discussion: """
            These are purchases of a child (`perennial customer set ACCOUNT --asks-to-buy on`), \
            and interrupted purchases (`--interrupts-purchases on`), which an approval completes. \
            Each waits for 24 hours. If the customer asks again, the 24 hours begin again.

              perennial requests
              perennial requests list --state waiting --account anna
              perennial requests approve 17
              perennial requests decline 17
            """,
        subcommands: [
            RequestsListCommand.self, RequestsShowCommand.self, RequestsApproveCommand.self,
            RequestsDeclineCommand.self,
        ], defaultSubcommand: RequestsListCommand.self)
}

/// Requests to buy in words.
enum PurchaseRequests {
    static func path(_ id: String, _ act: String? = nil) -> StorePath {
        act.map { StorePath("connect", "v1", "purchase-requests", id, $0) }
            ?? StorePath("connect", "v1", "purchase-requests", id)
    }

    static func table(
        _ answer: Answer, namesApps: Bool = false, _ style: Style
    ) throws -> [String] {
        let requests = try answer.list("purchaseRequests")
        guard !requests.isEmpty else {
            return [
                "no such requests; `perennial customer set ACCOUNT --asks-to-buy on` makes an "
                    + "account's purchases wait"
            ]
        }
        var table = Columns(
            [
                ("request", .right), ("asked", .left), ("account", .left), ("app", .left),
                ("product", .left), ("price", .right), ("why", .left), ("state", .left),
            ], first: ["request", "account", "state", "product"],
            without: namesApps ? [] : ["app"])
        for request in requests {
            table.add([
                try request.text("id"), try request.moment("asked").plainText,
                try request.text("account"), try request.text("bundleId"),
                try request.text("productId"), try price(request) ?? "",
                try request.text("reason") == "askToBuy" ? "asks to buy" : "interrupted",
                try state(request),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    /// How a request stands, in a sentence.
    static func words(_ request: Answer) throws -> [String] {
        let id = try request.text("id")
        let account = try request.text("account")
        let product = try request.text("productId")
        let cost = try price(request).map { " for \($0)" } ?? ""
        switch try request.text("state") {
        case "waiting":
            let end = request.optionalMoment("lapses")?.plainText ?? "a day from then"
            return [
                "request \(id): \(account) waits for \(product)\(cost), until \(end)",
                "`perennial requests approve \(word: id)` "
                    + (try request.text("reason") == "askToBuy"
                        ? "approves it, and it is bought at the price of then; "
                        : "settles what interrupted it, and it is bought at the price of then; ")
                    + "`perennial requests decline \(word: id)` turns it down",
            ]
        case "approved": return ["request \(id): approved, " + (try outcome(request))]
        case let state: return ["request \(id): \(state), \(account) did not buy \(product)"]
        }
    }

    private static func outcome(_ request: Answer) throws -> String {
        let account = try request.text("account")
        let product = try request.text("productId")
        if let obstacle = request.optionalText("obstacle") {
            return "and nothing was bought: \(reason(obstacle))"
        }
        if let id = request.optionalText("transactionId") {
            return "\(account) bought \(product), transaction \(id)"
        }
        if let bill = request.optionalText("billId") {
            return "\(account) has \(product) once bill \(bill) is paid"
        }
        return "\(account) has \(product) from the next renewal on"
    }

    private static func reason(_ obstacle: String) -> String {
        guard obstacle == HeldPurchase.Obstacle.ineligibleForOffer.rawValue else {
            return Words.spelledOut(obstacle)
        }
        return "the offer, or its code, could not be had any more"
    }

    private static func state(_ request: Answer) throws -> String {
        let state = try request.text("state")
        if let obstacle = request.optionalText("obstacle") {
            return "\(state), nothing bought: \(reason(obstacle))"
        }
        if let lapses = request.optionalMoment("lapses") {
            return "\(state) until \(lapses.plainText)"
        }
        return request.optionalMoment("decided").map { "\(state) \($0.plainText)" } ?? state
    }

    private static func price(_ request: Answer) throws -> String? {
        try request.optionalInteger("price").map {
            Money.plainText($0, try request.text("currency"))
        }
    }
}

/// Lists the requests.
struct RequestsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List purchases that wait or waited for approval, newest first.",
        discussion: """
              perennial requests list
              perennial requests list --state waiting --account anna --limit 100
            """)

    /// How far a request has come.
    enum State: String, ExpressibleByArgument, CaseIterable {
        case waiting, approved, declined, lapsed
    }

    @Option(help: "Only those in this state.")
    var state: State?

    @Option(
        help: ArgumentHelp("Only those of this account.", valueName: "account"),
        transform: Reading.account)
    var account: String?

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.pages(
            StorePath("connect", "v1", "purchase-requests").with("state", state?.rawValue)
                .with("account", account),
            list: "purchaseRequests", limit: limit, where: try await client.isOfItsApp()
        ) { path, last in
            path.with("before", try last?.text("id"))
        }
        let namesApps = try await client.mixesApps()
        try store.show(answer, of: which) { style in
            try PurchaseRequests.table(answer, namesApps: namesApps, style)
        }
    }
}

/// Shows a request.
struct RequestsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a purchase that waits or waited for approval.",
        discussion: """
              perennial requests show 17
            """)

    @Argument(help: "The request, by its number in the list.")
    var request: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().get(PurchaseRequests.path(request))
        try store.show(answer) { _ in try PurchaseRequests.words(answer) }
    }
}

/// Approves a request.
struct RequestsApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a purchase that waits, at today's price.",
        discussion: """
            If an ordinary purchase would be refused now, so is this one, with the reason. Apple's \
            Sandbox approves no requests of children. This one does not either, unless you run \
            `perennial app set --sandbox-approvals on`.

              perennial requests approve 17
            """)

    @Argument(help: "The request, by its number in the list.")
    var request: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, PurchaseRequests.path(request, "approve"))
        try store.show(answer) { _ in try PurchaseRequests.words(answer) }
    }
}

/// Declines a request.
struct RequestsDeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a purchase that waits.",
        discussion: """
              perennial requests decline 17
            """)

    @Argument(help: "The request, by its number in the list.")
    var request: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, PurchaseRequests.path(request, "decline"))
        try store.show(answer) { _ in try PurchaseRequests.words(answer) }
    }
}

extension StoreClient {
    /// The request that a purchase or a change of plan waits for; nil where it waits for nobody.
    func request(of answer: Answer) async throws -> Answer? {
        guard let id = answer.optionalText("requestId") else { return nil }
        return try await get(PurchaseRequests.path(id))
    }
}
