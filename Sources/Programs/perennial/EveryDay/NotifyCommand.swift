import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store

/// Tells the developer something that has not happened.
struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Send any notification about a subscription, or TEST.",
        discussion: """
            The notification contains the present state of the subscription. The log marks it as \
            provoked. Nothing else changes.

              perennial notify REFUND --subscription anna
              perennial notify EXPIRED/BILLING_RETRY --subscription anna
              perennial notify CONSUMPTION_REQUEST --subscription anna \\
                --reason LEGAL
              perennial notify TEST
            """)

    @Argument(
        help: "Its type, and its subtype behind a slash.", transform: NoticeName.init)
    var notification: NoticeName

    @Option(
        help: ArgumentHelp(
            "What it is about: an identifier, or an account that has one. TEST needs none.",
            valueName: "subscription"), transform: Reading.account)
    var subscription: String?

    @Option(
        help: ArgumentHelp(
            "Why a refund is asked for, in a CONSUMPTION_REQUEST: "
                + NotifyCommand.reasons.joined(separator: ", ") + ".", valueName: "reason"),
        transform: NotifyCommand.reason)
    var reason: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard subscription != nil || notification.type == NotificationTypeV2.test.rawValue else {
            throw ValidationError(
                "Say what \(notification.type) is about: --subscription and an account or an "
                    + "identifier.")
        }
        let isTest = notification.type == NotificationTypeV2.test.rawValue
        guard !isTest || subscription == nil else {
            throw ValidationError("TEST is about no subscription: leave --subscription out.")
        }
        let isRequest = notification.type == NotificationTypeV2.consumptionRequest.rawValue
        guard reason == nil || isRequest else {
            throw ValidationError("--reason is for CONSUMPTION_REQUEST alone.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        guard let subscription else { return try await test(client) }
        let id = try await client.onlySubscription(of: subscription)
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "subscriptions", id, "notifications")
        ) { json in
            json.field("notificationType", notification.type)
            json.field("subtype", notification.subtype)
            json.field("consumptionRequestReason", reason)
        }
        try store.show(answer, of: which) { _ in
            ["\(notification.text) of \(id) is on its way: \(try answer.text("notificationUUID"))"]
        }
    }

    /// Sends TEST, which is about no subscription.
    private func test(_ client: StoreClient) async throws {
        let app = try await client.app()
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "apps", app, "test-notification"))
        try store.show(answer, of: which) { _ in
            ["TEST of \(app) is on its way: \(try answer.text("notificationUUID"))"]
        }
    }

    private static let reasons = ConsumptionRequestReason.known.map(\.rawValue).sorted()

    private static func reason(_ text: String) throws -> String {
        guard let reason = reasons.spelling(of: text) else {
            throw ValidationError(
                "'\(text)' is no reason: write one of \(reasons.joined(separator: ", ")).")
        }
        return reason
    }
}
