import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Price changes in words.
enum PriceChanges {
    /// What was scheduled, in one line.
    ///
    /// - Parameter cohorts: who paid what in that storefront when it was scheduled.
    static func sentence(_ answer: Answer, _ cohorts: [Answer] = []) throws -> String {
        let currency = try answer.text("currency")
        let price = Money.plainText(try answer.integer("price"), currency)
        let place = "\(try answer.text("productId")) in \(try answer.text("storefront"))"
        let start = try answer.moment("start").plainText
        let before = try answer.integer("cohortPrice")
        let paid = Money.plainText(before, currency)
        if try answer.bool("forCohort") {
            return "\(place): whoever keeps \(paid), or is on the way to it, moves to \(price) "
                + "from \(start) on"
        }
        let rise = try answer.integer("price") - before
        let existing = answer.optionalText("existing")
        guard rise != 0 else {
            return "\(place): \(price) is the price already, so that nothing changes"
                + (existing == nil
                    ? "" : ", but whoever pays or is to pay more pays it from \(start) on")
        }
        let consequence =
            switch (rise, existing) {
            case (_, nil): "it is bought, not subscribed to, so that nobody else pays it"
            case (...0, _): try fall(answer, cohorts)
            case (_, "preserve"):
                "subscribers keep what they pay" + (try underWay(cohorts))
                    + (try exception(answer, cohorts))
            default:
                "whoever pays \(paid) or is on the way to it pays it too, told or asked before"
                    + (try exception(answer, cohorts))
            }
        return "\(place): \(price) instead of \(paid) from \(start) on; \(consequence)"
    }

    /// What a lower price means to subscribers.
    private static func fall(_ change: Answer, _ cohorts: [Answer]) throws -> String {
        let isOnWay = try cohorts.contains {
            try $0.integer("moving") > 0 && $0.integer("price") < change.integer("price")
        }
        guard isOnWay else { return "whoever pays more pays it too, and nobody is told" }
        return "whoever pays more pays it too and is not told; whoever pays less and is on the way "
            + "to more than it is told of it, or asked, anew"
    }

    /// That what is live already goes on (PRC-5).
    private static func underWay(_ cohorts: [Answer]) throws -> String {
        try cohorts.contains { try $0.integer("moving") > 0 }
            ? ", and increases that are on their way go on" : ""
    }

    /// That nobody keeps a higher price, where somebody has one although the list price rises.
    private static func exception(_ change: Answer, _ cohorts: [Answer]) throws -> String {
        let price = try change.integer("price")
        guard try cohorts.contains(where: { try $0.integer("price") > price }) else { return "" }
        return "; whoever pays more pays it instead, and is not told"
    }

    /// Whom a higher price leaves where they are, a line a cohort.
    ///
    /// - Parameter cohorts: who paid what when it was scheduled.
    static func cohorts(_ cohorts: [Answer], _ change: Answer) throws -> [String] {
        let (currency, price) = (try change.text("currency"), try change.integer("price"))
        let list = try change.integer("cohortPrice")
        guard let existing = change.optionalText("existing"), try !change.bool("forCohort") else {
            return []
        }
        return try cohorts.compactMap { cohort in
            let (paid, kept) = (
                try cohort.integer("price"),
                try cohort.integer("subscribers") - cohort.integer("moving")
            )
            guard kept > 0, paid < price, existing == "preserve" || paid != list else { return nil }
            let number = Money.plainText(paid, currency).prefix { $0 != " " }
            let (product, place) = (try change.text("productId"), try change.text("storefront"))
            let command =
                "`perennial price unpreserve \(word: product) \(word: place) "
                + "\(word: String(number))`"
            let who = "\(counted(Int(kept), "subscriber")) at \(Money.plainText(paid, currency))"
            return "\(who) \(kept == 1 ? "keeps" : "keep") it; \(command) ends that"
        }
    }

    /// Whom a change in the list concerns. It reaches also those who do not pay the price of before
    /// yet and are on their way to it.
    private static func whom(_ change: Answer) throws -> String {
        let before = change.optionalInteger("cohortPrice")
        let currency = try change.text("currency")
        let paid = before.map { "or is to pay \(Money.plainText($0, currency))" }
        guard try !change.bool("forCohort") else {
            return paid.map { "who keeps \($0)" } ?? "a cohort"
        }
        guard let existing = change.optionalText("existing") else { return "purchases" }
        if let before, try change.integer("price") <= before {
            return "new purchases, who pays or is to pay more"
        }
        guard existing == "apply" else {
            // Nobody keeps a higher price, even where subscribers keep theirs.
            let reached = try change.integer("subscribers")
            return "new purchases" + (reached > 0 ? ", who paid or was to pay more" : "")
        }
        return "new purchases, who pays \(paid ?? "the list price")"
    }

    /// How far a change has come, and when it was taken back or another took its place.
    private static func state(_ change: Answer) throws -> String {
        let state = try change.text("state")
        let ended = change.optionalMoment("withdrawn") ?? change.optionalMoment("replaced")
        if let ended { return "\(state) \(ended.plainText)" }
        return change.optionalMoment("superseded").map { "superseded \($0.plainText)" } ?? state
    }

    static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        let changes = try answer.list("priceChanges")
        guard !changes.isEmpty else {
            return [
                "no price changes; `perennial price schedule PRODUCT STOREFRONT PRICE` "
                    + "makes one"
            ]
        }
        var table = Columns(
            [
                ("start", .left), ("product", .left), ("storefront", .left), ("price", .right),
                ("for", .left), ("state", .left), ("subscribers", .right), ("scheduled", .left),
            ], first: ["product", "price", "start", "state", "storefront"])
        for change in changes {
            let currency = try change.text("currency")
            table.add([
                try change.moment("start").plainText, try change.text("productId"),
                try change.text("storefront"),
                Money.plainText(try change.integer("price"), currency),
                try whom(change), try state(change),
                String(try change.integer("subscribers")),
                change.optionalMoment("scheduled")?.plainText ?? "",
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }
}

/// Lists the prices that were scheduled.
struct PriceChangeListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "List the scheduled prices, newest first.",
        discussion: """
              perennial price changes
              perennial price changes --product com.example.garden.estate.monthly
            """)

    @Option(help: ArgumentHelp("Only of this product.", valueName: "id"))
    var product: String?

    @OptionGroup var which: AppOption

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.pages(
            StorePath("connect", "v1", "apps", app, "price-changes").with("product", product),
            list: "priceChanges", limit: limit
        ) { path, last in
            path.with("before", try last?.text("id"))
        }
        try store.show(answer, of: which) { style in try PriceChanges.table(answer, style) }
    }
}

/// Shows what the subscribers of a product pay.
struct PriceChangeCohortsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cohorts",
        abstract: "Show what the subscribers of a product pay, and which group to raise first.",
        discussion: """
            A price applies in both environments, so the command counts both; --sandbox counts \
            only Sandbox.

              perennial price cohorts com.example.garden.estate.monthly
              perennial price cohorts com.example.garden.estate.monthly --sandbox
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.get(
            StorePath("connect", "v1", "apps", app, "products", product, "price-cohorts"))
        try store.show(answer, of: which) { style in
            try PriceCohorts.table(answer, inSandbox: store.sandbox, style)
        }
    }
}
