import HTMLPages

/// What the merchant's console says, in English: whole sentences, by the page that says them.
enum MerchantWords {
    static let site = "Perennial"
    static let merchant = "Merchant"
    static let foot =
        "Every page has a matching API call and command: open \"API and CLI\" at its end. Times "
        + "are in UTC."
    static let same = "API and CLI"
    static let filter = "Show"
    static let anything = "any"
    static let more = "More"

    /// What is said on the page that follows on something done; nil for what shows itself.
    static func done(_ action: String) -> String? {
        switch action {
        case "replayDeadLetter": "It was tried again. What failed once more is still here."
        case "healGaps": "The store was asked. What was found stands below."
        case "testNotifications": "The store was asked for test notifications."
        case "claimPurchase": "The account has it now."
        case "moveCampaign": "The campaign was moved."
        case "planCampaign": "The campaign was planned. No message was sent and no price changed."
        case "beginCampaign": "The campaign has begun."
        default: nil
        }
    }

    /// What the groups of pages are called, with their pages; the first page opens the group.
    static let groups: [(title: String, pages: [PageLink])] = [
        ("Overview", [PageLink("Overview", MerchantPath.overview)]),
        ("Customers", [PageLink("Customers", MerchantPath.customers)]),
        ("Purchases", [PageLink("Without an account", MerchantPath.unowned)]),
        (
            "Campaigns",
            [
                PageLink("Price changes", MerchantPath.campaigns),
                PageLink("Outages", MerchantPath.outages),
            ]
        ),
        (
            "Intake",
            [
                PageLink("Notifications", MerchantPath.notifications),
                PageLink("Dead letters", MerchantPath.deadLetters),
                PageLink("Gaps", MerchantPath.gaps()),
            ]
        ),
        ("Figures", [PageLink("Figures", MerchantPath.figures)]),
    ]

    enum SignIn {
        static let title = "Sign in"
        static let lead = "Sign in as the operator of this merchant."
        static let linkLead =
            "This link signs you in as the operator, once. It was made by somebody who has the "
            + "operator's token."
        static let open = "Open the console"
        static let button = "Sign in"
        static let token = "Operator's token"
        static let tokenHint =
            "It stands in the merchant's ready.json as operatorToken; `perennial merchant console` "
            + "prints a link instead."
        static let wrongToken =
            "This is not the operator's token: copy operatorToken from the ready.json of this "
            + "merchant."
        static let usedCode =
            "The link was used already, or has ended: `perennial merchant console` prints another "
            + "one."
    }

    enum Ages {
        static func seconds(_ count: Int) -> String { counted(count, "second") }
        static func minutes(_ count: Int) -> String { counted(count, "minute") }
        static func hours(_ count: Int) -> String { counted(count, "hour") }
        static func days(_ count: Int) -> String { counted(count, "day") }
        static func ago(_ age: String) -> String { "\(age) ago" }

        private static func counted(_ count: Int, _ unit: String) -> String {
            count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
        }
    }

    enum Errors: ConsoleErrorWords {
        static let noReason = "The merchant says no more about it."
        static let busy = "The merchant is busy, and nothing was done."
        static let databaseIsAway =
            "The merchant cannot reach its database. What you did last may have been done: look "
            + "before you do it again."
        static let away = "The merchant is not there"
        static let otherOrigin =
            "This form was not sent by a page of this merchant, so nothing was done: open the "
            + "page again and send it from there."

        static func failed(_ request: String) -> String {
            "Something went wrong in the merchant; its log has request \(request)."
        }
    }
}
