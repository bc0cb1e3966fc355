import AppStoreWire
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Request a Test Notification (app-store-server-api.md section 5.15).
    static let requestTestNotification = Endpoint.serverAPI(
        .post, "/inApps/v1/notifications/test", "requestTestNotification", perSecond: 1
    ) { call, caller in
        let token = try await call.store.requestTestNotification(
            bundleID: caller.bundleID, in: caller.environment)
        return .json(SendTestNotificationResponse(testNotificationToken: token))
    }

    /// Get Test Notification Status (app-store-server-api.md section 5.16).
    static let getTestNotificationStatus = Endpoint.serverAPI(
        .get, "/inApps/v1/notifications/test/{testNotificationToken}",
        "getTestNotificationStatus", perSecond: 1
    ) { call, caller in
        guard let token = call.parameter("testNotificationToken"), token.isTestNotificationToken
        else { throw APIError.invalidTestNotificationToken }
        guard let status = try await call.store.testNotification(token: token, for: caller) else {
            throw APIError.testNotificationNotFound
        }
        return .json(status)
    }
}

extension String {
    /// A UUID, an underscore and a moment, as the store makes tokens.
    fileprivate var isTestNotificationToken: Bool {
        let parts = split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && String(parts[0]).lowercasedUUID != nil
            && Int64(identifier: String(parts[1])) != nil
    }
}
