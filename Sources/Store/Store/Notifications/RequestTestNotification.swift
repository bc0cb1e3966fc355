import AppStoreWire
import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Sends a TEST notification to the URL of an environment.
    ///
    /// - Returns: the token under which its result can be looked up.
    /// - Throws: `StoreError.setting(.noNotificationURL)`.
    public func requestTestNotification(
        bundleID: String, in environment: StoreEnvironment
    ) async throws -> String {
        try await write(about: .whatIsTakenUp) { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard try work.listens(app.id, environment) else {
                throw StoreError.setting(.noNotificationURL)
            }
            let uuid = work.notify(
                .test, nil, app: app.id, environment: environment, customer: nil, at: work.now)
            work.record(.requestedTestNotification) { $0.app = app.id }
            return "\(uuid)_\(work.now.milliseconds)"
        }
    }
}
