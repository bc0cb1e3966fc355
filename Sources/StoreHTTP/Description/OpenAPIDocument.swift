import AppStoreWire
import HTTPTypes

/// A description in OpenAPI 3.1, made of the declarations that the router is made of:
/// `/openapi.json` of our own surfaces, and one of the App Store Server API as it is here.
struct OpenAPIDocument: WireEncodable {
    let subject: Subject
    private let endpoints: [Endpoint]

    /// - Parameter table: the endpoints of one environment; those of the subject are taken.
    init(_ subject: Subject, _ table: RouteTable) {
        self.subject = subject
        endpoints = table.endpoints.filter {
            ($0.description.access == .developer) == (subject == .serverAPI)
        }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("openapi", "3.1.0")
            json.object("info") { json in
                json.field("title", subject.title)
                json.field("version", subject.version)
                json.field("description", subject.about)
            }
            json.array("tags") { json in
                for tag in subject.tags {
                    json.elementObject { json in
                        json.field("name", tag.rawValue)
                        json.field("description", tag.about)
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
        for endpoint in endpoints where !paths.contains(endpoint.path) {
            paths.append(endpoint.path)
        }
        json.object("paths") { json in
            for path in paths {
                json.field(
                    named: path,
                    PathItem(operations: endpoints.filter { $0.path == path }))
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
    let operations: [Endpoint]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            for endpoint in operations {
                json.field(
                    named: endpoint.method.rawValue.lowercased(), Operation(endpoint: endpoint))
            }
        }
    }
}

/// One operation.
private struct Operation: WireEncodable {
    let endpoint: Endpoint
    private var description: OperationDescription { endpoint.description }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("operationId", endpoint.name)
            json.field("tags", [OpenAPIDocument.Tag(path: endpoint.path).rawValue])
            json.field("summary", description.summary)
            if !description.detail.isEmpty { json.field("description", description.detail) }
            encodeSecurity(to: &json)
            encodeParameters(to: &json)
            encodeBody(to: &json)
            json.object("responses") { json in
                encodeSuccess(to: &json)
                encodeFailures(to: &json)
            }
        }
    }

    private func encodeSecurity(to json: inout JSONWriter) {
        json.array("security") { json in
            switch description.access {
            case .tools, .everybody: break
            case .device: json.elementObject { $0.array("device") { _ in } }
            case .theOperator: json.elementObject { $0.array("operator") { _ in } }
            case .developer: json.elementObject { $0.array("developer") { _ in } }
            }
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
            json.field("required", true)
            json.object("content") { json in
                json.object("application/json") { $0.field("schema", schema) }
            }
        }
    }

    private func encodeSuccess(to json: inout JSONWriter) {
        let success = description.success
        var contents: [Answer.Content] = []
        if let schema = success.schema {
            contents.append(.init(mediaType: success.mediaType, schema: schema))
        }
        if let textType = success.textType {
            contents.append(.init(mediaType: textType, schema: .text(success.about)))
        }
        json.field(
            named: String(success.status.code), Answer(about: success.about, contents: contents))
    }

    private func encodeFailures(to json: inout JSONWriter) {
        let failures = description.allFailures
        for status in Set(failures.map(\.status.code)).sorted() {
            let those = failures.filter { $0.status.code == status }
            json.field(
                named: String(status),
                Answer(those, status, isApples: description.access == .developer))
        }
    }
}
