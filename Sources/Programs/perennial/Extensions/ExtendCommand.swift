import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import SubscriptionRules
import TimeAndChance
import Timeline

/// Why a renewal date is extended.
enum ExtendReason: String, ExpressibleByArgument, CaseIterable {
    case undeclared, customerSatisfaction, other, serviceIssueOrOutage
}

/// What an extension has, of one subscription or of all.
struct ExtensionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many days: 1 to 90.", valueName: "n"),
        transform: Reading.number(ExtensionRequest.daysAllowed))
    var days: Int

    @Option(help: "Why.")
    var reason = ExtendReason.undeclared
}

/// Moves one subscription's renewal date.
struct ExtendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Extend a subscription's renewal date.",
        discussion: """
            At most twice within 365 days. In Sandbox days are shortened as periods are: where a \
            month lasts 5 minutes, a day lasts 10 seconds.

              perennial extensions grant anna --days 30
              perennial extensions grant 400000000000005 --days 7 --reason serviceIssueOrOutage
            """)

    @OptionGroup var target: SubscriptionArgument

    @OptionGroup var what: ExtensionOptions

    @Option(
        help: ArgumentHelp(
            "Names the extension: repeating it changes nothing, whatever else is asked. (default: "
                + "a new one)",
            valueName: "text"))
    var requestIdentifier: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target.subscription)
        let request = requestIdentifier ?? Randomness.token("extend-")
        let answer = try await client.tellingEnd(
            of: id, refusedAs: "notExtended", { try Plans.remedy($0) }
        ) {
            try await client.send(
                .POST, StorePath("connect", "v1", "subscriptions", id, "extend")
            ) { json in
                json.field("days", what.days)
                json.field("reason", what.reason.rawValue)
                json.field("requestIdentifier", request)
            }
        }
        let told = answer.with([
            "days": .integer(Int64(what.days)), "reason": .string(what.reason.rawValue),
            "requestIdentifier": .string(request),
        ])
        try store.show(told, of: which) { _ in
            guard answer.value["repeated"]?.bool != true else {
                return [
                    "\(id): the request \(request) was used before and made it paid until "
                        + "\(try answer.moment("expires").plainText); nothing new was done"
                ]
            }
            let scale = store.sandbox ? "; Sandbox shortens days as it does periods" : ""
            return ["\(id): paid until \(try answer.moment("expires").plainText) now\(scale)"]
        }
    }
}

/// Moves the renewal dates of all subscribers of a product.
struct ExtendAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant-all",
        abstract: "Extend the renewal dates of all subscribers of a product.",
        discussion: """
            The store carries it out in the background; --watch waits for the end. In Sandbox days \
            are shortened as periods are.

              perennial extensions grant-all com.example.garden.estate.monthly --days 7 --watch
              perennial extensions grant-all com.example.garden.estate.monthly --days 7 \\
                  --storefront DEU --storefront FRA
            """)

    @Argument(help: "The product's identifier.")
    var product: String

    @OptionGroup var what: ExtensionOptions

    @OptionGroup var only: StorefrontFilter

    @Option(
        help: ArgumentHelp(
            "Names the extension, a UUID: repeating it begins nothing new, and is refused for "
                + "another extension.", valueName: "uuid"))
    var requestIdentifier: String?

    @Flag(help: "Wait until every subscriber was looked at.")
    var watch = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: product)
        let begun = try await client.send(
            .POST, StorePath("connect", "v1", "apps", app, "mass-extensions")
        ) { json in
            json.field("productId", product)
            json.field("storefronts", only.storefront.isEmpty ? nil : only.storefront)
            json.field("days", what.days)
            json.field("reason", what.reason.rawValue)
            json.field("requestIdentifier", requestIdentifier)
        }
        let isRepeated = begun.value["repeated"]?.bool == true
        if isRepeated { try checkSame(begun) }
        var answer = watch ? try await client.watch(massExtension: begun) : begun
        // Only the answer to the order says it.
        if isRepeated { answer = answer.with(["repeated": .bool(true)]) }
        try store.show(answer, of: which) { _ in
            try (isRepeated ? [Self.repetition(of: begun)] : []) + Self.words(answer)
                + (store.sandbox ? ["Sandbox shortens days as it does periods."] : [])
        }
    }

    /// That an order repeats an earlier one, in words.
    private static func repetition(of order: Answer) throws -> String {
        "this request was made before, \(try order.moment("created").plainText), and nothing new "
            + "was done; what came of it then:"
    }

    /// Refuses an identifier that was used for another order.
    private func checkSame(_ known: Answer) throws {
        let isSame =
            try known.text("productId") == product && known.integer("days") == what.days
            && known.text("reason") == what.reason.rawValue
            && Set(known.texts("storefronts")) == Set(only.storefront)
        guard !isSame else { return }
        let places = known.texts("storefronts")
        let place = places.isEmpty ? "" : " in \(places.joined(separator: ", "))"
        var failure = Failure(
            .refused,
            "The request \(try known.text("requestIdentifier")) was used before, "
                + "\(try known.moment("created").plainText), for \(try known.text("productId"))"
                + "\(place): \(counted(Int(try known.integer("days")), "day")), reason "
                + "\(try known.text("reason")). Nothing new was done.",
            remedy: "Another --request-identifier, or none, begins a new one.")
        failure.refusal = "requestIdentifierUsed"
        failure.field = "requestIdentifier"
        throw failure
    }

    /// How far it has come.
    static func words(_ answer: Answer) throws -> [String] {
        let all = try answer.integer("candidates")
        let (succeeded, failed) = (try answer.integer("succeeded"), try answer.integer("failed"))
        let days = counted(Int(try answer.integer("days")), "day")
        let what = "\(try answer.text("productId")): \(days) for "
        let name = "request \(try answer.text("requestIdentifier"))"
        guard try answer.bool("complete") else {
            let done = succeeded + failed
            return [
                what + "up to \(counted(Int(all), "subscription")), \(done) looked at so far", name,
            ]
        }
        let failures = try answer.list("failures").map {
            "\(try $0.integer("count")): \(Words.failure(try $0.text("reason")))"
        }
        let reasons = failures.isEmpty ? "" : " (\(failures.joined(separator: "; ")))"
        let list =
            failed == 0
            ? []
            : ["`perennial extensions failures \(word: try answer.text("id"))` lists those"]
        return [
            what + "\(counted(Int(succeeded), "subscription")), \(failed) failed\(reasons)", name,
        ] + list
    }
}

extension StoreClient {
    /// Waits until a mass extension is complete, and shows how far it is where somebody watches.
    fileprivate func watch(massExtension begun: Answer) async throws -> Answer {
        let id = try begun.integer("id")
        var answer = begun
        defer { if Output.isWatched { Output.hint("\r\u{1B}[K") } }
        while try !answer.bool("complete") {
            if Output.isWatched {
                let done = try answer.integer("succeeded") + answer.integer("failed")
                Output.hint("\r\(done) of \(try answer.integer("candidates")) subscriptions")
            }
            await SystemTime.wait(.milliseconds(100))
            let page = try await get(
                StorePath("connect", "v1", "mass-extensions").with("before", String(id + 1))
                    .with("limit", "1"))
            guard let one = try page.list("massExtensions").first, try one.integer("id") == id
            else { throw Failure.refused("The store no longer knows the mass extension \(id).") }
            answer = one
        }
        return answer
    }
}
