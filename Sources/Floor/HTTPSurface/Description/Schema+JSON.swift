package import AppStoreWire

extension Schema: WireEncodable {
    /// Writes the schema as JSON Schema 2020-12, which OpenAPI 3.1 uses.
    package func encode(to json: inout JSONWriter) {
        json.object { json in encodeMembers(to: &json) }
    }

    private func encodeMembers(to json: inout JSONWriter) {
        switch kind {
        case .text(_, let format) where format.list != nil:
            json.field("$ref", "#/components/schemas/\(format.list ?? "")")
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
            json.field("maximum", range.upperBound)
        case .numbers(let values):
            json.field("type", "integer")
            json.field("enum", values)
        case .boolean:
            json.field("type", "boolean")
        case .affirmation:
            json.field("type", "boolean")
            json.field("const", true)
        case .list(let element, let least):
            json.field("type", "array")
            json.field("items", element)
            if least > 0 { json.field("minItems", least) }
        case .map(let element):
            json.field("type", "object")
            json.field("additionalProperties", element)
        case .object(let members):
            encode(members.all, isOpen: members.isOpen, to: &json)
            guard let count = members.count?.range else { break }
            json.field("minProperties", count.lowerBound)
            if count.upperBound < members.all.count {
                json.field("maxProperties", count.upperBound)
            }
        case .variants(let variants):
            json.array("oneOf") { json in
                for (value, members) in variants.members {
                    let key = Member.required(
                        variants.key.name, .choice(variants.key.schema.about, [value]))
                    json.element(Schema.object("Where it is \(value).", [key] + members))
                }
            }
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
        // `date-time` and `duration` are narrower than what is taken, so they are not said.
        if let name = format.name { json.field("format", name) }
        if let pattern = format.pattern { json.field("pattern", pattern) }
        guard !format.isOfFixedLength else { return }
        if length.lowerBound > 0 { json.field("minLength", length.lowerBound) }
        if length.upperBound < .max { json.field("maxLength", length.upperBound) }
    }

    private func encode(_ members: [Member], isOpen: Bool, to json: inout JSONWriter) {
        json.field("type", "object")
        json.object("properties") { json in
            for member in members {
                if isOpen && !member.isRequired {
                    json.field(named: member.name, Nullable(schema: member.schema))
                } else {
                    json.field(named: member.name, member.schema)
                }
            }
        }
        let required = members.filter(\.isRequired).map(\.name)
        if !required.isEmpty { json.field("required", required) }
        if !isOpen { json.field("additionalProperties", false) }
    }
}

/// A member for which null stands for absence.
private struct Nullable: WireEncodable {
    let schema: Schema

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.array("anyOf") { json in
                json.element(schema)
                json.elementObject { $0.field("type", "null") }
            }
            json.field("description", schema.about)
        }
    }
}
