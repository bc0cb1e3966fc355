import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Journal
import SubscriptionRules
import Timeline

/// Lists the requests that were made for a subscription.
struct MadeRequests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the requests for a subscription, and what each did.",
        discussion: """
            Oldest first: requests that were carried out, and requests that wait for the bank or \
            for a decision. Refused requests changed nothing and are not listed.

              perennial ac requests anna
              perennial ac requests 400000000000005 --json
            """)

    @Argument(help: "A subscription's identifier, or an account.", transform: Reading.account)
    var target: String

    @Option(
        help: ArgumentHelp("How many at most. (default: 50)", valueName: "n"),
        transform: Reading.count)
    var limit = 50

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: target)
        let answer = try await client.pages(
            StorePath("connect", "v1", "subscriptions", id, "requests"), list: "requests",
            limit: limit
        ) { path, last in
            path.with("after", try last?.text("sequence"))
        }
        try store.show(answer, of: which) { style in try Self.words(answer, style) }
    }

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let requests = try answer.list("requests")
        guard !requests.isEmpty else { return ["no request was made for it"] }
        var lines: [String] = []
        for request in requests {
            if !lines.isEmpty { lines.append("") }
            lines += try words(of: request, style)
        }
        return lines + (try answer.bool("hasMore") ? ["", "and more: --limit"] : [])
    }

    private static func words(of request: Answer, _ style: Style) throws -> [String] {
        let currency = request.optionalText("currency") ?? ""
        let at = try request.moment("at")
        let origin = try request.bool("inApp") ? "on a device" : "by a server"
        var head =
            style.paint(at.plainText, .faint) + "  "
            + style.paint(Timeline.Words.spelledOut(try request.text("operation")), .strong)
            + ", \(origin)"
        switch try request.text("outcome") {
        case "pending": head += ", not decided yet"
        case "declined": head += ", declined"
        default: break
        }
        if let settled = request.optionalMoment("settled"), settled != at {
            head += " \(settled.plainText)"
        }
        var parts = ["request \(try request.text("requestReferenceId"))"]
        if let id = request.optionalText("transactionId") { parts.append("transaction \(id)") }
        if let charged = request.optionalInteger("charged") {
            parts.append("\(Money.plainText(charged, currency)) charged")
        }
        if let refunded = request.optionalInteger("refunded") {
            parts.append("\(Money.plainText(refunded, currency)) given back")
        }
        let changes = try request.list("changes").compactMap { Alteration($0.harmless) }
            .filter { $0.kind != .paid && $0.kind != .refunded }
            .map { $0.sentence(.plain, currency) }
        let notices = request.texts("notices")
        return [head]
            + ([parts.joined(separator: ", ")] + changes
            + (notices.isEmpty ? [] : [notices.joined(separator: ", ")])).map { "  " + $0 }
    }
}
