import Mustache

/// Text made harmless for HTML and SVG.
package enum HTMLText {
    /// The text with everything replaced that could end a text or an attribute.
    ///
    /// It goes by Unicode scalars: a sign that shares a grapheme cluster with its neighbour, such
    /// as a quotation mark with an accent on it, is the same sign to a browser. What HTML does not
    /// allow at all, control characters and noncharacters, becomes U+FFFD.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { replacement(of: $0) != nil }) else {
            return text
        }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            if let replacement = replacement(of: scalar) {
                escaped += replacement
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func replacement(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "\t", "\n": nil
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": "\u{FFFD}"
        case _ where (0xFDD0...0xFDEF).contains(scalar.value): "\u{FFFD}"
        case _ where scalar.value & 0xFFFE == 0xFFFE: "\u{FFFD}"
        default: nil
        }
    }
}

/// How templates escape. The library's own way goes by characters, and can be got round.
struct EscapingByScalar: MustacheContentType {
    /// Every template begins with this name as its content type, also those that are parts of
    /// others, which begin anew with the library's own. A template that names it before it is
    /// registered is refused.
    static let name = "PERENNIAL"

    func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}

/// Markup that is written as it is: only what this package makes itself, with all texts in it
/// escaped, such as a drawing.
package struct Markup: Sendable, Hashable {
    package let text: String

    /// - Parameter text: markup in which nothing is left of what a person wrote but escaped text.
    init(_ text: String) { self.text = text }
}
