import AppStoreWire

extension Schema {
    /// A value of a request in which each choice has the spelling of its description: `other`
    /// becomes `OTHER`. A choice that is not known stays as it is, and is refused.
    func spelled(_ value: JSONValue) -> JSONValue {
        switch (kind, value) {
        case (.choice(let names), .string(let text)):
            .string(names.spelling(of: text) ?? text)
        case (.list(let element, _), .array(let values)):
            .array(values.map { element.spelled($0) })
        case (.object(let members), .object(let given)):
            .object(Schema.spelled(given, members.all))
        case (.variants(let variants), .object(let given)):
            .object(Schema.spelled(given, variants))
        default: value
        }
    }

    private static func spelled(
        _ given: [String: JSONValue], _ members: [Member]
    ) -> [String: JSONValue] {
        var spelled = given
        for member in members {
            guard let value = given[member.name] else { continue }
            spelled[member.name] = member.schema.spelled(value)
        }
        return spelled
    }

    private static func spelled(
        _ given: [String: JSONValue], _ variants: Variants
    ) -> [String: JSONValue] {
        let spelled = spelled(given, [variants.key])
        let kind = spelled[variants.key.name]?.string
        return self.spelled(spelled, variants.members.first { $0.value == kind }?.members ?? [])
    }
}
