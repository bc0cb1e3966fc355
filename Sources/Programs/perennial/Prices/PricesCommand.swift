import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Lists prices.
struct PricesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what products cost, and where they are for sale.",
        discussion: """
            Without --storefront it lists the app's own storefront, and all storefronts in which \
            you set a price or took a product off sale. All other storefronts charge the \
            catalogue's number in their own currency.

              perennial price list
              perennial price list com.example.garden.estate.monthly \\
                  --storefront JPN --storefront DEU
            """)

    @Argument(help: "Only this product.")
    var product: String?

    @OptionGroup var only: StorefrontFilter

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.prices(app, product, only.storefront)
        try store.show(answer, of: which) { style in
            let isAll = try only.storefront.isEmpty && !answer.list("prices").isEmpty
            return try Prices.table(answer, style)
                + (isAll
                    ? [
                        "Everywhere else the catalogue's number is charged in the currency of the "
                            + "storefront: --storefront shows it."
                    ] : [])
        }
    }
}

/// Sets a price.
struct PricesSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set what a product costs new customers in a storefront, at once.",
        discussion: """
            A price is typed as it is said, 2.49 and not 2490 milliunits; --json and the HTTP \
            interface have milliunits. Subscribers keep what they pay: \
            `perennial price schedule` changes that, and can wait for a day. A price that \
            is ten times the present one or more, or a tenth or less, is remarked on. With \
            --billing-plan monthly it is what a month costs of a year that \
            `perennial product monthly-billing` sells.

              perennial price set com.example.garden.estate.monthly JPN 1500
              perennial price set com.example.garden.seeds.100 DEU 2.49
              perennial price set com.example.garden.estate.yearly DEU 3.49 --billing-plan monthly
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "The storefront, such as USA.", transform: Reading.storefront)
    var storefront: String

    @Argument(help: "The price in the storefront's currency, such as 14.99, or 300 in yen.")
    var price: String

    @OptionGroup var billing: BillingOption

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        _ = try milliunits()
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let price = try milliunits()
        let before = try await client.prices(app, product, [storefront]).list("prices").first
        _ = try await client.send(
            .PUT,
            StorePath(
                "connect", "v1", "apps", app, "products", product, "prices", storefront)
        ) { json in
            json.field("price", price)
            json.field("billingPlanType", billing.billingPlan?.type)
        }
        let answer = try await client.prices(app, product, [storefront])
        let sold = try await client.product(product, of: app)
        let isMonthly = billing.billingPlan == .monthly
        let leap = try before.flatMap { before in
            PriceLeap(
                from: isMonthly
                    ? before.optionalInteger("monthlyPrice") ?? 0 : try before.integer("price"),
                to: price, in: try before.text("currency")
            ) { old in
                isMonthly
                    ? "`perennial price set \(word: product) \(word: storefront) \(word: old) "
                        + "--billing-plan monthly`"
                    : "`perennial price set \(word: product) \(word: storefront) \(word: old)`"
            }
        }
        let told = answer.with(["remark": leap?.member(Remedies(app: which.bundleID))])
        try store.show(told, of: which) { _ in
            try answer.list("prices").map { price in
                "\(product) in \(storefront): "
                    + (isMonthly
                        ? try MonthlyPrices.words(price, "monthlyPrice") + ","
                        : try Prices.amount(price))
                    + " for whoever buys from now on"
            } + (try Prices.remarks(sold, price: price)) + (leap.map { [$0.sentence] } ?? [])
        }
    }

    private func milliunits() throws -> Int64 {
        guard let currency = Storefront(code: storefront)?.currency else {
            throw ValidationError("'\(storefront)' is no storefront.")
        }
        return try Reading.price(price, currency)
    }
}

extension StoreClient {
    /// What products cost and where they are for sale.
    func prices(
        _ app: String, _ product: String?, _ storefronts: [String]
    ) async throws -> Answer {
        let path = StorePath("connect", "v1", "apps", app, "prices").with("product", product)
        return try await get(storefronts.reduce(path) { $0.with("storefront", $1) })
    }
}

/// Prices in words.
enum Prices {
    static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        let prices = try answer.list("prices")
        guard !prices.isEmpty else {
            return ["the app sells nothing yet; `perennial serve FILE.storekit` adds products"]
        }
        var table = Columns(
            [
                ("product", .left), ("storefront", .left), ("price", .right),
                ("a month", .right), ("for sale", .left), ("", .left),
            ], first: ["product", "price"],
            without: prices.contains { $0.value["monthlyPrice"] != nil } ? [] : ["a month"])
        for price in prices {
            table.add([
                try price.text("productId"), try price.text("storefront"), try amount(price),
                try price.optionalInteger("monthlyPrice").map {
                    Money.plainText($0, try price.text("currency"))
                } ?? "",
                try price.bool("forSale") ? "yes" : "no",
                try price.bool("isOwn") ? "set there" : "",
            ])
        }
        return table.lines(style)
    }

    /// What a price that was set leaves as it was, and what the App Store would say to it.
    static func remarks(_ product: Answer, price: Int64) throws -> [String] {
        guard try product.text("type") != ProductType.autoRenewableSubscription.rawValue else {
            return [
                "Subscribers keep what they pay: `perennial price schedule PRODUCT "
                    + "STOREFRONT PRICE` changes that."
            ]
        }
        return price > 0 ? [] : ["The App Store has the price 0 for free offers only."]
    }

    static func amount(_ price: Answer) throws -> String {
        Money.plainText(try price.integer("price"), try price.text("currency"))
    }
}
