import HTMLPages

/// Customers' pages in English.
struct EnglishWords: AccountWords, EnglishCustomerWords {}

/// Signing in.
extension EnglishWords {
    var site: String { "Account" }
    var foot: String { "This store is a simulation: nobody is charged for anything." }
    var signInTitle: String { "Sign in" }
    func linkLead(_ name: String, app: String) -> String {
        "This opens the account of \(name) for \(app)."
    }
    var usedLink: String {
        "This link was used already, or its ten minutes are over. Open your account "
            + "from the app again."
    }
    var onlyByLink: String { "Open your account from the app: its link signs you in." }
}

/// What went wrong, and what was done.
extension EnglishWords {
    var goBack: String { "Go back" }
    var toOverview: String { "To your subscriptions" }
    var busy: String { "The store is busy. Try again in a moment." }
    var failed: String { "The store could not do that. Nothing was changed." }

    func refusal(_ code: String) -> String? {
        switch code {
        case "otherOrigin":
            "This was not sent by a page of this store. Open the page again, and try "
                + "once more."
        case "repeatedField", "notAForm":
            "The form could not be read. Open the page again."
        case "unknownPage":
            "There is no such page."
        case "unknownSubscription":
            "You have no such subscription."
        case "familyShared":
            "Somebody else of your family pays for this subscription and manages it."
        case "paymentDeclined":
            "Your payment method was declined. Nothing was changed."
        case "paymentPending":
            "An earlier payment is still on its way. Wait until it is settled."
        case "notActive":
            "This subscription is over."
        case "notForSale":
            "This plan is not sold here."
        case "alreadySubscribed":
            "You are subscribed to this already."
        case "noPriceIncrease":
            "This price can no longer be answered."
        case "amountChanged":
            "The amount or the offer has changed since the page was opened. Look "
                + "at it once more."
        case "purchaseInterrupted":
            "Your purchase was interrupted: something has to be settled with your "
                + "payment first."
        case "paymentsNotAllowed":
            "This account may not pay for anything."
        case "ineligibleForOffer":
            "You cannot have this offer."
        default: nil
        }
    }

    func done(_ name: String) -> String? {
        switch name {
        case "cancel":
            "Renewal is off. You keep what you have paid for."
        case "keep":
            "Your subscription goes on."
        case "changePlan":
            "Your plan is chosen."
        case "requestToBuy":
            "Your family was asked to approve it."
        case "resubscribe":
            "Welcome back. You are subscribed."
        case "agree":
            "You have agreed to the new price."
        case "decline":
            "You have not agreed. Renewal is off."
        case "priceSeen":
            "Thank you. You need do nothing else."
        default: nil
        }
    }
}

/// The subscriptions.
extension EnglishWords {
    var subscriptions: String { "Subscriptions" }
    var noSubscriptions: String {
        "You have no subscriptions here. What you subscribe to in the app is managed "
            + "on this page."
    }
    var plan: String { "Plan" }
    var price: String { "Price" }
    var nextPrice: String { "Next price" }
    var endedOn: String { "Ended on" }
    var familyShared: String { "Shared with you by your family" }

    func status(_ number: Int64) -> String {
        switch number {
        case 1: "Active"
        case 2: "Ended"
        case 3, 4: "Payment failed"
        default: "Refunded"
        }
    }
}
