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
        try store.show(answer) { _ in ["\(account): \(words)"] }
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
