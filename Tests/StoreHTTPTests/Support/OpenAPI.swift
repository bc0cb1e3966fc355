import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules
import Testing

@testable import StoreHTTP

/// Reads a description as a client would, and holds replies against it.
struct OpenAPI: Sendable {
    let document: JSONValue

    /// What `/openapi.json` says.
    static let ownSurfaces = OpenAPI(.ownSurfaces)

    /// What `/openapi/app-store-server-api.json` says.
    static func serverAPI(in environment: StoreEnvironment) -> OpenAPI {
        serverAPIs[environment] ?? ownSurfaces
    }

    private static let serverAPIs = Dictionary(
        uniqueKeysWithValues: StoreEnvironment.allCases.map {
            ($0, OpenAPI(.serverAPI, in: $0))
        })

    init(document: JSONValue) { self.document = document }

    private init(
        _ subject: OpenAPIDocument.Subject, in environment: StoreEnvironment = .production
    ) {
        let bytes = OpenAPIDocument(subject, StoreRoutes(environment)).jsonBytes()
        guard let document = try? JSONValue(parsing: bytes) else {
            preconditionFailure("the description is no JSON")
        }
        self.document = document
    }

    /// The operation of a method and a path with values in it.
    func operation(_ method: HTTPRequest.Method, _ path: String) -> JSONValue? {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        let found = document["paths"]?.object?.filter { template, _ in
            let wanted = template.split(separator: "/")
            return wanted.count == parts.count
                && zip(wanted, parts).allSatisfy { $0.first == "{" || $0 == $1 }
        }
        // A path of fixed parts wins over one with parameters.
        let best = found?.min { $0.key.count { $0 == "{" } < $1.key.count { $0 == "{" } }
        return best?.value[method.rawValue.lowercased()]
    }

    /// What is wrong with a reply, as far as the description can tell.
    func problems(of reply: Reply, to method: HTTPRequest.Method, _ path: String) -> [String] {
        guard let operation = operation(method, path) else { return ["\(path) is not described"] }
        guard let answer = operation["responses"]?[String(reply.status)] else {
            return ["status \(reply.status) is not described: \(reply.text)"]
        }
        let missing = (answer["headers"]?.object ?? [:]).keys.filter { name in
            HTTPField.Name(name).flatMap { reply.fields[$0] } == nil
        }.map { "the field \($0) is missing" }
        let isBare = answer["description"]?.string?.hasPrefix("Without a body") ?? false
        if isBare && reply.body.isEmpty && reply.fields[.contentType] == nil { return missing }
        let type = reply.fields[.contentType].map { String($0.prefix { $0 != ";" }) }
        guard let contents = answer["content"]?.object, !contents.isEmpty else {
            return reply.body.isEmpty ? [] : ["no body is described"]
        }
        guard let content = contents.first(where: { $0.key == type }) else {
            return ["\(type ?? "nothing") is not described"]
        }
        guard content.key == "application/json" else { return [] }
        guard reply.fields[.contentType] == "application/json", let json = try? reply.json() else {
            return ["the body is not JSON"]
        }
        return problems(of: json, content.value["schema"] ?? .null, at: "$") + missing
    }

