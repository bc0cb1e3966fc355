import FoundationEssentials

/// Where mails are handed over, and how: checked once, when the program starts.
package struct RelaySettings: Sendable {
    /// What is asked of a connection that begins without encryption.
    package enum StartTLS: String, Sendable, CaseIterable {
        /// Nothing is sent without it.
        case required
        /// It is used where the server offers it, which whoever sits between can prevent.
        case opportunistic
        case off
    }

    package let url: RelayURL
    package let startTLS: StartTLS
    let credentials: RelayCredentials?
    /// A file of certificates (PEM) that are trusted instead of the machine's; nil for those.
    package let authorityFile: String?
    /// How long connecting may take, up to where the server takes mails.
    package let connecting: Duration
    /// How long handing over may take in all. RFC 5321 (4.5.3.2.6) asks for ten minutes of
    /// patience after a mail's end: who gives up earlier gets it delivered twice.
    package let inAll: Duration

    /// Throws `RelaySettingError`. A user and a password go over encrypted connections only, or to
    /// the machine itself.
    package init(
        url: RelayURL, startTLS: StartTLS = .required, credentials: RelayCredentials? = nil,
        authorityFile: String? = nil, connecting: Duration = .seconds(30),
        inAll: Duration = .seconds(600)
    ) throws(RelaySettingError) {
        let isEncrypted = url.isEncrypted || startTLS == .required
        guard credentials == nil || isEncrypted || url.isLoopback else {
            throw .passwordInTheClear
        }
        if let authorityFile, !FileManager.default.isReadableFile(atPath: authorityFile) {
            throw .unreadable(authorityFile)
        }
        self.url = url
        self.startTLS = startTLS
        self.credentials = credentials
        self.authorityFile = authorityFile
        self.connecting = connecting
        self.inAll = inAll
    }
}

/// Why mails cannot be handed over with such settings.
package enum RelaySettingError: Error, Hashable, CustomStringConvertible {
    case passwordInTheClear
    case unreadable(String)
    case readableByOthers(String)
    case noUserAndPassword(String)

    package var description: String {
        switch self {
        case .passwordInTheClear:
            "a user and a password go over encrypted connections only: write smtps://, or demand "
                + "STARTTLS"
        case .unreadable(let path): "\(path) cannot be read"
        case .readableByOthers(let path):
            "\(path) holds a password and can be read by others: chmod 600 \(path)"
        case .noUserAndPassword(let path):
            "\(path) is not two lines, a user and a password, of at most 255 bytes each"
        }
    }
}

/// The address of a relay: `smtp://host[:port]` or `smtps://host[:port]`, without user, password or
/// path, so that it can be shown.
package struct RelayURL: Sendable, Hashable {
    package let text: String
    /// Whether the connection is encrypted from its first byte.
    package let isEncrypted: Bool
    let isLoopback: Bool

    /// What such a URL is, in words.
    package static let rule =
        "smtp://HOST[:PORT] or smtps://HOST[:PORT], with neither a user, who stands in a file of "
        + "his own, nor a path"

    /// Reads a URL; nil where it is none.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "smtp" || scheme == "smtps", let host = parts.encodedHost, !host.isEmpty,
            (1...65535).contains(parts.port ?? 25)
        else { return nil }
        let plain = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
        // Whatever else stands there would be dropped or guessed.
        guard text.lowercased() == plain.lowercased() || text.lowercased() == plain + "/" else {
            return nil
        }
        self.text = plain
        isEncrypted = scheme == "smtps"
        isLoopback =
            host == "localhost" || host == "[::1]"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
