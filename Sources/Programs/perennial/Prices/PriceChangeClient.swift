import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules

extension ScheduledExisting: ExpressibleByArgument {}

/// What the subscribers of before pay after a price change.
enum ScheduledExisting: String, CaseIterable {
    case preserve, apply
}

/// A product in a storefront, whose price is changed.
struct PricePlace: ParsableArguments {
    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(
        help: ArgumentHelp("The storefront, such as USA.", valueName: "storefront"),
        transform: Reading.storefront)
    var storefront: String

    /// An amount in the storefront's currency, in milliunits.
    func amount(_ text: String) throws -> Int64 {
        guard let currency = Storefront(code: storefront)?.currency else {
            throw ValidationError("'\(storefront)' is no storefront.")
        }
        return try Reading.price(text, currency)
    }

    @OptionGroup var billing: BillingOption

    func path(_ app: String, _ more: String...) -> StorePath {
        StorePath(
            parts: [
                "connect", "v1", "apps", app, "products", product, "price-changes", storefront,
            ] + more)
    }
}

extension PricePlace {
    /// Whether a price change or a cohort is of the billing plan that is meant.
    fileprivate func isMeant(_ one: Answer) -> Bool {
        let meant = billing.billingPlan ?? .upFront
        return one.optionalText("billingPlanType").map { $0 == meant.type } ?? true
    }
}

/// Schedules a price.
struct PriceChangeScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Schedule a product's price in a storefront.",
        discussion: """
            All subscribers pay a lower price, without a message. For a higher price, existing \
            subscribers keep their price (preserve), or move too, after notice or consent (apply). \
            Only one price is scheduled at a time: a new one replaces it. A product without \
            subscriptions takes no --existing. The command warns about a price that is ten times \
            the present one or more, or a tenth or less.

              perennial price schedule com.example.garden.estate.monthly USA \\
                  14.99 --existing apply --start 2026-03-10
              perennial price schedule com.example.garden.estate.monthly JPN \\
                  1800 --existing preserve
              perennial price schedule com.example.garden.estate.monthly DEU 8.99
              perennial price schedule com.example.garden.estate.yearly DEU \\
                  10.99 --billing-plan monthly --existing apply
            """)

    @OptionGroup var place: PricePlace

    @Argument(help: "The new price in the storefront's currency, such as 14.99.")
    var price: String

    @Option(
        help: "Whether subscribers keep a price that is lower (preserve) or not (apply).")
    var existing: ScheduledExisting?

    @Option(
        help: ArgumentHelp("When it goes live; at once unless given.", valueName: "instant"),
        transform: Reading.moment)
    var start: Instant?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        _ = try place.amount(price)
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: place.product)
        let amount = try place.amount(price)
        let before = try await client.scheduledPrices(
            of: place.product, in: place.storefront, app
        ).first { try !$0.bool("forCohort") && place.isMeant($0) }
        let cohorts = try await client.cohorts(of: place, app)
        let answer = try await client.send(.PUT, place.path(app)) { json in
            json.field("price", amount)
            json.field("start", start?.iso8601)
            json.field("existing", existing?.rawValue)
            json.field("billingPlanType", place.billing.billingPlan?.type)
        }
        let now = try await client.get(StorePath("connect", "v1", "clock")).moment("now")
        let leap = try PriceLeap(scheduled: answer, now: now)
        let told = answer.with(["remark": leap?.member(Remedies(app: which.bundleID))])
        try store.show(told, of: which) { _ in
            [try PriceChanges.sentence(answer, cohorts)]
                + (try PriceChanges.cohorts(cohorts, answer))
                + (try before.map { ["it replaces \(try ScheduledPrices.plan($0))"] } ?? [])
                + (leap.map { [$0.sentence] } ?? [])
        }
    }
}

/// Takes a scheduled price back.
struct PriceChangeWithdrawCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw a scheduled price that is not live yet.",
        discussion: """
            It stays in `perennial price changes`, as withdrawn. There, `replaced` means that \
            another price replaced it.

              perennial price withdraw com.example.garden.estate.monthly USA
            """)

    @OptionGroup var place: PricePlace

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: place.product)
        let answer = try await client.send(
            .DELETE, place.path(app).with("billingPlanType", place.billing.billingPlan?.type))
        try store.show(answer, of: which) { _ in
            [
                "\(place.product) in \(place.storefront): no price is scheduled any more; "
                    + "\(try ScheduledPrices.plan(answer)), is withdrawn"
            ]
        }
    }
}

/// Ends the preserved price of a cohort.
struct PriceChangeUnpreserveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpreserve",
        abstract: "Raise the preserved price of a cohort.",
        discussion: """
            `perennial price cohorts PRODUCT` shows the cohorts, and which one to raise first.

              perennial price unpreserve com.example.garden.estate.monthly USA 9.99
              perennial price unpreserve com.example.garden.estate.monthly USA \\
                  9.99 --to 12.99 --start 2026-03-10
            """)

    @OptionGroup var place: PricePlace

    @Argument(help: "What the cohort pays, such as 9.99.")
    var cohort: String

    @Option(help: ArgumentHelp("What it will pay. (default: the list price)", valueName: "price"))
    var to: String?

    @Option(
        help: ArgumentHelp("When it goes live; at once unless given.", valueName: "instant"),
        transform: Reading.moment)
    var start: Instant?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        _ = try place.amount(cohort)
        _ = try to.map(place.amount)
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: place.product)
        let (from, target) = (try place.amount(cohort), try to.map(place.amount))
        let answer = try await client.send(.POST, place.path(app, "unpreserve")) { json in
            json.field("cohortPrice", from)
            json.field("price", target)
            json.field("start", start?.iso8601)
            json.field("billingPlanType", place.billing.billingPlan?.type)
        }
        try store.show(answer, of: which) { _ in [try PriceChanges.sentence(answer)] }
    }
}

extension StoreClient {
    /// What the subscribers of a product pay in a storefront; nothing of what has none.
    fileprivate func cohorts(of place: PricePlace, _ app: String) async throws -> [Answer] {
        let path = StorePath(
            "connect", "v1", "apps", app, "products", place.product, "price-cohorts")
        return try await get(path).list("cohorts").filter {
            try $0.text("storefront") == place.storefront && place.isMeant($0)
        }
    }
}
