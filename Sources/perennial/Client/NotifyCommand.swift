import AppStoreWire
import ArgumentParser
import NIOHTTP1

/// Tells the developer something that has not happened.
struct NotifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Send any notification about a subscription, at will.",
        discussion: """
            It carries the subscription as it stands now, and the log marks it as
            provoked. Nothing else changes.

              perennial notify REFUND --subscription anna
              perennial notify EXPIRED/BILLING_RETRY --subscription anna
              perennial notify CONSUMPTION_REQUEST --subscription anna \\
                --reason LEGAL
            """)

    @Argument(
        help: "Its type, and its subtype behind a slash.", transform: NoticeName.init)
    var notification: NoticeName

    @Option(
        help: ArgumentHelp(
            "What it is about: an identifier, or an account that has one.",
            valueName: "subscription"))
    var subscription: String

    @Option(
        help: ArgumentHelp(
            "Why a refund is asked for, in a CONSUMPTION_REQUEST.", valueName: "reason"))
    var reason: String?

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let id = try await client.onlySubscription(of: subscription)
        let answer = try await client.send(
            .POST, StorePath("connect", "v1", "subscriptions", id, "notifications")
        ) { json in
            json.field("notificationType", notification.type)
            json.field("subtype", notification.subtype)
            json.field("consumptionRequestReason", reason?.uppercased())
        }
        try store.show(answer) { _ in
            ["\(notification.text) of \(id) is on its way: \(try answer.text("notificationUUID"))"]
        }
    }
}
