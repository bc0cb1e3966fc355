package import SubscriptionRules

/// What all pages for customers say, those of the store and those of a merchant's shop: whole
/// sentences, never pieces that another language would put in another order.
///
/// A language is a protocol of its own with all of these words, which each site's words in that
/// language adopt and add to. What a language lacks does not compile.
package protocol CustomerWords: Sendable {
    /// The language's tag, such as `en`.
    var language: String { get }

    // Signing in.
    var signIn: String { get }
    var developmentWarning: String { get }
    var app: String { get }
    var accountName: String { get }
    var accountHint: String { get }
    /// That there can be no account of a name.
    ///
    /// - Parameter most: how many characters a name has at most.
    func wrongName(upTo most: Int) -> String
    var signInFirst: String { get }

    // What went wrong.
    var problemTitle: String { get }
    var unknownPage: String { get }
    var tooOften: String { get }

    // A subscription.
    var manage: String { get }
    var state: String { get }
    var nextBillingDate: String { get }
    var endsOn: String { get }

    // What is for sale.
    var renewsByItself: String { get }
    var endsByItself: String { get }
    var usedUp: String { get }
    var yoursForGood: String { get }
    func offerCosts(_ amount: String, for length: String, then price: String) -> String
    var redeemCode: String { get }
    var privacyPolicy: String { get }
    var noPrivacyPolicy: String { get }

    // The sheet about a price.
    var increaseTitle: String { get }
    var oldPrice: String { get }
    var newPrice: String { get }
    var from: String { get }
    var agree: String { get }
    var decline: String { get }
    var ok: String { get }
    var reviewOrCancel: String { get }

    // Help with purchases.
    var missingPurchase: String { get }
    var questions: String { get }
    var requestRefund: String { get }
    var feedback: String { get }
    var contact: String { get }

    // Prices and lengths.
    /// A price for each period: `$4.99 per month`.
    func price(_ amount: String, every period: CalendarPeriod) -> String
    /// How long it is: `3 months`.
    func length(_ period: CalendarPeriod) -> String
}
