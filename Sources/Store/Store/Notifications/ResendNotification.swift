import Storage
import SubscriptionRules

extension Store {
    /// Sends a notification again, at once: the same signed text, as one more attempt.
    ///
    /// - Parameter name: its number in the log, or its notificationUUID.
    /// - Returns: its entry in the log, before that attempt.
    /// - Throws: `StoreError.unknown(.notification)`, `.setting(.noNotificationURL)`.
    public func resendNotification(
        _ name: String, in environment: StoreEnvironment
    ) async throws -> NotificationLogEntry {
        try await write(about: .whatIsTakenUp) { work in
            let reader = StoreReader(session: work.session, now: work.now, apps: work.apps)
            var record = try reader.notification(name, in: environment)
            guard try work.listens(record.app, environment) else {
                throw StoreError.setting(.noNotificationURL)
            }
            // What is due goes out anyway, and may be under way.
            let isDue = record.nextAttempt.map { $0 <= work.now } ?? false
            if !isDue {
                record.nextAttempt = work.now
                try record.saveNextAttempt(in: work.session)
            }
            return try reader.logEntry(record)
        }
    }
}
