import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules

/// Deletes products that are off sale.
struct DiscontinueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discontinue",
        abstract: "Delete a product for good, once it is off sale everywhere.",
        discussion: """
            Subscriptions end with the paid period. Purchases stay in histories, and can be \
            restored, extended and refunded. The identifier can never be used again.

              perennial product availability com.example.garden.almanac off
              perennial product discontinue com.example.garden.almanac
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        _ = try await client.send(
            .DELETE, StorePath("connect", "v1", "apps", app, "products", product))
        let answer = try await client.product(product, of: app)
        try store.show(answer, of: which) { _ in try [AvailabilityCommand.words(answer)] }
    }
}
