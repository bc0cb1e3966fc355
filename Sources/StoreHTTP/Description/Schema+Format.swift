import AppStoreWire
import Store
import SubscriptionRules

extension Schema {
    /// What a text is to mean. What `fits` takes and what `pattern` says are the same texts, so
    /// that whoever keeps to the description is never refused for a text's form.
    enum Format: Sendable, CaseIterable {
        /// Any text; only in replies.
        case free
        /// Without control characters.
        case plain
        /// The name of an account: the same without white space at either end.
        case account
        /// A UUID in any letter case.
        case uuid
        /// The same, or nothing.
        case uuidOrNothing
        /// A moment as ISO 8601 text.
        case moment
        /// A length of time as ISO 8601 text, such as `P1M`.
        case duration
        /// The same without years and months, which differ in length.
        case span
        /// A length of time or a moment.
        case durationOrMoment
        /// The three-letter code of a storefront.
        case storefront
        /// A reverse domain name.
        case bundleID
        /// An http or https URL; empty for none, where the length allows it.
        case url
        /// Visible ASCII characters.
        case visible
        /// Letters and digits.
        case alphanumeric
        /// A language, and perhaps a region: `en`, `de_AT`, `pt-BR`.
        case locale
        /// The digits of an identifier.
        case identifier
        /// A UUID, an underscore and a moment in milliseconds, as the store makes such tokens.
        case testNotificationToken
    }
}

extension Schema.Format {
    /// Whether a text has the form; its length is for the schema to judge.
    func fits(_ text: String) -> Bool {
        switch self {
        case .free: true
        case .plain: text.unicodeScalars.allSatisfy { !$0.isControl }
        case .account: Customer.isAccount(text)
        case .uuid: text.lowercasedUUID != nil
        case .uuidOrNothing: text.isEmpty || text.lowercasedUUID != nil
        case .moment: text.isMoment
        case .duration: CalendarStep(iso8601: text) != nil
        case .span: CalendarStep(iso8601: text) != nil && !text.namesMonths
        case .durationOrMoment: CalendarStep(iso8601: text) != nil || text.isMoment
        case .storefront: Storefront(code: text) != nil
        case .bundleID: App.isBundleID(text)
        case .url: text.isEmpty || NotificationURL(text) != nil
        case .visible: text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        case .alphanumeric: text.utf8.allSatisfy(\.isLetterOrDigit)
        case .locale: text.utf8.allSatisfy(\.isLocaleByte)
        case .identifier: Int64(identifier: text) != nil
        case .testNotificationToken: text.isTestNotificationToken
        }
    }

    /// The same as a regular expression (ECMA-262), without the length; nil where any text fits,
    /// and where there is a list instead.
    var pattern: String? {
        switch self {
        case .free, .storefront: nil
        case .plain: #"^[^\u0000-\u001F\u007F-\u009F]*$"#
        case .account: "^\(Pattern.visible)(\(Pattern.plain)*\(Pattern.visible))?$"
        case .uuid: "^\(Pattern.uuid)$"
        case .uuidOrNothing: "^(\(Pattern.uuid))?$"
        case .moment: "^\(Pattern.moment)$"
        case .duration: "^\(Pattern.duration)$"
        case .span: "^\(Pattern.span)$"
        case .durationOrMoment: "^(\(Pattern.duration)|\(Pattern.moment))$"
        case .bundleID: "^[A-Za-z0-9.-]+$"
        case .url: "^(\(Pattern.url))?$"
        case .visible: "^[!-~]*$"
        case .alphanumeric: "^[A-Za-z0-9]*$"
        case .locale: "^[A-Za-z0-9_-]*$"
        case .identifier: "^\(Pattern.identifier)$"
        case .testNotificationToken: "^\(Pattern.uuid)_\(Pattern.identifier)$"
        }
    }

    /// Whether the pattern says how long a text can be, so that the length need not be said.
    var isOfFixedLength: Bool {
        switch self {
        case .free, .plain, .account, .bundleID, .url, .visible, .alphanumeric, .locale: false
        case .uuid, .uuidOrNothing, .moment, .duration, .span, .durationOrMoment, .storefront,
            .identifier, .testNotificationToken:
            true
        }
    }

    /// What would be right, as the end of a sentence.
    var expectation: String {
        switch self {
        case .free, .plain: "a text"
        case .account: Customer.accountRule
        case .uuid: "a UUID of 36 characters"
        case .uuidOrNothing: "a UUID of 36 characters, or an empty text for none"
        case .moment: "a moment of 1970 to 2199 in ISO 8601 such as 2027-01-01T00:00:00Z"
        case .duration: "a duration in ISO 8601 such as P1M"
        case .span: "a duration without months, which differ in length, such as P7D or PT5M"
        case .durationOrMoment: "a step such as P1Y or a moment such as 2027-01-01T00:00:00Z"
        case .storefront: "the three-letter code of a storefront such as USA"
        case .bundleID: "1 to 155 letters, digits, dots and hyphens"
        case .url: "\(NotificationURL.rule), or an empty text for none"
        case .visible: "1 to 64 visible ASCII characters"
        case .alphanumeric: "letters and digits"
        case .locale: "a locale such as en_US"
        case .identifier: "the digits of an identifier"
        case .testNotificationToken: "a token of a test notification"
        }
    }
}

/// The parts of the patterns.
private enum Pattern {
    /// A character that is no control character, and one that is no white space either.
    static let plain = #"[^\u0000-\u001F\u007F-\u009F]"#
    static let visible =
        #"[^\u0000-\u0020\u007F-\u00A0\u1680"#
        + #"\u2000\u2001\u2002-\u200A\u2028\u2029\u202F\u205F\u3000]"#

    static let uuid = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"

    /// A day that exists, in the years that the store keeps, and perhaps a time with its zone.
    static let moment: String = {
        let days =
            "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
            + "|02-(0[1-9]|1[0-9]|2[0-8])"
        let leapYear =
            "(19(72|76|8[048]|9[26])|2[01](0[48]|[2468][048]|[13579][26])|2000)"
        let date = "((19[7-9][0-9]|2[01][0-9]{2})-(\(days))|\(leapYear)-02-29)"
        let time = #"([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,9})?"#
        return "\(date)([Tt]\(time)([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?"
    }()

    /// Where notifications can be posted to. An address of IP version 6 in brackets fits besides,
    /// whose forms are too many to be written here; nobody's name is longer than 253 characters.
    static let url: String = {
        let label = "[A-Za-z0-9_-]{1,63}"
        let port =
            "[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
        let rest = "[/?]([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*"
        return "[Hh][Tt][Tt][Pp][Ss]?://\(label)(\\.\(label))*(:(\(port)))?(\(rest))?"
    }()

    static let duration = "P([0-9]{1,5}W|\(parts("YMD", 5))(\(time))?|\(time))"
    static let span = "P([0-9]{1,5}W|[0-9]{1,5}D(\(time))?|\(time))"
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
    static let identifier: String = {
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

    fileprivate var isTestNotificationToken: Bool {
        let parts = split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 2 && String(parts[0]).lowercasedUUID != nil
            && Int64(identifier: String(parts[1])) != nil
    }
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
