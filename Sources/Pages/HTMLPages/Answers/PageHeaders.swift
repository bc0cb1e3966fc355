import HTTPTypes
package import Hummingbird
import NIOCore

/// What every answer with a page says besides it.
enum PageHeaders {
    /// Scripts and styles come from this server alone and never stand in the page: if a text
    /// should get past the escaping, it still does nothing. `form-action` holds where a form and
    /// what it is redirected to may lead, `frame-ancestors` that nobody lays the page under
    /// another.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The same for a page that shows pages of other servers within itself, or is shown within one.
    ///
    /// - Parameters:
    ///   - framing: whose pages it shows: `'self'`, or origins such as `http://127.0.0.1:8080`.
    ///   - framedBy: the origins whose pages show it; nobody else can.
    static func exactPolicy(framing: [String], framedBy: [String]) -> String {
        var text = policy
        if !framedBy.isEmpty {
            text = text.replacing(
                "frame-ancestors 'none'",
                with: "frame-ancestors " + framedBy.joined(separator: " "))
        }
        return framing.isEmpty ? text : text + "; frame-src " + framing.joined(separator: " ")
    }

    /// For a document that others wrote, such as a mail, and that is shown within a page of this
    /// server: it is of no origin, runs nothing, fetches nothing, sends nothing and leads nowhere.
    static let framedPolicy = [
        "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:", "form-action 'none'",
        "base-uri 'none'", "frame-ancestors 'self'", "sandbox",
    ].joined(separator: "; ")

    /// For a file, should a browser show it after all.
    static let filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox"

    static let all: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy, .xContentTypeOptions: "nosniff",
            .cacheControl: "no-store", .vary: "Accept-Language, Cookie",
        ]
        // With `no-referrer` the browser would say no `Origin` either, which tells whose form it
        // is.
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()
}

extension Response {
    /// Sends the browser to a page after a form was taken, so that going back or reloading sends
    /// nothing again.
    ///
    /// - Parameter path: of this server.
    package static func seeOther(_ path: String, cookie: String? = nil) -> Response {
        var fields = PageHeaders.all
        fields[.location] = path
        if let cookie { fields[.setCookie] = cookie }
        return Response(status: .seeOther, headers: fields)
    }
}

/// The style sheet, the script and the icon of all pages.
package enum PageAssets {
    /// Their names, each with its type and what it holds.
    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "pages.css": ("text/css; charset=utf-8", PackageResources.pages_css),
        "pages.js": ("text/javascript; charset=utf-8", PackageResources.pages_js),
        "icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    ]

    /// Changes with any of them, so that it can be part of their address and they can be kept for
    /// ever.
    package static let version = version(of: files.sorted { $0.key < $1.key }.map(\.value.bytes))

    /// Changes with any of some files.
    package static func version(of files: [[UInt8]]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in files.joined() { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }

    /// One of them; nil for a name that there is not.
    package static func response(_ name: String) -> Response? {
        files[name].map { .lasting($0.bytes, $0.type) }
    }
}

extension Response {
    /// A file that pages need and that never changes under its address, so that it can be kept.
    ///
    /// - Parameter isForeign: whether others made it: shown by itself it does nothing.
    package static func lasting(
        _ bytes: [UInt8], _ type: String, isForeign: Bool = false
    ) -> Response {
        let fields: HTTPFields = [
            .contentType: type, .xContentTypeOptions: "nosniff",
            .cacheControl: "public, max-age=31536000, immutable",
            .contentSecurityPolicy: isForeign ? PageHeaders.filePolicy : PageHeaders.policy,
        ]
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A document that others wrote, to be shown in a page by `FramedDocument`.
    package static func framed(html: String) -> Response {
        var fields = PageHeaders.all
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.contentSecurityPolicy] = PageHeaders.framedPolicy
        if let name = HTTPField.Name("X-Frame-Options") { fields[name] = "SAMEORIGIN" }
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// A file to be kept.
    ///
    /// - Parameter name: what it is called: letters, digits, hyphens and dots.
    package static func file(_ bytes: [UInt8], _ type: String, name: String) -> Response {
        var fields = PageHeaders.all
        fields[.contentType] = type
        fields[.contentSecurityPolicy] = PageHeaders.filePolicy
        fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
