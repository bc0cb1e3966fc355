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
        static let searchHint = "The beginning of an account, a transaction, an order or a product"
        static let account = "Account"
        static let storefront = "Storefront"
        static let locale = "Language"
        static let since = "Since"
        static let speed = "Sandbox speed"
        static let payment = "Payments"
        static let paymentAbout =
            "How the built-in bank answers this customer's bills. One that approves is tried at "
            + "once on renewals that failed."
        static let approve = "Let payments go well"
        static let approveAbout = "What is in retry or grace is charged at once."
        static let decline = "Decline payments"
        static let count = "How many"
        static let countHint = "Empty for all from now on"
        static let declines = "declined"
        static let later = "answered later"
        static let approves = "approved"
        static let more = "More customers"
        static let all = "All customers"
        static let nobody =
            "Nobody has bought anything here yet. `perennial buy PRODUCT --account anna` makes a "
            + "first customer."
        static let subscriptions = "Subscriptions"
        static let subscription = "Subscription"
        static let purchases = "Other purchases"
        static let product = "Product"
        static let state = "State"
        static let price = "Price"
        static let expires = "Period ends"
        static let nextEvent = "Next by itself"
        static let quantity = "Quantity"
        static let bought = "Bought"
        static let refunded = "Refunded"
        static let noSubscriptions = "This customer has never subscribed."
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
