import HTMLPages

/// What the shop says beside what all customers' pages do, one language after the other. What a
/// language lacks does not compile.
protocol ShopWords: CustomerWords, ShopAccessWords, ShopErrorWords, PaywallWords, SheetWords,
    ContentWords, HelpWords
{}

/// The languages there are; the first one is for everybody else.
enum ShopLanguages {
    static let all: [any ShopWords] = [
        EnglishShop(), GermanShop(), FrenchShop(), SpanishShop(), JapaneseShop(), ArabicShop(),
    ]

    static func words(for language: String) -> any ShopWords {
        all.first { $0.language == language } ?? all[0]
    }
}

/// Signing in, and what stands around all pages.
protocol ShopAccessWords: Sendable {
    var shop: String { get }
    var foot: String { get }
    /// Whom a link signs in, before the button is pushed.
    func linkLead(_ name: String) -> String
    var usedLink: String { get }
    var onlyByLink: String { get }
}

/// What went wrong, and what was done.
protocol ShopErrorWords: Sendable {
    var toShop: String { get }
    var otherOrigin: String { get }
    var busy: String { get }
    /// For errors without a sentence of their own.
    var failed: String { get }
    /// What was just done, by the name of the action.
    func done(_ name: String) -> String?
}

/// The paywall, its small form, and the page of a subscriber.
protocol PaywallWords: Sendable {
    func paywallTitle(_ app: String) -> String
    var paywallLead: String { get }
    var plans: String { get }
    var singlePurchases: String { get }
    var eachPeriod: String { get }
    /// A lower-ranking price: what a plan comes to in a shorter period.
    func comesTo(_ price: String) -> String
    func saves(_ percent: Int) -> String
    func freeTrial(_ length: String, then price: String, from day: String) -> String
    func paidUpFront(_ amount: String, for length: String, then usual: String) -> String
    func familyName(_ name: String) -> String
    var familyAbout: String { get }
    func subscribe(_ name: String, _ price: String) -> String
    func tryFree(_ name: String, _ length: String) -> String
    func buy(_ name: String, _ price: String) -> String
    var restore: String { get }
    var alreadySubscribed: String { get }
    var termsOfUse: String { get }
    var renewalTerms: String { get }
    var standardTerms: String { get }
    var readIt: String { get }
    var cannotPay: String { get }
    var nothingForSale: String { get }
    var compactAbout: String { get }
    var close: String { get }
    var yourPlan: String { get }
    var paidUntil: String { get }
    var otherPlans: String { get }
    var seeOptions: String { get }
    /// What the next period costs, or the running one where none follows.
    var nextPrice: String { get }
    var price: String { get }
}

/// The sheet about a price.
protocol SheetWords: Sendable {
    var conversionTitle: String { get }
    var priceWaits: String { get }
    var subscription: String { get }
    var trialNow: String { get }
    var answerBy: String { get }
    /// Closes it; the question stays.
    var later: String { get }
    var noAnswerNeeded: String { get }
    var withoutAnswer: String { get }
    var noSheets: String { get }
    /// What silence leads to, after `withoutAnswer`.
    var priceStays: String { get }
    func endsWithoutAnswer(on day: String) -> String
}

/// What is unlocked, and why.
protocol ContentWords: Sendable {
    var content: String { get }
    var free: String { get }
    var freeAbout: String { get }
    var unlocked: String { get }
    var locked: String { get }
    /// Why it is unlocked or not, by the word of the merchant's API.
    func reason(_ word: String) -> String
    func until(_ day: String) -> String
    var neverBought: String { get }
    var byFamily: String { get }
}

/// Help with purchases.
protocol HelpWords: Sendable {
    var help: String { get }
    var missingAbout: String { get }
    var questionsAbout: String { get }
    var refundAbout: String { get }
    var feedbackAbout: String { get }
    func contactAbout(_ account: String) -> String
}
