/// What the pages of families say.
extension ConsoleWords {
    enum Families {
        static let title = "Families"
        static let lead =
            "People who share what they buy: an organiser and up to five others."
        static let somebody = "Somebody in it"
        static let organiser = "Organiser"
        static let organiserHint = "An account that is there and in no family yet"
        static let members = "Members"
        static let membersHint = "The others, an account a line, five at most; may be empty"
        static let membersAbout =
            "Whoever joins has at once what the others share. Whoever leaves loses it at once, and "
            + "the others lose what that member shared."
        static let people = "People"
        static let since = "Since"
        static let number = "Number"
        static let account = "Account"
        static let role = "Role"
        static let organiserRole = "organiser"
        static let memberRole = "member"
        static let joined = "Joined"
        static let newPurchases = "New purchases"
        static let shared = "shared"
        static let kept = "kept"
        static let notShared = "not shared"
        static let remove = "Remove"
        static let change = "Change"
        static let act = "What can be done"
        static let purchases = "What can be shared"
        static let purchasesAbout =
            "What they bought that a family can have and that is not over. Each who has it has "
            + "transactions of their own, at no charge."
        static let product = "Product"
        static let purchaser = "Bought by"
        static let sharing = "Sharing"
        static let sharedWith = "Who has it"
        static let nobody = "nobody else"
        static let nothing =
            "Nothing: what they bought cannot be shared, since its product does not allow it, or "
            + "is over."
        static let choices: [(value: String, text: String)] = [
            ("on", "shared with the family"), ("off", "not shared"),
            ("hidden", "hidden for good, of what is bought once"),
        ]
        static let make = "Make a family"
        static let makeAbout =
            "What each of them bought and shares, the others have at once. Whoever shall be in it "
            + "has signed up before and is in no family."
        static let none = "There is no family yet, or none that this account is in."
        static let back = "Back to the family"
        static let leaveIt = "Leave it as it is"

        static func name(_ organiser: String) -> String { "Family of \(organiser)" }
        static func count(_ people: Int) -> String { people == 1 ? "1 of 6" : "\(people) of 6" }
        static func holder(_ account: String, since moment: String) -> String {
            "\(account) since \(moment)"
        }
        static func title(of act: FamilyAct) -> String {
            switch act {
            case .join: "Add somebody"
            case .remove: "Remove from the family"
            case .share: "Change the sharing"
            case .end: "End the family"
            }
        }
        static func about(_ act: FamilyAct) -> String {
            switch act {
            case .join:
                "The new member gains what the others share, and they what the member shares."
            case .remove:
                "As when a member leaves: the member loses at once what the others share, and they "
                    + "lose what the member shared."
            case .share:
                "In the purchaser's place. It holds also for a family that is joined later."
            case .end: "Everybody keeps what is their own, and loses what others shared."
            }
        }
    }

    enum Requests {
        static let title = "Requests to buy"
        static let lead =
            "Purchases that wait: those of accounts that ask before they buy, and those that were "
            + "interrupted. Each waits a day."
        static let customer = "Customer"
        static let request = "Request"
        static let product = "Product"
        static let quantity = "Quantity"
        static let price = "Price"
        static let priceAbout = "if it were approved now, offers aside"
        static let why = "Why it waits"
        static let state = "State"
        static let asked = "Asked"
        static let lapses = "Lapses"
        static let decided = "Decided"
        static let app = "App"
        static let subscription = "Subscription"
        static let transaction = "Transaction"
        static let bill = "Bill"
        static let obstacle = "Nothing bought"
        static let approve = "Approve"
        static let settle = "Complete the interrupted purchase"
        static let decline = "Decline"
        static let declineAbout = "Nothing is bought; the customer may ask again."
        static let approval = "Let it happen"
        static let approvalAbout =
            "The purchase is made now, at today's price, if an ordinary purchase would go through "
            + "now."
        static let cannot = "Why it cannot be approved here"
        static let settings = "The app's settings"
        static let none =
            "Nothing waits, or waited. A customer's page has the switches that make purchases wait."
        static let states: [(value: String, text: String)] =
            [("", any)] + ["waiting", "approved", "declined", "lapsed"].map { ($0, $0) }
        static let reasons: [(value: String, text: String)] =
            [("", any)] + ["askToBuy", "interrupted"].map { ($0, reason($0)) }

        static func reason(_ reason: String) -> String {
            switch reason {
            case "askToBuy": "asks to buy"
            case "interrupted": "interrupted"
            default: happening(reason)
            }
        }
        static func until(_ moment: String) -> String { "until \(moment)" }
        static func name(_ account: String, _ product: String) -> String {
            "\(account) · \(product)"
        }
        /// What became of one that is closed, in a sentence.
        static func outcome(_ state: String, obstacle: String?) -> String {
            switch (state, obstacle) {
            case ("approved", let obstacle?):
                "It was approved, and nothing was bought: \(happening(obstacle))."
            case ("approved", nil): "It was approved, and bought."
            case ("declined", _): "It was declined: nothing was bought."
            case ("lapsed", _): "Nobody decided within a day: nothing was bought."
            default: happening(state)
            }
        }
    }

    enum Account {
        static let title = "Account"
        static let about =
            "What holds for what the customer buys from now on. Running subscriptions keep their "
            + "storefront, and renewals go on."
        static let save = "Save the account"
        static let storefront = "Home storefront"
        static let email = "Mails go to"
        static let asksToBuy = "Asks before each purchase"
        static let interruptsPurchases = "Purchases are interrupted"
        static let canMakePayments = "May pay for anything"
        static let sharesNewPurchases = "Shares new purchases"
        static let speed = "A month lasts"
        static let allows = "Allows purchases and renewals"
        static let clear = "Clear the purchase history"
        static let clearAbout =
            "As if this account had never bought anything: introductory offers are there again. "
            + "Its subscriptions end at once, and what waits is given up. What it bought stays "
            + "with an account of another name, so that old transactions are still known."
        static let clearLook = "Clear its purchase history"
        static let keep = "Keep it"
        static let onOff: [(value: String, text: String)] = [("true", "yes"), ("false", "no")]

        static func minutes(_ count: Int) -> String {
            count == 1 ? "1 minute" : "\(count) minutes"
        }
    }
}
