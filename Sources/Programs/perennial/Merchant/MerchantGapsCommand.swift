import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Shows what was missed, and takes it.
struct MerchantGapsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps",
        abstract: "Show what the last look for missed notifications found, or look now.",
        discussion: """
            Asks the App Store Server API for the history of notifications, then for each \
            subscription whose period ended without a word. `merchant serve` looks every hour.

              perennial merchant gaps
              perennial merchant gaps --heal
              perennial merchant gaps --heal --since 2026-10-01
            """)

    @Flag(help: "Look now, and take what was missed.")
    var heal = false

    @Option(
        help: ArgumentHelp(
            "From when to look. (default: a day before the end of the last look)",
            valueName: "instant"), transform: Reading.moment)
    var since: Instant?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard since == nil || heal else {
            throw ValidationError("--since goes with --heal.")
        }
    }

    func run() async throws {
        let answer = try await store.merchant().gaps(healing: heal, since: since)
        try store.show(answer) { style in
            let gaps = try answer.list("gaps")
            guard !gaps.isEmpty else {
                return [
                    heal
                        ? "No app says where the App Store Server API is: `api` in the file."
                        : "Nobody has looked yet; `perennial merchant gaps --heal` looks."
                ]
            }
            var table = Columns(
                [
                    ("app", .left), ("environment", .left), ("until", .left), ("seen", .right),
                    ("healed", .right), ("asked", .right), ("changed", .right),
                    ("problem", .left),
                ], first: ["environment", "healed", "problem"])
            for one in gaps {
                table.add([
                    try one.text("bundleId"), try one.text("environment"),
                    try one.moment("until").plainText, String(try one.integer("seen")),
                    String(try one.integer("healed")), String(try one.integer("asked")),
                    String(try one.integer("changed")), one.optionalText("problem") ?? "",
                ])
            }
            return table.lines(style)
        }
    }
}
