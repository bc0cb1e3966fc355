import FoundationEssentials

/// Where pushes are handed over, and how: checked once, when the program starts.
package struct APNsSettings: Sendable {
    package let server: APNsServer
    /// A file of certificates (PEM) that are trusted instead of the machine's; nil for those.
    package let authorityFile: String?
    /// How long handing a push over may take in all.
    package let timeout: Duration

    /// Throws `APNsSettingError`.
    package init(
        server: APNsServer, authorityFile: String? = nil, timeout: Duration = .seconds(30)
    ) throws(APNsSettingError) {
        if let authorityFile, !FileManager.default.isReadableFile(atPath: authorityFile) {
            throw .unreadable(authorityFile)
        }
        self.server = server
        self.authorityFile = authorityFile
        self.timeout = timeout
    }
}

/// Why pushes cannot be handed over with such settings.
package enum APNsSettingError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)

    package var description: String {
        switch self {
        case .unreadable(let path): "\(path) cannot be read"
        }
    }
}

/// The address of APNs, or of a server that takes its place in tests: `https://host[:port]`, or
/// `http://` on the machine itself, without user, password or path, so that it can be shown.
package struct APNsServer: Sendable, Hashable {
    package let text: String

    /// Apple's, for apps from the App Store and TestFlight.
    package static let production = APNsServer(apple: "api.push.apple.com")
    /// Apple's, for apps from Xcode.
    package static let sandbox = APNsServer(apple: "api.sandbox.push.apple.com")

    /// What such an address is, in words.
    package static let rule =
        "https://HOST[:PORT], or http://HOST[:PORT] of this machine, with neither a user nor a "
        + "path"

    /// Reads an address; nil where it is none.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.encodedHost, !host.isEmpty,
            // The HTTP library traps at a port that fits no number.
            (1...65535).contains(parts.port ?? 443)
        else { return nil }
        // Provider tokens go over encrypted connections only, or to the machine itself.
        guard scheme == "https" || scheme == "http" && Self.isLoopback(host) else { return nil }
        let plain = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        // Whatever else stands there would be dropped or guessed.
        guard text.lowercased() == plain.lowercased() || text.lowercased() == plain + "/" else {
            return nil
        }
        self.text = plain
    }

    private init(apple host: String) { text = "https://\(host)" }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
