import AppStoreWire
import HTTPTypes

/// What `/openapi.json` says of an operation, and what its requests are held against.
struct OperationDescription: Sendable {
    /// Who may call.
    enum Access: Sendable {
        /// Whoever asks, with whatever parameters: a probe that adds one against caches asks for
        /// nothing else.
        case tools
        case everybody
        /// Whoever shows the token of a sign-in.
        case device
        /// Whoever shows the operator's token.
        case theOperator
        /// Whoever shows a request token for the App Store Server API.
        case developer
    }

    /// A parameter outside the body.
    struct Parameter: Sendable {
        enum Place: String, Sendable {
            case path, query, header
        }

        let place: Place
        let name: String
        let schema: Schema
        /// What the App Store Server API says of a wrong one.
        let error: APIError?
        var isRequired: Bool { place == .path }

        private init(_ place: Place, _ name: String, _ schema: Schema, _ error: APIError?) {
            self.place = place
            self.name = name
            self.schema = schema
            self.error = error
        }

        static func path(
            _ name: String, _ schema: Schema, or error: APIError? = nil
        ) -> Parameter {
            Parameter(.path, name, schema, error)
        }

        static func query(
            _ name: String, _ schema: Schema, or error: APIError? = nil
        ) -> Parameter {
            Parameter(.query, name, schema, error)
        }

        static func header(_ name: String, _ schema: Schema) -> Parameter {
            Parameter(.header, name, schema, nil)
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

        /// No body, with 204 unless Apple says otherwise.
        static func nothing(
            _ about: String, _ status: HTTPResponse.Status = .noContent
        ) -> Success {
            Success(status: status, about: about, schema: nil)
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
}
