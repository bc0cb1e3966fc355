import AppStoreWire
import SubscriptionRules

extension Schema {
    /// What a text is to mean. What `fits` takes and what `pattern` says are the same texts, so
    /// that whoever keeps to the description is never refused for a text's form. Programs have
    /// formats of their own besides those that stand here.
    package struct Format: Sendable {
        /// Whether a text has the form; its length is for the schema to judge.
        package let fits: @Sendable (String) -> Bool
        /// The same as a regular expression (ECMA-262), without the length; nil where any text
        /// fits, and where there is a list instead.
        package let pattern: String?
        /// Whether the pattern says how long a text can be, so that the length need not be said.
        let isOfFixedLength: Bool
        /// What would be right, as the end of a sentence, for a text of so many characters.
        let expectation: @Sendable (ClosedRange<Int>) -> String
        /// What JSON Schema calls it, where it takes the same texts.
        let name: String?
        /// The named schema that lists all texts.
        let list: String?

        /// - Parameters:
        ///   - expectation: what would be right, as the end of a sentence.
        ///   - pattern: a regular expression of the whole text, but for `^` and `$`.
        package init(
            _ expectation: String, pattern: String?, isOfFixedLength: Bool = false,
            name: String? = nil, list: String? = nil,
            fits: @escaping @Sendable (String) -> Bool
        ) {
            self.init(
                pattern: pattern, isOfFixedLength: isOfFixedLength, name: name, list: list,
                expectation: { _ in expectation }, fits: fits)
        }

        private init(
            pattern: String?, isOfFixedLength: Bool, name: String?, list: String?,
            expectation: @escaping @Sendable (ClosedRange<Int>) -> String,
            fits: @escaping @Sendable (String) -> Bool
        ) {
            self.fits = fits
            self.pattern = pattern.map { "^\($0)$" }
            self.isOfFixedLength = isOfFixedLength
            self.expectation = expectation
            self.name = name
            self.list = list
        }
    }
}

extension Schema.Format {
    /// Any text; only in replies.
    package static let free = Self("a text", pattern: nil) { _ in true }

    /// Without control characters.
    package static let plain = Self(
        pattern: "\(FormatPattern.plain)*", isOfFixedLength: false, name: nil, list: nil,
        expectation: {
            "a text of \($0.lowerBound) to \($0.upperBound) characters without control characters"
        }, fits: { $0.unicodeScalars.allSatisfy { !$0.isControl } })

    /// Lines of ASCII characters, as PEM is.
    package static let lines = Self("lines of ASCII characters", pattern: #"[\n\r -~]*"#) {
        $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D }
    }

    /// A UUID in any letter case.
    package static let uuid = Self(
        "a UUID of 36 characters", pattern: FormatPattern.uuid, isOfFixedLength: true, name: "uuid"
    ) { $0.lowercasedUUID != nil }

    /// The same, or nothing.
    package static let uuidOrNothing = Self(
        "a UUID of 36 characters, or an empty text for none",
        pattern: "(\(FormatPattern.uuid))?", isOfFixedLength: true
    ) { $0.isEmpty || $0.lowercasedUUID != nil }

    /// A moment as ISO 8601 text.
    package static let moment = Self(
        "a moment of 1970 to 2199 in ISO 8601 such as 2027-01-01T00:00:00Z",
        pattern: FormatPattern.moment, isOfFixedLength: true
    ) { $0.isMoment }

    /// A length of time as ISO 8601 text, such as `P1M`.
    package static let duration = Self(
        "a duration in ISO 8601 such as P1M", pattern: FormatPattern.duration,
        isOfFixedLength: true
    ) { CalendarStep(iso8601: $0) != nil }

    /// The same without years and months, which differ in length.
    package static let span = Self(
        "a duration without months, which differ in length, such as P7D or PT5M",
        pattern: FormatPattern.span, isOfFixedLength: true
    ) { CalendarStep(iso8601: $0) != nil && !$0.namesMonths }

    /// A length of time or a moment.
    package static let durationOrMoment = Self(
        "a step such as P1Y or a moment such as 2027-01-01T00:00:00Z",
        pattern: "(\(FormatPattern.duration)|\(FormatPattern.moment))", isOfFixedLength: true
    ) { CalendarStep(iso8601: $0) != nil || $0.isMoment }

    /// The three-letter code of a storefront.
    package static let storefront = Self(
        "the three-letter code of a storefront such as USA", pattern: nil, isOfFixedLength: true,
        list: "StorefrontCode"
    ) { Storefront(code: $0) != nil }

    /// Visible ASCII characters.
    package static let visible = Self("1 to 64 visible ASCII characters", pattern: "[!-~]*") {
        $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Letters and digits.
    package static let alphanumeric = Self("letters and digits", pattern: "[A-Za-z0-9]*") {
        $0.utf8.allSatisfy(\.isLetterOrDigit)
    }

    /// A language, and perhaps a region: `en`, `de_AT`, `pt-BR`.
    package static let locale = Self("a locale such as en_US", pattern: "[A-Za-z0-9_-]*") {
        $0.utf8.allSatisfy(\.isLocaleByte)
    }

    /// The digits of an identifier.
    package static let identifier = Self(
        "the digits of an identifier", pattern: FormatPattern.identifier, isOfFixedLength: true
    ) { Int64(identifier: $0) != nil }

    /// Those above.
    package static let general: [Self] = [
        free, plain, uuid, uuidOrNothing, moment, duration, span, durationOrMoment, storefront,
        visible, alphanumeric, locale, identifier,
    ]
}

