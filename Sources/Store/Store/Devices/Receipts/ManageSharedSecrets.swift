import Journal
import Storage
public import SubscriptionRules

extension Store {
    /// The secret that a developer's server shows with receipts, made where there is none yet.
    ///
    /// - Parameters:
    ///   - bundleID: the app; nil for the primary one, which is good for all.
    ///   - fresh: a secret that is kept where there is none.
    /// - Throws: `StoreError.unknown(.app)`.
    public func sharedSecret(
        of bundleID: String?, orElse fresh: String
    ) async throws -> (secret: String, made: Instant) {
        let known = try await read { reader in
            try SharedSecret.find(
                try bundleID.map { try reader.apps.find(bundleID: $0).id } ?? SharedSecret.primary,
                in: reader.session)
        }
        if let known { return (known.secret, known.made) }
        return try await keep(fresh, of: bundleID, replacing: false)
    }

    /// Takes another secret; the one of before is good no more.
    ///
    /// - Throws: `StoreError.unknown(.app)`.
    public func setSharedSecret(
        _ secret: String, of bundleID: String?
    ) async throws -> (secret: String, made: Instant) {
        try await keep(secret, of: bundleID, replacing: true)
    }

    private func keep(
        _ secret: String, of bundleID: String?, replacing: Bool
    ) async throws -> (secret: String, made: Instant) {
        try await write { work in
            let app =
                try bundleID.map { try work.apps.find(bundleID: $0).id } ?? SharedSecret.primary
            // Another process may have made one meanwhile.
            if !replacing, let known = try SharedSecret.find(app, in: work.session) {
                return (known.secret, known.made)
            }
            let made = SharedSecret(app: app, secret: secret, made: work.now)
            try made.save(in: work.session)
            work.record(.madeSharedSecret) { entry in
                entry.app = app == SharedSecret.primary ? nil : app
            }
            return (made.secret, made.made)
        }
    }
}
