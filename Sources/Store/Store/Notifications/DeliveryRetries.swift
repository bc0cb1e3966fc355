import AppStoreWire
import Outbox
import SubscriptionRules

/// When a notification has arrived, and when it is tried again.
extension RetrySchedule {
    /// When a notification is tried again that did not arrive: in Sandbox never (SRV-1).
    static func ofNotifications(in environment: StoreEnvironment) -> RetrySchedule {
        switch environment {
        case .production:
            RetrySchedule([.hours(1), .hours(12), .hours(24), .hours(48), .hours(72)])
        case .sandbox: RetrySchedule([])
        }
    }
}

extension SendAttemptResult {
    /// How the App Store tells what came of a post: 200 to 206 is success (SRV-1).
    init(_ outcome: PostOutcome) {
        self =
            switch outcome {
            case .answered(200...206): .success
            case .answered: .unsuccessfulHTTPResponseCode
            case .timedOut: .timedOut
            case .tlsIssue: .tlsIssue
            case .socketIssue: .socketIssue
            case .prematureClose: .prematureClose
            case .invalidResponse: .invalidResponse
            case .circularRedirect: .circularRedirect
            case .noResponse: .noResponse
            case .unusable: .other
            }
    }
}
