extension MerchantWords {
    /// The environments that a list can be narrowed to.
    static let environments: [(value: String, text: String)] = [
        ("", anything), ("Production", "Production"), ("Sandbox", "Sandbox"),
    ]

    /// Customers, and what each has.
    enum Customers {
        static let title = "Customers"
        static let lead = "Who has bought something, by app and name."
        static let account = "Account"
        static let app = "App"
        static let unlocked = "Unlocked"
        static let version = "Version"
        static let nothingUnlocked = "nothing"
        static let nobody = "No customer matches."
        static let nobodyHere = "None of these matches: go on."
        static let search = "Name begins with"
        static let entitlement = "Entitlement"
        static let access = "Access"
        static let states: [(value: String, text: String)] = [
            ("", MerchantWords.anything), ("active", "now"), ("ended", "ended"),
        ]
        static let asOf = "As of"
        static let nextChange = "Next change by itself"
        static let entitlements = "Entitlements"
        static let noEntitlement = "Nothing is or was unlocked for this account."
        static let balances = "Consumables"
        static let balancesAbout = "Bought in Production and not taken back."
        static let left = "Count"
        static let until = "Until"
        static let then = "Then"
        static let renews = "renews"
        static let ends = "ends"
        static let product = "Product"
        static let transaction = "Transaction"
        static let environment = "Environment"
        static let why = "Why"
        static let whyAbout = "What is known of it, and from whom."
        static let unlocks = "Unlocks"
        static let counted = "nothing: it is used up"
        static let purchase = "Original transaction"
        static let sources = "Known from"
        static let story = "Story"
        static let events = "Events"
        static let transfers = "Transfers between accounts"
        static let allEvents = "All events, with a filter"
        static let noEvents = "Nothing is known."
        static let when = "When"
        static let event = "What happened"
        static let restsOn = "Rests on"
        static let ahead = "still to come"
        static let notices = "Notifications"
        static let noNotices = "No notification is about it."
        static let signed = "Signed"
        static let type = "Type"
        static let uuid = "Notification"
        static let state = "State"
        static let drawingTitle = "The life of the purchase, with its periods and what changed it"
        static func drawing(from start: String, to end: String) -> String {
            "From \(start) to \(end)."
        }
        static func showEarlier(_ count: Int) -> String { "Show \(count) earlier" }

        static func reason(_ reason: String) -> String {
            switch reason {
            case "active": "active"
            case "gracePeriod": "grace period"
            case "awaitingRenewal": "awaiting renewal"
            case "owned": "owned"
            case "billingRetry": "billing retry"
            case "expired": "expired"
            case "refunded": "refunded"
            case "sharingEnded": "sharing ended"
            case "upgraded": "upgraded"
            default: reason
            }
        }
    }

    /// Purchases that no account has.
    enum Unowned {
        static let title = "Purchases without an account"
        static let none = "None matches."
        static let purchase = "Original transaction"
        static let app = "App"
        static let environment = "Environment"
        static let product = "Product"
        static let bought = "Bought"
        static let ends = "Ends"
        static let erased = "Account erased"
        static let one = "A purchase without an account"
        static let oneLead =
            "Give it to the account of the customer who can show that they bought it."
        static let account = "Account"
        static let claim = "Give it to the account"
        static let claimAbout = "No other account loses anything."
        static func count(_ count: String) -> String { "\(count) in all." }
        static func countAtLeast(_ count: String) -> String { "\(count) or more." }
    }
}
