import SubscriptionRules
import Testing

@testable import HTMLPages

@Suite("How amounts, moments and words are written")
struct PageLocaleTests {
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.properties.isWhitespace ? " " : scalar
                }))
    }

    @Test(
        "An amount has the decimals of its currency, and a sign where it is taken",
        arguments: [
            (9990, "USD", "$9.99"), (-9990, "USD", "-$9.99"), (0, "USD", "$0.00"),
            (1_234_567_890, "USD", "$1,234,567.89"), (1_500_000, "JPY", "¥1,500"),
            (-1_500_000, "JPY", "-¥1,500"), (1_234, "KWD", "KWD 1.234"),
            (-1_234, "KWD", "-KWD 1.234"), (990, "EUR", "€0.99"),
            (Int64.max, "USD", "$9,223,372,036,854,775.81"),
        ] as [(Int64, String, String)])
    func amounts(milliunits: Int64, currency: String, text: String) {
        #expect(Self.plain(PageLocale.english.amount(milliunits, currency)) == text)
    }

    @Test(
        "A moment is written in UTC, to the minute",
        arguments: [
            ("2026-01-31T23:59:00Z", "Jan 31, 2026 at 11:59 PM"),
            ("2026-01-31T23:59:30Z", "Jan 31, 2026 at 11:59 PM"),
            ("2026-07-01T00:00:00Z", "Jul 1, 2026 at 12:00 AM"),
        ])
    func moments(moment: String, text: String) throws {
        let at = try #require(Instant(iso8601: moment))
        let written = Self.plain(PageLocale.english.moment(at))
        #expect(written.replacing(", 1", with: " at 1") == text || written == text, "\(written)")
        #expect(PageLocale.english.day(at) == text.split(separator: " at ")[0])
    }

    @Test(
        "The language is the best that there are words in, written as in the region",
        arguments: [
            (nil, "$1,234.50"), ("", "$1,234.50"), ("en-US", "$1,234.50"), ("en-GB", "US$1,234.50"),
            ("de-CH, en-GB;q=0.8", "US$1,234.50"), ("de", "$1,234.50"), ("*", "$1,234.50"),
            ("en-US;q=0.1, en-GB;q=0.9", "US$1,234.50"), ("EN-gb", "US$1,234.50"),
            ("en-GB;q=0", "$1,234.50"), ("en-GB;q=nan", "$1,234.50"), ("en-u-nu-thai", "$1,234.50"),
            ("en-Latn-GB", "US$1,234.50"), ("en-GB-u-nu-thai", "US$1,234.50"),
        ] as [(String?, String)])
    func accepted(list: String?, amount: String) {
        let locale = PageLocale(accepting: list)
        #expect(locale.language == "en")
        #expect(Self.plain(locale.amount(1_234_500, "USD")) == amount)
        #expect(locale.number(12_345) == "12,345")
    }

    @Test("A list that nobody would send is passed over")
    func hostileLists() {
        for list in [
            String(repeating: "en-GB,", count: 100_000), String(repeating: ",", count: 1_000_000),
            "en-\u{0}\u{0}", "en-<script>", "en_GB@calendar=buddhist", "en-ÄÖ", "-", ";q=1",
            "=;,;=",
            "en;q=1e999", "en;q=-1", "en-../../etc/passwd", "../../x", "\u{202E}en",
        ] {
            let locale = PageLocale(accepting: list)
            #expect(locale.language == "en")
            #expect(locale.words.direction == "ltr")
            #expect(locale.day(Instant(milliseconds: 0)).contains("1970"))
            #expect(locale.amount(1000, "USD").contains("1.00"))
        }
    }

    @Test("There are as many of something as the number says")
    func plurals() {
        let words = PageLocale.english.words
        #expect(words.plural(1, one: "day", other: "days") == "day")
        for count in [0, 2, 11, 21] {
            #expect(words.plural(count, one: "day", other: "days") == "days")
        }
    }
}
