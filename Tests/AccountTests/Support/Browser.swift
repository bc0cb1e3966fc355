import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

/// Somebody who looks at customers' pages: it keeps a cookie, and says where a form comes from.
final class Browser: Sendable {
    let http: any TestClientProtocol
    private let jar = Mutex<String?>(nil)

    init(http: any TestClientProtocol) { self.http = http }

    /// The cookie that it shows, as `name=value`.
    var cookie: String? {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> Sight {
        try await send(.get, path, nil, fields)
    }

    /// Sends a form as a page of this server does, unless it says otherwise.
    func post(
        _ path: String, _ values: [(String, String)] = [], from site: String? = "same-origin",
        _ fields: HTTPFields = [:]
    ) async throws -> Sight {
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
        let body = values.map { "\(Self.percent($0.0))=\(Self.percent($0.1))" }
            .joined(separator: "&")
        return try await send(.post, path, body, fields)
    }

    /// Fills in the form of a page that goes to a path, and sends it.
    ///
    /// - Parameter values: what is filled in; all else stays as the page has it.
    func submit(
        _ page: Sight, to action: String, _ values: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Sight {
        let form = try #require(
            page.form(to: action), "no form to \(action)", sourceLocation: sourceLocation)
        return try await post(action, form.map { ($0.name, values[$0.name] ?? $0.value) })
    }

    /// Signs in by a customer's name.
    func signIn(_ account: String) async throws {
        let sight = try await post(
            "/account/sign-in", [("app", "com.example.app"), ("account", account)])
        #expect(sight.status == 303)
    }

    /// Calls an interface as a program does.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String?
    ) async throws -> Sight {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        if body != nil { fields[.contentType] = "application/json" }
        let response = try await http.executeRequest(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        return Sight(
            path: path, status: response.status.code, fields: response.headers,
            text: String(buffer: response.body))
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

    /// As a part of an address or of a form.
    static func percent(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
                encoded.unicodeScalars.append(scalar)
            default: encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}

/// What must be true of every answer of customers' pages.
func expectSafe(_ sight: Sight, sourceLocation: SourceLocation = #_sourceLocation) {
    let what = "\(sight.path): \(sight.status)"
    for (name, value) in [
        ("X-Frame-Options", "DENY"), ("Referrer-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
    ] {
        let field = HTTPField.Name(name).flatMap { sight.fields[$0] }
        #expect(field == value, "\(what)", sourceLocation: sourceLocation)
    }
    #expect(
        sight.fields[.contentSecurityPolicy]?.contains("default-src 'none'") == true, "\(what)",
        sourceLocation: sourceLocation)
    guard sight.isPage else { return }
    let markup = sight.markup
    let names = Set(markup.flatMap { $0.attributes.keys })
    let strange = names.filter {
        $0.hasPrefix("on") || $0 == "style"
            || !$0.allSatisfy { $0.isLetter || "-:123".contains($0) }
    }
    #expect(strange.isEmpty, "\(what)", sourceLocation: sourceLocation)
    #expect(
        markup.count { $0.name == "script" } == 1 && !markup.contains { $0.name == "style" },
        "\(what)", sourceLocation: sourceLocation)
    let leads = markup.flatMap { tag in
        ["href", "src", "action"].compactMap { tag.attributes[$0] }
    }
    let away = leads.filter { !$0.hasPrefix("/account") && !$0.hasPrefix("#") && !$0.isEmpty }
    #expect(away.isEmpty, "\(what)", sourceLocation: sourceLocation)
    let ids = markup.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count, "\(what): \(ids)", sourceLocation: sourceLocation)
    #expect(markup.count { $0.name == "h1" } == 1, "\(what)", sourceLocation: sourceLocation)
}
