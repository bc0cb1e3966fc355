import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import SubscriptionRules

/// The notifications that were accepted.
enum NotificationsSurface {
    static let endpoints: [Endpoint] = [listNotifications]

    private static let form = ObjectForm<ListedNotification>(
        "A notification that was accepted, and what it is about.",
        .integer("id", "Its number, in the order of arrival.", \.notification.id),
        .text("bundleId", "The app.", \.bundleID),
        .optionalText(
            "environment", "Production or Sandbox; absent where it is of neither.",
            \.environmentName),
        .text(
            "notificationUUID", "Apple's identifier, the same in every retry.",
            \.notification.uuid),
        .text("type", "Its type.", \.notification.type),
        .optionalText("subtype", "Its subtype.", \.notification.subtype),
        .optionalText(
            "originalTransactionId", "The purchase that it is about.", \.originalTransactionID),
        .moment("signedDate", "When it was signed.", \.notification.signedAt),
        .moment("received", "When it came in first.", \.notification.receivedAt),
        .integer("repeats", "How often it came again.", \.repeats),
        .text(
            "state", "What became of it: waiting, processed or dead.",
            \.notification.state.name),
        .optionalText(
            "problem", "Why it could not be processed.", \.notification.problem))

    private static let paging = Paging(
        "notifications", "The newest first.", of: form.schema, .before,
        .identifier("The number of the last one."))

    /// What came in, as far as it was accepted.
    static let listNotifications = Endpoint.tokenHolder(
        .get, "/v1/operator/notifications", "listAcceptedNotifications",
        OperationDescription(
            .theOperator, "List the notifications that were accepted",
            parameters: paging.parameters + [
                .query(
                    "state",
                    .choice("Only these.", AcceptedNotification.State.allCases.map(\.name))),
                .query("type", .text("Only of this type, in Apple's word.", 1...128)),
                .query("purchase", .text("Only about this original transaction.", 1...255)),
            ],
            success: paging.success("The notifications.", "A page of them."))
    ) { call, input in
        let wanted = input.parameter("state")?.string
        let filter = NotificationFilter(
            state: AcceptedNotification.State.allCases.first { $0.name == wanted },
            type: input.parameter("type")?.string,
            originalTransactionID: input.parameter("purchase")?.string)
        return try await paging.page(input) { before, limit in
            try await call.merchant.notifications(where: filter, before: before, limit: limit)
        } writing: { one, json in
            json.elementObject { form.write(one, to: &$0) }
        }
    }
}

extension ListedNotification {
    fileprivate var environmentName: String? { environment?.name }
}
