import Timeline

/// What the pages of the clock say.
extension ConsoleWords {
    enum Clock {
        static let title = "Clock"
        static let now = "Now"
        static let goes = "Mode"
        static let next = "Next event"
        static let nothingAhead = "Nothing is ahead any more."
        static let held = "Held"
        static let cannotMove =
            "This world goes by the machine's time, which nobody can move. A world that is made "
            + "with --clock running or --clock frozen can be moved, and so can a fork of this one."
        static let byTitle = "Let time go by"
        static let byAbout = "First you see what falls due; nothing happens before you say so."
        static let look = "See what falls due"
        static let untilField = "How far"
        static let untilHint =
            "A step such as P1Y, P3M, P2W or PT6H, or a moment such as 2027-01-31 09:00"
        static let stepTitle = "Step by step"
        static let stepAbout = "To whatever happens next, and no further."
        static let step = "One step"
        static let runTitle = "Run until"
        static let runAbout = "Until the developer is told something, two years at most."
        static let run = "Run"
        static let until = "Run until"
        static let notification = "Notification"
        static let notifications: [(value: String, text: String)] = [
            "DID_RENEW", "DID_FAIL_TO_RENEW", "GRACE_PERIOD_EXPIRED", "EXPIRED", "PRICE_INCREASE",
            "REFUND", "RENEWAL_EXTENSION", "SUBSCRIBED",
        ].map { ($0, $0) }
        static let willShow = "Will show"
        static let dueFirst =
            "Something is due already, such as an attempt to deliver a notification. It happens "
            + "first; then the clock goes to the next event."
        static let atMost = "At most until"
        static func runAhead(_ notification: String) -> String {
            "The clock stops at the first \(notification) from now on."
        }
        static let move = "Move the clock"
        static let goOn = "Go on"
        static let steps: [(value: String, text: String)] = [
            ("P1D", "One day"), ("P1W", "One week"), ("P1M", "One month"), ("P6M", "Six months"),
            ("P1Y", "One year"),
        ]
        static let whatFallsDue = "What falls due"
        static let dueCaption = "What falls due until then"
        static let howMany = "How many"
        static let firstOf = "Subscriptions with this first"
        static let nothingDue = "Nothing falls due until then."
        static let onlyFirst =
            "Of each subscription only what happens first is counted: a monthly one renews twelve "
            + "times in a year and stands here once."
        static let dontMove = "Leave the clock as it is"
        static let moving = "The clock is being moved"
        static let lookAgain = "Look again"
        static let whatHappened = "What happened"
        static let nothingHappened = "Nothing happened on the way."
        static let nothingYet =
            "Nothing has happened yet: sign up a customer, and let it buy something."
        static let needsURL =
            "The app has no notification URL, so nobody is told anything: it is one of the app's "
            + "settings."
        static let bothClocks = "Production and Sandbox have one clock."
        static let lately = "What happened last"
        static let when = "When"
        static let what = "What"
        static let who = "Who"
        static let amount = "Amount"

        static func mode(_ mode: String) -> String {
            switch mode {
            case "system": "machine's time"
            case "running": "running"
            case "frozen": "frozen"
            default: mode
            }
        }
        static func modeAbout(_ mode: String) -> String? {
            switch mode {
            case "running": "It goes on like the machine's, from where it was moved to."
            case "frozen": "It stands still until it is moved."
            default: nil
            }
        }
        static func heldBy(_ reason: String) -> String {
            reason == "machineIsBehind"
                ? "the machine's clock went back" : "the clock's range has ended"
        }
        static func aheadTitle(_ moment: String) -> String { "Until \(moment)" }
        static func aheadLead(from: String, to: String) -> String {
            "The clock shows \(from) UTC and would be moved to \(to) UTC. It never goes back."
        }
        static func moveTo(_ moment: String) -> String { "Move the clock to \(moment)" }
        static func movedTo(_ moment: String) -> String { "It is \(moment)" }
        static func movedLead(from: String, to: String) -> String {
            "From \(from) to \(to) UTC, everything due has happened."
        }
        static func reached(_ moment: String) -> String { "Reached \(moment) UTC" }
        static func due(_ kind: String) -> String {
            switch kind {
            case "renewal": "Renewals"
            case "ending": "Subscriptions that end, since renewal is off"
            case "retry": "Retries of a payment, or the end of a grace period"
            case "answer": "Payments that are answered, or given up"
            case "price": "Prices that go live"
            case "massExtension": "Extensions for all subscribers"
            case "refundDecision": "Refund requests that are decided"
            case "purchaseRequest": "Requests to buy that lapse"
            case "sharing": "Purchases that families get"
            default: kind
            }
        }
    }

    /// An event of the journal, as a person says it.
    static func happening(_ name: String) -> String {
        switch name {
        case "changedAccount": "account or payment method changed"
        default: Timeline.Words.spelledOut(name)
        }
    }
}
