import HTMLPages

/// The shop in English.
struct EnglishShop: ShopWords, EnglishCustomerWords {}

/// Signing in.
extension EnglishShop {
    var shop: String { "Shop" }
    var foot: String { "This shop is a simulation: nobody is charged for anything." }
    func linkLead(_ name: String) -> String { "This signs you in as \(name)." }
    var usedLink: String {
        "This link was used before, or its ten minutes are over. Open the shop from the app again."
    }
    var onlyByLink: String { "Open the shop from the app: its link signs you in." }
}

/// What went wrong, and what was done.
extension EnglishShop {
    var toShop: String { "To the shop" }
    var otherOrigin: String {
        "No page of this shop sent this. Open the page again, and try once more."
    }
    var busy: String { "The shop or the store does not answer. Try again in a moment." }
    var failed: String { "The shop could not do this. Nothing has changed." }

    func done(_ name: String) -> String? {
        switch name {
        case "restore": "Your purchases are restored."
        case "restoreNothing": "There was nothing to restore for this account."
        case "agree": "You agreed to the new price."
        case "decline": "You declined the new price."
        case "acknowledged": "Thank you. The new price is noted."
        default: nil
        }
    }
}

/// The paywall.
extension EnglishShop {
    func paywallTitle(_ app: String) -> String { "Subscribe to \(app)" }
    var paywallLead: String {
        "Each plan says what every period brings and what it costs. Nothing is charged before you "
            + "confirm at the store."
    }
    var plans: String { "Plans" }
    var singlePurchases: String { "Single purchases" }
    var eachPeriod: String { "Every period brings" }
    func comesTo(_ price: String) -> String { "Comes to \(price)." }
    func saves(_ percent: Int) -> String { "Saves \(percent)%." }
    func freeTrial(_ length: String, then price: String, from day: String) -> String {
        "Free for \(length). Then \(price), charged by itself from \(day) on unless you cancel "
            + "before."
    }
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String {
        "\(amount) for the first \(length), then \(usual)."
    }
    func familyName(_ name: String) -> String { "\(name) (Family)" }
    var familyAbout: String {
        "Family Sharing: up to five others of your family can use it on all their devices. They "
            + "join where your family is set up."
    }
    func subscribe(_ name: String, _ price: String) -> String { "Subscribe: \(name), \(price)" }
    func tryFree(_ name: String, _ length: String) -> String {
        "Try It Free: \(name), \(length)"
    }
    func buy(_ name: String, _ price: String) -> String { "Buy: \(name), \(price)" }
    var restore: String { "Restore Purchases" }
    var alreadySubscribed: String { "Already subscribed? Sign in with that account" }
    var termsOfUse: String { "Terms of Use" }
    var renewalTerms: String {
        "The store charges you when you confirm. A subscription renews by itself, at the price "
            + "above, unless you cancel it at least 24 hours before the period ends; the renewal "
            + "is charged within the last 24 hours of the period. You manage and cancel it in your "
            + "account at the store."
    }
    var standardTerms: String { "The store's standard licence agreement applies." }
    var readIt: String { "Read it" }
    var cannotPay: String {
        "Purchases are switched off for your account at the store, so there is nothing to buy "
            + "here. Whoever manages your account or your family can allow them."
    }
    var nothingForSale: String { "Nothing is for sale at the moment." }
    var compactAbout: String {
        "On the watch you choose a plan and see what you have. You read the content itself on "
            + "your phone, tablet or computer."
    }
    var close: String { "Close" }
    var yourPlan: String { "Your plan" }
    var paidUntil: String { "Paid until" }
    var otherPlans: String { "All plans" }
    var seeOptions: String { "See Your Options" }
    var nextPrice: String { "Next price" }
    var price: String { "Price" }
}

/// The sheet about a price.
extension EnglishShop {
    var conversionTitle: String { "Your Trial Becomes a Paid Subscription" }
    var priceWaits: String { "There is news about the price of your subscription." }
    var subscription: String { "Subscription" }
    var trialNow: String { "Today" }
    var answerBy: String { "Please answer by" }
    var later: String { "Close and answer later" }
    var noAnswerNeeded: String {
        "You need not do anything: your subscription goes on at the new price. You can cancel it "
            + "at any time before that date."
    }
    var withoutAnswer: String {
        "The new price is charged only if you agree. As long as you do not answer, it is not "
            + "charged."
    }
    var noSheets: String { "There is no news about your prices." }
    var priceStays: String { "If you do not answer, your price stays as it is." }
    func endsWithoutAnswer(on day: String) -> String {
        "Without your agreement your subscription ends on \(day)."
    }
}

/// What is unlocked, and why.
extension EnglishShop {
    var content: String { "Content" }
    var free: String { "Free for everybody" }
    var freeAbout: String { "You can use this without paying, for as long as you like." }
    var unlocked: String { "Unlocked" }
    var locked: String { "Locked" }

    func reason(_ word: String) -> String {
        switch word {
        case "active", "owned": "Your purchase is paid."
        case "gracePeriod":
            "Your last payment failed. You keep access while the store tries again."
        case "awaitingRenewal": "Your renewal is being processed. You keep access meanwhile."
        case "billingRetry":
            "Your last payment failed. Access comes back as soon as the store can charge you."
        case "expired": "Your subscription has ended."
        case "refunded": "The store has refunded your purchase."
        case "sharingEnded": "Your family does not share this purchase with you any more."
        case "upgraded": "You have moved to another plan."
        default: "The purchase does not give access."
        }
    }

    func until(_ day: String) -> String { "Until \(day)." }
    var neverBought: String { "You have not bought it." }
    var byFamily: String { "Someone in your family shares it with you." }
}

/// Help with purchases.
extension EnglishShop {
    var help: String { "Help" }
    var missingAbout: String {
        "The shop asks the store for everything that you bought and unlocks it."
    }
    var questionsAbout: String {
        "A subscription counts on all your devices. You change the plan or cancel at the store; "
            + "access lasts until the end of the paid period."
    }
    var refundAbout: String { "The store decides on refunds." }
    var feedbackAbout: String { "The developer reads reviews in the store." }
    func contactAbout(_ account: String) -> String {
        "When you write to the developer, name your account: \(account)."
    }
}
