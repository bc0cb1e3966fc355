import AppStoreWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

/// What came back.
struct MerchantSight: Sendable {
    let status: Int
    let fields: HTTPFields
    let text: String

    var location: String? { fields[.location] }

    var isPage: Bool {
        fields[.contentType] == "text/html; charset=utf-8" && text.hasPrefix("<!DOCTYPE html>")
    }

    /// A member of a JSON answer; nil where it is none.
    subscript(member: String) -> JSONValue? {
        (try? JSONValue(parsing: Array(text.utf8)))?[member]
    }

    /// The identifier that a page's form carries.
    var formID: String? {
        text.firstMatch(of: #/name="form" value="([^"]+)"/#).map { String($0.1) }
    }
}

/// Somebody who looks at the merchant's pages: it keeps a cookie, and says where a form is from.
final class MerchantBrowser: Sendable {
    private let http: any TestClientProtocol
    private let jar = Mutex<String?>(nil)

    init(http: any TestClientProtocol) { self.http = http }

    /// The cookie that it shows, as `name=value`.
    var cookie: String? {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    func get(_ path: String) async throws -> MerchantSight {
        try await send(.get, path, nil, [:])
    }

    /// Sends a form as a page of this server does, unless it says otherwise.
    func post(
        _ path: String, _ values: [(String, String)] = [], from site: String? = "same-origin"
    ) async throws -> MerchantSight {
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site
        let body = values.map { "\(Self.percent($0.0))=\(Self.percent($0.1))" }
        return try await send(.post, path, body.joined(separator: "&"), fields)
    }

    /// Shows the operator's token.
    func signIn() async throws {
        let sight = try await post(
            "/console/sign-in", [("token", MerchantPagesWorld.theOperator)])
        #expect(sight.status == 303)
    }

    /// Calls the merchant as a program does.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        token: String? = MerchantPagesWorld.theOperator
    ) async throws -> MerchantSight {
        var fields = HTTPFields()
        fields[.authorization] = token.map { "Bearer \($0)" }
        if body != nil { fields[.contentType] = "application/json" }
        return try await execute(method, path, body, fields)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ fields: HTTPFields
    ) async throws -> MerchantSight {
        var fields = fields
        fields[.cookie] = cookie
        let sight = try await execute(method, path, body, fields)
        if let set = sight.fields[.setCookie] { cookie = String(set.prefix { $0 != ";" }) }
        return sight
    }

    private func execute(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ fields: HTTPFields
    ) async throws -> MerchantSight {
        let response = try await http.executeRequest(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        return MerchantSight(
            status: response.status.code, fields: response.headers,
            text: String(buffer: response.body))
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
