import HTTPTypes

/// What `/openapi.json` says of an operation, and what its requests are held against.
struct OperationDescription: Sendable {
    /// Who may call.
    enum Access: Sendable {
        case everybody
        /// Whoever shows the token of a sign-in.
        case device
        /// Whoever shows the operator's token.
        case theOperator
    }

    /// A parameter outside the body.
    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path, query, header
        }

        let place: Place
        let name: String
        let schema: Schema
        var isRequired: Bool { place == .path }

        static func path(_ name: String, _ schema: Schema) -> Parameter {
            Parameter(place: .path, name: name, schema: schema)
        }

        static func query(_ name: String, _ schema: Schema) -> Parameter {
            Parameter(place: .query, name: name, schema: schema)
        }

        static func header(_ name: String, _ schema: Schema) -> Parameter {
            Parameter(place: .header, name: name, schema: schema)
        }
    }

    /// What a request carries.
    enum Body: Sendable {
        case none
        /// A JSON object.
        case members(Schema)
        /// A whole file, which the handler reads itself.
        case file(String)
    }

    /// What a successful call brings.
    struct Success: Sendable {
        let status: HTTPResponse.Status
        let about: String
        let schema: Schema?
        /// The media type, where it is not JSON.
        var mediaType = "application/json"
        /// A media type of which the same can be had as text.
        var textType: String?

        /// The same, which can be had as text of another media type too.
        func alsoAs(_ mediaType: String) -> Success {
            var success = self
            success.textType = mediaType
            return success
        }

        static func ok(_ about: String, _ schema: Schema) -> Success {
            Success(status: .ok, about: about, schema: schema)
        }

        static func created(_ about: String, _ schema: Schema) -> Success {
            Success(status: .created, about: about, schema: schema)
        }

        static func accepted(_ about: String, _ schema: Schema) -> Success {
            Success(status: .accepted, about: about, schema: schema)
        }

        static func nothing(_ about: String) -> Success {
            Success(status: .noContent, about: about, schema: nil)
        }
    }

    /// An error that the operation can answer besides those that all have.
    struct Failure: Sendable {
        let status: HTTPResponse.Status
        let code: String

        init(_ status: HTTPResponse.Status, _ code: String) {
            self.status = status
            self.code = code
        }
    }

    let access: Access
    let summary: String
    let detail: String
    let parameters: [Parameter]
    let body: Body
    let success: Success
    let failures: [Failure]

    init(
        _ access: Access, _ summary: String, detail: String = "", parameters: [Parameter] = [],
        body: Body = .none, success: Success, failures: [Failure] = []
    ) {
        self.access = access
        self.summary = summary
        self.detail = detail
        self.parameters = parameters
        self.body = body
        self.success = success
        self.failures = failures
    }

    /// Every error that can be answered: its own, and those that follow from what it takes.
    var allFailures: [Failure] {
        var all = failures
        if parameters.contains(where: { $0.place != .path }) {
            all += [.init(.badRequest, "invalidMember"), .init(.badRequest, "unknownParameter")]
        }
        switch body {
        case .none: break
        case .members:
            all += [
                .init(.badRequest, "malformedJSON"), .init(.badRequest, "unknownMember"),
                .init(.badRequest, "missingMember"), .init(.badRequest, "invalidMember"),
            ]
            all += OperationDescription.bodyFailures
        case .file: all += OperationDescription.bodyFailures
        }
        if access != .everybody { all.append(.init(.unauthorized, "unauthenticated")) }
        all.append(.init(.internalServerError, "internal"))
        return all
    }

    private static let bodyFailures: [Failure] = [
        .init(.contentTooLarge, "bodyTooLarge"), .init(.unsupportedMediaType, "notJSON"),
    ]
}
