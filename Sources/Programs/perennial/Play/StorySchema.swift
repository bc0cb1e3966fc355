import AppStoreWire

/// The JSON schema of a story's file, made of what the reader knows.
enum StorySchema {
    static var value: JSONValue {
        var head = object(StoryForm.head, "")
        head["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
        head["title"] = .string("A story of perennial")
        head["description"] = nil
        var properties = head["properties"]?.object ?? [:]
        properties["steps"] = .object([
            "type": .string("array"), "minItems": .integer(1),
            "description": .string("What happens, and what must be then."),
            "items": .object([
                "oneOf": .array(
                    StoryForm.steps.map { .object(object($0.all, $0.about)) })
            ]),
        ])
        head["properties"] = .object(properties)
        head["required"] = .array([.string("story"), .string("steps")])
        return .object(head)
    }

    private static func object(
        _ members: [StoryMember], _ about: String
    ) -> [String: JSONValue] {
        var properties: [String: JSONValue] = [:]
        for member in members {
            var one = schema(of: member.kind)
            one["description"] = .string(member.about)
            properties[member.name] = .object(one)
        }
        return [
            "type": .string("object"), "description": .string(about),
            "properties": .object(properties), "additionalProperties": .bool(false),
            "required": .array(members.filter(\.isNeeded).map { .string($0.name) }),
        ]
    }

    private static func schema(of kind: StoryMember.Kind) -> [String: JSONValue] {
        let text: [String: JSONValue] = ["type": .string("string"), "minLength": .integer(1)]
        switch kind {
        case .text, .account: return text
        case .storefront: return pattern("^[A-Za-z]{3}$")
        case .moment: return pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}")
        case .step: return pattern("^P")
        case .amount: return ["type": .array([.string("string"), .string("number")])]
        case .number(let range):
            return [
                "type": .string("integer"), "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ]
        case .choice(let words): return ["enum": .array(words.map(choice))]
        case .truth: return ["type": .string("boolean")]
        case .accounts: return list(text)
        case .notifications:
            return [
                "oneOf": .array([
                    .object(["const": .string("none")]),
                    .object(list(pattern("^[A-Z_]+(/[A-Z_]+)?$"))),
                ])
            ]
        }
    }

    /// A word as an editor reads it in YAML: digits are a number there.
    private static func choice(_ word: String) -> JSONValue {
        Int64(word).map { .integer($0) } ?? .string(word)
    }

    private static func pattern(_ pattern: String) -> [String: JSONValue] {
        ["type": .string("string"), "pattern": .string(pattern)]
    }

    private static func list(_ element: [String: JSONValue]) -> [String: JSONValue] {
        ["type": .string("array"), "items": .object(element), "minItems": .integer(1)]
    }
}
