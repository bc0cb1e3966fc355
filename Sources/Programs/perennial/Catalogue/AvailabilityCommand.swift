import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules

/// Takes products off sale, and puts them back.
struct AvailabilityCommand: AsyncParsableCommand {
    /// What can be wanted.
    enum Wish: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "availability",
        abstract: "Take a product off sale, or put it back, everywhere or in a storefront.",
        discussion: """
            Subscribers keep access to the end of the paid period. Without on or off, the command \
            shows where the product is for sale. While the product is off sale everywhere, `on \
            --storefront` is refused: run `on` first. It leaves the product off sale in \
            storefronts that you took off with --storefront. `perennial product discontinue` \
            deletes a product that is off sale everywhere. Sandbox ignores all of this, \
            unless you run `perennial app set --sandbox-availability heeded`.

              perennial product availability com.example.garden.almanac
              perennial product availability com.example.garden.almanac off
              perennial product availability com.example.garden.almanac on --storefront DEU
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "Whether it is to be on sale or off.")
    var wish: Wish?

    @OptionGroup var only: StorefrontFilter

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if wish != nil { try store.checkNoEnvironment() }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        if let wish {
            let places: [String?] = only.storefront.isEmpty ? [nil] : only.storefront
            for place in places {
                _ = try await client.send(
                    .PUT,
                    StorePath("connect", "v1", "apps", app, "products", product, "availability")
                ) { json in
                    json.field("forSale", wish == .on)
                    json.field("storefront", place)
                }
            }
        }
        let answer = try await client.product(product, of: app)
        try store.show(answer, of: which) { _ in
            try [Self.words(answer)] + (wish == .off ? Self.consequence(answer) : [])
        }
    }

    /// What becomes of those who subscribe to a product that went off sale.
    private static func consequence(_ answer: Answer) throws -> [String] {
        try answer.text("type") == ProductType.autoRenewableSubscription.rawValue
            ? ["subscriptions that would renew as it there end with their period"] : []
    }

    /// Where a product of the catalogue is for sale.
    static func words(_ answer: Answer) throws -> String {
        let product = try answer.text("id")
        if let deleted = answer.optionalMoment("deleted") {
            return "\(product) was deleted on \(deleted.plainText); whoever bought it keeps what "
                + "was paid for"
        }
        let places = answer.texts("offSale")
        // What was taken off by name stays off until it is put back by name.
        let apart = places.isEmpty ? "" : " but in \(places.joined(separator: ", "))"
        let one = places.first.map {
            "`perennial product availability \(word: product) on --storefront \(word: $0)` "
                + "puts it back "
                + "in \($0)"
        }
        guard try answer.bool("forSale") else {
            return "\(product) is off sale everywhere; `perennial product availability "
                + "\(word: product) on` puts it back everywhere\(apart)"
                + (one.map { ", and after it \($0)" } ?? "")
        }
        return "\(product) is for sale everywhere\(apart)" + (one.map { "; \($0)" } ?? "")
    }
}
