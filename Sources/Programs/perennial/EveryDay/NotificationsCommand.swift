import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Lists what the developer's server was told.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List the notifications that were sent, newest first.",
        discussion: """
            The store creates notifications only while a notification URL is set:
            `serve --notify URL`, or `app set --notify URL`.

              perennial notifications
              perennial notifications --account anna
              perennial notifications --limit 100 --json
            """)

    @Option(
        help: ArgumentHelp(
            "Only about this account's purchases, or about the subscription with this "
                + "identifier.", valueName: "account"), transform: Reading.account)
    var account: String?

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        var subject = which.bundleID.map { ["bundleId": $0] } ?? [:]
        if let account {
            let target = try await client.target(account)
            // Refused where it is nobody's, or of another app.
            _ = try await client.subscriptions(of: target)
            let isAccount = target == .account(account)
            subject[isAccount ? "account" : "originalTransactionId"] = account
        }
        let namesApps = try await client.mixesApps()
        let answer = try await client.notifications(about: subject, limit: limit)
        let hasURL = try await client.hasNotificationURL(inSandbox: store.sandbox)
        try store.show(answer, of: which) { style in
            try Self.words(answer, of: account, hasURL: hasURL, namesApps: namesApps, style)
        }
    }

    /// - Parameters:
    ///   - wanted: the account that was asked about.
    ///   - hasURL: whether notifications have anywhere to go.
    ///   - namesApps: whether each says whose it is.
    static func words(
        _ answer: Answer, of wanted: String? = nil, hasURL: Bool = true, namesApps: Bool = false,
        _ style: Style
    ) throws -> [String] {
        let notifications = try answer.list("notifications")
        guard !notifications.isEmpty else {
            let whose = wanted.map { " about \($0)" } ?? ""
            let remedy = "; `perennial app set --notify URL` says where they go"
            return ["no notifications\(whose)" + (hasURL ? "" : remedy)]
        }
        var table = Columns(
            [
                ("created", .left), ("notification", .left), ("app", .left), ("about", .left),
                ("account", .left), ("tries", .right), ("outcome", .left),
            ], first: ["created", "notification", "outcome"], without: namesApps ? [] : ["app"])
        for notification in notifications {
            let attempts = try notification.list("attempts")
            table.add([
                try notification.moment("created").plainText,
                try NoticeName(notification).text, notification.optionalText("bundleId") ?? "",
                subject(notification),
                notification.optionalText("account") ?? "",
                String(attempts.count), try outcome(notification, attempts),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    /// The subscription, or the product that is none.
    private static func subject(_ notification: Answer) -> String {
        notification.optionalText("originalTransactionId")
            ?? notification.optionalText("productId") ?? ""
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
        guard let next = notification.optionalMoment("nextAttempt") else {
            return attempts.isEmpty ? last : "\(last), given up"
        }
        return attempts.isEmpty
            ? "due \(next.plainText)" : "\(last), again \(next.plainText)"
    }
}

extension StoreClient {
    /// Whether the app that was named, or else any app, has a URL for notifications.
    fileprivate func hasNotificationURL(inSandbox: Bool) async throws -> Bool {
        let own = inSandbox ? "sandboxNotificationUrl" : "notificationUrl"
        // A store that was named by its URL may be of either environment.
        let keys = address.other == nil ? ["notificationUrl", "sandboxNotificationUrl"] : [own]
        return try await get(StorePath("connect", "v1", "apps")).list("apps").contains { app in
            try (bundleID == nil || app.text("bundleId") == bundleID)
                && keys.contains { app.optionalText($0) != nil }
        }
    }

    /// The log of notifications, newest first.
    ///
    /// - Parameters:
    ///   - subject: what they are about, by the parameter that names it.
    ///   - isWanted: whether one counts; all do unless it is given.
    func notifications(
        about subject: [String: String] = [:], limit: Int,
        where isWanted: ((Answer) throws -> Bool)? = nil
    ) async throws -> Answer {
        let path = subject.sorted { $0.key < $1.key }.reduce(
            StorePath("connect", "v1", "notifications")
        ) { $0.with($1.key, $1.value) }
        return try await pages(path, list: "notifications", limit: limit, where: isWanted) {
            path, last in
            path.with("before", try last?.text("id"))
        }
    }
}
