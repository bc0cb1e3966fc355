import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Offers: what a customer pays less, for a while or for one purchase.
struct OfferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "List, create and end offers of products.",
        discussion: """
            Customers use offers with `perennial buy`, and offer codes with `perennial redeem`.

              perennial offer list com.example.garden.estate.monthly
              perennial offer create com.example.garden.estate.monthly promotional spring \\
                  --mode pay-as-you-go --period P1M --count 3 --price 2.99
              perennial offer end com.example.garden.estate.monthly promotional spring
            """,
        subcommands: [
            OffersListCommand.self, OffersCreateCommand.self, OffersEndCommand.self,
            CodesCommand.self,
        ], defaultSubcommand: OffersListCommand.self)
}

/// The kinds of offer, as they are typed.
enum OfferKindWord: String, ExpressibleByArgument, CaseIterable {
    case introductory, promotional
    case offerCode = "code"
    case winBack = "win-back"

    /// The name on `/connect`.
    var wire: String {
        switch self {
        case .introductory: "INTRODUCTORY"
        case .promotional: "PROMOTIONAL"
        case .offerCode: "OFFER_CODE"
        case .winBack: "WIN_BACK"
        }
    }
}

/// How an offer is paid, as it is typed.
enum OfferModeWord: String, ExpressibleByArgument, CaseIterable {
    case free
    case payAsYouGo = "pay-as-you-go"
    case payUpFront = "pay-up-front"
    case oneTime = "one-time"

    var wire: String {
        switch self {
        case .free: "FREE_TRIAL"
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        case .oneTime: "ONE_TIME"
        }
    }
}

/// Lists offers.
struct OffersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the offers of a product, also those that have ended.",
        discussion: """
              perennial offer list com.example.garden.estate.monthly
              perennial offer list com.example.garden.estate.monthly --json
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.get(Offers.path(app, product))
        let currency = try await client.get(StorePath("connect", "v1", "apps", app, "catalogue"))
            .text("currency")
        try store.show(answer, of: which) { style in
            try Offers.table(answer, product, currency, style)
        }
    }
}

/// Makes an offer.
struct OffersCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an offer of a product.",
        discussion: """
            What an offer is cannot be changed: end it, and make another one. The price is typed \
            as it is said, 2.99 and not 2990 milliunits, in the currency of the app's own \
            storefront, and is the same number elsewhere. A storefront has one introductory offer \
            now and one to come. A win-back offer begins tomorrow at the earliest, and says how \
            much paid service it asks for.

              perennial offer create com.example.garden.estate.monthly promotional spring \\
                  --mode pay-as-you-go --period P1M --count 3 --price 2.99
              perennial offer create com.example.garden.estate.monthly code WELCOME --mode free \\
                  --period P1M --audience new --audience expired
              perennial offer create com.example.garden.estate.monthly win-back back --mode free \\
                  --period P2W --begins 2027-03-01 --paid-months 3 --from-months 1 --to-months 12

            One-time products can have offer codes of mode one-time: free, or at a lower price.

              perennial offer create com.example.garden.coins code HALF --mode one-time \\
                  --price 0.49 --audience nonSpender --audience churnedSpender
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "Which kind.")
    var kind: OfferKindWord

    @Argument(help: "Its identifier; of an introductory offer the reference name.")
    var name: String

    @Option(help: "How it is paid.")
    var mode: OfferModeWord

    @Option(
        help: ArgumentHelp(
            "How long one discounted period of a subscription lasts.", valueName: "P1M"))
    var period: String?

    @Option(
        help: ArgumentHelp("How many periods, where it is paid as one goes.", valueName: "n"),
        transform: Reading.count)
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "What a discounted period, or one purchase, costs, as it is said: 2.99 is two dollars "
                + "and 99 cents, 300 in a currency without decimals 300 yen.", valueName: "2.99"))
    var price: String?

    @OptionGroup var billing: BillingOption

    @Option(
        help: ArgumentHelp(
            "From when it can be had; at once unless given, which win-back offers cannot be.",
            valueName: "instant"),
        transform: Reading.moment)
    var begins: Instant?

    @Option(
        help: ArgumentHelp("Until when it can be had.", valueName: "instant"),
        transform: Reading.moment)
    var ends: Instant?

    @Option(
        help: ArgumentHelp("Only there; can be given again.", valueName: "code"),
        transform: Reading.storefront)
    var storefront: [String] = []

    @Option(
        help: """
            Who may redeem its codes: new, existing, expired; of what is bought once nonSpender, \
            activeSpender, churnedSpender; can be given again.
            """)
    var audience: [String] = []

    @Flag(help: "Its codes follow the introductory offer instead of replacing it.")
    var stackable = false

    @Option(
        help: ArgumentHelp("Win-back: the least paid service, 1 to 60 months.", valueName: "n"),
        transform: Reading.count)
    var paidMonths: Int?

    @Option(
        help: ArgumentHelp(
            "Win-back: how many months ago the subscription ended at least, 1 to 24; 1 where only "
                + "--to-months is given.", valueName: "n"),
        transform: Reading.count)
    var fromMonths: Int?

    @Option(
        help: ArgumentHelp(
            "Win-back: how many months ago it ended at most, 1 to 24: 12 is until the twelfth "
                + "month is over; 24 where only --from-months is given, and any time where neither "
                + "is.", valueName: "n"),
        transform: Reading.count)
    var toMonths: Int?

    @Option(
        help: ArgumentHelp(
            "Win-back: how many months must lie between two of the group, 2 to 24.",
            valueName: "n"),
        transform: Reading.count)
    var waitMonths: Int?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard mode == .oneTime || period != nil else {
            throw ValidationError("--period says how long a discounted period lasts, such as P1M.")
        }
        guard kind != .winBack || paidMonths != nil else {
            throw ValidationError(
                "--paid-months says how much paid service a win-back offer asks for, 1 to 60.")
        }
        let audiences =
            mode == .oneTime
            ? OneTimeOffer.Audience.allCases.map(\.rawValue)
            : Offer.Audience.allCases.map(\.rawValue)
        if audience.contains(where: { !audiences.contains($0) }) {
            let words = audiences.dropLast().joined(separator: ", ")
            throw ValidationError("--audience is \(words) or \(audiences.last ?? "").")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let code = try await client.get(StorePath("connect", "v1", "apps", app, "catalogue"))
            .text("currency")
        let amount = try price.map { price in
            guard let currency = Currency(everUsed: code) else { return Int64(0) }
            return try Reading.price(price, currency)
        }
        let answer = try await client.send(.POST, Offers.path(app, product)) { json in
            json.field("type", kind.wire)
            json.field(kind == .introductory ? "referenceName" : "id", name)
            json.field("mode", mode.wire)
            json.field("period", period)
            json.field("periodCount", count)
            json.field("price", amount)
            json.field("begins", begins?.iso8601)
            json.field("ends", ends?.iso8601)
            json.field("storefronts", storefront.isEmpty ? nil : storefront)
            json.field("audiences", audience.isEmpty ? nil : audience)
            if stackable { json.field("stackable", true) }
            json.field("billingPlanType", billing.billingPlan?.type)
            guard kind == .winBack else { return }
            json.object("winBack") { json in
                json.field("paidMonths", paidMonths)
                json.field("fromMonths", fromMonths)
                json.field("toMonths", toMonths)
                json.field("waitMonths", waitMonths)
            }
        }
        try store.show(answer, of: which) { _ in
            ["\(product) has the offer: \(try Offers.words(answer, code))"]
                + (kind == .offerCode
                    ? [
                        "`perennial offer codes create \(word: product) \(word: name) --count 100` "
                            + "makes codes for it"
                    ] : [])
        }
    }
}

