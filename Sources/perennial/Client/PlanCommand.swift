import AppStoreWire
import ArgumentParser
import SubscriptionRules

/// Changes the plan of a subscription as its customer does.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Move a subscription to another product of its group.",
        discussion: """
            An upgrade takes effect at once, a downgrade at the next renewal.

              perennial plan anna com.example.garden.estate.yearly
              perennial plan 400000000000005 com.example.garden.flowers.monthly
            """)

    @Argument(help: "The subscription's identifier, or the account.", transform: Reading.account)
    var subscription: String

    @Argument(help: "The product to move to; its group says which subscription of an account.")
    var product: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.subscription(
            of: subscription, inGroupOf: product)
        let answer = try await client.change(id) { json in
            json.field("productId", product)
        }
        try store.show(answer) { _ in [try OnDevice.words(answer)] }
    }
}

/// Turns the renewal of a subscription off and on as its customer does.
struct RenewalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renewal",
        abstract: "Turn a subscription's renewal off or on.",
        discussion: """
              perennial renewal anna off
              perennial renewal 400000000000005 on
            """)

    /// What can be wanted.
    enum Wish: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(
        help: "The subscription's identifier, or the account that has only one.",
        transform: Reading.account)
    var subscription: String

    @Argument(help: "Whether it is to renew.")
    var wish: Wish

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client(of: which).change(subscription) { json in
            json.field("autoRenew", wish == .on)
        }
        try store.show(answer) { _ in [try OnDevice.words(answer)] }
    }
}

/// A subscription as a device sees it.
enum OnDevice {
    /// The plan and what comes next, in one line.
    static func words(_ answer: Answer) throws -> String {
        let id = try answer.text("originalTransactionId")
        let product = try answer.text("productId")
        let next = answer.optionalText("autoRenewProductId") ?? product
        let end = answer.optionalMoment("expires")?.plainText ?? "its end"
        guard try answer.bool("autoRenew") else {
            return "\(id): \(product) until \(end), does not renew"
        }
        return "\(id): \(product) until \(end), renews"
            + (next == product ? "" : " as \(next)")
    }
}
