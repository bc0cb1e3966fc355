import AppStoreWire
public import ArgumentParser
import ConnectAnswers
import NIOHTTP1
public import Store
import SubscriptionRules
import Timeline

/// What the parser reads, by Apple's names.
extension RefundRequest.Reason: ExpressibleByArgument {}

/// Refunds in words.
enum Refunds {
    /// What was given back, and of which period.
    ///
    /// - Parameter wantsShare: whether only the unused share was asked for.
    static func lines(_ answer: Answer, wantsShare: Bool = false) throws -> [String] {
        let amount = try givenBack(answer)
        let share = try answer.text("extent") == "prorated" ? ", the unused share" : ""
        let product = try answer.bought()
        let start = try answer.moment("purchased").plainText
        let end = answer.optionalMoment("expires")?.plainText
        return [
            "transaction \(try answer.text("transactionId")): \(amount) given back\(share)",
            end.map { "\(product), \(start) to \($0)" } ?? "\(product), bought \(start)",
        ] + (try whole(answer, wantsShare).map { [$0] } ?? [])
    }

    /// What was given back of what was paid.
    private static func givenBack(_ answer: Answer) throws -> String {
        Figures.plain.givenBack(
            try answer.integer("refunded"), of: try answer.integer("price"),
            try answer.text("currency"), answer.optionalInteger("percentage"))
    }

    /// Why all of it was given back where only a share was asked for; nil where it was not so.
    private static func whole(_ answer: Answer, _ wantsShare: Bool) throws -> String? {
        guard wantsShare, try answer.text("extent") == "full" else { return nil }
        return answer.value["expires"] == nil
            ? "that is all of it: it has no period of which a share could be unused"
            : "that is all of it: nothing of the period was used yet"
    }

    /// How an identifier was read that could have meant a subscription's first transaction; nil
    /// where it could not.
    ///
    /// - Parameter command: what takes the first transaction.
    static func reading(of target: String, _ answer: Answer, command: String) throws -> String? {
        guard try answer.text("originalTransactionId") == target,
            try answer.text("transactionId") != target
        else { return nil }
        return "\(target) was read as the subscription, and its newest such period was taken; "
            + "its first one is \(command)"
    }

