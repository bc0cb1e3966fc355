import AppStoreWire

/// What the pages of notifications and money, and the overview, say.
extension ConsoleWords {
    enum Notifications {
        static let title = "Notifications"
        static let one = "This notification"
        static let created = "Created"
        static let type = "Notification"
        static let about = "About"
        static let state = "State"
        static let attempts = "Attempts"
        static let delivered = "delivered"
        static let waiting = "waiting"
        static let kept = "kept, no URL"
        static let failing = "not taken"
        static let stillWaiting = "Notifications waiting"
        static let ofNewest = "among the newest 200"
        static let filter = "Show"
        static let account = "Account"
        static let onlyFailures = "Only those that were tried and not taken"
        static let app = "App"
        static let uuid = "notificationUUID"
        static let nextAttempt = "Next attempt"
        static let result = "Result"
        static let notTried = "Not tried yet."
        static let resend = "Send again"
        static let resendAbout =
            "The same body goes to the app's notification URL at once. The outcome is one more "
            + "attempt."
        static let payload = "What is sent"
        static let payloadAbout =
            "The same text at every attempt. What it says is shown without verifying it: it comes "
            + "from this store."
        static let decoded = "Decoded"
        static let signed = "Signed text"
        static let none =
            "None. Notifications go out while an app has a notification URL, which is one of its "
            + "settings."

        static var types: [(value: String, text: String)] {
            [("", any)] + NotificationTypeV2.known.map(\.rawValue).sorted().map { ($0, $0) }
        }

        static func next(_ moment: String) -> String { "tried again \(moment)" }
    }

    enum Money {
        static let title = "Money"
        static let ledger = "Ledger"
        static func ledgerOf(_ account: String) -> String { "Ledger of \(account)" }
        static let ledgerAbout =
            "Newest first. The three columns of a row add up to zero."
        static let proceeds = "Proceeds"
        static let paid = "Paid"
        static let refunded = "Refunded"
        static let commission = "Commission"
        static let month = "Month (UTC)"
        static let running = "month that is not over"
        static let noProceeds = "Nothing has come in."
        static func proceedsIn(_ app: String, _ currency: String) -> String {
            "Proceeds of \(app) in \(currency)"
        }
        static func caption(_ currency: String) -> String {
            "Proceeds and commission by month, in \(currency). The table below has the figures."
        }
        static let when = "When"
        static let kind = "Why"
        static let product = "Product"
        static let customer = "Customer gains"
        static let developer = "Developer gains"
        static let store = "Store gains"
        static let none = "No money has moved."
    }

    enum Overview {
        static let title = "Overview"
        static let lead =
            "This is an App Store of your own: customers subscribe, renew, fail to pay and come "
            + "back, and the clock goes as fast as you like."
        static let goTitle = "Let time go by"
        static let goAbout =
            "Push one, see what falls due, and let it happen. Then look at a customer's life."
        static let customers = "Customers"
        static let lately = "What happened last"
        static let nextTitle = "Now"
        static let apps = "App"
        static let noMove = "This world goes by the machine's time."
    }
}
