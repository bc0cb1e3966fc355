import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Tells the developer something that has not happened.
    static let provokeNotification = Endpoint.operatorOnly(
        .post, "/connect/v1/subscriptions/{originalTransactionId}/notifications",
        "provokeNotification",
        OperationDescription(
            .theOperator, "Send a notification at will",
            detail: "Any type with any subtype that it can have, with the subscription as it "
                + "stands now. The log marks it as provoked; nothing else changes. Types that "
                + "carry no purchase get a plausible summary, token or app transaction.",
            parameters: [subscriptionParameter],
            body: .members(
                .object(
                    "What to send.",
                    .required("notificationType", typeSchema),
                    .optional("subtype", subtypeSchema),
                    .optional(
                        "consumptionRequestReason",
                        .choice(
                            "Of a CONSUMPTION_REQUEST; UNINTENDED_PURCHASE unless given.",
                            ConsumptionRequestReason.known.map(\.rawValue))))),
            success: .created("On its way.", .named("Notification")),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownSubscription"),
                .init(.conflict, "noNotificationURL"),
            ])
    ) { call, input in
        let id = try await subscription(call).1.id
        let entry = try await call.store.provoke(
            Provocation(
                NotificationTypeV2(rawValue: input.requiredText("notificationType")),
                input.text("subtype").map(Subtype.init(rawValue:)),
                reason: input.text("consumptionRequestReason")
                    .map(ConsumptionRequestReason.init(rawValue:))),
            subscription: id, in: call.environment)
        return .object(status: .created) { entry.write(to: &$0) }
    }

    /// Tells the developer nothing at all, to see whether anybody listens.
    static let provokeTest = Endpoint.operatorOnly(
        .post, "/connect/v1/apps/{bundleId}/test-notification", "provokeTest",
        OperationDescription(
            .theOperator, "Send a TEST notification",
            detail: "To the app's URL of this environment; it is about no subscription.",
            parameters: [bundleIDParameter],
            success: .created("On its way.", .named("Notification")),
            failures: [
                .init(.notFound, "unknownApp"), .init(.conflict, "noNotificationURL"),
            ])
    ) { call, _ in
        let entry = try await call.store.provokeTest(
            bundleID: call.text("bundleId"), in: call.environment)
        return .object(status: .created) { entry.write(to: &$0) }
    }
}
