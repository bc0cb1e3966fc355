import Synchronization

/// Remembers tokens that were verified, until they expire: clients may reuse a token, and a
/// look-up costs a small part of ECDSA.
///
/// Only good tokens are remembered, so strangers cannot fill it. A key that is taken from the
/// verifier takes its tokens along at once.
public final class RequestTokenCache: Sendable {
    private struct Entry {
        let token: RequestToken
        let key: [UInt8]
        let issuerID: String
    }

    private let capacity: Int
    private let entries = Mutex<[String: Entry]>([:])

    /// An empty cache of at most `capacity` tokens.
    public init(capacity: Int = 1024) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    /// How many tokens are remembered.
    public var count: Int { entries.withLock { $0.count } }

    /// Verifies `token` with `verifier` at `now` (seconds since 1970 UTC), or knows it already.
    public func verify(
        _ token: String, now: Double, with verifier: RequestTokenVerifier
    ) throws(RequestTokenError) -> RequestToken {
        guard token.utf8.count <= RequestTokenVerifier.sizeLimit else { throw .tooLarge }
        if let entry = entries.withLock({ $0[token] }),
            entry.issuerID == verifier.issuerID,
            verifier.keys[entry.token.keyID]?.bytes == entry.key
        {
            guard entry.token.expires > now else { throw .expired }
            return entry.token
        }
        let verified = try verifier.verify(token, now: now)
        if let key = verifier.keys[verified.keyID]?.bytes {
            let entry = Entry(token: verified, key: key, issuerID: verifier.issuerID)
            entries.withLock { insert(entry, for: token, into: &$0, now: now) }
        }
        return verified
    }

    /// Which key `token` says that it is signed with, and for which app: nothing of it is verified.
    /// Of one that is remembered it is known without reading it.
    public func claim(of token: String) throws(RequestTokenError) -> RequestTokenClaim {
        guard token.utf8.count <= RequestTokenVerifier.sizeLimit else { throw .tooLarge }
        if let known = entries.withLock({ $0[token]?.token }) {
            return RequestTokenClaim(keyID: known.keyID, bundleID: known.bundleID)
        }
        return try RequestTokenClaim(reading: token)
    }

    private func insert(
        _ entry: Entry, for token: String, into entries: inout [String: Entry], now: Double
    ) {
        if entries.count >= capacity {
            entries = entries.filter { $0.value.token.expires > now }
        }
        // Still full: a thousand live tokens. Beginning anew costs each one verification.
        if entries.count >= capacity { entries.removeAll(keepingCapacity: true) }
        entries[token] = entry
    }
}
