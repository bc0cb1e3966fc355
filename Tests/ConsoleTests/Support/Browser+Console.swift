import HTTPTypes
import TestPages
import Testing

/// An operator who looks at the console.
extension Browser {
    /// The name of the session's cookie.
    var cookieName: String { "perennial-console" }

    /// Fills in the form of a page that goes to a path, and sends it. Where it first shows what it
    /// will do, that is confirmed.
    ///
    /// - Parameter values: what is filled in; all else stays as the page has it.
    func submit(
        _ page: Sight, to action: String, _ values: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Sight {
        let form = try #require(
            page.form(to: action), "no form to \(action)", sourceLocation: sourceLocation)
        let rest = values.filter { value in !form.contains { $0.name == value.key } }
        let sight = try await post(
            action, form.map { ($0.name, values[$0.name] ?? $0.value) } + rest.map { ($0, $1) })
        let isPreview = sight.status == 200 && form.contains { $0.name == "preview" }
        return isPreview
            ? try await submit(sight, to: action, sourceLocation: sourceLocation) : sight
    }

    /// Shows the operator's token.
    func signIn() async throws {
        let sight = try await post(
            "/console/sign-in", [("token", ConsoleWorld.operatorToken)])
        #expect(sight.status == 303)
    }

    /// Calls `/connect` or another interface as the operator's programs do.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> Sight {
        try await call(method, path, body, token: ConsoleWorld.operatorToken)
    }
}
