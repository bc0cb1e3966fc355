import HTTPTypes
import HummingbirdTesting
import NIOCore
import Store
import Synchronization
import Testing

/// Somebody who looks at the console: it keeps cookies, and says where a form comes from.
final class Browser: Sendable {
    let http: any TestClientProtocol
    let world: ConsoleWorld
    let environment: StoreEnvironment
    private let jar = Mutex<String?>(nil)

    init(http: any TestClientProtocol, world: ConsoleWorld, environment: StoreEnvironment) {
        self.http = http
        self.world = world
        self.environment = environment
    }

    /// The cookie that it shows, as `name=value`.
    var cookie: String? {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    /// The name of the session's cookie.
    let cookieName = "perennial-console"

    func get(
        _ path: String, method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]
    ) async throws -> Sight {
        try await send(method, path, nil, fields)
    }

    /// Sends a form as a page of this server does, unless it says otherwise.
    func post(
        _ path: String, _ values: [(String, String)] = [], from site: String? = "same-origin",
        _ fields: HTTPFields = [:]
    ) async throws -> Sight {
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
        return try await send(.post, path, Self.encoded(values), fields)
    }

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

    /// Calls `/connect` or another interface as a program does.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> Sight {
        var fields: HTTPFields = [.authorization: "Bearer \(ConsoleWorld.operatorToken)"]
        if body != nil { fields[.contentType] = "application/json" }
        let response = try await http.executeRequest(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        return Sight(
            path: path, status: response.status.code, fields: response.headers,
            text: String(buffer: response.body))
    }

    /// Sends any body, with what a browser says of a page of this server.
    func bytes(_ path: String, _ body: String, _ fields: HTTPFields) async throws -> Sight {
        var fields = fields
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = "same-origin"
        return try await send(.post, path, body, fields)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ fields: HTTPFields
    ) async throws -> Sight {
        var fields = fields
        if fields[.cookie] == nil { fields[.cookie] = cookie }
        let response = try await http.executeRequest(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        if let set = response.headers[.setCookie] { cookie = String(set.prefix { $0 != ";" }) }
        return Sight(
            path: path, status: response.status.code, fields: response.headers,
            text: String(buffer: response.body))
    }

    private static func encoded(_ values: [(String, String)]) -> String {
        values.map { "\(percent($0.0))=\(percent($0.1))" }.joined(separator: "&")
    }

    /// Everything but letters and digits as percent signs and numbers.
    static func percent(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 128, character.isLetter || character.isNumber { return String(character) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
