import SubscriptionRules
import Testing

@testable import HTMLPages

@Suite("What all pages for customers say")
struct CustomerWordsTests {
    private struct English: EnglishCustomerWords {}
    private struct German: GermanCustomerWords {}
    private struct French: FrenchCustomerWords {}
    private struct Spanish: SpanishCustomerWords {}
    private struct Japanese: JapaneseCustomerWords {}
    private struct Arabic: ArabicCustomerWords {}

    private static let languages: [any CustomerWords] = [
        English(), German(), French(), Spanish(), Japanese(), Arabic(),
    ]

    private static func words(_ language: String) throws -> any CustomerWords {
        try #require(languages.first { $0.language == language })
    }

    @Test("Pages for customers are written in all languages of pages")
    func all() {
        #expect(Set(Self.languages.map(\.language)) == PageLocale.all)
    }

    private static let prices: [(language: String, period: CalendarPeriod, text: String)] = [
        ("en", CalendarPeriod(1, .month), "$5 per month"),
        ("en", CalendarPeriod(3, .month), "$5 every 3 months"),
        ("de", CalendarPeriod(1, .year), "$5 pro Jahr"),
        ("de", CalendarPeriod(2, .week), "$5 alle 2 Wochen"),
        ("fr", CalendarPeriod(1, .week), "$5 par semaine"),
        ("fr", CalendarPeriod(2, .week), "$5 toutes les 2 semaines"),
        ("fr", CalendarPeriod(2, .year), "$5 tous les 2 ans"),
        ("es", CalendarPeriod(1, .month), "$5 al mes"),
        ("es", CalendarPeriod(1, .week), "$5 a la semana"),
        ("es", CalendarPeriod(6, .month), "$5 cada 6 meses"),
        ("ja", CalendarPeriod(1, .month), "月額$5"),
        ("ja", CalendarPeriod(3, .month), "3か月ごとに$5"),
        ("ja", CalendarPeriod(2, .week), "2週間ごとに$5"),
        ("ar", CalendarPeriod(1, .month), "\u{2068}$5\u{2069} في الشهر"),
        ("ar", CalendarPeriod(3, .month), "\u{2068}$5\u{2069} كل 3 أشهر"),
    ]

    @Test("A price says for each of which periods it is", arguments: prices.indices)
    func price(place: Int) throws {
        let row = Self.prices[place]
        #expect(try Self.words(row.language).price("$5", every: row.period) == row.text)
    }

    private static let lengths: [(language: String, period: CalendarPeriod, text: String)] = [
        ("en", CalendarPeriod(1, .day), "1 day"), ("en", CalendarPeriod(2, .year), "2 years"),
        ("de", CalendarPeriod(3, .day), "3 Tage"), ("fr", CalendarPeriod(3, .month), "3 mois"),
        ("es", CalendarPeriod(1, .year), "1 año"), ("ja", CalendarPeriod(3, .day), "3日間"),
        ("ja", CalendarPeriod(1, .month), "1か月間"), ("ja", CalendarPeriod(2, .week), "2週間"),
        ("ar", CalendarPeriod(2, .week), "أسبوعان"), ("ar", CalendarPeriod(11, .day), "11 يومًا"),
    ]

    @Test("A length has the form that its number asks for", arguments: lengths.indices)
    func length(place: Int) throws {
        let row = Self.lengths[place]
        #expect(try Self.words(row.language).length(row.period) == row.text)
    }
}
