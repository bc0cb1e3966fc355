import AppStoreWire
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// What was sent, or waits to be sent, to developers.
    static let listNotifications = Endpoint.operatorOnly(
        .get, "/connect/v1/notifications", "listNotifications",
        OperationDescription(
            .theOperator, "List the notifications of this environment",
            detail: "Newest first: of all apps, unless something is named.",
            parameters: [
                .query("bundleId", .text("Only those of this app.", 1...255)),
                .query("account", .text("Only those about this account's purchases.", 1...256)),
                .query(
                    "originalTransactionId", .identifier("Only those about this subscription.")),
                .query("before", .integer("The id of the last one of the page before.")),
                .query("limit", .integer("How many at most; 50 unless given.", 1...200)),
            ],
            success: .ok(
                "A page of notifications.",
                .object(
                    "Notifications.",
                    .required(
                        "notifications", .list("Newest first.", of: .named("Notification"))),
                    .required("hasMore", .boolean("Whether there is a next page.")))),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownAccount")])
    ) { call, input in
        let limit = input.limit(50)
        let subject = NotificationSubject(
            bundleID: input.parameter("bundleId")?.string,
            account: input.parameter("account")?.string,
            subscription: input.cursor("originalTransactionId"))
        let found = try await call.store.notificationLog(
            about: subject, in: call.environment, before: input.cursor("before"), limit: limit + 1)
        return .object { json in
            json.array("notifications") { json in
                for entry in found.prefix(limit) { json.elementObject { entry.write(to: &$0) } }
            }
            json.field("hasMore", found.count > limit)
        }
    }

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
        .optional("signedPayload", .signed("What was sent; absent before the first attempt")))
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
    }
}
