import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Shows what was missed, and takes it.
struct MerchantGapsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps",
        abstract: "Show what looks for missed notifications found, or look now.",
        discussion: """
            `merchant serve` asks the App Store Server API: every hour for notifications that \
            could not be delivered (failures) and for subscriptions whose period ended without \
            a word (statuses), every day and at the start for the whole history, and as often as \
            `test` in the configuration says for a test notification. A look that runs says how \
            far it is; one that was interrupted goes on where it was.

              perennial merchant gaps
              perennial merchant gaps --heal
              perennial merchant gaps --heal --since 2026-10-01
              perennial merchant gaps --test
            """)

    @Flag(help: "Look at the whole history and at statuses now, and take what was missed.")
    var heal = false

    @Flag(help: "Ask for a test notification now, and whether it arrived.")
    var test = false

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
        guard !heal || !test else {
            throw ValidationError("--heal and --test exclude each other.")
        }
    }

    func run() async throws {
        let merchant = try store.merchant()
        let answer =
            try await
            (test ? merchant.testNotifications() : merchant.gaps(healing: heal, since: since))
        try store.show(answer) { style in
            let gaps = try answer.list("gaps")
            guard !gaps.isEmpty else {
                return [
                    heal || test
                        ? "No app says where the App Store Server API is: `api` in the file."
                        : "Nobody has looked yet; `perennial merchant gaps --heal` looks."
                ]
            }
            var table = Columns(
                [
                    ("app", .left), ("environment", .left), ("kind", .left), ("state", .left),
                    ("until", .left), ("read so far", .right), ("news", .right),
                    ("problem", .left),
                ], first: ["environment", "kind", "state", "problem"])
            for one in gaps {
                table.add([
                    try one.text("bundleId"), try one.text("environment"), try one.text("kind"),
                    try one.text("state"), try one.moment("until").plainText,
                    String(try one.integer("read")), try Self.news(one),
                    one.optionalText("problem") ?? "",
                ])
            }
            return table.lines(style)
        }
        if heal || test { try Self.checkEnd(of: try answer.list("gaps")) }
    }

    /// - Throws: `Failure` where a look was interrupted: what was missed is missing still.
    static func checkEnd(of gaps: [Answer]) throws {
        let interrupted = try gaps.filter { try $0.text("state") == "interrupted" }
        guard !interrupted.isEmpty else { return }
        let looks = try interrupted.map { one in
            let problem = one.optionalText("problem") ?? "it was stopped"
            return "\(try one.text("bundleId")), \(try one.text("environment")), "
                + "\(try one.text("kind")): "
                + (problem.hasSuffix(".") ? String(problem.dropLast()) : problem)
        }
        throw Failure(
            .refused, "A look was interrupted: \(looks.joined(separator: "; ")).",
            remedy: "It goes on by itself within the hour; `perennial merchant gaps --heal` goes "
                + "on now.")
    }

    /// What it brought, in a word.
    private static func news(_ one: Answer) throws -> String {
        switch try one.text("kind") {
        case "statuses": "\(try one.integer("changed"))"
        case "test":
            one.value["arrived"]?.bool.map { $0 ? "arrived" : "not arrived" } ?? ""
        default: "\(try one.integer("healed"))"
        }
    }
}
