import HTMLPages

/// What the store's pages say beside what all customers' pages do, one language after the other. A
/// language is one type, a room of pages one protocol and one file a language; what a language
/// lacks does not compile.
protocol AccountWords: CustomerWords, AccessWords, ErrorWords, ManageWords, PlanWords,
    CancelWords, PriceWords, BuyWords, CodeWords, HelpWords, FamilyWords, MailboxWords,
    OptInWords, RoomWords
{}

extension AccountWords {
    /// Why the store refused something, by its code, in whichever room.
    func reason(_ code: String) -> String? { refusal(code) ?? roomRefusal(code) }

    /// What was just done, by the name of the action, in whichever room.
    func said(_ name: String) -> String? { done(name) ?? roomDone(name) }
}

/// The languages there are; the first one is for everybody else.
enum AccountLanguages {
    static let all: [any AccountWords] = [
        EnglishWords(), GermanWords(), FrenchWords(), SpanishWords(), JapaneseWords(),
        ArabicWords(),
    ]

    static func words(for language: String) -> any AccountWords {
        all.first { $0.language == language } ?? all[0]
    }
}

/// Signing in, and what stands around all pages.
protocol AccessWords: Sendable {
    var site: String { get }
    var foot: String { get }
    var signInTitle: String { get }
    /// Whom a link signs in, before anybody pushes the button.
    func linkLead(_ name: String, app: String) -> String
    var usedLink: String { get }
    var onlyByLink: String { get }
}

/// What went wrong, and what was done.
protocol ErrorWords: Sendable {
    var goBack: String { get }
    var toOverview: String { get }
    var busy: String { get }
    /// For whatever has no words of its own.
    var failed: String { get }
    /// Why the store refused something, by its code; nil for what has no words of its own.
    func refusal(_ code: String) -> String?
    /// What was just done, by the name of the action.
    func done(_ name: String) -> String?
}

/// The customer's subscriptions, and one of them.
protocol ManageWords: Sendable {
    var subscriptions: String { get }
    var noSubscriptions: String { get }
    var plan: String { get }
    var price: String { get }
    var nextPrice: String { get }
    var endedOn: String { get }
    /// In a word, by the status number of Apple's API.
    func status(_ number: Int64) -> String
    /// That somebody else of the family pays for it.
    var familyShared: String { get }
}

/// Plans, and what is charged for them.
protocol PlanWords: Sendable {
    var nextBill: String { get }
    var paymentIsOnItsWay: String { get }
    var total: String { get }
    var billLine: String { get }
    var usualPrice: String { get }
    var toPay: String { get }
    var withOffer: String { get }
    var unpaid: String { get }
    var changePlan: String { get }
    var noOtherPlans: String { get }
    var current: String { get }
    var takesEffect: String { get }
    var atOnce: String { get }
    var chargedToday: String { get }
    var returned: String { get }
    var approval: String { get }
    var needsApproval: String { get }
    var confirm: String { get }
    var notNow: String { get }
    func commits(to total: String) -> String
    func changeTo(_ name: String) -> String
    func keepPlan(_ name: String) -> String
    func planWaits(_ name: String, day: String) -> String
    func nothingMore(until day: String) -> String
    func paidBy(_ name: String) -> String
}

/// Leaving, staying and coming back.
protocol CancelWords: Sendable {
    var cancel: String { get }
    var confirmCancellation: String { get }
    var payLess: String { get }
    var keep: String { get }
    var resubscribe: String { get }
    var resubscribeNow: String { get }
    var otherPlans: String { get }
    func changeTo(_ name: String, for price: String) -> String
    func isOff(until day: String) -> String
    func cancels(_ name: String, accessUntil day: String) -> String
    func cancelsCommitment(of name: String, on day: String) -> String
    func cancelsUnpaid(_ name: String) -> String
    func resubscribe(to name: String) -> String
    func offerIsFree(for length: String, then price: String) -> String
}

/// A higher price, or the end of an offer: what is asked and told.
protocol PriceWords: Sendable {
    var conversionTitle: String { get }
    var reviewIncrease: String { get }
    var nothingToAnswer: String { get }
    func priceOf(_ name: String, app: String) -> String
    func freeUntil(_ day: String) -> String
    func endsUnlessAgreed(_ name: String, on day: String) -> String
    func nothingToDo(before day: String) -> String
    /// That somebody is asked, in a sentence before what silence leads to.
    func asksForPrice(_ price: String, from day: String) -> String
    /// That somebody is only told, likewise.
    func tellsOfPrice(_ price: String, from day: String) -> String
}
