import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules

extension Schema {
    /// Holds a value of a request against the schema.
    ///
    /// - Parameter field: the member or parameter that it is the value of.
    /// - Throws: a `Complaint` of 400 that names the field and says what would be right.
    func check(_ value: JSONValue, field: String) throws(Complaint) {
        let isRight =
            switch kind {
            case .text(let length, let format): format.fits(value.string, length)
            case .choice(let values): value.string.map(values.contains) ?? false
            case .integer(let range): value.integer.map(range.contains) ?? false
            case .numbers(let values): value.integer.map(values.contains) ?? false
            case .boolean: value.bool != nil
            case .anything: true
            case .list(let element): try element.checkAll(value, field: field)
            case .object, .named: preconditionFailure("requests hold no objects: \(field)")
            }
        guard isRight else {
            throw Complaint(
                .badRequest, "invalidMember", "`\(field)` is not valid: send \(expectation).",
                field: field)
        }
    }

    private func checkAll(_ value: JSONValue, field: String) throws(Complaint) -> Bool {
        guard let elements = value.array else { return false }
        for element in elements { try check(element, field: field) }
        return true
    }

    /// Holds a request's body against a schema of an object. A member that is not known is refused
    /// by its name: a typing error must not go unnoticed.
    func checkBody(_ value: JSONValue) throws(Complaint) {
        guard case .object(let members) = kind else {
            preconditionFailure("the schema of a body is an object")
        }
        guard let given = value.object else {
            throw Complaint(.badRequest, "malformedJSON", "The body is not a JSON object.")
        }
        for name in given.keys.sorted() where !members.contains(where: { $0.name == name }) {
            let known = members.map { "`\($0.name)`" }.joined(separator: ", ")
            throw Complaint(
                .badRequest, "unknownMember",
                "There is no member `\(name.shortened)` here: it takes \(known).",
                field: name.shortened)
        }
        for member in members {
            if let value = given[member.name] {
                try member.schema.check(value, field: member.name)
            } else if member.isRequired {
                throw Complaint(
                    .badRequest, "missingMember",
                    "`\(member.name)` is missing: send \(member.schema.expectation).",
                    field: member.name)
            }
        }
    }

    /// What would be right, as the end of a sentence.
    private var expectation: String {
        switch kind {
        case .text(let length, .plain):
            "a text of \(length.lowerBound) to \(length.upperBound) characters without control "
                + "characters"
        case .text(_, let format): format.expectation
        case .choice(let values): values.joined(separator: ", ")
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .numbers(let values): values.map(String.init).joined(separator: ", ")
        case .boolean: "true or false"
        case .list(let element): "a list, each element \(element.expectation)"
        case .object, .named: "an object"
        case .anything: "a value"
        }
    }
}

extension Schema.Format {
    fileprivate func fits(_ text: String?, _ length: ClosedRange<Int>) -> Bool {
        guard let text, length.contains(text.unicodeScalars.count) else { return false }
        return switch self {
        case .plain: text.unicodeScalars.allSatisfy { !$0.isControl }
        case .uuid: text.lowercasedUUID != nil
        case .moment: Instant(iso8601: text) != nil
        case .duration: CalendarStep(iso8601: text) != nil
        case .storefront: Storefront(code: text) != nil
        case .bundleID: App.isBundleID(text)
        case .url: text.isEmpty || NotificationURL(text) != nil
        case .visible: text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        case .locale: text.utf8.allSatisfy(\.isLocaleByte)
        case .identifier: Int64(identifier: text) != nil
        }
    }

    fileprivate var expectation: String {
        switch self {
        case .plain: "a text"
        case .uuid: "a UUID of 36 characters"
        case .moment: "a moment in ISO 8601 such as 2027-01-01T00:00:00Z"
        case .duration: "a duration in ISO 8601 such as P1M"
        case .storefront: "the three-letter code of a storefront such as USA"
        case .bundleID: "1 to 155 letters, digits, dots and hyphens"
        case .url: "\(NotificationURL.rule), or an empty text for none"
        case .visible: "1 to 64 visible ASCII characters"
        case .locale: "a locale such as en_US"
        case .identifier: "the digits of an identifier"
        }
    }
}

extension String {
    /// Cut to what fits into an error message.
    var shortened: String { count <= 64 ? self : prefix(64) + "…" }
}

extension UInt8 {
    private var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    fileprivate var isLocaleByte: Bool {
        isLetterOrDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}
