import FoundationEssentials

/// One form of a mail's text, encoded so that lines of any length and any letters arrive: as
/// quoted-printable, which people can read, or as base64 where that is much shorter (RFC 2045).
struct BodyPart {
    /// The part's own fields, an empty line, and the body.
    let lines: [String]

    init(_ type: String, _ text: String) {
        let canonical = Self.canonicalLines(text)
        let quoted = canonical.flatMap(Self.quoted)
        let length = quoted.reduce(0) { $0 + $1.utf8.count + 2 }
        let bytes = Array(canonical.joined(separator: "\r\n").utf8)
        let isQuoted = length <= bytes.count * 2
        lines =
            [
                "Content-Type: \(type); charset=utf-8",
                "Content-Transfer-Encoding: \(isQuoted ? "quoted-printable" : "base64")", "",
            ] + (isQuoted ? quoted : Self.base64(bytes))
    }

    /// The lines of a text, however they end in it; without the empty one behind the last end.
    private static func canonicalLines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\r", "\n":
                lines.append(line)
                line = ""
            default: line.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }

    /// A line as quoted-printable, of at most 76 characters each.
    private static func quoted(_ line: String) -> [String] {
        let bytes = Array(line.utf8)
        var lines: [String] = []
        var current = ""
        for (place, byte) in bytes.enumerated() {
            let isLast = place == bytes.count - 1
            let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            let isPlain =
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=") || isSpace && !isLast
            let piece = isPlain ? String(UnicodeScalar(byte)) : byte.quotedPrintable
            // The last piece of a line needs no room for the mark that it goes on.
            if current.utf8.count + piece.utf8.count > (isLast ? 76 : 75) {
                lines.append(current + "=")
                current = ""
            }
            current += piece
        }
        return lines + [current]
    }

    private static func base64(_ bytes: [UInt8]) -> [String] {
        let text = Array(Data(bytes).base64EncodedString().utf8)
        return stride(from: 0, to: text.count, by: 76).map {
            String(decoding: text[$0..<min($0 + 76, text.count)], as: UTF8.self)
        }
    }
}
