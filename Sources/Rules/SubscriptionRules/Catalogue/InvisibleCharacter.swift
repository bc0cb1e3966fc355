/// A character of a name that nobody sees, or that makes the others look otherwise: a control
/// character, a mark that turns the direction of writing, a space without width.
///
/// Joiners (U+200C and U+200D) belong to names in Indic and Persian script and to pictures, and the
/// form of a picture is chosen by what follows it (U+FE0F): where they stand between or behind
/// characters that are seen, they are no such ones.
public struct InvisibleCharacter: Sendable, Hashable, CustomStringConvertible {
    /// The character itself.
    public let scalar: Unicode.Scalar
    /// Its place among the Unicode scalars of the text; the first one has 1.
    public let place: Int

    /// The invisible characters of a text, in their order.
    public static func all(in text: String) -> [InvisibleCharacter] {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.filter { !isShown(at: $0, of: scalars) }
            .map { InvisibleCharacter(scalar: scalars[$0], place: $0 + 1) }
    }

    /// Its code point, its name in Unicode and its place, as the end of a sentence.
    public var description: String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let name = scalar.properties.name ?? scalar.properties.nameAlias
        return code + (name.map { " (\($0))" } ?? "") + " as character \(place)"
    }

    private static func isShown(at place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[place]
        guard scalar.isUnseen else { return true }
        guard place > 0 else { return false }
        let before = scalars[place - 1]
        if scalar.properties.isVariationSelector { return before.isSeen }
        guard scalar.properties.isJoinControl, place + 1 < scalars.count else { return false }
        // A picture that is joined to another may have its form chosen.
        let isJoined =
            before.isSeen
            || before.properties.isVariationSelector && isShown(at: place - 1, of: scalars)
        return isJoined && scalars[place + 1].isSeen
    }
}

extension Unicode.Scalar {
    /// Whether something is drawn for it.
    fileprivate var isSeen: Bool { !isUnseen && !properties.isWhitespace }

    /// Whether nothing is drawn for it, or a mark that drives what is drawn.
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        // An empty pattern of Braille is a letter to Unicode.
        default: properties.isDefaultIgnorableCodePoint || value == 0x2800
        }
    }
}
