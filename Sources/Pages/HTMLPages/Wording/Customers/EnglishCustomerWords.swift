package import SubscriptionRules

/// What customers' pages say in English.
package protocol EnglishCustomerWords: CustomerWords {}

extension EnglishCustomerWords {
    package var language: String { "en" }
}

/// Signing in.
extension EnglishCustomerWords {
    package var signIn: String { "Sign In" }
    package var developmentWarning: String {
        "This sign-in is for development. It asks for no password: everybody who reaches this port "
            + "can be any customer."
    }
    package var app: String { "App" }
    package var accountName: String { "Account" }
    package var accountHint: String { "A new name begins a new account." }
    package func wrongName(upTo most: Int) -> String {
        "No account can have this name. Write 1 to \(most) visible characters, and choose an app."
    }
    package var signInFirst: String { "Sign in first." }
}

/// What went wrong.
extension EnglishCustomerWords {
    package var problemTitle: String { "That did not work" }
    package var unknownPage: String { "There is no such page." }
    package var tooOften: String { "That was too often. Try again in a moment." }
}

/// A subscription.
extension EnglishCustomerWords {
    package var manage: String { "Manage Subscription" }
    package var state: String { "State" }
    package var nextBillingDate: String { "Next billing date" }
    package var endsOn: String { "Ends on" }
}

/// What is for sale.
extension EnglishCustomerWords {
    package var renewsByItself: String { "It renews by itself until you cancel." }
    package var endsByItself: String { "It ends by itself and does not renew." }
    package var usedUp: String { "You use it up, and can buy it again." }
    package var yoursForGood: String { "You buy it once and keep it." }
    package func offerCosts(_ amount: String, for length: String, then price: String) -> String {
        "\(amount) for \(length), then \(price)."
    }
    package var redeemCode: String { "Redeem Code" }
    package var privacyPolicy: String { "Privacy Policy" }
    package var noPrivacyPolicy: String { "The developer has not published a privacy policy here." }
}

/// The sheet about a price.
extension EnglishCustomerWords {
    package var increaseTitle: String { "Subscription Price Increase" }
    package var oldPrice: String { "Price today" }
    package var newPrice: String { "New price" }
    package var from: String { "From" }
    package var agree: String { "Agree to New Price" }
    package var decline: String { "Do Not Agree" }
    package var ok: String { "OK" }
    package var reviewOrCancel: String { "Review or Cancel Subscription" }
}

/// Help with purchases.
extension EnglishCustomerWords {
    package var missingPurchase: String { "Missing a Purchase" }
    package var questions: String { "Frequently Asked Questions" }
    package var requestRefund: String { "Request a Refund" }
    package var feedback: String { "Submit Feedback" }
    package var contact: String { "Contact Us" }
}

/// Prices and lengths.
extension EnglishCustomerWords {
    package func price(_ amount: String, every period: CalendarPeriod) -> String {
        period.count == 1
            ? "\(amount) per \(unit(period.unit, isOne: true))"
            : "\(amount) every \(length(period))"
    }

    package func length(_ period: CalendarPeriod) -> String {
        "\(period.count) \(unit(period.unit, isOne: period.count == 1))"
    }

    private func unit(_ unit: CalendarPeriod.Unit, isOne: Bool) -> String {
        switch unit {
        case .day: isOne ? "day" : "days"
        case .week: isOne ? "week" : "weeks"
        case .month: isOne ? "month" : "months"
        case .year: isOne ? "year" : "years"
        }
    }
}
