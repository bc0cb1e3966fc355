import AppStoreWire

extension Schema: WireEncodable {
    /// Writes the schema as JSON Schema 2020-12, which OpenAPI 3.1 uses.
    func encode(to json: inout JSONWriter) {
        json.object { json in encodeMembers(to: &json) }
    }

    private func encodeMembers(to json: inout JSONWriter) {
        switch kind {
        case .text(let length, let format):
            json.field("type", "string")
            encode(length, format, to: &json)
        case .choice(let values):
            json.field("type", "string")
            json.field("enum", values)
        case .integer(let range):
            json.field("type", "integer")
            json.field("format", "int64")
            json.field("minimum", range.lowerBound)
            if range.upperBound < .max { json.field("maximum", range.upperBound) }
        case .numbers(let values):
            json.field("type", "integer")
            json.field("enum", values)
        case .boolean:
            json.field("type", "boolean")
        case .list(let element):
            json.field("type", "array")
            json.field("items", element)
        case .object(let members):
            encode(members, to: &json)
        case .named(let name):
            json.field("$ref", "#/components/schemas/\(name)")
        case .anything:
            break
        }
        if !about.isEmpty { json.field("description", about) }
    }

    private func encode(
        _ length: ClosedRange<Int>, _ format: Format, to json: inout JSONWriter
    ) {
        switch format {
        case .plain: break
        case .uuid: json.field("format", "uuid")
        case .moment: json.field("format", "date-time")
        case .duration: json.field("format", "duration")
        case .storefront: json.field("pattern", "^[A-Z]{3}$")
        case .bundleID: json.field("pattern", "^[A-Za-z0-9.-]+$")
        case .url: json.field("pattern", "^(https?://.+)?$")
        case .visible: json.field("pattern", "^[!-~]+$")
        case .locale: json.field("pattern", "^[A-Za-z0-9_-]+$")
        case .identifier: json.field("pattern", "^[0-9]+$")
        }
        if length.lowerBound > 0 { json.field("minLength", length.lowerBound) }
        if length.upperBound < 65_536 { json.field("maxLength", length.upperBound) }
    }

    private func encode(_ members: [Member], to json: inout JSONWriter) {
        json.field("type", "object")
        json.object("properties") { json in
            for member in members { json.field(named: member.name, member.schema) }
        }
        let required = members.filter(\.isRequired).map(\.name)
        if !required.isEmpty { json.field("required", required) }
        json.field("additionalProperties", false)
    }
}
