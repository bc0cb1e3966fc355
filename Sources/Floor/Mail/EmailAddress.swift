/// Where a mail goes or comes from: a local part and a domain, such as `anna@example.com`.
///
/// The plain form of RFC 5321: ASCII, no quotes, no comments, no address in brackets. Anything else
/// that is an address somewhere is not one here, since not every server on the way would take it.
package struct EmailAddress: Hashable, Sendable {
    /// As it was written.
    package let text: String

    /// The most bytes, with 64 before the @ (RFC 5321 section 4.5.3.1).
    package static let longest = 254

    /// What such an address is, in words.
    package static let rule =
        "an address such as anna@example.com, of at most \(longest) ASCII characters, with "
        + "letters, digits and !#$%&'*+-/=?^_`{|}~ between dots before the @, and a domain behind"

    /// Reads an address; nil where it is none.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 2,
            (1...64).contains(parts[0].count), Self.isDotted(parts[0], \.isOfAtom),
            Self.isDomain(parts[1])
        else { return nil }
        self.text = text
    }

    /// What stands behind the @.
    package var domain: String { String(text.drop { $0 != "@" }.dropFirst()) }

    /// Words of certain characters between single dots.
    private static func isDotted(
        _ text: Substring.UTF8View, _ isFit: (UInt8) -> Bool
    ) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy(isFit) }
    }

    /// Names of letters, digits and hyphens within them, of at most 63 characters (RFC 1035).
    private static func isDomain(_ text: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return isDotted(text) { $0.isLetterOrDigit || $0 == hyphen }
            && text.split(separator: UInt8(ascii: ".")).allSatisfy {
                $0.count <= 63 && $0.first != hyphen && $0.last != hyphen
            }
    }

    /// Whether a text may stand between the angle brackets of a Message-ID: two dotted words with
    /// an @ between them (RFC 5322 section 3.6.4).
    static func isMessageID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return text.utf8.count <= Self.longest && parts.count == 2
            && parts.allSatisfy { isDotted($0, \.isOfAtom) }
    }
}

extension UInt8 {
    /// A character of an atom (RFC 5322 section 3.2.3).
    var isOfAtom: Bool { isLetterOrDigit || "!#$%&'*+-/=?^_`{|}~".utf8.contains(self) }

    var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