    private func problems(of value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let target = resolve(reference) else { return ["\(reference) leads nowhere"] }
            return problems(of: value, target, at: place)
        }
        if let all = schema["allOf"]?.array {
            return all.flatMap { problems(of: value, $0, at: place) }
        }
        if let known = schema["enum"]?.array, !known.contains(value) {
            return ["\(place) is \(value), not one of \(known)"]
        }
        if schema["type"] == nil, let members = schema["properties"]?.object {
            return members.flatMap { name, member in
                value[name].map { problems(of: $0, member, at: "\(place).\(name)") } ?? []
            }
        }
        return switch schema["type"]?.string {
        case "object": objectProblems(value, schema, at: place)
        case "array":
            value.array?.enumerated().flatMap {
                problems(of: $1, schema["items"] ?? .null, at: "\(place)[\($0)]")
            } ?? ["\(place) is no array"]
        case "string": textProblems(value, schema, at: place)
        case "integer": numberProblems(value, schema, at: place)
        case "boolean": value.bool == nil ? ["\(place) is no boolean"] : []
        default: []
        }
    }

    private func objectProblems(
        _ value: JSONValue, _ schema: JSONValue, at place: String
    ) -> [String] {
        guard let members = value.object else { return ["\(place) is no object"] }
        let known = schema["properties"]?.object ?? [:]
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return members.keys.filter { known[$0] == nil }.map { "\(place).\($0) is not described" }
            + required.filter { members[$0] == nil }.map { "\(place).\($0) is missing" }
            + members.flatMap { name, member in
                known[name].map { problems(of: member, $0, at: "\(place).\(name)") } ?? []
            }
    }

    private func textProblems(
        _ value: JSONValue, _ schema: JSONValue, at place: String
    ) -> [String] {
        guard let text = value.string else { return ["\(place) is no text"] }
        var problems: [String] = []
        if let least = schema["minLength"]?.integer, text.count < least {
            problems.append("\(place) is too short")
        }
        if let most = schema["maxLength"]?.integer, text.count > most {
            problems.append("\(place) is too long")
        }
        if let pattern = schema["pattern"]?.string, let regex = try? Regex(pattern),
            text.wholeMatch(of: regex) == nil
        {
            problems.append("\(place) does not match \(pattern)")
        }
        return problems
    }

    private func numberProblems(
        _ value: JSONValue, _ schema: JSONValue, at place: String
    ) -> [String] {
        guard let number = value.integer else { return ["\(place) is no whole number"] }
        if let least = schema["minimum"]?.integer, number < least { return ["\(place) < \(least)"] }
        if let most = schema["maximum"]?.integer, number > most { return ["\(place) > \(most)"] }
        return []
    }

    /// What a reference within the document leads to.
    func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        var place: JSONValue? = document
        for part in reference.dropFirst(2).split(separator: "/") { place = place?[String(part)] }
        return place
    }

    /// Every reference in the document.
    var references: [String] { OpenAPI.references(in: document) }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { name, member in
                (name == "$ref" ? [member.string].compactMap { $0 } : [])
                    + references(in: member)
            }
        case .array(let elements): elements.flatMap(references(in:))
        default: []
        }
    }
}

extension Client {
    /// Calls one of our own surfaces, and holds the reply against the description.
    func ours(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
        as credential: Credential = .operatorToken, _ fields: HTTPFields = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let reply = try await send(method, uri, body, as: credential, fields)
        let problems = OpenAPI.ownSurfaces.problems(of: reply, to: method, uri)
        #expect(problems.isEmpty, "\(method) \(uri)", sourceLocation: sourceLocation)
        return reply
    }

    /// Asks the App Store Server API, and holds the reply against the description where the path
    /// is described.
    func api(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let reply = try await send(method, "/inApps\(uri)", body, as: .developer)
        let document = OpenAPI.serverAPI(in: environment)
        guard document.operation(method, "/inApps\(uri)") != nil else { return reply }
        let problems = document.problems(of: reply, to: method, "/inApps\(uri)")
        #expect(problems.isEmpty, "\(method) \(uri)", sourceLocation: sourceLocation)
        return reply
    }

    /// Signs a customer in and returns the device's token.
    func signIn(_ account: String = "ada", storefront: String = "USA") async throws -> String {
        let reply = try await ours(
            .post, "/storefront/v1/sign-in",
            #"{"bundleId":"com.example.app","account":"\#(account)","#
                + #""storefront":"\#(storefront)"}"#,
            as: .nothing)
        return try #require(reply["token"]?.string, "\(reply.text)")
    }

    /// Buys a product on a device and returns the transaction.
    @discardableResult
    func buy(_ product: String, as token: String) async throws -> JWSTransactionDecodedPayload {
        let reply = try await ours(
            .post, "/storefront/v1/purchases", #"{"productId":"\#(product)"}"#, as: .bearer(token))
        let signed = try #require(reply["signedTransactionInfo"]?.string, "\(reply.text)")
        return try await verifier().verifyTransaction(signed)
    }
}
