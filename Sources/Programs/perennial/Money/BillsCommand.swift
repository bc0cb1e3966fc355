import AppStoreWire
public import ArgumentParser
import ConnectAnswers
import NIOHTTP1
public import SubscriptionRules
import Timeline

/// What the parser reads, by the names on the wire.
extension BankAnswer: ExpressibleByArgument {
    public init?(argument: String) { self.init(paymentWord: argument) }
}
extension BillState: ExpressibleByArgument {}

/// What is to be paid, and what the bank says to it.
struct BillsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bills",
        abstract: "List bills that were not paid at once, and answer them as the bank.",
        discussion: """
            A bill has the identifier of its later transaction.

              perennial bills
              perennial bills list --state pending --account anna
              perennial bills show 400000000000009
              perennial bills answer 400000000000009 paid
            """,
        subcommands: [
            BillsListCommand.self, BillsShowCommand.self, BillsAnswerCommand.self,
        ], defaultSubcommand: BillsListCommand.self)
}

/// Lists the bills.
struct BillsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the bills that were not paid at once, newest first.",
        discussion: """
            A bill that was paid at once is a transaction: `perennial timeline` shows it.

              perennial bills list
              perennial bills list --state pending --account anna
              perennial bills list --sandbox --limit 100 --json
            """)

    @Option(help: "Only those in this state.")
    var state: BillState?

    @Option(
        help: ArgumentHelp("Only this account's.", valueName: "account"),
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
        let answer = try await client.bills(state, account: account, limit: limit)
        let namesApps = try await client.mixesApps()
        try store.show(answer, of: which) { style in
            try Bills.table(answer, namesApps: namesApps, style)
        }
    }
}

/// Shows a bill.
struct BillsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a bill, also one that was paid at once.",
        discussion: """
              perennial bills show 400000000000009
              perennial bills show 400000000000009 --json
            """)

    @Argument(help: "The bill's identifier.")
    var bill: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().bill(bill)
        try store.show(answer) { style in try Bills.lines(answer, style) }
    }
}

/// Answers a bill.
struct BillsAnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answer a bill in place of the bank.",
        discussion: """
            Answers may repeat, be late or out of order: only an answer that changes the bill's \
            state has an effect. A paid bill can be reversed, as after a dispute, and restored. \
            Restoring the newest transaction of a subscription gives access back. In a merchant's \
            plan it gives back the items that the bill paid for, unless the newest transaction is \
            refunded as a whole.

              perennial bills answer 400000000000009 paid
              perennial bills answer 400000000000009 reversed
            """)

    @Argument(help: "The bill's identifier.")
    var bill: String

    @Argument(help: "What the bank says.")
    var says: BankAnswer

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let before =
            says == .restored && !store.json
            ? try await client.subscription(ofTransaction: bill) : nil
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "bills", bill, "answer")
        ) { $0.field("answer", says.rawValue) }
        let answered = try answer.object("bill")
        let outcome = try answer.text("outcome")
        guard outcome != "unexpected" else {
            throw try Bills.unexpected(answer, says)
        }
        let subscription =
            outcome == "changed" && !store.json
            ? try await client.subscription(thatWaitedFor: answered) : nil
        let access =
            subscription != nil && says == .restored
            ? try await client.access(by: bill, from: before) : nil
        try store.show(answer) { _ in
            try [Bills.outcome(outcome, of: answered)]
                + (subscription.map { [try Plans.words($0)] } ?? []) + [access].compactMap(\.self)
        }
    }
}

extension StoreClient {
    /// Bills that were not paid at once, newest first; those of the app, where one was named.
    func bills(
        _ state: BillState?, account: String?, limit: Int
    ) async throws -> Answer {
        try await pages(
            StorePath("connect", "v1", "bills").with("state", state?.rawValue)
                .with("account", account),
            list: "bills", limit: limit, where: try await isOfItsApp()
        ) { path, last in
            path.with("before", try last?.text("id"))
        }
    }

    func bill(_ id: String) async throws -> Answer {
        try await get(StorePath("connect", "v1", "bills", id))
    }

    /// The bill that a subscription waits for, if there is one.
    func pendingBill(of subscription: Answer) async throws -> Answer? {
        guard let id = subscription.optionalText("pendingBillId") else { return nil }
        return try await bill(id)
    }

    /// The bills of an account that the bank has not answered.
    func outstandingBills(of account: String) async throws -> [Answer] {
        var found: [Answer] = []
        for state in BillState.allCases where state.isOutstanding {
            found += try await bills(state, account: account, limit: .max).list("bills")
        }
        return found
    }

    /// The subscription for which a bill was, or which it began; nil where there is none.
    fileprivate func subscription(thatWaitedFor bill: Answer) async throws -> Answer? {
        if let id = bill.optionalText("originalTransactionId") { return try await subscription(id) }
        // The first bill bears the identifier of the subscription that it begins.
        let began = try bill.text("purpose") == "purchase" && bill.text("state") == "paid"
        return began ? try await subscription(bill.text("id")) : nil
    }
}
