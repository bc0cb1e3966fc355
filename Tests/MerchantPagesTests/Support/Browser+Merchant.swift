import AppStoreWire
import HTTPTypes
import TestPages
import Testing

/// Somebody who looks at the merchant's pages.
extension Browser {
    /// Shows the operator's token.
    func signIn() async throws {
        let sight = try await post(
            "/console/sign-in", [("token", MerchantPagesWorld.theOperator)])
        #expect(sight.status == 303)
    }

    /// Calls the merchant as the operator's programs do.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> Sight {
        try await call(method, path, body, token: MerchantPagesWorld.theOperator)
    }
}

extension Sight {
    /// A member of a JSON answer; nil where it is none.
    subscript(member: String) -> JSONValue? {
        (try? JSONValue(parsing: Array(text.utf8)))?[member]
    }

    /// What the page may load, and who may show it.
    var policy: String { fields[.contentSecurityPolicy] ?? "" }
}