/// Ends an offer.
struct OffersEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End an offer.",
        discussion: """
            Customers who already use it keep it to its end.

              perennial offer end com.example.garden.estate.monthly promotional spring
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @Argument(help: "Which kind.")
    var kind: OfferKindWord

    @Argument(help: "Its identifier; of an introductory offer the reference name.")
    var name: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let answer = try await client.send(
            .DELETE, Offers.path(app, product, kind.wire, name))
        let told = answer.with([
            "productId": .string(product), "type": .string(kind.wire), "id": .string(name),
            "ended": .bool(true),
        ])
        try store.show(told, of: which) { _ in
            ["the \(kind.rawValue) offer \(name) of \(product) has ended"]
        }
    }
}

/// Offers in words.
enum Offers {
    static func path(_ app: String, _ product: String, _ rest: String...) -> StorePath {
        StorePath(parts: ["connect", "v1", "apps", app, "products", product, "offers"] + rest)
    }

    static func table(
        _ answer: Answer, _ product: String, _ currency: String, _ style: Style
    ) throws -> [String] {
        let offers = try answer.list("offers")
        guard !offers.isEmpty else {
            return ["\(product) has no offers"]
        }
        var table = Columns(
            [("type", .left), ("id", .left), ("terms", .left), ("when", .left)],
            first: ["id", "terms"])
        for offer in offers {
            let when = [
                offer.optionalText("begins").map { "from \($0)" },
                offer.optionalText("ends").map { "until \($0)" },
            ].compactMap(\.self).joined(separator: " ")
            table.add([
                try kind(offer),
                offer.optionalText("id") ?? offer.optionalText("referenceName") ?? "",
                try terms(offer, currency), when,
            ])
        }
        return table.lines(style)
    }

    /// An offer in a few words: `promotional spring, 2.99 USD each P1M, 3 times`.
    static func words(_ offer: Answer, _ currency: String) throws -> String {
        let name = offer.optionalText("id") ?? offer.optionalText("referenceName")
        return [try kind(offer), name].compactMap(\.self).joined(separator: " ") + ", "
            + (try terms(offer, currency))
    }

    private static func kind(_ offer: Answer) throws -> String {
        let wire = try offer.text("type")
        return OfferKindWord.allCases.first { $0.wire == wire }?.rawValue ?? wire
    }

    private static func terms(_ offer: Answer, _ currency: String) throws -> String {
        let cost = try offer.integer("price")
        let price = Money.plainText(cost, currency)
        let mode = try offer.text("mode")
        guard mode != OfferModeWord.oneTime.wire else {
            return cost == 0 ? "free once" : "\(price) once"
        }
        let period = try offer.text("period")
        switch mode {
        case OfferModeWord.payAsYouGo.wire:
            let count = try offer.integer("periodCount")
            return "\(price) each \(period), \(count) time\(count == 1 ? "" : "s")"
        case OfferModeWord.payUpFront.wire: return "\(price) for \(period)"
        default: return "free \(period)"
        }
    }
}
