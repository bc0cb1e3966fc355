package import SubscriptionRules

/// How a person reads: the language of the words, and how amounts and moments are written.
package struct PageLocale: Sendable {
    /// The language of the words, such as `en`.
    package let language: String
    package let words: any PageWords
    private let format: LocalFormat

    /// The languages that there are words in.
    private static let languages: [String: any PageWords] = [
        "en": EnglishPageWords(), "de": GermanPageWords(), "fr": FrenchPageWords(),
        "es": SpanishPageWords(), "ja": JapanesePageWords(), "ar": ArabicPageWords(),
    ]

    /// All of them, for pages that say everything in each.
    package static let all = Set(languages.keys)

    /// English as it is written in the United States.
    package static let english = PageLocale(accepting: nil)

    /// The best that there is for what a browser accepts.
    ///
    /// - Parameters:
    ///   - accepted: the field `Accept-Language` (RFC 9110 section 12.5.4), such as
    ///     `de-CH, en;q=0.8`. What cannot be read is passed over.
    ///   - offered: the languages that the page can be written in.
    ///   - usual: the locale of a reader whose browser asks for none of them, such as `de_CH`.
    ///   - place: where the reader is at home: the days that are meant, and how amounts are written
    ///     unless the browser names a region; without one UTC, and the United States.
    package init(
        accepting accepted: String?, in offered: Set<String> = ["en"], or usual: String = "en",
        at place: StorefrontPlace? = nil
    ) {
        let tag = PageLocale.tags(accepted).first { offered.contains($0.language) }
        let home = usual.prefix { $0 != "_" && $0 != "-" }.lowercased()
        language = tag?.language ?? (offered.contains(home) ? home : "en")
        words = PageLocale.languages[language] ?? EnglishPageWords()
        let region = tag?.region ?? place?.region ?? "US"
        // Digits of two kinds in one sentence read badly, and counted things have Latin ones.
        format = LocalFormat(
            language: language,
            region: words.direction == "rtl" ? "\(region)@numbers=latn" : region,
            zone: place?.zone ?? "UTC")
    }

    /// The languages and regions of a list, best first, eight at most.
    private static func tags(_ list: String?) -> [(language: String, region: String?)] {
        let parts = (list ?? "").prefix(256).split(separator: ",").prefix(8)
        let weighted = parts.enumerated().map { place, part in
            let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
            let weight =
                pieces.dropFirst().first { $0.hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) } ?? 1
            return (tag: pieces.first ?? "", weight: weight, place: place)
        }
        return weighted.filter { $0.weight > 0 }
            .sorted { ($0.weight, $1.place) > ($1.weight, $0.place) }
            .map { one in
                let subtags = one.tag.split(separator: "-").map(String.init)
                // What follows a single letter is an extension, and names no region.
                let region = subtags.dropFirst().prefix { $0.utf8.count > 1 }.first {
                    $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isLetter }
                }
                return (subtags.first?.lowercased() ?? "", region?.uppercased())
            }
    }

    /// An amount of money.
    ///
    /// - Parameters:
    ///   - milliunits: thousandths of the currency's unit.
    ///   - currency: its code, such as `USD`.
    package func amount(_ milliunits: Int64, _ currency: String) -> String {
        format.amount(milliunits, currency)
    }

    /// A whole number, with its digits in groups.
    package func number(_ count: Int) -> String { format.number(count) }

    /// A moment to the minute, in the reader's zone.
    package func moment(_ at: Instant) -> String { format.moment(at) }

    /// The month of a moment, likewise.
    package func month(_ at: Instant) -> String { format.month(at) }

    /// The day of a moment, likewise.
    package func day(_ at: Instant) -> String { format.day(at) }

    /// The day of a moment, its month in full.
    package func fullDay(_ at: Instant) -> String { format.fullDay(at) }
}
