package import AppStoreWire
import HTTPTypes

extension Schema {
    /// Whether a value is of the kind that the schema wants, whatever it says.
    package func hasType(_ value: JSONValue) -> Bool {
        switch kind {
        case .text, .choice: value.string != nil
        case .integer, .numbers: value.wholeNumber != nil
        case .boolean, .affirmation: value.bool != nil
        case .list(let element, _): value.array?.allSatisfy(element.hasType) ?? false
        case .anything: true
        case .map(let element):
            value.object?.allSatisfy { element.hasType($0.value) } ?? false
        case .object, .variants: value.object != nil
        case .named: preconditionFailure("requests hold no shapes of answers: \(about)")
        }
    }

    /// Whether a value of a request is what the schema says.
    package func fits(_ value: JSONValue) -> Bool {
        switch kind {
        case .text(let length, let format):
            value.string.map { length.contains($0.unicodeScalars.count) && format.fits($0) }
                ?? false
        case .choice(let values): value.string.map(values.contains) ?? false
        case .integer(let range): value.wholeNumber.map(range.contains) ?? false
        case .numbers(let values): value.wholeNumber.map(values.contains) ?? false
        case .boolean: value.bool != nil
        case .affirmation: value.bool == true
        case .list(let element, let least):
            value.array.map { $0.count >= least && $0.allSatisfy(element.fits) } ?? false
        case .anything: true
        case .map(let element):
            value.object?.allSatisfy { element.fits($0.value) } ?? false
        case .object, .variants:
            value.object.map { (try? checkMembers($0, of: "")) != nil } ?? false
        case .named: preconditionFailure("requests hold no shapes of answers: \(about)")
        }
    }

    /// Holds a value of a request against the schema.
    ///
    /// - Parameter field: the member or parameter that it is the value of.
    /// - Throws: an `ErrorBody` of 400 that names the field and says what would be right.
    package func check(_ value: JSONValue, field: String) throws(ErrorBody) {
        // Of an object each member is named that is wrong.
        if isObject, let given = value.object {
            return try checkMembers(given, of: field + ".")
        }
        guard fits(value) else {
            throw ErrorBody.invalidMember(field, self)
        }
    }

    /// Holds a request's body against a schema of an object. A member that is not known is refused
    /// by its name: a typing error must not go unnoticed.
    package func checkBody(_ value: JSONValue) throws(ErrorBody) {
        guard let given = value.object else {
            throw ErrorBody(.badRequest, "malformedJSON", "The body is not a JSON object.")
        }
        guard isObject else { preconditionFailure("the schema of a body is an object") }
        try checkMembers(given, of: "")
    }

    /// Whether an object without members is one of these.
    package var takesNothing: Bool {
        guard case .object(let members) = kind else { return false }
        return members.count?.range.contains(0) != false
            && !members.all.contains(where: \.isRequired)
    }

    private var isObject: Bool {
        switch kind {
        case .object, .variants: true
        default: false
        }
    }

    /// - Parameter path: what stands before the names of members: nothing, or `offer.`.
    private func checkMembers(
        _ given: [String: JSONValue], of path: String
    ) throws(ErrorBody) {
        switch kind {
        case .object(let members):
            try Schema.refuseUnknown(given, members.all, path)
            try Schema.check(given, members.all, path)
            try members.count?.check(given, members.all)
        case .variants(let variants):
            try Schema.refuseUnknown(given, variants.all, path)
            try Schema.check(given, [variants.key], path)
            let kind = given[variants.key.name]?.string ?? ""
            let members = variants.members.first { $0.value == kind }?.members ?? []
            for name in given.keys.sorted()
            where name != variants.key.name && !members.contains(where: { $0.name == name }) {
                throw ErrorBody(
                    .badRequest, variants.code,
                    "`\(path)\(name)` does not belong to \(kind)", remedy: "leave it out",
                    field: path + name)
            }
            try Schema.check(given, members, path)
        default:
            preconditionFailure("the schema is no object's: \(about)")
        }
    }

    private static func refuseUnknown(
        _ given: [String: JSONValue], _ members: [Member], _ path: String
    ) throws(ErrorBody) {
        for name in given.keys.sorted() where !members.contains(where: { $0.name == name }) {
            let known = members.map { "`\($0.name)`" }.joined(separator: ", ")
            throw ErrorBody(
                .badRequest, "unknownMember",
                "There is no member `\(path)\(name.shortened)` here", remedy: "it takes \(known)",
                field: path + name.shortened)
        }
    }

    private static func check(
        _ given: [String: JSONValue], _ members: [Member], _ path: String
    ) throws(ErrorBody) {
        for member in members {
            if let value = given[member.name] {
                try member.schema.check(value, field: path + member.name)
            } else if member.isRequired {
                throw ErrorBody(
                    .badRequest, "missingMember",
                    "`\(path)\(member.name)` is missing",
                    remedy: "send \(member.schema.expectation)", field: path + member.name)
            }
        }
    }

    /// What would be right, as the end of a sentence.
    package var expectation: String {
        switch kind {
        case .text(let length, let format): format.expectation(length)
        case .choice(let values): values.joined(separator: ", ")
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .numbers(let values): values.map(String.init).joined(separator: ", ")
        case .boolean: "true or false"
        case .affirmation: "true"
        case .list(let element, 0): "a list, each element \(element.expectation)"
        case .list(let element, _): "a list that is not empty, each element \(element.expectation)"
        case .map(let element): "an object, each member \(element.expectation)"
        case .object, .variants, .named: "an object"
        case .anything: "a value"
        }
    }
}

extension ErrorBody {
    /// A member or parameter is not what its schema says.
    static func invalidMember(_ field: String, _ schema: Schema) -> ErrorBody {
        ErrorBody(
            .badRequest, "invalidMember", "`\(field)` is not valid",
            remedy: "send \(schema.expectation)", field: field)
    }
}

extension Schema.Count {
    fileprivate func check(
        _ given: [String: JSONValue], _ members: [Schema.Member]
    ) throws(ErrorBody) {
        guard !range.contains(given.count) else { return }
        let names = members.map { "`\($0.name)`" }.joined(separator: ", ")
        throw ErrorBody(
            .badRequest, code,
            range == 1...1 ? "Send exactly one of \(names)." : "Send at least one of \(names).")
    }
}

extension Schema.Variants {
    /// Every member of any variant, each once, in the order of declaration.
    package var all: [Schema.Member] {
        members.reduce(into: [key]) { all, variant in
            for member in variant.members where !all.contains(where: { $0.name == member.name }) {
                all.append(member)
            }
        }
    }
}

extension String {
    /// Cut to what fits into an error message.
    package var shortened: String { count <= 64 ? self : prefix(64) + "…" }
}
