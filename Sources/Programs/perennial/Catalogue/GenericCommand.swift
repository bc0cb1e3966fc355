import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1

/// Lets a product stand for what the merchant describes itself, or no more (ACM-1).
struct GenericCommand: AsyncParsableCommand {
    /// What can be wanted.
    enum Wish: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "generic",
        abstract: "Mark a product as an Advanced Commerce generic product, or unmark it.",
        discussion: """
            In Advanced Commerce one consumable represents all one-time charges, and one \
            auto-renewable subscription, alone in its group, all subscriptions. Customers buy such \
            a product only with a signed request (`perennial ac`); its own price and period do not \
            matter. Without on or off, the command shows the present state.

              perennial product generic com.example.paper.subscription
              perennial product generic com.example.paper.subscription on
              perennial product generic com.example.paper.subscription off
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "Whether to mark it.")
    var wish: Wish?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which).naming([.product: product])
        let app = try await client.app(selling: product)
        if let wish {
            _ = try await client.send(
                .PUT,
                StorePath("connect", "v1", "apps", app, "products", product, "advanced-commerce")
            ) { json in json.field("isGeneric", wish == .on) }
        }
        let answer = try await client.product(product, of: app)
        try store.show(answer, of: which) { _ in [try Self.words(answer)] }
    }

    private static func words(_ product: Answer) throws -> String {
        let id = try product.text("id")
        guard try product.bool("isGeneric") else {
            return
                "\(id) is sold as the catalogue has it; `perennial product generic \(word: id) "
                + "on` lets "
                + "it stand for what the merchant describes"
        }
        let isSubscription = product.value["subscription"] != nil
        return "\(id) stands for what the merchant describes, and is bought with "
            + (isSubscription
                ? "`perennial ac create-subscription --account ACCOUNT`"
                : "`perennial ac create-one-time-charge --account ACCOUNT`")
    }
}
