package import HTTPTypes

/// What a description says of an operation, and what its requests are held against.
package struct OperationDescription: Sendable {
    /// Who may call.
    package struct Access: Sendable, Hashable {
        /// What the token is called that must be shown; nil where none must.
        package let token: String?
        /// Whether parameters that are not declared are passed over: a probe that adds one against
        /// caches asks for nothing else.
        package let isForTools: Bool
        /// Whether it also answers those who show no token, as its description says.
        package private(set) var isOptional = false

        private init(token: String?, isForTools: Bool) {
            self.token = token
            self.isForTools = isForTools
        }

        /// Whoever shows such a token, and whoever shows none.
        package var orNobody: Access {
            var access = self
            access.isOptional = true
            return access
        }

        /// Whoever asks, with whatever parameters.
        package static let tools = Access(token: nil, isForTools: true)
        /// Whoever asks.
        package static let everybody = Access(token: nil, isForTools: false)
        /// Whoever shows a token of a kind, by its name in the description.
        package static func token(_ name: String) -> Access {
            Access(token: name, isForTools: false)
        }
    }

    /// A parameter outside the body.
    package struct Parameter: Sendable {
        package enum Place: String, Sendable {
            case path, query, header
        }

        package let place: Place
        package let name: String
        package let schema: Schema
        /// What a wrong one is refused with, where each has its own.
        package let error: (any DeclaredError)?
        package var isRequired: Bool { place == .path }

        private init(
            _ place: Place, _ name: String, _ schema: Schema, _ error: (any DeclaredError)?
        ) {
            self.place = place
            self.name = name
            self.schema = schema
            self.error = error
        }

        package static func path(
            _ name: String, _ schema: Schema, or error: (any DeclaredError)? = nil
        ) -> Parameter {
            Parameter(.path, name, schema, error)
        }

        package static func query(
            _ name: String, _ schema: Schema, or error: (any DeclaredError)? = nil
        ) -> Parameter {
            Parameter(.query, name, schema, error)
        }

        package static func header(_ name: String, _ schema: Schema) -> Parameter {
            Parameter(.header, name, schema, nil)
        }
    }

    /// What a request carries.
    package enum Body: Sendable {
        case none
        /// A JSON object.
        case members(Schema)
        /// A whole file, which the handler reads itself.
        case file(String)
    }

    /// What a successful call brings.
    package struct Success: Sendable {
        package let status: HTTPResponse.Status
        package let about: String
        package let schema: Schema?
        /// The media type, where it is not JSON.
        package let mediaType: String

        package init(
            status: HTTPResponse.Status, about: String, schema: Schema?,
            mediaType: String = "application/json"
        ) {
            self.status = status
            self.about = about
            self.schema = schema
            self.mediaType = mediaType
        }

        package static func ok(
            _ about: String, _ schema: Schema, as mediaType: String = "application/json"
        ) -> Success {
            Success(status: .ok, about: about, schema: schema, mediaType: mediaType)
        }

        package static func created(_ about: String, _ schema: Schema) -> Success {
            Success(status: .created, about: about, schema: schema)
        }

        package static func accepted(_ about: String, _ schema: Schema) -> Success {
            Success(status: .accepted, about: about, schema: schema)
        }

        /// No body, with 204 unless it is said otherwise.
        package static func nothing(
            _ about: String, _ status: HTTPResponse.Status = .noContent
        ) -> Success {
            Success(status: status, about: about, schema: nil)
        }
    }

    package var access: Access
    package let summary: String
    package let detail: String
    package var parameters: [Parameter]
    package let body: Body
    package let success: Success
    /// What it can bring instead, told from the success by its status or its media type.
    package var alternatives: [Success]
    package var failures: [Failure]

    package init(
        _ access: Access, _ summary: String, detail: String = "", parameters: [Parameter] = [],
        body: Body = .none, success: Success, or alternatives: [Success] = [],
        failures: [Failure] = []
    ) {
        self.access = access
        self.summary = summary
        self.detail = detail
        self.parameters = parameters
        self.body = body
        self.success = success
        self.alternatives = alternatives
        self.failures = failures
    }
}
