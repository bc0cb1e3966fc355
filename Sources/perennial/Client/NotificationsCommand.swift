import AppStoreWire
import ArgumentParser

/// Lists what the developer's server was told.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List the notifications that were sent, newest first.",
        discussion: """
            There are some only while a notification URL is set: `serve --notify URL`, or
            `app set --notify URL`.

              perennial notifications
              perennial notifications --limit 100 --json
            """)

    @Option(help: ArgumentHelp("How many at most.", valueName: "n"), transform: Reading.count)
    var limit = 20

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().pages(
            StorePath("connect", "v1", "notifications"), list: "notifications", limit: limit
        ) { path, last in
            path.with("before", try last?.text("id"))
        }
        try store.show(answer) { style in try Self.words(answer, style) }
    }

    static func words(_ answer: Answer, _ style: Style) throws -> [String] {
        let notifications = try answer.list("notifications")
        guard !notifications.isEmpty else {
            return ["no notifications; `perennial app set --notify URL` says where they go"]
        }
        var table = Columns([
            ("created", .left), ("notification", .left), ("tries", .right), ("outcome", .left),
        ])
        for notification in notifications {
            let attempts = try notification.list("attempts")
            let subtype = notification.optionalText("subtype").map { "/\($0)" } ?? ""
            table.add([
                try notification.moment("created").minuteText,
                try notification.text("notificationType") + subtype, String(attempts.count),
                try outcome(notification, attempts),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    private static func outcome(_ notification: Answer, _ attempts: [Answer]) throws -> String {
        let marks = try marks(notification)
        return try fate(notification, attempts) + (marks.isEmpty ? "" : " (\(marks))")
    }

    /// What the operator had to do with it: `provoked`, and the rules that were applied.
    private static func marks(_ notification: Answer) throws -> String {
        let isProvoked = notification.value["provoked"]?.bool == true
        let faults = notification.value["faults"]?.array ?? []
        let kinds = faults.compactMap {
            Answer(value: $0, source: notification.source).optionalText("kind")
        }
        let distinct = kinds.enumerated().filter { kinds.firstIndex(of: $1) == $0 }.map(\.element)
        return ((isProvoked ? ["provoked"] : []) + distinct).joined(separator: ", ")
    }

    private static func fate(_ notification: Answer, _ attempts: [Answer]) throws -> String {
        if try notification.bool("delivered") { return "delivered" }
        let last = attempts.last?.optionalText("result") ?? "waiting"
        guard let next = notification.optionalMoment("nextAttempt") else { return last }
        return attempts.isEmpty
            ? "due \(next.minuteText)" : "\(last), again \(next.minuteText)"
    }
}
