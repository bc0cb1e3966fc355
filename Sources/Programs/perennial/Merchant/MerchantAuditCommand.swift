import ArgumentParser
import ConnectAnswers
import MerchantHTTP
import SubscriptionRules
import Timeline

/// Lists what was changed by whom.
struct MerchantAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what the operator and servers have changed, the newest first.",
        discussion: """
            What an app does for the customer that uses it is not in the list.

              perennial merchant audit
              perennial merchant audit --subject anna
              perennial merchant audit --operation healGaps --limit 10 --json
            """)

    @Option(help: "Only with such a token: server or operator.")
    var scope: TokenScope?

    @Option(help: ArgumentHelp("Only about this app.", valueName: "id"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Only this operation, as /openapi.json calls it.", valueName: "name"))
    var operation: String?

    @Option(help: ArgumentHelp("Only about this account or number.", valueName: "text"))
    var subject: String?

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.number(1...100_000))
    var limit = 50

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard scope != .app else {
            throw ValidationError("What an app does is not in the list: server or operator.")
        }
    }

    func run() async throws {
        let answer = try await store.merchant().audit(
            scope: scope?.rawValue, app: app, operation: operation, subject: subject,
            limit: limit)
        try store.show(answer) { style in
            let entries = try answer.list("entries")
            guard !entries.isEmpty else { return ["There is no such entry."] }
            var table = Columns(
                [
                    ("number", .right), ("at", .left), ("operation", .left), ("about", .left),
                    ("result", .left), ("token", .left), ("app", .left),
                ], first: ["at", "operation", "about", "result"])
            for one in entries {
                table.add([
                    String(try one.integer("id")), try one.moment("at").plainText,
                    try one.text("operation"),
                    [one.optionalText("subject"), one.optionalText("otherName")]
                        .compactMap(\.self).joined(separator: " + "),
                    try one.text("result"), try one.text("scope"),
                    one.optionalText("bundleId") ?? "",
                ])
            }
            let more = try answer.bool("hasMore") ? ["There are more: raise --limit."] : []
            return table.lines(style) + more
        }
    }
}
