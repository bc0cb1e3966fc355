import AppStoreWire
import HTTPTypes

/// `/openapi.json`: OpenAPI 3.1 of our own surfaces, made of the declarations that the router is
/// made of. Apple describes the App Store Server API, so it is not in it.
struct OpenAPIDocument: WireEncodable {
    let endpoints: [Endpoint]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("openapi", "3.1.0")
            json.object("info") { json in
                json.field("title", "Perennial")
                json.field("version", "1")
                json.field("description", OpenAPIDocument.about)
            }
            encodeTags(to: &json)
            encodePaths(to: &json)
            json.object("components") { json in
                encodeSchemas(to: &json)
                encodeSecuritySchemes(to: &json)
            }
        }
    }

    private static let about = """
        The storefront, which apps on customers' devices call, and the operator's side of the \
        store. Each environment, Production and Sandbox, has a port of its own with these paths. \
        Moments are ISO 8601 in UTC, money is whole milliunits of a currency, absent members are \
        left out and never null. The App Store Server API at /inApps is described by Apple.
        """

    private func encodeTags(to json: inout JSONWriter) {
        json.array("tags") { json in
            for tag in Tag.allCases {
                json.elementObject { json in
                    json.field("name", tag.rawValue)
                    json.field("description", tag.about)
                }
            }
        }
    }

    /// The paths in the order of declaration, each with its operations.
    private func encodePaths(to json: inout JSONWriter) {
        var paths: [String] = []
        for endpoint in endpoints
        where endpoint.description != nil && !paths.contains(endpoint.path) {
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

    private func encodeSchemas(to json: inout JSONWriter) {
        json.object("schemas") { json in
            json.field("Error", OpenAPIDocument.errorSchema)
            for (name, schema) in StorefrontSurface.schemas + ConnectSurface.schemas {
                json.field(named: name, schema)
            }
        }
    }

    static let errorSchema = Schema.object(
        "Why a request was refused.",
        .required("error", .text("What programs branch on, in camel case.")),
        .required("message", .text("What is wrong and what to do, in one sentence.")),
        .optional("field", .text("The member or parameter that is wrong.")),
        .optional(
            "findings",
            .list("What is wrong with a catalogue.", of: ConnectSurface.findingSchema)))

    private func encodeSecuritySchemes(to json: inout JSONWriter) {
        json.object("securitySchemes") { json in
            json.object("device") { json in
                json.field("type", "http")
                json.field("scheme", "bearer")
                json.field("description", "The token that POST /storefront/v1/sign-in returns.")
            }
            json.object("operator") { json in
                json.field("type", "http")
                json.field("scheme", "bearer")
                json.field(
                    "description", "The operator's token: `operatorToken` of the ready file.")
            }
        }
    }

    /// What the operations are grouped by.
    enum Tag: String, CaseIterable {
        case storefront, connect, tools

        init(path: String) {
            self =
                path.hasPrefix("/storefront/")
                ? .storefront
                : path.hasPrefix("/connect/") ? .connect : .tools
        }

        var about: String {
            switch self {
            case .storefront: "What StoreKit does for an app on a customer's device."
            case .connect: "What App Store Connect and a sandbox control panel do."
            case .tools: "Description, liveness and metrics."
            }
        }
    }
}

/// The operations of one path.
private struct PathItem: WireEncodable {
    let operations: [Endpoint]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            for endpoint in operations {
                guard let description = endpoint.description else { continue }
                json.field(
                    named: endpoint.method.rawValue.lowercased(),
                    Operation(endpoint: endpoint, description: description))
            }
        }
    }
}

/// One operation.
private struct Operation: WireEncodable {
    let endpoint: Endpoint
    let description: OperationDescription

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
            case .everybody: break
            case .device: json.elementObject { $0.array("device") { _ in } }
            case .theOperator: json.elementObject { $0.array("operator") { _ in } }
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
        case .file(let about): schema = Schema(kind: .anything, about: about)
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
        json.field(
            named: String(success.status.code),
            Answer(
                about: success.about, mediaType: success.mediaType, schema: success.schema,
                textType: success.textType))
    }

    private func encodeFailures(to json: inout JSONWriter) {
        let failures = description.allFailures
        for status in Set(failures.map(\.status.code)).sorted() {
            var codes: [String] = []
            for failure in failures where failure.status.code == status {
                if !codes.contains(failure.code) { codes.append(failure.code) }
            }
            json.field(
                named: String(status),
                Answer(
                    about: "`error` is \(codes.joined(separator: ", ")).",
                    mediaType: "application/json", schema: .named("Error")))
        }
    }
}

/// One answer of an operation.
private struct Answer: WireEncodable {
    let about: String
    let mediaType: String
    let schema: Schema?
    var textType: String?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("description", about)
            guard let schema else { return }
            json.object("content") { json in
                json.field(named: mediaType, Content(schema: schema))
                guard let textType else { return }
                json.field(named: textType, Content(schema: .text(about)))
            }
        }
    }

    private struct Content: WireEncodable {
        let schema: Schema

        func encode(to json: inout JSONWriter) {
            json.object { $0.field("schema", schema) }
        }
    }
}
