import AppStoreWire
import HTTPSurface
import HTTPTypes

/// Apple's errors, each declared where it is the answer to one parameter or member.
extension APIError: DeclaredError {
    var failure: OperationDescription.Failure { .init(self) }
}

extension OperationDescription.Failure {
    /// One of Apple's errors.
    init(_ error: APIError) {
        self.init(.init(code: error.status), String(error.code), name: error.name)
    }
}

extension OperationDescription.Parameter {
    static func path(_ name: String, _ schema: Schema, or error: APIError) -> Self {
        path(name, schema, or: error as any DeclaredError)
    }

    static func query(_ name: String, _ schema: Schema, or error: APIError) -> Self {
        query(name, schema, or: error as any DeclaredError)
    }
}

extension Schema.Member {
    static func required(_ name: String, _ schema: Schema, or error: APIError) -> Self {
        required(name, schema, or: error as any DeclaredError)
    }

    static func optional(
        _ name: String, _ schema: Schema, or error: APIError, empty emptyError: APIError? = nil
    ) -> Self {
        optional(name, schema, or: error as any DeclaredError, empty: emptyError)
    }
}
