import Synchronization

/// Whose pages may show ours within themselves: servers of the same program on other ports of the
/// same host, once they answer; nobody else.
package final class PageFramers: Sendable {
    private let ports = Mutex<[Int]>([])

    package init() {}

    /// A server whose pages may do so answers at this port.
    package func allow(_ port: Int) { ports.withLock { $0.append(port) } }

    /// The origins for a policy, by the host that the browser has used itself.
    ///
    /// - Parameter authority: the host and port by which it reached our page.
    package func origins(reachedBy authority: String?) -> [String] {
        let ports = ports.withLock { $0 }
        guard !ports.isEmpty, let host = Self.host(of: authority) else { return [] }
        return ports.map { "http://\(host):\($0)" }
    }

    /// The host of an authority; nil for what is not plainly one, which must not get into a header.
    package static func host(of authority: String?) -> String? {
        guard let authority else { return nil }
        var host = authority[...]
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = authority[..<colon]
        }
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-:[]".utf8.contains(byte)
            }
        }
        return isPlain && !host.isEmpty ? String(host) : nil
    }
}
