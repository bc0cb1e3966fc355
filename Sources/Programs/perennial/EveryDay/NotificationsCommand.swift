import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import StoreHTTP
import SubscriptionRules
import Timeline

/// Lists the notifications to the developer's server, shows one, and sends one again.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List the notifications, show one decoded, send one again.",
        discussion: """
            The store sends them while a notification URL is set: `serve --notify URL`, or
            `app set --notify URL`. Without one it keeps the first 10000 here
            (`app set --unsent-notifications`).

              perennial notifications
              perennial notifications --account anna
              perennial notifications --type EXPIRED/VOLUNTARY
              perennial notifications --failed
              perennial notifications --limit 100 --json
              perennial notifications 17
              perennial notifications 17 --resend
            """)

    @Argument(
        help: ArgumentHelp(
            "The notification to show decoded, by its id or notificationUUID; none for the list.",
            valueName: "id"))
    var notification: String?

    @Flag(help: "Send the notification again: the same body, at once, as one more attempt.")
    var resend = false

    @Option(
        help: ArgumentHelp(
            "Only about this account's purchases, or about the subscription with this "
                + "identifier.", valueName: "account"), transform: Reading.account)
    var account: String?

    @Option(
        help: "Only of this type, or of this type and the subtype behind a slash.",
        transform: NoticeName.init)
    var type: NoticeName?

    @Flag(help: "Only those that were tried and have not been delivered.")
    var failed = false

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard notification != nil || !resend else {
            throw ValidationError("--resend needs the notification's id.")
        }
        guard notification == nil || (account == nil && type == nil && !failed) else {
            throw ValidationError(
                "A notification is shown alone: leave --account, --type and --failed out.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        if let notification {
            let path = ["connect", "v1", "notifications", notification]
            guard !resend else {
                let answer = try await client.send(.POST, StorePath(parts: path + ["resend"]))
                return try store.show(answer, of: which) { _ in
                    let uuid = try answer.text("notificationUUID")
                    return ["\(try NoticeName(answer).text) is on its way again: \(uuid)"]
                }
            }
            let answer = try await client.get(StorePath(parts: path))
            return try store.show(answer, of: which) { try Self.sheet(answer, $0) }
        }
        var subject = which.bundleID.map { ["bundleId": $0] } ?? [:]
        if let account {
            let target = try await client.target(account)
            // Refused where it is nobody's, or of another app.
            _ = try await client.subscriptions(of: target)
            let isAccount = target == .account(account)
            subject[isAccount ? "account" : "originalTransactionId"] = account
        }
        subject["notificationType"] = type?.type
        subject["subtype"] = type?.subtype
        if failed { subject["onlyFailures"] = "true" }
        let namesApps = try await client.mixesApps()
        let answer = try await client.notifications(about: subject, limit: limit)
        let hasURL = try await client.hasNotificationURL(inSandbox: store.sandbox)
        try store.show(answer, of: which) { style in
            try Self.words(answer, none: none, hasURL: hasURL, namesApps: namesApps, style)
        }
    }

    /// What is said where there are none of those that were asked for.
    private var none: String {
        let which = [failed ? "failed" : nil, type?.text].compactMap { $0.map { " \($0)" } }
        return "no\(which.joined()) notifications" + (account.map { " about \($0)" } ?? "")
    }

    /// - Parameters:
    ///   - none: what is said where there are none.
    ///   - hasURL: whether notifications have anywhere to go.
    ///   - namesApps: whether each says whose it is.
    static func words(
        _ answer: Answer, none: String = "no notifications", hasURL: Bool = true,
        namesApps: Bool = false, _ style: Style
    ) throws -> [String] {
        let notifications = try answer.list("notifications")
        guard !notifications.isEmpty else {
            let remedy = "; `perennial app set --notify URL` says where they go"
            return [none + (hasURL ? "" : remedy)]
        }
        var table = Columns(
            [
                ("created", .left), ("id", .right), ("notification", .left), ("app", .left),
                ("about", .left), ("account", .left), ("tries", .right), ("outcome", .left),
            ], first: ["created", "notification", "outcome"], without: namesApps ? [] : ["app"])
        for notification in notifications {
            table.add([
                try notification.moment("created").plainText, try notification.text("id"),
                try NoticeName(notification).text, notification.optionalText("bundleId") ?? "",
                subject(notification),
                notification.optionalText("account") ?? "",
                String(try notification.list("attempts").count), try outcome(notification, style),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
            + (hasURL ? [] : ["none goes out; `perennial app set --notify URL` says where they go"])
    }

    /// One notification with its attempts and what it says.
    static func sheet(_ notification: Answer, _ style: Style) throws -> [String] {
        let about = [
            notification.optionalText("account"), notification.optionalText("productId"),
            notification.optionalText("originalTransactionId"),
        ].compactMap(\.self).joined(separator: ", ")
        var lines = [
            try NoticeName(notification).text,
            "Created: \(try notification.moment("created").plainText)",
            "UUID:    \(try notification.text("notificationUUID"))",
            "App:     \(try notification.text("bundleId"))",
        ]
        if !about.isEmpty { lines.append("About:   \(about)") }
        lines.append("Outcome: \(try outcome(notification, style))")
        for attempt in try notification.list("attempts") {
            lines.append(
                "         \(try attempt.moment("at").plainText) \(try attempt.text("result"))")
        }
        let payload = notification.harmless["payload"].map { PrettyJSON.text(of: $0) } ?? ""
        return lines + [""] + payload.split(separator: "\n").map(String.init)
    }

    /// The subscription, or the product that is none.
    private static func subject(_ notification: Answer) -> String {
        notification.optionalText("originalTransactionId")
            ?? notification.optionalText("productId") ?? ""
    }

    private static func outcome(_ notification: Answer, _ style: Style) throws -> String {
        let marks = try marks(notification)
        return try fate(notification, style) + (marks.isEmpty ? "" : " (\(marks))")
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

    private static func fate(_ notification: Answer, _ style: Style) throws -> String {
        let results = try notification.attemptResults(times: style.pick("×", "x"))
        if try notification.bool("delivered") {
            return results == "SUCCESS" ? "delivered" : "\(results), delivered"
        }
        guard let next = notification.optionalMoment("nextAttempt") else {
            return results.isEmpty ? "kept, no URL" : "\(results), given up"
        }
        return results.isEmpty ? "due \(next.plainText)" : "\(results), again \(next.plainText)"
    }
}

extension StoreClient {
    /// Whether the app that was named, or else any app, has a URL for notifications.
    fileprivate func hasNotificationURL(inSandbox: Bool) async throws -> Bool {
        let own: StoreEnvironment = inSandbox ? .sandbox : .production
        // A store that was named by its URL may be of either environment.
        let environments = address.other == nil ? StoreEnvironment.allCases : [own]
        return try await apps().contains { app in
            (bundleID == nil || app.bundleID == bundleID)
                && environments.contains { app.settings.notificationURL(in: $0) != nil }
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
