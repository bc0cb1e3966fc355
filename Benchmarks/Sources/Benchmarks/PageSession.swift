/// Sessions of people who look at pages.
enum PageSession {
    /// Sends the form of a sign-in, as a page of the server does.
    ///
    /// - Parameter fields: letters, digits, hyphens and dots.
    /// - Returns: the cookie.
    static func begin(
        at path: String, _ fields: KeyValuePairs<String, String>, port: Int
    ) -> String {
        let form = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        let reply = Load.reply(
            to: "POST \(path) HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin"
                + "\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)", port: port)
        let field = reply.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("set-cookie: ")
        }
        guard let field else { preconditionFailure("\(path) lets nobody in: \(reply)") }
        return String(field.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" })
    }

    /// A request for a page.
    static func request(_ path: String, _ cookie: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n"
    }
}
