import Letters
import SubscriptionRules

/// What mails say, one language after the other: whole sentences, never pieces that another
/// language would put in another order. A language is one type in one file; what it lacks does not
/// compile.
protocol MailWords: Sendable {
    /// The language's tag, such as `en`.
    var language: String { get }
    var isRightToLeft: Bool { get }

    /// A price for each period: `$4.99 per month`.
    func price(_ amount: String, every period: CalendarPeriod) -> Sentence

    // What stands at every mail's end.
    func sentTo(_ account: String, app: String) -> Sentence
    var manage: String { get }
    var support: String { get }
    var privacy: String { get }
    /// How renewal is turned on and off.
    var howToTurnOff: Sentence { get }

    // Before a value, and what stands between.
    var colon: String { get }
    var price: String { get }
    var oldPrice: String { get }
    var newPrice: String { get }
    var renews: String { get }
    var ends: String { get }
    /// Before why it ends.
    var reason: String { get }
    func reasonToEnd(_ reason: CustomerMail.Upcoming.ReasonToEnd) -> Sentence
    var insteadOf: String { get }
    var paidUntil: String { get }
    var startsOn: String { get }
    var order: String { get }
    var date: String { get }
    var bought: String { get }
    var total: String { get }
    var oldRenewal: String { get }
    var newRenewal: String { get }
    var answerBy: String { get }
    func quantity(_ count: Int) -> String

    // What can be answered on a device.
    var agree: String { get }
    var decline: String { get }
    var notNow: String { get }
    var fine: String { get }

    // Each kind of mail.
    func welcomeSubject(_ name: String) -> Sentence
    func welcome(_ name: String, app: String) -> Sentence
    func startsFree(until day: String, then price: Sentence) -> Sentence
    func startsReduced(_ paid: String, until day: String, then price: Sentence) -> Sentence
    func renewsByItself(on day: String, for price: Sentence) -> Sentence
    /// That twelve months were agreed to, and what they cost together.
    func commits(to total: String) -> Sentence

    func receiptSubject(_ name: String, others: Int) -> Sentence
    func receipt(app: String) -> Sentence

    func willRenewSubject(_ name: String, others: Int) -> Sentence
    func willRenew(_ count: Int) -> Sentence
    func willExpireSubject(_ name: String, others: Int) -> Sentence
    func willExpire(_ count: Int) -> Sentence

    func cannotPaySubject(_ name: String) -> Sentence
    func cannotPay(_ name: String, price: String, day: String) -> Sentence
    var updatePayment: Sentence { get }

    func billingSubject(_ name: String) -> Sentence
    func notPaid(_ name: String, price: String) -> Sentence
    func accessGoesOn(until day: String) -> Sentence
    var accessIsInterrupted: Sentence { get }
    func endedSubject(_ name: String) -> Sentence
    func ended(_ name: String, price: String) -> Sentence

    func increaseSubject(_ name: String, others: Int) -> Sentence
    func consentSubject(_ name: String, others: Int) -> Sentence
    func increase(_ count: Int) -> Sentence
    func increaseStands(before day: String) -> Sentence
    /// That so many prices are paid only with consent, and what ends without it.
    func consentNeeded(for count: Int, ending names: [String], day: String) -> Sentence
    /// That what was not asked about goes on, whatever the answer.
    var restGoesOn: Sentence { get }

    func conversionSubject(_ name: String, others: Int) -> Sentence
    func conversion(_ name: String, isFree: Bool, price: Sentence, day: String) -> Sentence
    /// The same of several things, whose prices follow.
    func conversions(_ names: [String], day: String) -> Sentence
    func conversionNeeded(by day: String) -> Sentence
    /// The same of some things.
    func conversionNeeded(for names: [String], by day: String) -> Sentence

    func extendedSubject(_ name: String) -> Sentence
    func extended(_ name: String, day: String) -> Sentence

    func discontinuedSubject(_ name: String) -> Sentence
    func discontinued(_ name: String, day: String) -> Sentence
    var others: Sentence { get }

    func refundedSubject(_ name: String) -> Sentence
    func refunded(_ name: String, amount: String) -> Sentence
    func refundedUnasked(_ name: String, amount: String) -> Sentence
    func refundDeclinedSubject(_ name: String) -> Sentence
    func refundDeclined(_ name: String) -> Sentence

    func shareSubject(_ name: String) -> Sentence
    func share(_ name: String) -> Sentence
    func sharedSubject(_ name: String) -> Sentence
    func shared(_ name: String, by giver: String) -> Sentence
}

/// The languages that mails are written in; the first one is for everybody else.
enum MailLanguages {
    static let all: [any MailWords] = [
        EnglishMails(), GermanMails(), FrenchMails(), SpanishMails(), JapaneseMails(),
        ArabicMails(),
    ]

    /// The words for a locale such as `de_CH` or `pt-BR`.
    static func words(for locale: String) -> any MailWords {
        let language = locale.prefix { $0 != "_" && $0 != "-" }.lowercased()
        return all.first { $0.language == language } ?? all[0]
    }
}
