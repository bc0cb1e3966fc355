package import HTTPTypes
import Synchronization

/// What came back.
package struct Sight: Sendable {
    package let path: String
    package let status: Int
    package let fields: HTTPFields
    package let text: String
    /// What the paths of the pages begin with that whoever looks at them follows.
    private let root: String
    private let reading: Reading

    init(path: String, status: Int, fields: HTTPFields, text: String, root: String) {
        self.path = path
        self.status = status
        self.fields = fields
        self.text = text
        self.root = root
        reading = Reading(text)
    }

    package var location: String? { fields[.location] }

    package var isPage: Bool {
        fields[.contentType] == "text/html; charset=utf-8" && text.hasPrefix("<!DOCTYPE html>")
            && text.hasSuffix("</html>\n")
    }

    /// The paths of the pages below the root that it links to, without what follows a `#`.
    package var links: [String] {
        markup.filter { $0.name == "a" && $0.attributes["download"] == nil }
            .compactMap { $0.attributes["href"] }
            .map { String($0.prefix { $0 != "#" }) }
            .filter { $0.hasPrefix(root) }
    }

    /// The fields of the form that is posted to a path, with what stands in them; nil for none.
    package func form(to action: String) -> [(name: String, value: String)]? {
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

    /// The first hidden value of a name.
    package func hidden(_ name: String) -> String? {
        markup.first {
            $0.name == "input" && $0.attributes["type"] == "hidden"
                && $0.attributes["name"] == name
        }?.attributes["value"]
    }

    /// All tags, as a browser finds them: by Unicode scalars.
    package var markup: [HTMLTag] { reading.reader.tags }

    /// What a person reads, without tags.
    package var words: String { reading.reader.words }

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
