/// Texts in comma-separated values (RFC 4180).
enum CSVText {
    /// A field, in quotes where it needs them.
    static func field(_ text: String) -> String {
        // By scalars: CR LF is one character.
        guard text.unicodeScalars.contains(where: special.contains) else { return text }
        return quoted(text)
    }

    private static let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]

    /// A field that somebody else has written. What a spreadsheet would take for a formula has an
    /// apostrophe before it, by which it is a text.
    static func foreign(_ text: String) -> String {
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        guard let first, formulaSigns.contains(first) || text.unicodeScalars.first?.value ?? 0 < 32
        else { return field(text) }
        return quoted("'" + text)
    }

    /// With the forms that are as wide as East Asian letters, which are read alike.
    private static let formulaSigns: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{2212}",
    ]

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
