/// What the pages of customers say.
extension ConsoleWords {
    /// The state of a subscription, as a person says it.
    static func state(_ name: String) -> String {
        switch name {
        case "active": "active"
        case "awaitingPayment": "payment awaited"
        case "grace": "in grace"
        case "retrying": "billing retry"
        case "expired": "expired"
        case "revoked": "refunded"
        default: name
        }
    }

    enum Customers {
        static let title = "Customers"
        static let search = "Search"
        static let searchFor = "Find a customer or a purchase"
        static let searchHint =
            "The beginning of an account, or a whole transaction, order or product identifier"
        static let account = "Account"
        static let storefront = "Storefront"
        static let locale = "Language"
        static let email = "Mails go to"
        static let since = "Since"
        static let speed = "Sandbox speed"
        static let payment = "Payments"
        static let paymentAbout =
            "How the built-in bank answers this customer's bills."
        static let approve = "Approve payments"
        static let approveAbout = "What is in retry or grace is charged at once."
        static let behaviour = "The next ones are"
        static let behaviours: [(value: String, text: String)] = [
            ("decline", "declined"), ("later", "answered later"),
        ]
        static let change = "Change the payments"
        static let count = "How many"
        static let countHint = "Empty for all from now on"
        static let declines = "declined"
        static let later = "answered later"
        static let approves = "approved"
        static let family = "Family"
        static let more = "More of this customer"
        static let moreCustomers = "More customers"
        static let all = "All customers"
        static let nobody =
            "Nobody is here yet: sign up a first customer."
        static let signUp = "Sign up a customer"
        static let signUpAbout = "As a device does that signs in for the first time."
        static let name = "Account"
        static let home = "Storefront"
        static let homeHint = "Three letters, such as DEU; empty for the app's"
        static let willBeInterrupted =
            "Purchases of this account are interrupted: it will fail, and wait among the requests "
            + "to buy until somebody settles it."
        static let buy = "Buy something"
        static let buyAbout = "As on the customer's device. What it will do is shown first."
        static func sold(_ id: String, _ kind: String, period: String?) -> String {
            "\(id) (\(kind)\(period.map { ", \($0)" } ?? ""))"
        }
        static func buys(_ product: String) -> String { "Buy \(product)" }
        static let subscriptions = "Subscriptions"
        static let subscription = "Subscription"
        static let purchases = "Other purchases"
        static let product = "Product"
        static let state = "State"
        static let price = "Price"
        static let expires = "Period ends"
        static let nextEvent = "Next event"
        static let quantity = "Quantity"
        static let bought = "Bought"
        static let refunded = "Refunded"
        static let noSubscriptions = "This customer has never subscribed."
        static let noOwnSubscriptions = "This customer has no subscription of their own."
        static let shared = "Shared by the family"
        static let nothingShared = "Nobody shares a purchase with this customer."
        static let sharedBy = "Shared by"
        static let sharedSince = "Shared since"
        static let sharingEnded = "Sharing ended"
        static let access = "Access"
        static let hasAccess = "yes"
        static let hasNoAccess = "no"
        static let noPurchases = "Nothing besides subscriptions."
        static let thisPage = "This page"
        static let found = "Found"
        static let foundBy = "Found by"

        static func until(_ moment: String) -> String { "until \(moment)" }
        static func times(_ count: Int) -> String {
            count == 1 ? "once more" : "\(count) times more"
        }
        static func minutes(_ count: Int) -> String {
            count == 1 ? "a month lasts 1 minute" : "a month lasts \(count) minutes"
        }
        static func nothingFound(_ text: String) -> String {
            "Nothing here begins with or is named \(text). Accounts are found by their beginning; "
                + "transactions, orders and products by their whole identifier."
        }
        static func kind(_ kind: String) -> String {
            switch kind {
            case "account": "account"
            case "subscription": "subscription"
            case "transaction": "transaction"
            case "order": "order"
            case "product": "product"
            default: kind
            }
        }
    }
}
