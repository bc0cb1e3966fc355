extension MerchantWords {
    /// The overview, and what comes in.
    enum Intake {
        static let title = "Overview"
        static let lead = "What has come in, and what needs your attention."
        static let asOf = "Now"
        static let verified = "Verified since the start"
        static let refused = "Refused since the start"
        static let waiting = "Waiting"
        static let lag = "The oldest waits for"
        static let deadLetters = "Dead letters"
        static let unowned = "Purchases without an account"
        static let sources = "By app and environment"
        static let app = "App"
        static let environment = "Environment"
        static let last = "Last notification"
        static let look = "Last check for gaps"
        static let trust = "Certificates end"
        static let problem = "Problem"
        static let never = "never"
        static let noSource = "The merchant serves no app."
        static let gaps = "Gaps"
        static let gapsAbout = "What the last checks for missed notifications have found."
        static let kind = "Kind"
        static let state = "State"
        static let read = "Read"
        static let healed = "Healed"
        static let changed = "Changed"
        static let ended = "Ended"
        static let noGaps = "No check has run yet."
        static func atLeast(_ count: String) -> String { "\(count) or more" }
    }
    enum DeadLetters {
        static let title = "Dead letters"
        static let lead = "Notifications that were accepted and could not be processed."
        static let none = "None."
        static let number = "Number"
        static let received = "Received"
        static let signed = "Signed"
        static let type = "Type"
        static let uuid = "Notification"
        static let problem = "Problem"
        static let replay = "Process it again"
        static let replayAbout = "It is processed as if it came in now."
        static func one(_ number: String) -> String { "Dead letter \(number)" }
    }

    enum Gaps {
        static let title = "Gaps"
        static let lead =
            "Notifications that were missed: the last check of each kind, or the one that runs."
        static let heal = "Check and heal"
        static let healAbout =
            "Asks the store for the whole history of notifications and for silent subscriptions, "
            + "and takes what is missing."
        static let since = "Since"
        static let sinceHint =
            "Such as 2026-01-31T00:00:00Z; empty for a day before the last check's end."
        static let test = "Ask for test notifications"
        static let testAbout = "In each environment whose store can be asked; it takes a minute."
    }

    enum Notifications {
        static let title = "Notifications"
        static let lead = "Everything that was verified and kept, the newest first."
        static let none = "None matches."
        static let number = "Number"
        static let received = "Received"
        static let type = "Type"
        static let app = "App"
        static let purchase = "Original transaction"
        static let state = "State"
        static let repeats = "Repeated"
        static let states: [(value: String, text: String)] = [
            ("", MerchantWords.anything), ("waiting", "waiting"), ("processed", "processed"),
            ("dead", "dead"),
        ]
    }
}
