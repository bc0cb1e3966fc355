/// What a client says in `If-None-Match` that it has already (RFC 9110 section 13.1.2).
package struct IfNoneMatch: Sendable {
    /// Whether it has whatever there is: `*`.
    private let isAny: Bool
    /// Entity tags with their quotation marks and without the mark of weakness.
    private let tags: Set<Substring>

    /// Reads the field, all of its lines joined by commas. What comes after a mistake counts for
    /// nothing: the client gets the whole answer.
    package init(_ field: String) {
        var rest = Substring(field)
        isAny = rest.allSatisfy { $0 == "*" || Self.separates($0) } && rest.contains("*")
        var tags: Set<Substring> = []
        while true {
            rest = rest.drop(while: Self.separates)
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { break }
            tags.insert(rest[...end])
            rest = rest[rest.index(after: end)...]
        }
        self.tags = tags
    }

    /// Whether the client has the answer with this tag: by the weak comparison, for which it does
    /// not matter whether either is weak.
    package func names(_ tag: String) -> Bool {
        isAny || tags.contains(tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag))
    }

    private static func separates(_ character: Character) -> Bool {
        character == "," || character == " " || character == "\t"
    }
}
