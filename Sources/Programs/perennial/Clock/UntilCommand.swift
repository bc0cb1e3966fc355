import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Lets time pass until the developer is told something.
struct UntilCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "until",
        abstract: "Move the clock until a notification is created.",
        discussion: """
            Goes from event to event, and stops once the notification exists, delivered or not. \
            Only new notifications count; `perennial notifications` lists earlier ones. On a \
            frozen clock, --or-now also accepts one that an earlier command created at this \
            moment. If the notification does not come in time, exits with 1; the clock has moved \
            anyway.
            The app needs a notification URL: `serve --notify URL`, or `app set --notify URL`.

              perennial clock until DID_RENEW
              perennial clock until DID_RENEW/BILLING_RECOVERY --subscription anna
              perennial clock until EXPIRED --limit P1Y
            """)

    @Argument(
        help: "Its type, and its subtype behind a slash if it matters.",
        transform: NoticeName.init)
    var notification: NoticeName

    @Option(
        help: ArgumentHelp(
            "Only about this one: an identifier, or an account that has one.",
            valueName: "subscription"), transform: Reading.account)
    var subscription: String?

    @Option(
        help: ArgumentHelp(
            "How far at most: P1Y, or a moment. (default: P2Y)", valueName: "limit"),
        transform: Reading.limit)
    var limit: String?

    @Flag(help: "Accept one that was created at the moment that the clock shows.")
    var orNow = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        var id: String?
        if let subscription { id = try await client.onlySubscription(of: subscription) }
        let wanted = id
        let start = try await client.get(StorePath("connect", "v1", "clock")).moment("now")
        if orNow, let found = try await newest(of: wanted, client),
            try found.moment("created") == start
        {
            let answer = Answer(
                value: .object([
                    "now": .string(start.iso8601), "changes": .integer(0),
                    "notification": found.value,
                ]), source: found.source)
            return try store.show(answer, of: which) { _ in try Self.words(answer) }
        }
        let answer: Answer
        do {
            answer = try await Elapsed.watch("waiting for \(notification.text)") {
                let path = StorePath("connect", "v1", "clock", "run-until")
                return try await client.send(.POST, path) { json in
                    json.field("notification", notification.type)
                    json.field("subtype", notification.subtype)
                    json.field("originalTransactionId", wanted)
                    json.field("limit", limit)
                }
            }
        } catch let failure as Failure
            where ["limitReached", "nothingAhead"].contains(failure.refusal ?? "")
        {
            throw try await missed(failure, of: wanted, since: start, client)
        }
        try store.show(answer, of: which) { _ in try Self.words(answer) }
    }

    /// How far it went without finding any, and when there was one before.
    private func missed(
        _ failure: Failure, of id: String?, since start: Instant, _ client: StoreClient
    ) async throws -> Failure {
        let now = try await client.get(StorePath("connect", "v1", "clock")).moment("now")
        let last = try await newest(of: id, client)
        let before =
            try last.map { "the last one was created \(try $0.moment("created").plainText)" }
            ?? "there was none before either"
        let isLimit = failure.refusal == "limitReached"
        var better = failure
        better.message =
            now == start && !isLimit
            ? "Nothing is ahead at \(now.plainText), where the clock stands, so that no "
                + "\(notification.text) can come into being; \(before)."
            : "No \(notification.text) came into being from \(start.plainText) to "
                + "\(now.plainText), \(isLimit ? "the limit" : "where nothing is ahead"), where "
                + "the clock stands now; \(before)."
        better.remedy = nil
        better.option = nil
        return better
    }

    /// The newest that there is already.
    private func newest(of id: String?, _ client: StoreClient) async throws -> Answer? {
        try await client.notifications(limit: 1) { found in
            let name = try NoticeName(found)
            return name.type == notification.type
                && (notification.subtype == nil || name.subtype == notification.subtype)
                && (id == nil || found.optionalText("originalTransactionId") == id)
        }.list("notifications").first
    }

    static func words(_ answer: Answer) throws -> [String] {
        let now = try answer.moment("now").plainText
        let notification = try answer.object("notification")
        let about =
            notification.optionalText("originalTransactionId").map { " of \($0)" } ?? ""
        let changes = counted(Int(try answer.integer("changes")), "event")
        let fate = try notification.bool("delivered") ? "delivered" : "not delivered"
        return ["\(now) UTC, \(changes), \(try NoticeName(notification).text)\(about), \(fate)"]
    }
}

/// A type of notification and perhaps its subtype, written `EXPIRED/VOLUNTARY`.
struct NoticeName: Hashable, Sendable {
    var type: String
    var subtype: String?

    var text: String { type + (subtype.map { "/\($0)" } ?? "") }

    /// Reads what was typed, in any letter case.
    init(_ text: String) throws {
        let parts = text.uppercased().split(separator: "/", omittingEmptySubsequences: false)
        let type = NotificationTypeV2(rawValue: String(parts[0]))
        guard type.isKnown else {
            throw ValidationError(
                "'\(text)' is no notification: write DID_RENEW or EXPIRED/VOLUNTARY."
                    + Vocabulary.suggestion(
                        for: String(parts[0]),
                        of: NotificationTypeV2.allowedSubtypes.keys.map(\.rawValue).sorted()))
        }
        self.type = type.rawValue
        guard parts.count > 1 else { return }
        let subtype = Subtype(rawValue: String(parts[1]))
        guard parts.count == 2, type.allows(subtype) else {
            let allowed = (NotificationTypeV2.allowedSubtypes[type] ?? [])
                .compactMap { $0?.rawValue }.sorted()
            throw ValidationError(
                allowed.isEmpty
                    ? "\(type.rawValue) has no subtypes."
                    : "\(type.rawValue) has the subtypes \(allowed.joined(separator: ", ")).")
        }
        self.subtype = subtype.rawValue
    }

    /// Reads a notification of the log.
    init(_ answer: Answer) throws {
        type = try answer.text("notificationType")
        subtype = answer.optionalText("subtype")
    }
}
