import AppStoreSigning
import Storage
public import SubscriptionRules

/// The public half of an In-App Purchase key of an app: request tokens and offers are signed with
/// the other half, which the store does not have (API-2, PRO-1).
public struct AppKey: Sendable, Hashable {
    public let id: Int64
    let app: Int64
    /// What tokens and signatures name it by: ten capital letters and digits, unique in its app.
    public let keyID: String
    /// What the operator calls it; may be empty.
    public let name: String
    /// In PEM.
    public let publicKeyPEM: String
    public let added: Instant
    /// Since when nothing that it signed is good any more.
    public internal(set) var revoked: Instant?
}

extension AppKey {
    static let columns = "id, app, key_id, name, public_key, added_at, revoked_at"

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "app_key", AppKey.columns)
        self.init(
            id: try row.identifier(0), app: try row.identifier(1), keyID: try row.text(2),
            name: try row.text(3), publicKeyPEM: try row.text(4), added: try row.instant(5),
            revoked: try row.instantOrNil(6))
    }

    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO app_key (id, app, key_id, name, public_key, added_at, revoked_at)
            VALUES (\(id), \(app), \(keyID), \(name), \(publicKeyPEM), \(added), \(revoked))
            """)
    }

    func saveRevocation(in session: any Session) throws {
        try session.execute("UPDATE app_key SET revoked_at = \(revoked) WHERE id = \(id)")
    }

    static func find(
        _ keyID: String, app: Int64, in session: any Session
    ) throws -> AppKey? {
        try session.row(
            """
            SELECT \(raw: columns) FROM app_key WHERE app = \(app) AND key_id = \(keyID)
            """
        ).map { try AppKey($0) }
    }

    static func find(
        publicKeyPEM: String, app: Int64, in session: any Session
    ) throws -> AppKey? {
        try session.row(
            """
            SELECT \(raw: columns) FROM app_key
            WHERE app = \(app) AND public_key = \(publicKeyPEM)
            """
        ).map { try AppKey($0) }
    }

    /// From the newest down.
    ///
    /// - Parameter before: only those with lower numbers.
    static func page(
        app: Int64, before: Int64?, limit: Int, in session: any Session
    ) throws -> [AppKey] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM app_key WHERE app = \(app) AND id < \(before ?? .max)
            ORDER BY id DESC LIMIT \(limit)
            """
        ).map { try AppKey($0) }
    }

    /// The keys that are good, by app and identifier, ready to verify with.
    static func good(in session: any Session) throws -> [Int64: [String: VerificationKey]] {
        var keys: [Int64: [String: VerificationKey]] = [:]
        for row in try session.rows(
            "SELECT \(raw: columns) FROM app_key WHERE revoked_at IS NULL ORDER BY id")
        {
            let one = try AppKey(row)
            guard let key = try? VerificationKey(publicKeyPEM: one.publicKeyPEM) else {
                throw StoredRow(row, of: "app_key", columns)
                    .contradiction("it holds no P-256 public key")
            }
            keys[one.app, default: [:]][one.keyID] = key
        }
        return keys
    }

    // MARK: Worlds that are put back

    /// Every key there is.
    static func all(in session: any Session) throws -> [AppKey] {
        try session.rows("SELECT \(raw: columns) FROM app_key ORDER BY id").map { try AppKey($0) }
    }

    /// Puts keys in the place of those that a database has, as far as their apps are there.
    static func replace(by keys: [AppKey], in session: any Session) throws {
        try session.execute("DELETE FROM app_key")
        let apps = Set(try session.rows("SELECT id FROM app").map { try $0.integer(0) })
        for key in keys where apps.contains(key.app) { try key.insert(in: session) }
    }
}
