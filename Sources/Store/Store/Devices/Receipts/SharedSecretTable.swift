import Crypto
import Storage
import SubscriptionRules

/// A secret that developers' servers show with receipts: one for an app, and the primary one for
/// all (RCP-1).
struct SharedSecret {
    /// The app; 0 for the primary one.
    let app: Int64
    let secret: String
    let made: Instant

    /// Of all apps.
    static let primary: Int64 = 0

    static let columns = "app, secret, made_at"

    init(app: Int64, secret: String, made: Instant) {
        self.app = app
        self.secret = secret
        self.made = made
    }

    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "shared_secret of app", SharedSecret.columns)
        self.init(
            app: try row.integer(0, in: 0...Stored.largestNumber), secret: try row.text(1),
            made: try row.instant(2))
    }

    static func find(_ app: Int64, in session: any Session) throws -> SharedSecret? {
        try session.row("SELECT \(raw: columns) FROM shared_secret WHERE app = \(app)")
            .map { try SharedSecret($0) }
    }

    /// Those that are good for an app's receipts.
    static func all(for app: Int64, in session: any Session) throws -> [SharedSecret] {
        try session.rows(
            """
            SELECT \(raw: columns) FROM shared_secret WHERE app IN (\(app), \(primary))
            """
        ).map { try SharedSecret($0) }
    }

    func save(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO shared_secret (app, secret, made_at) VALUES (\(app), \(secret), \(made))
            ON CONFLICT (app) DO UPDATE SET secret = \(secret), made_at = \(made)
            """)
    }

    /// Whether a text is the secret; digests are compared, so that time tells nothing.
    func matches(_ text: String) -> Bool {
        SHA256.hash(data: Array(text.utf8)) == SHA256.hash(data: Array(secret.utf8))
    }
}

/// Loggers print values by reflection, and this one holds a secret.
extension SharedSecret: CustomStringConvertible, CustomReflectable {
    var description: String { "SharedSecret(\(app))" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