    /// - Parameters:
    ///   - wanted: the state that was asked about.
    ///   - namesApps: whether each says whose it is.
    static func table(
        _ answer: Answer, in wanted: RefundsListCommand.State? = nil, namesApps: Bool = false,
        _ style: Style
    ) throws -> [String] {
        let requests = try answer.list("refundRequests")
        guard !requests.isEmpty else {
            return ["no requests for refunds" + (wanted.map { " are \($0.rawValue)" } ?? "")]
        }
        let hasRefunds = requests.contains { $0.value["refunded"] != nil }
        var table = Columns(
            [
                ("request", .right), ("requested", .left), ("account", .left),
                ("transaction", .left), ("app", .left), ("product", .left), ("paid", .right),
                ("given back", .left), ("reason", .left), ("developer", .left), ("state", .left),
            ], first: ["request", "account", "state", "paid"],
            without: (namesApps ? [] : ["app"]) + (hasRefunds ? [] : ["given back"]))
        for request in requests {
            let consumption = request.value["consumption"]
            let preference = consumption?["preference"]?.string.map {
                Words.spelledOut($0)
            }
            table.add([
                try request.text("id"), try request.moment("requested").plainText,
                try request.text("account"), try request.text("transactionId"),
                try request.text("bundleId"), try request.bought(),
                Money.plainText(try request.integer("price"), try request.text("currency")),
                request.value["refunded"] == nil ? "" : try givenBack(request),
                Words.spelledOut(try request.text("reason")),
                preference ?? (consumption == nil ? "" : "answered"), try state(request),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    private static func state(_ request: Answer) throws -> String {
        let state = try request.text("state")
        if let decided = request.optionalMoment("decided") {
            return "\(state) \(decided.plainText)"
        }
        if let decides = request.optionalMoment("decides") {
            return "\(state), decided by \(decides.plainText)"
        }
        return state
    }
}

/// What customers asked for, and what is decided about it.
struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds",
        abstract: "Create, list and decide customers' refund requests.",
        discussion: """
              perennial refunds
              perennial refunds list --state open
              perennial refunds request anna --reason UNINTENDED_PURCHASE
              perennial refunds grant 17 --prorated
              perennial refunds decline 17
              perennial refunds reverse anna
            """,
        subcommands: [
            RefundCommand.self, RefundsListCommand.self, RefundsRequestCommand.self,
            RefundsGrantCommand.self,
            RefundsDeclineCommand.self, RefundsReverseCommand.self,
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

    @Option(help: "Only those in this state.")
    var state: State?

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let answer = try await client.pages(
            StorePath("connect", "v1", "refund-requests").with("state", state?.rawValue),
            list: "refundRequests", limit: limit, where: try await client.isOfItsApp()
        ) { path, last in
            path.with("before", try last?.text("id"))
        }
        let namesApps = try await client.mixesApps()
        try store.show(answer, of: which) { style in
            try Refunds.table(answer, in: state, namesApps: namesApps, style)
        }
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
        try store.show(answer) { _ in try Refunds.lines(answer, wantsShare: prorated) }
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
        let client = try store.client()
        _ = try await client.send(
            .POST, StorePath("connect", "v1", "refund-requests", request, "decline"))
        guard let answer = try await client.refundRequest(request) else {
            throw Failure.refused("The store no longer knows the request \(request).")
        }
        try store.show(answer) { _ in ["request \(request): declined"] }
    }
}

extension StoreClient {
    /// A request for a refund as it stands; nil where there is none.
    func refundRequest(_ id: String) async throws -> Answer? {
        let before = Int64(id).map { String($0 + 1) }
        let page = try await get(
            StorePath("connect", "v1", "refund-requests").with("before", before)
                .with("limit", "1"))
        return try page.list("refundRequests").first { try $0.text("id") == id }
    }
}

/// Asks for a refund as the customer does.
struct RefundsRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Ask for a refund, as the customer.",
        discussion: """
            Requests a refund of the newest period of the account's only subscription, or of any \
            transaction of the account. The store asks the developer about consumption, and a \
            request for the running period turns renewal off. The app's refund policy, or the \
            operator, decides later.

              perennial refunds request anna --reason UNINTENDED_PURCHASE
              perennial refunds request anna --transaction 400000000000009
            """)

    @Argument(
        help: "The account that asks, or its subscription's identifier.", transform: Reading.account
    )
    var customer: String

    @Option(help: ArgumentHelp("For this transaction of the account.", valueName: "id"))
    var transaction: String?

    @Option(help: "Why.")
    var reason = RefundRequest.Reason.other

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        var account = customer
        var wanted = transaction
        let target = try await client.target(customer)
        if wanted == nil || target != .account(customer) {
            let id = try await client.onlySubscription(of: target)
            let subscription = try await client.subscription(id)
            account = try subscription.text("account")
            wanted = try wanted ?? subscription.text("transactionId")
        } else {
            // Signing in would make the account.
            _ = try await client.customer(account)
        }
        // What was bought belongs to its app. A bill bears the identifier of its transaction.
        let bought = try await unless(refused: "unknownBill") {
            try await client.bill(wanted ?? "").text("bundleId")
        }
        let token = try await client.signIn(account, in: which.bundleID ?? bought)
        let id = wanted ?? ""
        let before = store.json ? nil : try await client.subscription(ofTransaction: id)
        let answer = try await client.naming([.account: account, .subscription: account]).ask(
            .POST, StorePath("storefront", "v1", "transactions", id, "refund-request"),
            StoreClient.members { $0.field("reason", reason.rawValue) }, token: token)
        let after = store.json ? nil : try await client.subscription(ofTransaction: id)
        let told = answer.with(["account": .string(account)])
        try store.show(told, of: which) { _ in
            try [Self.words(told, account), Self.renewal(from: before, to: after)]
                .compactMap(\.self)
        }
    }

    /// That the request turned renewal off; nil where it did not.
    private static func renewal(from before: Answer?, to after: Answer?) throws -> String? {
        guard let after, try before?.bool("autoRenew") == true, try !after.bool("autoRenew")
        else { return nil }
        let id = try after.text("originalTransactionId")
        return "renewal was turned off: the subscription ends "
            + "\(try after.moment("expires").plainText); `perennial renewal \(word: id) on` turns "
            + "it on again"
    }

    static func words(_ answer: Answer, _ account: String) throws -> String {
        let id = try answer.text("id")
        let decided =
            answer.optionalMoment("decides").map { "decided by \($0.plainText)" }
            ?? "`perennial refunds grant \(word: id)` or `perennial refunds decline \(word: id)` "
            + "decides"
        return "request \(id): \(account) asks for a refund of "
            + "transaction \(try answer.text("transactionId")), \(decided)"
    }
}
