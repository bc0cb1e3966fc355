import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules

/// Sells years month by month under a commitment, or no more (CMT-1).
struct MonthlyBillingCommand: AsyncParsableCommand {
    /// What can be wanted.
    enum Wish: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    static let configuration = CommandConfiguration(
        commandName: "monthly-billing",
        abstract: "Offer a yearly plan billed monthly (12-month commitment), or stop offering it.",
        discussion: """
            Of a product that lasts P1Y: twelve months, to which the customer commits. Not sold \
            in the storefronts SGP and USA. The price is what a month costs, typed as it is said, \
            3.99 and not 3990 milliunits, in the currency of the app's own storefront, and the \
            same number elsewhere; `perennial price set --billing-plan monthly` sets it in one \
            storefront. Subscribers keep the plan, at the same price, to the end of the \
            commitment. Without on or off, the command shows the present state.

              perennial product monthly-billing com.example.garden.estate.yearly
              perennial product monthly-billing com.example.garden.estate.yearly on --price 3.99
              perennial product monthly-billing com.example.garden.estate.yearly off
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "Whether to offer it.")
    var wish: Wish?

    @Option(
        help: ArgumentHelp(
            "What a month costs, such as 3.99; as it was unless given.", valueName: "3.99"))
    var price: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard price == nil || wish != nil else {
            throw ValidationError("--price goes with on or off: say which.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let code = try await client.get(StorePath("connect", "v1", "apps", app, "catalogue"))
            .text("currency")
        if let wish {
            let amount = try price.map { price in
                guard let currency = Currency(everUsed: code) else { return Int64(0) }
                return try Reading.price(price, currency)
            }
            _ = try await client.send(
                .PUT,
                StorePath("connect", "v1", "apps", app, "products", product, "monthly-billing")
            ) { json in
                json.field("price", amount)
                json.field("enabled", wish == .on)
            }
        }
        let answer = try await client.product(product, of: app)
        try store.show(answer, of: which) { _ in [try Self.words(answer, code)] }
    }

    private static func words(_ product: Answer, _ currency: String) throws -> String {
        let id = try product.text("id")
        guard product.value["subscription"]?["monthlyBilling"] != nil else {
            return "\(id) is not sold month by month; "
                + "`perennial product monthly-billing \(word: id) on --price 3.99` sells a year so"
        }
        let terms = try product.object("subscription").object("monthlyBilling")
        guard try terms.bool("enabled") else {
            return "\(id) is sold month by month no more; whoever has it keeps it to the end of "
                + "the commitment; `perennial product monthly-billing \(word: id) on` sells it "
                + "again"
        }
        let price = try MonthlyPrices.words(terms, "price", currency)
        let places = Commitment.storefrontsWithout.sorted().joined(separator: " and ")
        return "\(id) is sold month by month: \(price), everywhere but in \(places)"
    }
}

/// What a month costs, and with it the year that is agreed to.
enum MonthlyPrices {
    /// Such as `3.99 EUR a month, 47.88 EUR the year`.
    ///
    /// - Parameter member: what holds the price of a month.
    static func words(
        _ answer: Answer, _ member: String, _ currency: String? = nil
    ) throws -> String {
        let month = try answer.integer(member)
        let currency = try currency ?? answer.text("currency")
        let year = Money.plainText(Commitment.price(ofMonth: month), currency)
        return "\(Money.plainText(month, currency)) a month, \(year) the year"
    }
}
