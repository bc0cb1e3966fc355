import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Lists a merchant's customers.
struct MerchantCustomersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "customers",
        abstract: "List the merchant's customers and what they have.",
        discussion: """
            By app and name. A filter by what they have is judged account by account; the command \
            goes on until it has as many as --limit says.

              perennial merchant customers
              perennial merchant customers --entitlement club --ended
              perennial merchant customers --app com.example.garden --search an --json
            """)

    @Option(
        help: ArgumentHelp(
            """
            Only those that this is or was unlocked for: a name of the configuration, or the \
            number of a subscription group.
            """, valueName: "id"))
    var entitlement: String?

    @Flag(help: "Only those for whom it, or anything, is unlocked now.")
    var active = false

    @Flag(help: "Only those for whom it, or anything, was unlocked and is no more.")
    var ended = false

    @Option(help: ArgumentHelp("Only of this app.", valueName: "id"))
    var app: String?

    @Option(help: ArgumentHelp("How the account's name begins.", valueName: "text"))
    var search: String?

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.number(1...100_000))
    var limit = 50

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard !active || !ended else {
            throw ValidationError("--active and --ended exclude each other.")
        }
    }

    func run() async throws {
        let answer = try await store.merchant().customers(
            entitlement: entitlement, state: active ? "active" : ended ? "ended" : nil, app: app,
            search: search, limit: limit)
        try store.show(answer) { style in
            let customers = try answer.list("customers")
            guard !customers.isEmpty else { return ["There is no such customer."] }
            var table = Columns(
                [
                    ("account", .left), ("entitlement", .left), ("access", .left),
                    ("why", .left), ("until", .left), ("app", .left),
                ], first: ["account", "entitlement", "access"])
            for one in customers {
                var account = try one.text("account")
                var bundleID = try one.text("bundleId")
                let entitlements = try one.list("entitlements")
                if entitlements.isEmpty { table.add([account, "", "", "", "", bundleID]) }
                for entitlement in entitlements {
                    table.add([
                        account, try entitlement.text("id"),
                        try entitlement.bool("granted") ? "yes" : "no",
                        try AccessWords.reason(entitlement),
                        entitlement.optionalMoment("until")?.plainText ?? "", bundleID,
                    ])
                    // What follows is the same customer's.
                    (account, bundleID) = ("", "")
                }
            }
            let isMore = answer.optionalText("next") != nil
            return table.lines(style) + (isMore ? ["There may be more: raise --limit."] : [])
        }
    }
}
