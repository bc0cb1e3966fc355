import HTTPTypes
import Synchronization
import Testing

/// What came back.
struct Sight: Sendable {
    let path: String
    let status: Int
    let fields: HTTPFields
    let text: String
    private let reading: Reading

    init(path: String, status: Int, fields: HTTPFields, text: String) {
        self.path = path
        self.status = status
        self.fields = fields
        self.text = text
        reading = Reading(text)
    }

    var location: String? { fields[.location] }

    var isPage: Bool {
        fields[.contentType] == "text/html; charset=utf-8" && text.hasPrefix("<!DOCTYPE html>")
            && text.hasSuffix("</html>\n")
    }

    /// The paths of the pages that it links to, without what follows a `#`.
    var links: [String] {
        markup.filter { $0.name == "a" && $0.attributes["download"] == nil }
            .compactMap { $0.attributes["href"] }
            .map { String($0.prefix { $0 != "#" }) }
            .filter { $0.hasPrefix("/account") }
    }

    /// The fields of the form that is posted to a path, with what stands in them; nil for none.
    func form(to action: String) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)]?
        var choice: String?
        for tag in markup {
            switch tag.name {
            case "form"
            where fields == nil && tag.attributes["action"] == action
                && tag.attributes["method"] == "post":
                fields = []
            case "/form" where fields != nil: return fields
            case "input", "textarea":
                let isOff =
                    tag.attributes["type"] == "checkbox" && tag.attributes["checked"] == nil
                guard let name = tag.attributes["name"], !isOff else { continue }
                if tag.attributes["type"] == "radio" {
                    // Of all of a name there is one field, empty until something is chosen.
                    let place = fields?.firstIndex { $0.name == name }
                    let isChosen = tag.attributes["checked"] != nil
                    let value = isChosen ? tag.attributes["value"] ?? "" : ""
                    if let place, isChosen { fields?[place].value = value }
                    if place == nil { fields?.append((name, value)) }
                    continue
                }
                fields?.append((name, tag.attributes["value"] ?? ""))
            case "select":
                choice = tag.attributes["name"]
                fields?.append((choice ?? "", ""))
            case "option" where choice != nil && fields?.isEmpty == false:
                let isFirst = fields?.last?.value == ""
                if isFirst || tag.attributes["selected"] != nil, let name = choice {
                    _ = fields?.popLast()
                    fields?.append((name, tag.attributes["value"] ?? ""))
                }
            default: break
            }
        }
        return nil
    }

    /// A tag of a page.
    struct Tag: Sendable {
        /// In lower case; with a slash in front where it ends an element.
        var name: String
        var attributes: [String: String]
    }

    /// All tags, as a browser finds them: by Unicode scalars.
    var markup: [Tag] { reading.reader.tags }

    /// What a person reads, without tags.
    var words: String { reading.reader.words }

    /// The page's text, which is read when it is asked for, and once.
    private final class Reading: Sendable {
        private let text: String
        private let read = Mutex<HTMLReader?>(nil)

        init(_ text: String) { self.text = text }

        var reader: HTMLReader {
            read.withLock { read in
                let reader = read ?? HTMLReader(text)
                read = reader
                return reader
            }
        }
    }
}

/// As much of an HTML parser as tests need: tags with their attributes, and the text between.
struct HTMLReader {
    private var rest: ArraySlice<Unicode.Scalar>
    private(set) var tags: [Sight.Tag] = []
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
        var tag = Sight.Tag(name: take { !Self.isSpace($0) && $0 != ">" }, attributes: [:])
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
