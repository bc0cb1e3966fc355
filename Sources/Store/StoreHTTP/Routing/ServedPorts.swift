package import Store
import Synchronization

/// The ports at which a program serves its environments, as each of them begins to answer.
package final class ServedPorts: Sendable {
    private let ports = Mutex<[StoreEnvironment: Int]>([:])

    package init() {}

    package func note(_ port: Int, of environment: StoreEnvironment) {
        ports.withLock { $0[environment] = port }
    }

    /// The host and port of an environment, for a browser that reached another one.
    ///
    /// - Parameter authority: the host and port by which it reached `present`.
    /// - Returns: nil where the environment is not served, or the browser came by another port
    ///   than the server's, as through a proxy: nobody knows where that one has the other.
    package func authority(
        of wanted: StoreEnvironment, from present: StoreEnvironment, reachedBy authority: String?
    ) -> String? {
        let known = ports.withLock { $0 }
        guard let authority, let here = known[present], let there = known[wanted],
            let colon = authority.lastIndex(of: ":"),
            authority[authority.index(after: colon)...] == "\(here)"
        else { return nil }
        let host = authority[..<colon]
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-:[]".utf8.contains(byte)
            }
        }
        return isPlain && !host.isEmpty ? "\(host):\(there)" : nil
    }
}
