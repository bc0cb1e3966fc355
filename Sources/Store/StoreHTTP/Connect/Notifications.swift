import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// How the notifications are given out.
    private static let notificationPages = Paging(
        "notifications", "Newest first.", of: .named("Notification"), .before,
        .integer("The id of the last one of the page before."))

    /// What was sent, or waits to be sent, to developers.
    static let listNotifications = Endpoint.operatorOnly(
        .get, "/connect/v1/notifications", "listNotifications",
        OperationDescription(
            .theOperator, "List the notifications of this environment",
            detail: "Newest first: of all apps, unless something is named. One that had no URL to "
                + "go to has no attempts and no `nextAttempt`.",
            parameters: [
                .query("bundleId", .text("Only those of this app.", 1...255)),
                .query("account", .text("Only those about this account's purchases.", 1...256)),
                .query(
                    "originalTransactionId", .identifier("Only those about this subscription.")),
                .query("notificationType", typeSchema), .query("subtype", subtypeSchema),
                .query(
                    "onlyFailures",
                    .boolean("Only those that were tried and have not been delivered.")),
            ] + notificationPages.parameters,
            success: notificationPages.success("A page of notifications.", "Notifications."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownAccount"),
            ])
    ) { call, input in
        let subject = NotificationSubject(
            bundleID: input.parameter("bundleId")?.string,
            account: input.parameter("account")?.string,
            subscription: input.cursor("originalTransactionId"))
        let filter = NotificationLogFilter(
            type: input.parameter("notificationType")?.string
                .map(NotificationTypeV2.init(rawValue:)),
            subtype: input.parameter("subtype")?.string.map(Subtype.init(rawValue:)),
            onlyFailures: input.parameter("onlyFailures")?.bool ?? false)
        return try await notificationPages.page(input) { before, limit in
            try await call.store.notificationLog(
                filter, about: subject, in: call.environment, before: before, limit: limit)
        } writing: { entry, json in
            json.elementObject { entry.write(to: &$0) }
        }
    }

    /// One notification, decoded.
    static let getNotification = Endpoint.operatorOnly(
        .get, "/connect/v1/notifications/{id}", "getNotification",
        OperationDescription(
            .theOperator, "Get a notification",
            detail: "With its payload decoded, the signed texts within it too; before the first "
                + "attempt, as it is going to be sent.",
            parameters: [notificationParameter],
            success: .ok("The notification.", .named("Notification")),
            failures: [.init(.notFound, "unknownNotification")])
    ) { call, _ in
        let entry = try await call.store.notification(call.text("id"), in: call.environment)
        return .object { entry.write(to: &$0) }
    }

    /// Sends one again.
    static let resendNotification = Endpoint.operatorOnly(
        .post, "/connect/v1/notifications/{id}/resend", "resendNotification",
        OperationDescription(
            .theOperator, "Send a notification again",
            detail: "The same body, at once, to the app's current URL. The log records the outcome "
                + "as one more attempt. A notification that was delivered stays delivered; one "
                + "that was not is retried as after any other attempt.",
            parameters: [notificationParameter],
            success: .ok("On its way.", .named("Notification")),
            failures: [
                .init(.notFound, "unknownNotification"), .init(.conflict, "noNotificationURL"),
            ])
    ) { call, _ in
        let entry = try await call.store.resendNotification(
            call.text("id"), in: call.environment)
        return .object { entry.write(to: &$0) }
    }

    private static let notificationParameter = OperationDescription.Parameter.path(
        "id", .text("Its number, or its notificationUUID.", 1...36))

    static let notificationSchema = Schema.object(
        "A notification on its way to the developer.",
        .required("id", .integer("Its number.")),
        .required("notificationUUID", .uuid("Its identifier.")),
        .required("bundleId", .text("The app.")),
        .optional("account", .text("Whose purchase it is about.")),
        .optional("productId", .text("What was purchased.")),
        .optional("originalTransactionId", .identifier("The subscription that it is about.")),
        .required("notificationType", .text("Such as DID_RENEW.")),
        .optional("subtype", .text("Such as BILLING_RECOVERY.")),
        .required("created", .moment("When the event happened.")),
        .required("provoked", .boolean("Whether the operator sent it at will.")),
        .required("delivered", .boolean("Whether the developer has taken it.")),
        .optional("nextAttempt", .moment("When it is tried next.")),
        .required(
            "attempts",
            .list(
                "The attempts so far.",
                of: .object(
                    "An attempt.", .required("at", .moment("When.")),
                    .required("result", .text("Such as SUCCESS or TIMED_OUT."))))),
        .required(
            "faults",
            .list(
                "The fault rules that were applied to it, in order.",
                of: .object(
                    "A rule.", .required("id", .integer("Its number.")),
                    .required("kind", .text("Such as dropNotifications.")),
                    .required("attempt", .integer("The attempt that it took; the first is 1.")),
                    .required("at", .moment("When."))))),
        .optional("signedPayload", .signed("What was sent; absent before the first attempt")),
        .optional(
            "payload",
            .anything(
                "The payload decoded, with `transactionInfo` in place of `signedTransactionInfo` "
                    + "and so on; not in lists.")))
}

extension NotificationLogEntry {
    func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("notificationUUID", uuid)
        json.field("bundleId", bundleID)
        json.field("account", account)
        json.field("productId", productID)
        json.field("originalTransactionId", subscription.map { String($0) })
        json.field("notificationType", type.rawValue)
        json.field("subtype", subtype?.rawValue)
        json.field("created", created.iso8601)
        json.field("provoked", isProvoked)
        json.field("delivered", isDelivered)
        json.field("nextAttempt", nextAttempt?.iso8601)
        json.array("attempts") { json in
            for attempt in attempts {
                json.elementObject { json in
                    json.field("at", Instant(milliseconds: attempt.attemptDate).iso8601)
                    json.field("result", attempt.sendAttemptResult.rawValue)
                }
            }
        }
        json.array("faults") { json in
            for fault in faults {
                json.elementObject { json in
                    json.field("id", fault.fault)
                    json.field("kind", fault.kind.rawValue)
                    json.field("attempt", fault.attempt)
                    json.field("at", fault.at.iso8601)
                }
            }
        }
        json.field("signedPayload", signedPayload)
        json.field("payload", payload)
    }
}
