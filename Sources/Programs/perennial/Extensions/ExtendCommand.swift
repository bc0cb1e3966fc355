import AppStoreWire
import ArgumentParser
import ConnectAnswers
import HTTPSurface
import NIOHTTP1
import Store
import StoreHTTP
import SubscriptionRules
import TimeAndChance
import Timeline

/// What an extension has, of one subscription or of all.
struct ExtensionOptions: ParsableArguments {
    @Option(ExtensionForm.days) var days: Int

    @Option(ExtensionForm.reason) var reason = ExtensionReason.undeclared

    /// What a request says of them.
    var changes: [MemberChange] {
        [ExtensionForm.days.change(to: days), ExtensionForm.reason.change(to: reason)]
    }
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
                for change in what.changes { json.write(change) }
                json.field("requestIdentifier", request)
            }
        }
        var asked: [String: JSONValue?] = ["requestIdentifier": .string(request)]
        for change in what.changes { asked[change.name] = change.json }
        let told = answer.with(asked)
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
        let order = self.order
        let begun = try await client.send(
            .POST, StorePath("connect", "v1", "apps", app, "mass-extensions")
        ) { json in ExtensionForm.order.write(order, to: &json) }
        let isRepeated = try begun.massExtension.isRepeated
        if isRepeated { try checkSame(begun.massExtension, order) }
        var answer = watch ? try await client.watch(massExtension: begun) : begun
        // Only the answer to the order says it.
        if isRepeated {
            answer = answer.with([ExtensionForm.isRepeated.name: .bool(true)])
        }
        try store.show(answer, of: which) { _ in
            try (isRepeated ? [Self.repetition(of: begun.massExtension)] : [])
                + Self.words(answer.massExtension)
                + (store.sandbox ? ["Sandbox shortens days as it does periods."] : [])
        }
    }

    private var order: ExtensionOrder {
        var order = ExtensionOrder()
        order.productID = product
        let places = only.storefront.compactMap { Storefront(code: $0) }
        order.storefronts = places.isEmpty ? nil : places
        order.days = what.days
        order.reason = what.reason
        order.requestIdentifier = requestIdentifier ?? ""
        return order
    }

    /// That an order repeats an earlier one, in words.
    private static func repetition(of one: MassExtensionSheet) -> String {
        "this request was made before, \(one.created.plainText), and nothing new was done; what "
            + "came of it then:"
    }

    /// Refuses an identifier that was used for another order.
    private func checkSame(_ one: MassExtensionSheet, _ order: ExtensionOrder) throws {
        let known = one.order
        let isSame =
            known.productID == order.productID && known.days == order.days
            && known.reason == order.reason
            && Set(known.storefronts ?? []) == Set(order.storefronts ?? [])
        guard !isSame else { return }
        let places = (known.storefronts ?? []).map(\.code)
        let place = places.isEmpty ? "" : " in \(places.joined(separator: ", "))"
        var failure = Failure(
            .refused,
            "The request \(known.requestIdentifier) was used before, \(one.created.plainText), for "
                + "\(known.productID)\(place): \(counted(known.days, "day")), reason "
                + "\(ExtensionForm.reason.words(for: known.reason)). Nothing new was done.",
            remedy: "Another --request-identifier, or none, begins a new one.")
        failure.refusal = "requestIdentifierUsed"
        failure.field = ExtensionForm.requestIdentifier.name
        throw failure
    }

    /// How far it has come.
    private static func words(_ one: MassExtensionSheet) -> [String] {
        let days = counted(one.order.days, "day")
        let what = "\(one.order.productID): \(days) for "
        let name = "request \(one.order.requestIdentifier)"
        guard one.isComplete else {
            return [
                what + "up to \(counted(Int(one.candidates), "subscription")), \(one.reached) "
                    + "looked at so far", name,
            ]
        }
        let reasons = one.failures.isEmpty ? "" : " (\(one.failureWords))"
        let list =
            one.failed == 0
            ? [] : ["`perennial extensions failures \(word: String(one.id))` lists those"]
        return [
            what + "\(counted(Int(one.succeeded), "subscription")), \(one.failed) failed\(reasons)",
            name,
        ] + list
    }
}

extension Answer {
    /// What it tells of a mass extension.
    var massExtension: MassExtensionSheet {
        get throws { try read(ExtensionForm.massExtension, into: MassExtensionSheet()) }
    }
}

extension MassExtensionSheet {
    /// Why subscriptions failed, and how many.
    var failureWords: String {
        failures.map { "\($0.count): \(Words.failure($0.reason))" }.joined(separator: "; ")
    }
}

extension StoreClient {
    /// Waits until a mass extension is complete, and shows how far it is where somebody watches.
    fileprivate func watch(massExtension begun: Answer) async throws -> Answer {
        var (answer, one) = (begun, try begun.massExtension)
        defer { if Output.isWatched { Output.hint("\r\u{1B}[K") } }
        while !one.isComplete {
            if Output.isWatched {
                Output.hint("\r\(one.reached) of \(one.candidates) subscriptions")
            }
            await SystemTime.wait(.milliseconds(100))
            let page = try await get(
                StorePath("connect", "v1", "mass-extensions").with("before", String(one.id + 1))
                    .with("limit", "1"))
            guard let next = try page.list("massExtensions").first,
                try next.massExtension.id == one.id
            else {
                throw Failure.refused("The store no longer knows the mass extension \(one.id).")
            }
            (answer, one) = (next, try next.massExtension)
        }
        return answer
    }
}
