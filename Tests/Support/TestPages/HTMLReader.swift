/// A tag of a page.
package struct HTMLTag: Sendable {
    /// In lower case; with a slash in front where it ends an element.
    package var name: String
    package var attributes: [String: String]
}

/// As much of an HTML parser as tests need: tags with their attributes, and the text between.
struct HTMLReader {
    private var rest: ArraySlice<Unicode.Scalar>
    private(set) var tags: [HTMLTag] = []
    private(set) var words = ""

    init(_ text: String) {
        rest = Array(text.unicodeScalars)[...]
        var between = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            let begins =
                rest.first.map { $0 == "/" || $0 == "!" || $0.properties.isAlphabetic } ?? false
            if scalar == "<", begins {
                readTag()
            } else {
                between.append(scalar)
            }
        }
        words = Self.unescaped(String(between))
    }

    private mutating func readTag() {
        var tag = HTMLTag(name: take { !Self.isSpace($0) && $0 != ">" }, attributes: [:])
        tag.name = tag.name.lowercased()
        while true {
            _ = take { Self.isSpace($0) || $0 == "/" }
            guard let first = rest.first else { break }
            if first == ">" {
                rest = rest.dropFirst()
                break
            }
            let name = take { !Self.isSpace($0) && $0 != "=" && $0 != ">" }.lowercased()
            guard rest.first == "=" else {
                tag.attributes[name] = ""
                continue
            }
            rest = rest.dropFirst()
            let quote = rest.first
            if quote == "\"" || quote == "'" {
                rest = rest.dropFirst()
                tag.attributes[name] = Self.unescaped(take { $0 != quote })
                rest = rest.dropFirst()
            } else {
                tag.attributes[name] = Self.unescaped(take { !Self.isSpace($0) && $0 != ">" })
            }
        }
        tags.append(tag)
    }

    private mutating func take(_ belongs: (Unicode.Scalar) -> Bool) -> String {
        let part = rest.prefix(while: belongs)
        rest = rest.dropFirst(part.count)
        return String(String.UnicodeScalarView(part))
    }

    private static let entities: [(name: String, scalar: Unicode.Scalar)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ]

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\n", "\t", "\r", "\u{C}": true
        default: false
        }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var read = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            let entity =
                first == "&" ? entities.first { rest.starts(with: $0.name.unicodeScalars) } : nil
            read.append(entity?.scalar ?? first)
            rest = rest.dropFirst(entity?.name.unicodeScalars.count ?? 1)
        }
        return String(read)
    }
}
