import AppStoreWire
import ArgumentParser
import NIOHTTP1
import SubscriptionRules

/// Sets how a customer's payment method behaves.
struct PayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pay",
        abstract: "Let a customer's payment method approve or decline.",
        discussion: """
            The customer is made if new, so that a first purchase can be declined. One in \
            billing retry who approves again pays at once.

              perennial pay anna decline
              perennial pay anna decline --count 3
              perennial pay anna decline --until 2026-04-01
              perennial pay anna approve
            """)

    /// What a payment method can do.
    enum Behaviour: String, ExpressibleByArgument, CaseIterable {
        case approve, decline
    }

    @Argument(help: "Who pays.", transform: Reading.account)
    var account: String

    @Argument(help: "What the bank answers.")
    var behaviour: Behaviour

    @Option(
        help: ArgumentHelp(
            "Decline that many times, at most 1000000, then approve.", valueName: "n"),
        transform: Reading.count)
    var count: Int?

    @Option(
        help: ArgumentHelp("Decline until then, then approve.", valueName: "instant"),
        transform: Reading.moment)
    var until: Instant?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard behaviour == .decline || (count == nil && until == nil) else {
            throw ValidationError("--count and --until limit how long the bank declines.")
        }
        guard count == nil || until == nil else {
            throw ValidationError("--count and --until exclude each other.")
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
            }
        }
        // With the subscriptions: one that was in billing retry may be paid by now.
        let answer = try await client.customer(account)
        try store.show(answer) { _ in
            try ["\(account): \(words)"]
                + answer.list("subscriptions").filter {
                    before.contains(try $0.text("originalTransactionId"))
                }.map(Self.outcome)
        }
    }

    /// What became of a payment that was outstanding.
    private static func outcome(_ subscription: Answer) throws -> String {
        let line = try Plans.words(subscription)
        guard try subscription.text("state") == "active" else { return line }
        let price = Money.plainText(
            try subscription.integer("price"), try subscription.text("currency"))
        return "\(line); \(price) charged now"
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
        }
    }
}

extension StoreClient {
    /// The subscriptions of an account whose payment failed and is tried again; none where nobody
    /// has it.
    fileprivate func outstanding(of account: String) async throws -> [String] {
        do {
            return try await customer(account).list("subscriptions")
                .filter { ["grace", "retrying"].contains(try $0.text("state")) }
                .map { try $0.text("originalTransactionId") }
        } catch let failure as Failure where failure.refusal == "unknownAccount" {
            return []
        }
    }
}
