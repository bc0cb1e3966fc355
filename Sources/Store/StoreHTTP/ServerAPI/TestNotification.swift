import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Request a Test Notification (API-5.15).
    static let requestTestNotification = Endpoint.serverAPI(
        .post, "/inApps/v1/notifications/test", "requestTestNotification", perSecond: 1,
        OperationDescription(
            .developer, "Request a Test Notification",
            success: .ok(
                "On its way.",
                .object(
                    "A test notification.",
                    .required(
                        "testNotificationToken",
                        .text("What to ask for it with.", 38...60, .testNotificationToken)))),
            failures: [.init(.serverNotificationURLNotFound)])
    ) { call, caller, _ in
        let token = try await call.store.requestTestNotification(
            bundleID: caller.bundleID, in: caller.environment)
        return .json(SendTestNotificationResponse(testNotificationToken: token))
    }

    /// Get Test Notification Status (API-5.16).
    static let getTestNotificationStatus = Endpoint.serverAPI(
        .get, "/inApps/v1/notifications/test/{testNotificationToken}",
        "getTestNotificationStatus", perSecond: 1,
        OperationDescription(
            .developer, "Get Test Notification Status",
            parameters: [
                .path(
                    "testNotificationToken",
                    .text(
                        "What the request for it returned.", 38...60, .testNotificationToken),
                    or: .invalidTestNotificationToken)
            ],
            success: .ok("What became of it.", .named("NotificationItem")),
            failures: [.init(.testNotificationNotFound)])
    ) { call, caller, input in
        let token = input.required(
            input.parameterText("testNotificationToken"), "testNotificationToken")
        guard let status = try await call.store.testNotification(token: token, for: caller) else {
            throw APIError.testNotificationNotFound
        }
        return .json(status)
    }
}
