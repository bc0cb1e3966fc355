import HTMLPages

/// Everything that the console says, in English: a place for each sentence, by the page that says
/// it. Sentences are whole; nothing is glued together of pieces that another language would put in
/// another order.
enum ConsoleWords {
    static let site = "Perennial"
    static let console = "Console"
    static let foot =
        "Every page has a matching API call and command: open \"API and CLI\" at its end. Times "
        + "are the store's, in UTC."
    static let faultsAreOn =
        "Fault rules are on: notifications or calls go wrong on purpose."
    static let deliveriesAreOff =
        "Deliveries are off: notifications wait in the log."
    static let more = "More"
    static let filter = "Show"
    static let any = "any"
    /// What unfolds rows of a long table.
    static func showMore(_ count: Int) -> String { "Show \(count) more" }
    static func showEarlier(_ count: Int) -> String { "Show \(count) earlier" }
    static let same = "API and CLI"

    /// What is said on the page that follows on something done; nil for what shows itself.
    static func done(_ action: String) -> String? {
        switch action {
        case "setPaymentMethod": "Payments are answered so from now on."
        case "schedulePrice": "The price is scheduled."
        case "withdrawPrice": "The scheduled price is withdrawn."
        case "resendNotification": "The notification is on its way again."
        case "addFault": "The rule is on."
        case "removeFault": "The rule is off."
        case "clearFaults": "Nothing goes wrong on purpose any more."
        case "takeSnapshot": "The snapshot is taken."
        case "removeSnapshot": "The snapshot is gone."
        case "rewind": "The world is as it was when the snapshot was taken."
        case "makeFork": "The fork is served."
        case "removeFork": "The fork is gone."
        case "changeDeliveries": "Deliveries are switched."
        case "changeApp": "The settings are saved."
        case "decideRefund": "The request is decided."
        case "answerBill": "The bill is answered."
        case "doAct": "Done. What is true now stands below."
        case "changeAccount": "The account is saved."
        case "clearHistory": "The account begins anew: it has bought nothing."
        case "createFamily": "The family is made."
        case "doDeviceAct": "Done. How things stand now is below."
        case "doFamilyAct": "Done. How the family stands now is below."
        case "decideRequest": "The request is decided."
        case "waits": "Nothing is bought yet: it waits for somebody to approve it."
        case "interrupted": "The purchase was interrupted: it waits until that is settled."
        case "createOffer": "The offer is made."
        case "endOffer": "The offer has ended: nobody takes it up any more."
        case "makeCodes": "The codes are made. The download has them."
        case "endCodes": "Nobody redeems them any more."
        case "setAvailability": "Where it is for sale is set."
        case "discontinue": "The product is deleted."
        case "signUp": "The customer is there, and has bought nothing yet."
        case "buy": "Bought."
        default: nil
        }
    }

    /// What an action is called above what it would do, and on the button that does it.
    static func preview(of action: String) -> String {
        switch action {
        case "setPaymentMethod": "Change the payments"
        case "schedulePrice": "Schedule the price"
        case "withdrawPrice": "Withdraw the price"
        case "setAvailability": "Set where it is for sale"
        case "discontinue": "Delete the product"
        case "endOffer": "End the offer"
        case "endCodes": "End the codes"
        case "decideRefund": "Decide the request"
        case "answerBill": "Answer the bill"
        case "clearHistory": "Clear the history"
        case "doDeviceAct": "Change the device"
        case "changeApp": "Save the settings"
        case "createOffer": "Make the offer"
        case "makeCodes": "Make the codes"
        case "takeSnapshot": "Take the snapshot"
        case "removeSnapshot": "Remove the snapshot"
        case "makeFork": "Make the fork"
        case "removeFork": "Remove the fork"
        case "changeDeliveries": "Switch deliveries"
        case "addFault": "Add the rule"
        case "removeFault": "Switch the rule off"
        case "clearFaults": "Switch all rules off"
        case "stepClock": "Step the clock"
        case "runUntil": "Run until a notification"
        default: "Do it"
        }
    }

    /// What the groups of pages are called, with their pages; the first page opens the group.
    static let groups: [(title: String, pages: [PageLink])] = [
        (
            "Customers",
            [
                PageLink("Customers", ConsolePath.customers),
                PageLink("Families", ConsolePath.families),
                PageLink("Requests", ConsolePath.requests),
                PageLink("Extensions", ConsolePath.extensions),
                PageLink("Mailbox", ConsolePath.mailbox),
            ]
        ),
        (
            "Catalogue",
            [
                PageLink("Products and prices", ConsolePath.catalogue),
                PageLink("Codes", ConsolePath.codes),
            ]
        ),
        (
            "Money",
            [
                PageLink("Proceeds and ledger", ConsolePath.money),
                PageLink("Refunds and bills", ConsolePath.refunds),
            ]
        ),
        (
            "Notifications",
            [
                PageLink("Notifications", ConsolePath.notifications),
                PageLink("Faults", ConsolePath.faults),
                PageLink("Forgeries", ConsolePath.forgeries),
            ]
        ),
        ("Clock", [PageLink("Clock", ConsolePath.clock)]),
        (
            "World",
            [
                PageLink("World", ConsolePath.world),
                PageLink(appSettings, ConsolePath.settings),
            ]
        ),
    ]
    static let appSettings = "App settings"

    enum SignIn {
        static let title = "Sign in"
        static let lead = "Sign in as the operator of this store."
        static let linkLead =
            "This link signs you in as the operator, once. It was made by somebody who has the "
            + "operator's token."
        static let open = "Open the console"
        static let button = "Sign in"
        static let token = "Operator's token"
        static let tokenHint =
            "It stands in ready.json as operatorToken; `perennial console` prints a link instead."
        static let wrongToken =
            "This is not the operator's token: copy operatorToken from ready.json of this store."
        static let usedCode =
            "The link was used already, or has ended: `perennial console` prints another one."
    }

    enum Errors: ConsoleErrorWords {
        static let noReason = "The store says no more about it."
        static let nothingAtRoot =
            "There is nothing at this path: see /openapi.json for what there is, or open /console "
            + "in a browser."
        static let busy = "The store is busy, and nothing was done."
        static let databaseIsAway =
            "The store cannot reach its database. What you did last may have been done: look "
            + "before you do it again."
        static let away = "The store is not there"
        static let otherOrigin =
            "This form was not sent by a page of this store, so nothing was done: open the page "
            + "again and send it from there."

        static func noNumber(_ label: String, _ text: String) -> String {
            "\(label): write a whole number, not \(text)."
        }

        static func failed(_ request: String) -> String {
            "Something went wrong in the store; its log has request \(request)."
        }
    }
}
