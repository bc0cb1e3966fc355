import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Timeline

/// Ends a subscription without a refund.
struct ExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "End a subscription at once, without a refund.",
        discussion: """
            Sends EXPIRED to the developer. To end it with a refund, use \
            `perennial subscription cancel`; to end it with the paid period, use \
            `perennial renewal SUBSCRIPTION off`.

              perennial subscription expire anna
              perennial subscription expire 400000000000005
            """)

    @OptionGroup var target: SubscriptionArgument

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target.subscription)
        _ = try await client.tellingEnd(of: id, { _ in "Nothing is left to end." }) {
            try await client.send(
                .POST, StorePath("connect", "v1", "subscriptions", id, "expire"))
        }
        let answer = try await client.subscription(id)
        try store.show(answer, of: which) { style in try StatusCommand.subscription(answer, style) }
    }
}
