package import HTTPTypes
package import HummingbirdTesting
import NIOCore
import Synchronization

/// Somebody who looks at pages: it keeps cookies, and says where a form comes from.
package final class Browser: Sendable {
    private let http: any TestClientProtocol
    private let root: String
    private let usual: HTTPFields
    private let jar = Mutex<[String]>([])

    /// - Parameters:
    ///   - root: what the paths of the pages begin with that it follows links to.
    ///   - usual: what it says whenever it asks for a page, unless it says otherwise.
    package init(http: any TestClientProtocol, root: String, usual: HTTPFields = [:]) {
        self.http = http
        self.root = root
        self.usual = usual
    }

    /// The cookies that it shows, as `name=value`; nil for none.
    package var cookie: String? {
        get { jar.withLock { $0.isEmpty ? nil : $0.joined(separator: "; ") } }
        set {
            let cookies = newValue?.split(separator: "; ").map(String.init) ?? []
            jar.withLock { $0 = cookies }
        }
    }

    package func get(
        _ path: String, method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]
    ) async throws -> Sight {
        var said = usual
        for field in fields { said[field.name] = field.value }
        return try await send(method, path, nil, said)
    }

    /// Sends a form as a page of this server does, unless it says otherwise.
    package func post(
        _ path: String, _ values: [(String, String)] = [], from site: String? = "same-origin",
        _ fields: HTTPFields = [:]
    ) async throws -> Sight {
        let body = values.map { "\(Self.percent($0.0))=\(Self.percent($0.1))" }
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try await bytes(path, body.joined(separator: "&"), fields, from: site)
    }

    /// Sends any body, with what a browser says of a page of this server.
    package func bytes(
        _ path: String, _ body: String, _ fields: HTTPFields, from site: String? = "same-origin"
    ) async throws -> Sight {
        var fields = fields
        if let name = HTTPField.Name("Sec-Fetch-Site") { fields[name] = site }
        return try await send(.post, path, body, fields)
    }

    /// Calls an interface as a program does, which keeps no cookies.
    package func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String?
    ) async throws -> Sight {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        if body != nil { fields[.contentType] = "application/json" }
        return try await execute(method, path, body, fields)
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ fields: HTTPFields
    ) async throws -> Sight {
        var fields = fields
        if fields[.cookie] == nil { fields[.cookie] = cookie }
        let sight = try await execute(method, path, body, fields)
        for set in sight.fields[values: .setCookie] { keep(set) }
        return sight
    }

    private func execute(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ fields: HTTPFields
    ) async throws -> Sight {
        let response = try await http.executeRequest(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        return Sight(
            path: path, status: response.status.code, fields: response.headers,
            text: String(buffer: response.body), root: root)
    }

    /// Keeps a cookie in place of what it had of that name, or throws it away.
    private func keep(_ set: String) {
        let cookie = String(set.prefix { $0 != ";" })
        let name = String(cookie.prefix { $0 != "=" })
        jar.withLock { jar in
            jar.removeAll { $0.hasPrefix("\(name)=") }
            if !set.contains("Max-Age=0") { jar.append(cookie) }
        }
    }

    /// As a part of an address or of a form.
    package static func percent(_ text: String) -> String {
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
