import AppStoreWire

/// JSON for people: one member a line, members in alphabetical order.
enum PrettyJSON {
    /// The text of a value.
    static func text(of value: JSONValue) -> String {
        var text = ""
        append(value, to: &text, indent: "")
        return text
    }

    /// The text of JSON that is written without white space.
    static func text(of bytes: [UInt8]) throws -> String {
        text(of: try JSONValue(parsing: bytes))
    }

    private static func append(_ value: JSONValue, to text: inout String, indent: String) {
        let deeper = indent + "  "
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += "\(value)"
        case .string(let value): text += value.jsonText()
        case .array(let elements):
            guard !elements.isEmpty else {
                text += "[]"
                return
            }
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += deeper
                append(element, to: &text, indent: deeper)
                text += index + 1 < elements.count ? ",\n" : "\n"
            }
            text += indent + "]"
        case .object(let members):
            guard !members.isEmpty else {
                text += "{}"
                return
            }
            text += "{\n"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                text += deeper + member.key.jsonText() + ": "
                append(member.value, to: &text, indent: deeper)
                text += index + 1 < members.count ? ",\n" : "\n"
            }
            text += indent + "}"
        }
    }
}