/// The parts of the patterns.
package enum FormatPattern {
    /// A character that is no control character, and one that is no white space either.
    package static let plain = #"[^\u0000-\u001F\u007F-\u009F]"#
    package static let visible =
        #"[^\u0000-\u0020\u007F-\u00A0\u1680"#
        + #"\u2000\u2001\u2002-\u200A\u2028\u2029\u202F\u205F\u3000]"#

    package static let uuid = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

    /// A day that exists, in the years that the store keeps, and perhaps a time with its zone.
    package static let moment: String = {
        let days =
            "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
            + "|02-(0[1-9]|1[0-9]|2[0-8])"
        let leapYear =
            "(19(72|76|8[048]|9[26])|2[01](0[48]|[2468][048]|[13579][26])|2000)"
        let date = "((19[7-9][0-9]|2[01][0-9]{2})-(\(days))|\(leapYear)-02-29)"
        let time = #"([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,9})?"#
        return "\(date)([Tt]\(time)([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?"
    }()

    package static let duration = "P([0-9]{1,5}W|\(parts("YMD", 5))(\(time))?|\(time))"
    package static let span = "P([0-9]{1,5}W|[0-9]{1,5}D(\(time))?|\(time))"
    private static let time = "T\(parts("HMS", 10))"

    /// Numbers of so many digits with these units in their order, at least one of them.
    private static func parts(_ units: String, _ digits: Int) -> String {
        let counts = units.map { "[0-9]{1,\(digits)}\($0)" }
        let runs = counts.indices.map { first in
            counts[first] + counts[(first + 1)...].map { "(\($0))?" }.joined()
        }
        return "(\(runs.joined(separator: "|")))"
    }

    /// A whole number up to the largest of 64 bits, without needless zeros.
    package static let identifier: String = {
        let largest = Array(String(Int64.max))
        var runs = ["0", "[1-9][0-9]{0,\(largest.count - 2)}"]
        for (index, digit) in largest.enumerated() where digit > (index == 0 ? "1" : "0") {
            let least = index == 0 ? 1 : 0
            let below = "[\(least)-\((digit.wholeNumberValue ?? 1) - 1)]"
            runs.append(
                String(largest[..<index]) + below + "[0-9]{\(largest.count - 1 - index)}")
        }
        return "(\(runs.joined(separator: "|"))|\(String(largest)))"
    }()
}

extension String {
    /// Whether it is a moment in the years 1970 to 2199, which are those that the store keeps.
    fileprivate var isMoment: Bool {
        Instant(iso8601: self) != nil && ("1970"..."2199").contains(String(prefix(4)))
    }

    /// Whether a duration has years or months, even none of them.
    fileprivate var namesMonths: Bool { prefix { $0 != "T" }.contains { "YM".contains($0) } }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    fileprivate var isLocaleByte: Bool {
        isLetterOrDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}
