import SubscriptionRules
import Testing

@testable import Wording

@Suite("Texts for people")
struct WordingTests {
    @Test("Every phrase has an English text, and no two have one code")
    func complete() {
        for phrase in Phrase.allCases {
            #expect(Wording.englishTexts[phrase] != nil, "\(phrase.rawValue)")
        }
        #expect(Set(Phrase.allCases.map(\.rawValue)).count == Phrase.allCases.count)
    }

    @Test("No text names the number of a rule, and none has a line of its own")
    func plain() throws {
        let rule = try Regex("[A-Z]{3}-[0-9]")
        for (phrase, text) in Wording.englishTexts {
            #expect(!text.contains(rule), "\(phrase.rawValue)")
            #expect(!text.contains("\n"), "\(phrase.rawValue)")
        }
    }

    @Test("A translation is used where it has a text, in its own order, and English elsewhere")
    func translation() {
        let german = Wording([
            .tooNear: "Von {needed} Vorlauf bleiben nur {notice}.",
            .willNotRenew: "Die Verlängerung ist aus.",
        ])
        #expect(
            german.sentence(OldPriceReason.tooNear(notice: .days(14), needed: .days(27)))
                == "Von 27 days Vorlauf bleiben nur 14 days.")
        #expect(german.sentence(CalendarRemark.willNotRenew) == "Die Verlängerung ist aus.")
        #expect(
            german.sentence(CalendarRemark.renewalsBefore(2))
                == "2 renewals come before the change goes live.")
    }

    @Test("A value that a text names and nobody gives stays as it is written")
    func unknownValue() {
        let odd = Wording([.willNotRenew: "{nobody} renews {"])
        #expect(odd.sentence(CalendarRemark.willNotRenew) == "{nobody} renews {")
        #expect(Wording.names(in: "{a}, {b} and {a}") == ["a", "b"])
    }

    @Test(
        "Every value has its place: no sentence leaves one open",
        arguments: [
            CalendarRemark.willNotRenew, .inBillingRetry, .neverReached, .renewalsBefore(1),
            .renewalsBefore(2), .couldBeCharged(since: .earliest), .recovered(at: .earliest),
            .turnedOnAgain(at: .earliest), .shortenedLead(usual: .earliest), .fourthRenewal,
            .sandbox,
        ])
    func remarks(_ remark: CalendarRemark) {
        let sentence = Wording.english.sentence(remark)
        #expect(sentence.hasSuffix("."))
        #expect(!sentence.contains("{"))
    }

    @Test(
        "A renewal at the old price has its reason",
        arguments: [
            (.offerGoesOn, "The offer goes on"), (.firstAfterOffer, "The first renewal after"),
            (.tooNear(notice: .minutes(100), needed: .days(27)), "Only 1 h 40 min of notice"),
            (.calledTooLate, "The call came less than"), (.sandbox, "Sandbox charges"),
        ] as [(OldPriceReason, String)])
    func oldPrice(_ reason: OldPriceReason, _ beginning: String) {
        let sentence = Wording.english.sentence(reason)
        #expect(sentence.hasPrefix(beginning))
        #expect(!sentence.contains("{"))
    }

    @Test(
        "A change has both prices and its share",
        arguments: [
            (9_990, 14_980, "9.99 USD → 14.98 USD (+49.95 %)"),
            (10_000, 9_000, "10.00 USD → 9.00 USD (-10.00 %)"), (0, 9_000, "0.00 USD → 9.00 USD"),
            (59_990, 89_990, "59.99 USD → 89.99 USD (+50.01 %)"),
        ] as [(Int64, Int64, String)])
    func changes(_ old: Int64, _ new: Int64, _ text: String) {
        #expect(
            Wording.english.change(PriceChange(from: old, to: new, in: Storefront.usa.currency))
                == text)
    }

    @Test(
        "A share at the edge of what integers hold is still a share",
        arguments: [
            (1, Int64.max, "more than 1000000 %"), (.max - 1, .max, "0.00 %"),
            (0, .max, "from nothing"),
        ] as [(Int64, Int64, String)])
    func shares(_ old: Int64, _ new: Int64, _ text: String) {
        let change = PriceChange(from: old, to: new, in: Storefront.usa.currency)
        #expect(Wording.english.percent(of: change) == text)
    }

    @Test(
        "A length of time is days, or hours and less",
        arguments: [
            (Span.days(14), "14 days"), (.days(1), "1 day"), (.minutes(100), "1 h 40 min"),
            (Span(milliseconds: 100_900), "1 min 40 s"), (Span(milliseconds: 0), "0 days"),
        ])
    func lengths(_ span: Span, _ text: String) {
        #expect(Wording.english.length(span) == text)
    }
}
