package import AppStoreWire
import HTTPTypes
import HummingbirdCore
import NIOCore
package import SubscriptionRules

/// What a request to a surface of our own carries, held against the operation's description: the
/// members that a handler asks for have the type that was declared.
package struct Input: Sendable {
    private var members: [String: JSONValue] = [:]
    private var parameters: [String: [JSONValue]] = [:]
    /// The body of an operation that takes a whole file.
    package private(set) var file: [UInt8] = []

    /// Reads and checks a request.
    ///
    /// - Throws: an `ErrorBody`, `BodyTooLarge` or `BodyUnreadable`.
    package init<Site>(
        _ call: Call<Site>, _ description: OperationDescription
    ) async throws {
        try readQuery(call.query, description.parameters)
        try readHeaders(call.request.headers, description.parameters)
        switch description.body {
        case .none:
            break
        case .members(let schema):
            let body = try await call.body()
            // One of which no member is required may be left out.
            if body.readableBytes == 0, schema.takesNothing { return }
            try Input.requireJSON(call.request.headers)
            let value: JSONValue
            do {
                value = schema.spelled(try JSONValue(parsing: body.readableBytesView))
            } catch {
                throw ErrorBody(
                    .badRequest, "malformedJSON", "The body is not JSON: \(error.description)")
            }
            try schema.checkBody(value)
            members = value.object ?? [:]
        case .file:
            try Input.requireJSON(call.request.headers)
            let body = try await call.body(upTo: call.server.limits.file)
            file = Array(body.readableBytesView)
        }
    }

    /// Without a content type the body is taken for JSON: somebody who sends JSON from a terminal
    /// is better served by an answer about the JSON.
    private static func requireJSON(_ headers: HTTPFields) throws(ErrorBody) {
        guard let type = headers[.contentType] else { return }
        let media = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard media == "application/json" || media.hasSuffix("+json") else {
            throw ErrorBody(
                .unsupportedMediaType, "notJSON",
                "The body must be JSON: send it with Content-Type: application/json.")
        }
    }

    private mutating func readQuery(
        _ query: QueryString, _ declared: [OperationDescription.Parameter]
    ) throws(ErrorBody) {
        for (name, text) in query.items {
            guard let parameter = declared.first(where: { $0.place == .query && $0.name == name })
            else {
                throw ErrorBody(
                    .badRequest, "unknownParameter",
                    "There is no parameter `\(name.prefix(64))` here.",
                    field: String(name.prefix(64)))
            }
            var schema = parameter.schema
            if case .list(let element, _) = schema.kind {
                schema = element
            } else if parameters[name] != nil {
                throw ErrorBody(
                    .badRequest, "invalidMember", "`\(name)` can be given only once.", field: name)
            }
            let value = schema.spelled(schema.value(ofText: text))
            try schema.check(value, field: name)
            parameters[name, default: []].append(value)
        }
    }

    private mutating func readHeaders(
        _ headers: HTTPFields, _ declared: [OperationDescription.Parameter]
    ) throws(ErrorBody) {
        for parameter in declared where parameter.place == .header {
            guard let name = HTTPField.Name(parameter.name), let text = headers[name] else {
                continue
            }
            try parameter.schema.check(.string(text), field: parameter.name)
            parameters[parameter.name] = [.string(text)]
        }
    }

    // MARK: Members of the body

    /// Whether a member was given.
    package func has(_ name: String) -> Bool { members[name] != nil }

    package func value(_ name: String) -> JSONValue? { members[name] }
    package func text(_ name: String) -> String? { members[name]?.string }
    package func integer(_ name: String) -> Int64? { members[name]?.wholeNumber }
    package func boolean(_ name: String) -> Bool? { members[name]?.bool }
    package func moment(_ name: String) -> Instant? { text(name).flatMap(Instant.init(iso8601:)) }
    /// A length of time that names no months.
    package func span(_ name: String) -> Span? {
        text(name).flatMap(CalendarStep.init(iso8601:)).map { step in
            Span(milliseconds: Span.days(step.days).milliseconds + step.time.milliseconds)
        }
    }
    package func texts(_ name: String) -> [String]? { members[name]?.array?.compactMap(\.string) }

    package func storefront(_ name: String) -> Storefront? {
        text(name).flatMap(Storefront.init(code:))
    }

    /// A member that the description requires.
    package func required<T>(_ value: T?, _ name: String) -> T {
        guard let value else { preconditionFailure("\(name) is not declared as required") }
        return value
    }

    package func requiredText(_ name: String) -> String { required(text(name), name) }

    /// The members of a member that is an object.
    package func object(_ name: String) -> Input? {
        guard let members = members[name]?.object else { return nil }
        return Input(members: members)
    }

    /// The members of each element of a list of objects.
    package func objects(_ name: String) -> [Input]? {
        members[name]?.array?.compactMap(\.object).map(Input.init(members:))
    }

    /// The members of an object that was checked already.
    package init(members: [String: JSONValue]) { self.members = members }

    // MARK: Parameters

    package func parameter(_ name: String) -> JSONValue? { parameters[name]?.first }
    package func parameterTexts(_ name: String) -> [String] {
        (parameters[name] ?? []).compactMap(\.string)
    }

    package func momentParameter(_ name: String) -> Instant? {
        parameter(name)?.string.flatMap(Instant.init(iso8601:))
    }

    /// The identifier or sequence behind which a page begins.
    package func cursor(_ name: String) -> Int64? {
        switch parameter(name) {
        case .integer(let number)?: number
        case .string(let text)?: Int64(identifier: text)
        default: nil
        }
    }
}

extension Schema {
    /// A parameter's text as the JSON value that the schema describes; a text that is none stays
    /// a text, and is then refused.
    package func value(ofText text: String) -> JSONValue {
        switch kind {
        case .integer, .numbers: Int64(identifier: text).map(JSONValue.integer) ?? .string(text)
        case .boolean:
            switch text.lowercased() {
            case "true": .bool(true)
            case "false": .bool(false)
            default: .string(text)
            }
        default: .string(text)
        }
    }
}
