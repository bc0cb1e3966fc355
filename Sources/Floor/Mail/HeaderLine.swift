import FoundationEssentials

/// Fields of a message, folded. Everything that is not plain ASCII is written in encoded words
/// (RFC 2047).
enum HeaderLine {
    /// The most characters of a line that has an encoded word.
    private static let width = 76

    /// A field for people, such as a subject.
    static func text(_ name: String, _ text: String) -> String {
        isPlain(text)
            ? folded(name, text)
            : "\(name): " + encodedWords(text, after: name.utf8.count + 2)
    }

    /// A name, if there is one, and an address.
    static func party(_ name: String, _ party: Mail.Party) -> String {
        guard let shown = party.name, !shown.isEmpty else {
            return "\(name): \(party.address.text)"
        }
        let field: String
        if !isPlain(shown) {
            field = "\(name): " + encodedWords(shown, after: name.utf8.count + 2)
        } else if shown.utf8.allSatisfy({ $0.isOfAtom || $0 == UInt8(ascii: " ") }) {
            field = folded(name, shown)
        } else {
            let quoted = shown.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            field = folded(name, "\"\(quoted)\"")
        }
        let address = "<\(party.address.text)>"
        let last = field.utf8.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
        return field + (last + 1 + address.utf8.count > width ? "\r\n " : " ") + address
    }

    /// A field of ASCII, broken before words that would make a line too long.
    static func folded(_ name: String, _ value: String) -> String {
        var lines = "\(name):"
        var column = lines.utf8.count
        // Every space stays where it is: folding only puts a line break before some of them.
        for word in value.split(separator: " ", omittingEmptySubsequences: false) {
            // A line of nothing but spaces would be read as the end of what stands before it.
            if column + 1 + word.utf8.count > 78, !word.isEmpty, column > name.utf8.count + 1 {
                lines += "\r\n"
                column = 0
            }
            lines += " " + word
            column += 1 + word.utf8.count
        }
        return lines
    }

    /// Whether a text can stand as it is: ASCII, nothing that looks like an encoded word, no word
    /// longer than a line may be, and no spaces that folding or trimming would lose.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
            && !text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.contains("  ")
            && text.split(separator: " ").allSatisfy { $0.utf8.count <= 70 }
    }

    /// A text in encoded words of whole characters' bytes, one a line.
    private static func encodedWords(_ text: String, after column: Int) -> String {
        let quoted = text.utf8.reduce(0) { $0 + ($1.isOfQuotedWord ? 1 : 3) }
        let isQuoted = quoted <= text.utf8.count * 2
        let frame = "=?UTF-8?Q??=".utf8.count
        var words: [String] = []
        var bytes: [UInt8] = []
        var room = max(width - column - frame, 12)
        for scalar in text.unicodeScalars {
            let next = bytes + Array(String(scalar).utf8)
            if Self.word(next, isQuoted).utf8.count > room {
                words.append(word(bytes, isQuoted))
                bytes = Array(String(scalar).utf8)
                room = width - 1 - frame
            } else {
                bytes = next
            }
        }
        words.append(word(bytes, isQuoted))
        return words.map { "=?UTF-8?\(isQuoted ? "Q" : "B")?\($0)?=" }.joined(separator: "\r\n ")
    }

    private static func word(_ bytes: [UInt8], _ isQuoted: Bool) -> String {
        guard isQuoted else { return Data(bytes).base64EncodedString() }
        return bytes.map { byte in
            if byte == UInt8(ascii: " ") { return "_" }
            return byte.isOfQuotedWord ? String(UnicodeScalar(byte)) : byte.quotedPrintable
        }.joined()
    }
}

extension UInt8 {
    /// What may stand in an encoded word as it is, also in a name before an address (RFC 2047
    /// section 5); a space is written as one character too.
    fileprivate var isOfQuotedWord: Bool {
        isLetterOrDigit || self == UInt8(ascii: " ") || "!*+-/".utf8.contains(self)
    }

    /// As quoted-printable writes what it cannot leave as it is.
    var quotedPrintable: String {
        let digits = String(self, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "=0\(digits)" : "=\(digits)"
    }
}
