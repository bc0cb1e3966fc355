import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where messages are posted to: an absolute URL over http or https.
///
/// What is written has to be what a URL parser reads: the host and the port stand there as they
/// came out of it, so that nothing is dropped or guessed, such as the name of a user, or a port
/// that fits no number.
public struct PostURL: Sendable, Hashable {
    /// The URL as it was written.
    public let text: String
    let origin: Origin

    /// Who answers at a URL.
    struct Origin: Sendable, Hashable {
        /// In lower case.
        let scheme: String
        /// In lower case; an address of IP version 6 in its brackets.
        let host: String
        let port: Int
    }

    /// The most characters.
    public static let longest = 2048

    /// What such a URL is, in words.
    public static let rule =
        "an http or https URL of at most \(longest) characters, with a host, a port of 1 to 65535 "
        + "if any, no user and no fragment"

    /// Reads a URL; nil where nothing could be posted to it.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let parts = URLComponents(string: text), let written = parts.scheme,
            let usual = ["http": 80, "https": 443][written.lowercased()],
            let host = parts.encodedHost, Self.isHost(host)
        else { return nil }
        let port = parts.port
        let beginning = "\(written)://\(host)" + (port.map { ":\($0)" } ?? "")
        guard text.hasPrefix(beginning),
            Self.isRest(text.utf8.dropFirst(beginning.utf8.count)),
            (1...65535).contains(port ?? usual)
        else { return nil }
        self.text = text
        origin = Origin(
            scheme: written.lowercased(), host: host.lowercased(), port: port ?? usual)
    }

    /// A path and a query, or nothing, of characters that go out as they are written (RFC 3986).
    private static func isRest(_ rest: Substring.UTF8View) -> Bool {
        guard let first = rest.first else { return true }
        guard first == UInt8(ascii: "/") || first == UInt8(ascii: "?") else { return false }
        let rest = Array(rest)
        return rest.indices.allSatisfy { place in
            guard rest[place] == UInt8(ascii: "%") else { return rest[place].isOfPath }
            return rest[(place + 1)...].prefix(2).count(where: \.isHexadecimal) == 2
        }
    }

    /// A name of letters, digits, hyphens and underscores between dots (RFC 1035, 63 to a label
    /// and 253 in all), or an address.
    private static func isHost(_ text: String) -> Bool {
        if text.first == "[" {
            return text.last == "]" && isAddress(String(text.dropFirst().dropLast()))
        }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253
            && labels.enumerated().allSatisfy { place, label in
                // A name may end with a dot.
                (label.isEmpty && place > 0 && place == labels.count - 1)
                    || ((1...63).contains(label.utf8.count)
                        && label.utf8.allSatisfy(\.isOfHostName))
            }
    }

    /// Whether a text is an address of IP version 6.
    private static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }

    /// Where a server sends a message on to; nil unless that is itself: the same scheme, host
    /// and port, or https on its usual port after http on its own. Anything else would let
    /// whoever answers choose whom the program talks to.
    public func redirected(to location: String) -> PostURL? {
        guard let base = URL(string: text),
            let absolute = URL(string: location, relativeTo: base)?.absoluteString,
            let next = PostURL(absolute)
        else { return nil }
        let secured = Origin(scheme: "https", host: origin.host, port: 443)
        let isSecured = origin.scheme == "http" && origin.port == 80 && next.origin == secured
        return next.origin == origin || isSecured ? next : nil
    }
}

extension UInt8 {
    fileprivate var isOfHostName: Bool {
        isLetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    fileprivate var isOfPath: Bool {
        isLetterOrDigit || "-._~!$&'()*+,;=:@/?".utf8.contains(self)
    }

    fileprivate var isHexadecimal: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
