import SubscriptionRules
import Testing

@testable import HTMLPages

@Suite("How pages in all languages find theirs")
struct CustomerLocaleTests {
    @Test(
        "The browser's language comes first, then the reader's own, then English",
        arguments: [
            ("de-CH", "en_US", "de", "ltr"), ("pl, fr;q=0.3", "en_US", "fr", "ltr"),
            (nil, "ja_JP", "ja", "ltr"), ("pl", "es_MX", "es", "ltr"), ("pl", "pl_PL", "en", "ltr"),
            ("ar", "en_US", "ar", "rtl"), (nil, "ar-EG", "ar", "rtl"), (nil, "", "en", "ltr"),
        ] as [(String?, String, String, String)])
    func languages(accepted: String?, own: String, language: String, direction: String) {
        let locale = PageLocale(accepting: accepted, in: PageLocale.all, or: own)
        #expect(locale.language == language)
        #expect(locale.words.direction == direction)
    }

    @Test("A day is that of the storefront's zone, and digits are Latin in Arabic too")
    func days() throws {
        let at = try #require(Instant(iso8601: "2026-02-01T03:00:00Z"))
        let usa = StorefrontPlace(Storefront.usa)
        #expect(
            PageLocale(accepting: "en", in: PageLocale.all, at: usa).fullDay(at)
                == "January 31, 2026")
        #expect(PageLocale(accepting: "en", in: PageLocale.all).fullDay(at) == "February 1, 2026")
        #expect(
            PageLocale(accepting: "ar-EG", in: PageLocale.all, at: usa).fullDay(at)
                .contains("2026"))
    }
}

@Suite("Sealed texts that say something")
struct SealedTextTests {
    private let seal = Seal(secret: "secret", purpose: "test")
    private let end = Instant(milliseconds: 1_000_000)

    @Test(
        "What was sealed is read again, as it was",
        arguments: [
            ["a"], ["Production", "com.example.app", "ada"], ["", "", ""], ["ä-.\u{200D}<>", "-"],
            [String(repeating: "語", count: 256), "b"],
        ])
    func parts(said: [String]) {
        let text = seal.make(until: end, saying: said)
        #expect(seal.open(text, now: Instant(milliseconds: 0))?.said == said)
        #expect(seal.open(text, now: end) == nil)
        #expect(Seal(secret: "secret", purpose: "other").open(text, now: .earliest) == nil)
    }

    @Test("Changed in any part it says nothing")
    func changed() {
        let text = seal.make(until: end, saying: ["ada"])
        let now = Instant(milliseconds: 0)
        for place in text.indices where text[place] != "." {
            var other = text
            other.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
            #expect(seal.open(other, now: now) == nil, "\(other)")
        }
        for other in ["", ".", "...", "....", text + ".", "x" + text, String(text.dropLast())] {
            #expect(seal.open(other, now: now) == nil, "\(other)")
        }
    }
}
