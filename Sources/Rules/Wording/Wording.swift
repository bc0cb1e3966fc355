/// The texts for people in one language, by their codes. Rules give codes and values; whoever
/// shows them to people asks here. Another language is another value of this type.
public struct Wording: Sendable {
    private let texts: [Phrase: String]

    /// Makes a language.
    ///
    /// - Parameter texts: what is missing is said in English. A text names the values that the
    ///   English one names, `{storefront}` for one, in whatever order.
    public init(_ texts: [Phrase: String]) { self.texts = texts }

    /// The text of a phrase, with its values in place of their names.
    func text(_ phrase: Phrase, _ values: KeyValuePairs<String, String> = [:]) -> String {
        guard let text = texts[phrase] ?? Wording.englishTexts[phrase] else {
            preconditionFailure("\(phrase.rawValue) has no text, not even in English")
        }
        return Wording.filled(text) { name in values.first { $0.key == name }?.value }
    }

    /// A text with values for the names in braces; a name without a value stays as it is.
    private static func filled(_ text: String, _ value: (String) -> String?) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            filled += rest[..<open]
            filled += value(name) ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    /// The names of the values that a text takes, in order, each once.
    static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        _ = filled(text) { name in
            names.insert(name)
            return nil
        }
        return names
    }
}
