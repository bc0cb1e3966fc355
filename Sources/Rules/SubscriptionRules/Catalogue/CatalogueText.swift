/// What a text of a catalogue may be. Apple publishes no lengths with the format of `.storekit`
/// files; an identifier is as long as the store's own surfaces take it.
public enum CatalogueText: Sendable, CaseIterable {
    /// An identifier, a name or another text of one line.
    case line
    /// A text that customers read, which may have several lines.
    case description
    /// A policy or an agreement, as long as lawyers make them.
    case policy

    /// The most Unicode scalars that it may have.
    public var longest: Int {
        switch self {
        case .line: 255
        case .description: 4000
        case .policy: 200_000
        }
    }

    /// Whether a text may stand there; an empty one may.
    public func allows(_ text: String) -> Bool {
        text.unicodeScalars.count <= longest && !text.unicodeScalars.contains(where: isRefused)
    }

    /// The rule in words, as the end of a sentence.
    public var rule: String {
        switch self {
        case .line: "at most \(longest) characters and no control characters"
        case .description, .policy:
            "at most \(longest) characters and no control characters but line breaks and tabs"
        }
    }

    private func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isControl else { return false }
        return self == .line || !["\n", "\r", "\t"].contains(scalar)
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, such as NUL, which PostgreSQL cannot hold.
    public var isControl: Bool { value < 0x20 || (0x7F..<0xA0).contains(value) }
}
