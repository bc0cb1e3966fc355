/// What the page of a subscription, and those of its acts, say.
extension ConsoleWords {
    enum Subscription {
        static let hasAccess = "The customer has access."
        static let hasNoAccess = "The customer has no access."
        static let customer = "Customer"
        static let app = "App"
        static let product = "Product"
        static let storefront = "Storefront"
        static let price = "Price of this period"
        static let period = "This period"
        static let renews = "Renews"
        static let yes = "yes"
        static let no = "no"
        static let graceUntil = "Access until"
        static let retryUntil = "Retried until"
        static let ended = "Ended"
        static let refunded = "Refunded"
        static let renewals = "Renewals"
        static let productDeleted = "Product deleted"
        static let paid = "Paid in all"
        static let identifier = "Subscription"
        static let transaction = "Newest transaction"
        static let bill = "Open bill"
        static let billWaits = "the bank has not answered"
        static let nextTitle = "What comes next"
        static let when = "When"
        static let what = "What"
        static let increase = "Price increase"
        static let increaseFrom = "First charged"
        static let explain = "Why, and when"
        static let chronicle = "What happened"
        static let amount = "Amount"
        static let notice = "Notification"
        static let earlier = "Earlier"
        static let unfold = "Show every entry"
        static let fold = "Fold runs of the same"
        static let nothingHappened = "Nothing has happened."
        static let notifications = "Notifications"
        static let ledger = "Ledger of the customer"
        static let wholeLedger = "The whole ledger of the customer"
        static let sameNow = "What is true now"
        static let laneAccess = "Access"
        static let laneCharges = "Charges"
        static let laneNotices = "Notified"
        static let lanePlan = "Plan"
        static let lanePrice = "Price"
        static let chargeKey = "charge"
        static let noticeKey = "notification to the developer"
        static let heapKey = "several within a short time"
        static let owedKey = "price owed, not paid yet"
        static let aheadKey = "next period, if nothing changes"

        static func condition(_ condition: String) -> String {
            "\(condition.prefix(1).uppercased())\(condition.dropFirst())."
        }
        static func offer(_ mode: String) -> String {
            switch mode {
            case "FREE_TRIAL": "free trial"
            case "PAY_AS_YOU_GO": "by an offer, period by period"
            case "PAY_UP_FRONT": "by an offer, paid up front"
            default: mode
            }
        }
        static func offer(_ mode: String, _ name: String?) -> String {
            offer(mode) + (name.map { ": \($0)" } ?? "")
        }
        static let owed = "Owed"
        static let nextOffer = "Offer that waits"
        static let endsWithoutConsent = "it ends, unless the customer agrees to the new price"
        static func next(_ state: String, renews: Bool) -> String {
            switch state {
            case "active": renews ? "it renews" : "it ends"
            case "awaitingPayment": "the payment is answered, or given up"
            case "grace": "the payment is tried again, or the grace period ends"
            case "retrying": "the payment is tried again, or billing gives up"
            default: state
            }
        }
        static func phase(_ phase: String) -> String {
            switch phase {
            case "waiting": "waits until it concerns this subscriber"
            case "planned": "planned, not announced yet"
            case "asked": "the subscriber was asked"
            case "accepted": "the subscriber agreed"
            case "declined": "the subscriber declined"
            default: phase
            }
        }
        static func ofTransaction(_ id: String) -> String { "transaction \(id)" }
        static func range(_ from: Int, _ to: Int, of count: Int) -> String {
            "Entries \(from) to \(to) of \(count)."
        }
        static func drawing(_ account: String, from: String, to: String) -> String {
            "The life of \(account)'s subscription from \(from) to \(to) UTC. The list below says "
                + "the same in words."
        }
        static func drawingTitle(_ product: String, _ account: String) -> String {
            "The life of the subscription to \(product) of \(account), drawn along time"
        }
        static func now(_ moment: String) -> String { "now, \(moment)" }
        static func ahead(_ moment: String) -> String {
            "next period from \(moment), if nothing changes"
        }
        static func several(_ count: Int, from moment: String) -> String {
            "\(count) from \(moment) on"
        }
    }

    enum Acts {
        static let sectionTitle = "What can be done"
        static let nothingPossible = "Nothing any more: the subscription is over."
        static let sectionAbout =
            "Each of them first shows what it will do. Nothing is done before you say so."
        static let product = "Product to move to"
        static let productHint = "Of the same group; level 1 is the highest"
        static func plan(_ id: String, level: Int, period: String, isPresent: Bool) -> String {
            "\(id) (level \(level), \(period)\(isPresent ? ", as now" : ""))"
        }
        static let days = "Days"
        static let daysHint = "1 to 90"
        static let reason = "Reason"
        static let extensionReasons: [(value: String, text: String)] = [
            ("undeclared", "undeclared"), ("customerSatisfaction", "customer satisfaction"),
            ("serviceIssueOrOutage", "service issue or outage"), ("other", "other"),
        ]
        static let prorated = "Only what is left of the period"
        static let see = "See what it will do"
        static let previewTitle = "What it will do"
        static let previewAbout =
            "A trial run: nothing was changed. It includes what is due for the customer by now."
        static let changesNothing = "It changes nothing."
        static let leaveIt = "Leave it as it is"
        static let backToSubscription = "Back to the subscription"
        static let changedMeanwhile =
            "Something happened to the subscription since you looked, so nothing was done: look at "
            + "it again."

        static func title(_ act: SubscriptionAct) -> String {
            switch act {
            case .changePlan: "Change the plan"
            case .turnRenewalOff: "Turn renewal off"
            case .turnRenewalOn: "Turn renewal on"
            case .agree: "Agree to the new price"
            case .decline: "Decline the new price"
            case .extend: "Extend the period"
            case .refund: "Refund"
            case .cancel: "Cancel with a refund"
            case .expire: "End at once"
            }
        }
        static func button(_ act: SubscriptionAct) -> String { title(act) }
        static func about(_ act: SubscriptionAct) -> String {
            switch act {
            case .changePlan:
                "As the customer does. An upgrade takes effect at once, a downgrade at the next "
                    + "renewal."
            case .turnRenewalOff: "As the customer does. Access stays until the period ends."
            case .turnRenewalOn: "As the customer does."
            case .agree: "As the customer does."
            case .decline: "As the customer does. The subscription ends with its period."
            case .extend:
                "Moves the renewal date into the future, at most twice within 365 days."
            case .refund:
                "Gives the newest transaction back. A refund of the running period ends access."
            case .cancel: "Ends the subscription at once and gives money back."
            case .expire: "Ends the subscription at once, without a refund."
            }
        }
    }
}
