import AppStoreWire
import HTTPSurface
import Hummingbird
import Store

/// What a request to the App Store Server API carries, held against the operation's description:
/// the first parameter or member that is wrong is refused with the error that was declared for it.
///
/// Parameters and members that are not declared are passed over, as servers add some without a
/// version change, and null counts as absent (API-3).
struct APIInput: Sendable {
    private var parameters: [String: [JSONValue]] = [:]
    private var members: [String: JSONValue] = [:]

    /// - Throws: an `APIError`, which is 4000000 for a body that is no JSON object or has a member
    ///   of a wrong type; `BodyTooLarge` or `BodyUnreadable`.
    init(_ call: Call, _ description: OperationDescription) async throws {
        for parameter in description.parameters where parameter.place == .path {
            let value = call.parameter(parameter.name).map(JSONValue.string)
            guard let value, parameter.schema.fits(value) else { throw parameter.refusal }
            parameters[parameter.name] = [value]
        }
        if description.parameters.contains(where: { $0.place == .query }) {
            try readQuery(call.query, description.parameters)
        }
        guard case .members(let schema) = description.body, case .object(let members) = schema.kind
        else { return }
        try read(try await call.jsonObject(), members.all)
    }

    private mutating func readQuery(
        _ query: QueryString, _ declared: [OperationDescription.Parameter]
    ) throws {
        for parameter in declared where parameter.place == .query {
            let texts = query.values(parameter.name)
            guard !texts.isEmpty else { continue }
            var schema = parameter.schema
            if case .list(let element, _) = schema.kind {
                schema = element
            } else if texts.count > 1 {
                // It cannot be known which is meant.
                throw parameter.refusal
            }
            let values = texts.map(schema.value(ofText:))
            guard values.count <= APIInput.mostValues, values.allSatisfy(schema.fits) else {
                throw parameter.refusal
            }
            parameters[parameter.name] = values
        }
    }

    /// So often may a key be repeated: a query of more is no question.
    private static let mostValues = 100

    private mutating func read(_ body: JSONValue, _ declared: [Schema.Member]) throws {
        for member in declared {
            guard let value = body[member.name], !value.isNull else {
                if member.isRequired { throw member.refusal }
                continue
            }
            // The error of the member's own speaks of its value, not of its type.
            guard member.schema.hasType(value) else { throw member.generalRefusal }
            if value.array?.isEmpty == true, let error = member.emptyError { throw error }
            guard member.schema.fits(value) else { throw member.refusal }
            members[member.name] = value
        }
    }

    // MARK: Parameters

    /// A parameter of the path that is an identifier.
    func identifier(_ name: String) -> Int64 {
        guard let id = Int64(identifier: parameterText(name) ?? "") else {
            preconditionFailure("\(name) is not declared as an identifier of the path")
        }
        return id
    }

    func parameterText(_ name: String) -> String? { parameters[name]?.first?.string }
    func parameterInteger(_ name: String) -> Int64? { parameters[name]?.first?.wholeNumber }
    func parameterBoolean(_ name: String) -> Bool? { parameters[name]?.first?.bool }
    func parameterTexts(_ name: String) -> [String] {
        (parameters[name] ?? []).compactMap(\.string)
    }
    func parameterIntegers(_ name: String) -> [Int64] {
        (parameters[name] ?? []).compactMap(\.wholeNumber)
    }

    // MARK: Members of the body

    func text(_ name: String) -> String? { members[name]?.string }
    func integer(_ name: String) -> Int64? { members[name]?.wholeNumber }
    func boolean(_ name: String) -> Bool? { members[name]?.bool }
    func texts(_ name: String) -> [String]? { members[name]?.array?.compactMap(\.string) }

    /// A member that the description requires.
    func required<T>(_ value: T?, _ name: String) -> T {
        guard let value else { preconditionFailure("\(name) is not declared as required") }
        return value
    }
}

extension OperationDescription.Parameter {
    fileprivate var refusal: any Error { error ?? APIError.generalBadRequest }
}

extension Schema.Member {
    fileprivate var refusal: any Error { error ?? generalRefusal }

    /// Apple's generic error, which names the member.
    fileprivate var generalRefusal: APIError {
        .generalBadRequest.saying("`\(name)` is not valid: send \(schema.expectation).")
    }
}
