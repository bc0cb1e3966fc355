import AppStoreWire
import ArgumentParser
import NIOHTTP1
import SubscriptionRules

/// How much is given back, and why.
struct RefundOptions: ParsableArguments {
    /// Why a transaction is refunded.
    enum Reason: String, ExpressibleByArgument, CaseIterable {
        case problemWithApp, other
    }

    @Flag(help: "Give only the unused share of the period back.")
    var prorated = false

    @Option(help: "Why.")
    var reason = Reason.other

    func write(to json: inout JSONWriter) {
        json.field("extent", prorated ? "prorated" : "full")
        json.field("reason", reason.rawValue)
    }
}

/// Refunds a transaction.
struct RefundCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Refund a transaction, with or without the customer's request.",
        discussion: """
            A refund of a subscription's running period ends access at once.

              perennial refund 400000000000009
              perennial refund 400000000000009 --prorated --reason problemWithApp
            """)

    @Argument(help: "The transaction's identifier.")
    var transaction: String

    @OptionGroup var how: RefundOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, StorePath("connect", "v1", "transactions", transaction, "refund"), how.write)
        try store.show(answer) { _ in [try Refunds.sentence(answer)] }
    }
}

/// Cancels a subscription as customer support does.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a subscription as customer support does: refund it, end it at once.",
        discussion: """
            Its newest transaction is refunded; where nothing was paid for it, as in a free \
            trial, that is refused. A customer who only turns renewal off is \
            `perennial renewal SUBSCRIPTION off`.

              perennial cancel anna
              perennial cancel 400000000000005 --prorated
            """)

    @Argument(help: "The subscription's identifier, or the account that has only one.")
    var subscription: String

    @OptionGroup var how: RefundOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let id = try await client.onlySubscription(of: subscription)
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "subscriptions", id, "cancel"), how.write)
        try store.show(answer) { _ in ["\(id): ended; \(try Refunds.sentence(answer))"] }
    }
}

/// Refunds in words.
enum Refunds {
    static func sentence(_ answer: Answer) throws -> String {
        let amount = AmountText.text(try answer.integer("refunded"), try answer.text("currency"))
        let share = try answer.text("extent") == "prorated" ? ", the unused share" : ""
        return "transaction \(try answer.text("transactionId")): \(amount) given back\(share)"
    }

    static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        let requests = try answer.list("refundRequests")
        guard !requests.isEmpty else { return ["no requests for refunds"] }
        var table = Columns([
            ("request", .right), ("requested", .left), ("account", .left),
            ("transaction", .left), ("product", .left), ("paid", .right), ("reason", .left),
            ("developer", .left), ("state", .left),
        ])
        for request in requests {
            let consumption = request.value["consumption"]
            let preference = consumption?["preference"]?.string.map(spelledOut)
            table.add([
                try request.text("id"), try request.moment("requested").minuteText,
                try request.text("account"), try request.text("transactionId"),
                try request.text("productId"),
                AmountText.text(try request.integer("price"), try request.text("currency")),
                spelledOut(try request.text("reason")),
                preference ?? (consumption == nil ? "" : "answered"), try state(request),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    private static func state(_ request: Answer) throws -> String {
        let state = try request.text("state")
        if let decided = request.optionalMoment("decided") {
            return "\(state) \(decided.minuteText)"
        }
        if let decides = request.optionalMoment("decides") {
            return "\(state), decided by \(decides.minuteText)"
        }
        return state
    }

    /// A name in capitals as words: `GRANT_FULL` is `grant full`.
    static func spelledOut(_ name: String) -> String {
        String(name.lowercased().map { $0 == "_" ? " " : $0 })
    }
}

/// What customers asked for, and what is decided about it.
struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds",
        abstract: "List and decide customers' requests for refunds.",
        discussion: """
              perennial refunds
              perennial refunds list --state open
              perennial refunds grant 17 --prorated
              perennial refunds decline 17
              perennial refunds reverse 400000000000009
            """,
        subcommands: [
            RefundsListCommand.self, RefundsGrantCommand.self, RefundsDeclineCommand.self,
            RefundsReverseCommand.self,
        ], defaultSubcommand: RefundsListCommand.self)
}

/// Lists the requests.
struct RefundsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the requests for refunds, newest first.",
        discussion: """
              perennial refunds list
              perennial refunds list --state open --limit 100
            """)

    /// How far a request has come.
    enum State: String, ExpressibleByArgument, CaseIterable {
        case open, granted, declined
    }

    @Option(help: "Only those.")
    var state: State?

    @Option(help: ArgumentHelp("How many at most.", valueName: "n"), transform: Reading.count)
    var limit = 20

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().pages(
            StorePath("connect", "v1", "refund-requests").with("state", state?.rawValue),
            list: "refundRequests", limit: limit
        ) { path, last in
            path.with("before", try last?.text("id"))
        }
        try store.show(answer) { style in try Refunds.table(answer, style) }
    }
}

/// Grants a request.
struct RefundsGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Grant a request for a refund.",
        discussion: """
              perennial refunds grant 17
              perennial refunds grant 17 --prorated
            """)

    @Argument(help: "The request, by its number in the list.")
    var request: String

    @Flag(help: "Give only the unused share of the period back.")
    var prorated = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, StorePath("connect", "v1", "refund-requests", request, "grant")
        ) { $0.field("extent", prorated ? "prorated" : "full") }
        try store.show(answer) { _ in [try Refunds.sentence(answer)] }
    }
}

/// Declines a request.
struct RefundsDeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a request for a refund.",
        discussion: """
              perennial refunds decline 17
            """)

    @Argument(help: "The request, by its number in the list.")
    var request: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, StorePath("connect", "v1", "refund-requests", request, "decline"))
        try store.show(answer) { _ in ["request \(request): declined"] }
    }
}

/// Takes a refund back.
struct RefundsReverseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse",
        abstract: "Reverse a refund: the customer lost the dispute.",
        discussion: """
            The customer pays again, and has access again until the agreed end.

              perennial refunds reverse 400000000000009
            """)

    @Argument(help: "The refunded transaction's identifier.")
    var transaction: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().send(
            .POST, StorePath("connect", "v1", "transactions", transaction, "reverse-refund"))
        try store.show(answer) { _ in ["transaction \(transaction): the refund was reversed"] }
    }
}
