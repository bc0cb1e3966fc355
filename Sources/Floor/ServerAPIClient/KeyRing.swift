import AppStoreSigning
import Synchronization

/// The keys of an app, of which the one that was good last signs first.
final class KeyRing: Sendable {
    private let keys: [APIKey]
    private let first = Mutex(0)

    /// - Parameter keys: at least one.
    init(_ keys: [APIKey]) {
        precondition(!keys.isEmpty, "a client needs a key")
        self.keys = keys
    }

    /// All of them, in the order in which they are tried.
    var inOrder: [APIKey] {
        let start = first.withLock { $0 }
        return Array(keys[start...] + keys[..<start])
    }

    /// A server has taken a key.
    func prefer(_ key: APIKey) {
        guard let index = keys.firstIndex(where: { $0.keyID == key.keyID }) else { return }
        first.withLock { $0 = index }
    }
}
