package import AppStoreWire
import HTTPTypes

/// A description in OpenAPI 3.1, made of the declarations that the router is made of.
package struct OpenAPIDocument: WireEncodable {
    /// What a document is about.
    package struct Subject: Sendable {
        package let title: String
        /// Of the interface.
        package let version: String
        package let about: String
        /// Those whose operations it describes, in order.
        package let surfaces: [Surface]
        /// The kinds of tokens, each with what it is.
        package let tokens: [(name: String, about: String)]
        /// The shapes that have names of their own; `Error` is that of errors.
        package let schemas: [(name: String, schema: Schema)]

        package init(
            title: String, version: String, about: String, surfaces: [Surface],
            tokens: [(name: String, about: String)], schemas: [(name: String, schema: Schema)]
        ) {
            self.title = title
            self.version = version
            self.about = about
            self.surfaces = surfaces
            self.tokens = tokens
            self.schemas = schemas
        }
    }

    private let subject: Subject
    private let operations: [Operation]

    /// - Parameter table: the endpoints of one server; those of the subject are taken.
    package init<Site>(_ subject: Subject, _ table: RouteTable<Site>) {
        self.subject = subject
        let names = subject.surfaces.map(\.name)
        operations = table.endpoints.filter { names.contains($0.surface.name) }
            .map(Operation.init)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("openapi", "3.1.0")
            json.object("info") { json in
                json.field("title", subject.title)
                json.field("version", subject.version)
                json.field("description", subject.about)
            }
            json.array("tags") { json in
                for surface in subject.surfaces {
                    json.elementObject { json in
                        json.field("name", surface.name)
                        json.field("description", surface.about)
                    }
                }
            }
            encodePaths(to: &json)
            json.object("components") { json in
                json.object("schemas") { json in
                    for (name, schema) in subject.schemas { json.field(named: name, schema) }
                }
                json.object("securitySchemes") { json in
                    for (name, about) in subject.tokens {
                        json.field(named: name, Token(about: about))
                    }
                }
            }
        }
    }

    /// The paths in the order of declaration, each with its operations.
    private func encodePaths(to json: inout JSONWriter) {
        var paths: [String] = []
        for operation in operations where !paths.contains(operation.path) {
            paths.append(operation.path)
        }
        json.object("paths") { json in
            for path in paths {
                json.field(
                    named: path,
                    PathItem(operations: operations.filter { $0.path == path }))
            }
        }
    }
}

/// Something that is shown as `Authorization: Bearer`.
private struct Token: WireEncodable {
    let about: String

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", "http")
            json.field("scheme", "bearer")
            json.field("description", about)
        }
    }
}

/// The operations of one path.
private struct PathItem: WireEncodable {
    let operations: [Operation]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            for operation in operations { json.field(named: operation.method, operation) }
        }
    }
}

/// One operation.
private struct Operation: WireEncodable {
    /// As a member is called: `get`.
    let method: String
    let path: String
    private let name: String
    private let surface: Surface
    private let description: OperationDescription

    init<Site>(_ endpoint: Endpoint<Site>) {
        method = endpoint.method.rawValue.lowercased()
        path = endpoint.path
        name = endpoint.name
        surface = endpoint.surface
        description = endpoint.description
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("operationId", name)
            json.field("tags", [surface.name])
            json.field("summary", description.summary)
            if !description.detail.isEmpty { json.field("description", description.detail) }
            encodeSecurity(to: &json)
            encodeParameters(to: &json)
            encodeBody(to: &json)
            json.object("responses") { json in
                encodeSuccesses(to: &json)
                encodeFailures(to: &json)
            }
        }
    }

    private func encodeSecurity(to json: inout JSONWriter) {
        json.array("security") { json in
            guard let token = description.access.token else { return }
            json.element(NoScopes(token: token))
            if description.access.isOptional { json.element(NoScopes(token: nil)) }
        }
    }

    private func encodeParameters(to json: inout JSONWriter) {
        guard !description.parameters.isEmpty else { return }
        json.array("parameters") { json in
            for parameter in description.parameters {
                json.elementObject { json in
                    json.field("name", parameter.name)
                    json.field("in", parameter.place.rawValue)
                    json.field("required", parameter.isRequired)
                    json.field("description", parameter.schema.about)
                    json.field("schema", parameter.schema)
                }
            }
        }
    }

    private func encodeBody(to json: inout JSONWriter) {
        let schema: Schema
        switch description.body {
        case .none: return
        case .members(let members): schema = members
        case .file(let about): schema = .anything(about)
        }
        json.object("requestBody") { json in
            json.field("required", !schema.takesNothing)
            json.object("content") { json in
                json.object("application/json") { $0.field("schema", schema) }
            }
        }
    }

    private func encodeSuccesses(to json: inout JSONWriter) {
        let successes = [description.success] + description.alternatives
        for status in Set(successes.map(\.status.code)).sorted() {
            let those = successes.filter { $0.status.code == status }
            json.field(
                named: String(status),
                Answer(
                    about: those.map(\.about).joined(separator: " "),
                    contents: those.compactMap { success in
                        success.schema.map { .init(mediaType: success.mediaType, schema: $0) }
                    }))
        }
    }

    private func encodeFailures(to json: inout JSONWriter) {
        var failures: [OperationDescription.Failure] = []
        for failure in surface.errors.failures(of: description) where !failures.contains(failure) {
            failures.append(failure)
        }
        for status in Set(failures.map(\.status.code)).sorted() {
            let those = failures.filter { $0.status.code == status }
            json.field(
                named: String(status),
                Answer(those, status, as: surface.errors))
        }
    }
}

/// A token that is needed, as such schemes are named: with no scopes.
private struct NoScopes: WireEncodable {
    /// Nil where none is needed.
    let token: String?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            if let token { json.field(named: token, [String]()) }
        }
    }
}
