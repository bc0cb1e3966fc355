import HTMLPages
package import Letters
import SubscriptionRules

/// Writes letters in the language of the reader's device, or in English, with money and days as the
/// reader's storefront writes them.
package struct MailWriter: LetterWriter {
    package init() {}

    /// The languages that there are, by their tags.
    package static let languages = MailLanguages.all.map(\.language)

    /// Whether a browser opens an address, so that mails may lead there.
    package static func isLink(_ url: String) -> Bool {
        (url.hasPrefix("https://") || url.hasPrefix("http://"))
            && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    package func write(_ letter: Letter) -> WrittenLetter {
        let sheet = MailSheet(letter)
        return WrittenLetter(
            subject: sheet.subject.text(isolated: sheet.words.isRightToLeft), text: sheet.text,
            html: sheet.html, language: sheet.words.language)
    }

    package func short(_ letter: Letter) -> ShortLetter? {
        let sheet = MailSheet(letter)
        let words = sheet.words
        let buttons: [String]
        switch letter.content.kind {
        case .priceIncreaseConsent, .koreanConversion:
            buttons = [words.agree, words.decline, words.notNow]
        case .priceIncreaseNotice, .billingProblem: buttons = [words.fine]
        case .sharing: buttons = []
        case .welcome, .receipt, .willRenew, .willExpire, .cannotPay, .renewalExtended,
            .discontinued, .refundDecision:
            return nil
        }
        let isolated = words.isRightToLeft
        return ShortLetter(
            title: sheet.subject.text(isolated: isolated),
            body: sheet.summary.map { $0.text(isolated: isolated) }.joined(separator: " "),
            buttons: buttons)
    }
}

/// A letter in words: its subject and what stands below each other in it.
struct MailSheet {
    /// A part of a mail.
    enum Block {
        case paragraph(Sentence)
        /// A thing by its name, and what is said of it; without one, what is said of all.
        case item(name: String?, facts: [(label: String, value: Sentence)])
    }

    let letter: Letter
    let words: any MailWords
    private let format: LocalFormat

    init(_ letter: Letter) {
        self.letter = letter
        words = MailLanguages.words(for: letter.locale)
        let place = StorefrontPlace(letter.storefront)
        // Digits of two kinds in one sentence read badly, and counted things have Latin ones.
        let region = words.isRightToLeft ? "\(place.region)@numbers=latn" : place.region
        format = LocalFormat(language: words.language, region: region, zone: place.zone)
    }

    func amount(_ money: Money) -> String {
        format.amount(money.milliunits, money.currency.code)
    }

    func price(_ money: Money, _ period: CalendarPeriod) -> Sentence {
        words.price(amount(money), every: period)
    }

    func day(_ at: Instant) -> String { format.fullDay(at) }

    /// What a push or a sheet says: the paragraphs, and prices where there are any.
    var summary: [Sentence] {
        blocks.flatMap { block -> [Sentence] in
            switch block {
            case .paragraph(let sentence): [sentence]
            case .item(let name, let facts):
                facts.isEmpty
                    ? []
                    : [
                        facts.reduce(.value(name ?? "")) { line, fact in
                            line + " · \(words: fact.label)\(words: words.colon)\(fact.value)"
                        }
                    ]
            }
        }
    }

    /// The links at the end, each with its words; only what a browser opens.
    var links: [(label: String, url: String)] {
        [
            (words.manage, letter.manageURL), (words.support, letter.supportURL),
            (words.privacy, letter.privacyURL),
        ].compactMap { label, url in
            url.flatMap { MailWriter.isLink($0) ? (label, $0) : nil }
        }
    }
}
