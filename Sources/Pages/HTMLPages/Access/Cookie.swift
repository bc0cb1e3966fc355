package import HTTPTypes
package import SubscriptionRules

/// A cookie that holds a session.
package struct SessionCookie: Sendable {
    /// Ports of a host share their cookies, so the name says whose it is.
    package let name: String
    /// Below which path it is sent.
    package let path: String
    /// Whether the server is reached by TLS; else a browser would throw a secure one away.
    package let isSecure: Bool

    package init(name: String, path: String, isSecure: Bool) {
        self.name = name
        self.path = path
        self.isSecure = isSecure
    }

    /// The field that gives it to a browser.
    package func setting(_ value: String, for span: Span) -> String {
        "\(name)=\(value); Max-Age=\(span.milliseconds / 1000); \(attributes)"
    }

    /// The field that takes it away.
    package var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    private var attributes: String {
        "Path=\(path); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    /// All values that a request shows, for there may be several of one name.
    package func values(in fields: HTTPFields) -> [String] {
        fields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { piece in
            let trimmed = piece.drop { $0 == " " }
            guard trimmed.hasPrefix("\(name)=") else { return nil }
            return String(trimmed.dropFirst(name.count + 1))
        }
    }
}
