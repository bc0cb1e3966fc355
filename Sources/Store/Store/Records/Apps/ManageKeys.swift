public import AppStoreSigning
import Journal
import Storage
import SubscriptionRules

/// A key that an operator wants an app to have: its public half.
public struct AppKeyOrder: Sendable {
    public var keyID: String
    /// May be empty.
    public var name: String
    public var publicKey: VerificationKey

    public init(keyID: String, name: String = "", publicKey: VerificationKey) {
        self.keyID = keyID
        self.name = name
        self.publicKey = publicKey
    }
}

extension Store {
    /// How many good keys an app can have.
    public static let mostKeys = 50

    /// Gives an app a key, with which its developer's servers sign request tokens and offers.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.setting(.invalid)`; `.setting(.keyTaken)` where the
    ///   app has, or had, a key of this identifier or with this public half.
    public func addKey(_ order: AppKeyOrder, bundleID: String) async throws -> AppKey {
        guard APIKey.isKeyID(order.keyID) else {
            throw StoreError.setting(
                .invalid("keyId", reason: "it must be ten capital letters and digits"))
        }
        guard order.name.isEmpty || Offer.isName(order.name) else {
            throw StoreError.setting(.invalid("name", reason: Offer.nameRule))
        }
        let publicKey = order.publicKey.publicKeyPEM
        return try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            let known =
                try AppKey.find(order.keyID, app: app.id, in: work.session)
                ?? AppKey.find(publicKeyPEM: publicKey, app: app.id, in: work.session)
            if let known { throw StoreError.setting(.keyTaken(known.keyID)) }
            guard app.keys.count < Store.mostKeys else {
                throw StoreError.setting(
                    .invalid("keyId", reason: "an app has \(Store.mostKeys) good keys at most"))
            }
            let key = AppKey(
                id: work.nextNumber(), app: app.id, keyID: order.keyID, name: order.name,
                publicKeyPEM: publicKey, added: work.now)
            try key.insert(in: work.session)
            work.noteKey(.addedKey, key)
            return key
        }
    }

    /// Revokes a key: nothing that it has signed or will sign is good any more. Once more is the
    /// same.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.key)`.
    @discardableResult
    public func revokeKey(_ keyID: String, bundleID: String) async throws -> AppKey {
        try await write { work in
            let app = try work.apps.find(bundleID: bundleID)
            guard var key = try AppKey.find(keyID, app: app.id, in: work.session) else {
                throw StoreError.unknown(.key, keyID)
            }
            guard key.revoked == nil else { return key }
            key.revoked = work.now
            try key.saveRevocation(in: work.session)
            work.noteKey(.revokedKey, key)
            return key
        }
    }

    /// An app's keys, revoked ones too, from the newest down.
    ///
    /// - Parameter before: only those with lower numbers.
    /// - Throws: `StoreError.unknown(.app)`.
    public func keys(
        bundleID: String, before: Int64? = nil, limit: Int
    ) async throws -> [AppKey] {
        try await read { reader in
            try AppKey.page(
                app: try reader.apps.find(bundleID: bundleID).id, before: before, limit: limit,
                in: reader.session)
        }
    }

    /// The key of an app that is good at this moment; nil where there is none, or no such app.
    ///
    /// It costs a look at the world's row: so a key that any process has revoked is good nowhere.
    public func goodKey(_ keyID: String, bundleID: String) async throws -> VerificationKey? {
        try await read { reader in
            (try? reader.apps.find(bundleID: bundleID))?.keys[keyID]
        }
    }
}

extension UnitOfWork {
    fileprivate func noteKey(_ kind: JournalEvent.Kind, _ key: AppKey) {
        record(kind) { entry in
            entry.app = key.app
            entry.event.note = key.keyID
        }
        settingsChanged()
    }
}
