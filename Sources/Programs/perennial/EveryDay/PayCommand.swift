import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import SubscriptionRules
import Timeline

/// The words for payments, of which each place knows one: what a payment method does, and what the
/// bank answers.
extension RawRepresentable where Self: CaseIterable, RawValue == String {
    init?(paymentWord typed: String) {
        let same = [["approve", "approved", "paid"], ["decline", "declined"]]
            .first { $0.spelling(of: typed) != nil }
        let words = same ?? [typed]
        let name = Self.allCases.map(\.rawValue).first { words.spelling(of: $0) != nil }
        guard let name else { return nil }
        self.init(rawValue: name)
    }
}

/// Sets how a customer's payment method behaves.
struct PayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pay",
        abstract: "Set whether a customer's payment method approves, declines or answers later.",
        discussion: """
            Creates the customer if new, so that the first purchase can be declined. If a customer \
            in billing retry approves again, the payment is made at once. With later, a payment \
            stays pending until its time comes or you answer it: `perennial bills` lists it. The \
            store gives up a purchase or a plan change after 24 hours; only renewals wait longer.

              perennial pay anna decline
              perennial pay anna decline --count 3
              perennial pay anna decline --until 2026-04-01
              perennial pay anna later
              perennial pay anna later --after P4D --then declined
              perennial pay anna approve
            """)

    /// What a payment method can do.
    enum Behaviour: String, ExpressibleByArgument, CaseIterable {
        case approve, decline, later

        init?(argument: String) { self.init(paymentWord: argument) }
    }

    /// What the bank answers in the end.
    enum Decision: String, ExpressibleByArgument, CaseIterable {
        case paid, declined

        init?(argument: String) { self.init(paymentWord: argument) }
    }

    @Argument(help: "Who pays.", transform: Reading.account)
    var account: String

    @Argument(help: "What the bank answers.")
    var behaviour: Behaviour

    @Option(
        help: ArgumentHelp(
            "Decline that many times, at most 1000000, then approve.", valueName: "n"),
        transform: Reading.number(1...1_000_000))
    var count: Int?

    @Option(
        help: ArgumentHelp("Decline until then, then approve.", valueName: "instant"),
        transform: Reading.moment)
    var until: Instant?

    @Option(
        help: ArgumentHelp(
            "Answer later after so long, such as P4D; you answer unless it is given.",
            valueName: "duration"), transform: Reading.step)
    var after: String?

    @Option(help: "What is answered after that. (default: paid)")
    var then: Decision?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard behaviour == .decline || (count == nil && until == nil) else {
            throw ValidationError("--count and --until limit how long the bank declines.")
        }
        guard count == nil || until == nil else {
            throw ValidationError("--count and --until exclude each other.")
        }
        guard behaviour == .later || (after == nil && then == nil) else {
            throw ValidationError("--after and --then say how the bank answers later.")
        }
        guard then == nil || after != nil else {
            throw ValidationError("--then needs --after, such as P4D: else you answer.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let before = try await client.outstanding(of: account)
        _ = try await client.madeIfNew(account) {
            try await client.send(
                .PUT, StorePath("connect", "v1", "customers", account, "payment-method")
            ) { json in
                json.field("behaviour", behaviour.rawValue)
                json.field("count", count)
                json.field("until", until?.iso8601)
                json.field("after", after)
                json.field("answer", then?.rawValue)
            }
        }
        // With the subscriptions: one that was in billing retry may be paid by now.
        let answer = try await client.customer(account)
        let asked = try await client.outstandingBills(of: account).filter {
            $0.optionalText("originalTransactionId").map { !before.contains($0) } ?? true
        }
        try store.show(answer, of: which) { _ in
            try ["\(account): \(words)"]
                + answer.list("subscriptions").filter {
                    before.contains(try $0.text("originalTransactionId"))
                }.map(Self.outcome) + Self.waiting(asked)
        }
    }

    /// What was asked for before, and that another payment method does not answer it.
    private static func waiting(_ bills: [Answer]) throws -> [String] {
        guard !bills.isEmpty else { return [] }
        return try ["what was asked for before waits for its own answer:"]
            + bills.flatMap(Bills.pending)
    }

    /// What became of a payment that was outstanding.
    private static func outcome(_ subscription: Answer) throws -> String {
        var line = try Plans.words(subscription)
        if let bill = subscription.optionalText("pendingBillId") {
            line += "; bill \(bill) is pending"
        }
        guard try subscription.text("state") == "active" else { return line }
        let price = Money.plainText(
            try subscription.integer("price"), try subscription.text("currency"))
        return "\(line); \(price) charged now"
    }

    /// Whether the answer comes too late for what a customer asks for.
    private var outlastsPurchases: Bool {
        guard let step = after.flatMap(CalendarStep.init(iso8601:)) else { return false }
        return Span.days(step.days).milliseconds + step.time.milliseconds
            > Bill.patience.milliseconds
    }

    private var words: String {
        switch behaviour {
        case .approve: return "every payment is approved"
        case .decline:
            if let count {
                return "the next \(counted(count, "payment")) declined, all others approved"
            }
            if let until { return "every payment is declined until \(until.plainText)" }
            return "every payment is declined"
        case .later:
            guard let after else {
                return "every payment is pending until you answer: `perennial bills` lists them"
            }
            let answer = then == .declined ? "declined" : "approved"
            return "every payment is pending for \(after), then \(answer)"
                + (outlastsPurchases ? "; a purchase or a plan change is given up after 24 h" : "")
        }
    }
}

extension StoreClient {
    /// The subscriptions of an account whose payment failed and is tried again, or is awaited; none
    /// where nobody has it.
    fileprivate func outstanding(of account: String) async throws -> [String] {
        let customer = try await unless(refused: "unknownAccount") {
            try await self.customer(account)
        }
        return try (customer?.list("subscriptions") ?? [])
            .filter { ["awaitingPayment", "grace", "retrying"].contains(try $0.text("state")) }
            .map { try $0.text("originalTransactionId") }
    }
}
