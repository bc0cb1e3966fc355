extension MerchantWords {
    /// The overview, and what comes in.
    enum Intake {
        static let title = "Overview"
        static let lead = "How intake fares."
        static let asOf = "Now"
        static let verified = "Verified since the start"
        static let refused = "Refused since the start"
        static let waiting = "Waiting"
        static let lag = "The oldest waits for"
        static let deadLetters = "Dead letters"
        static let unowned = "Purchases nobody owns"
        static let sources = "By app and environment"
        static let app = "App"
        static let environment = "Environment"
        static let last = "Last notification"
        static let look = "Last look for gaps"
        static let trust = "Certificates end"
        static let problem = "Problem"
        static let never = "never"
        static let noSource = "The merchant serves no app."
        static let gaps = "Gaps"
        static let gapsAbout = "What the last looks for missed notifications have found."
        static let kind = "Kind"
        static let state = "State"
        static let read = "Read"
        static let healed = "Healed"
        static let changed = "Changed"
        static let ended = "Ended"
        static let noGaps = "Nobody has looked for gaps yet."
        static func atLeast(_ count: String) -> String { "\(count) or more" }
    }
}
