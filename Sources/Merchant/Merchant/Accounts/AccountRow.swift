import Storage

/// An account's row.
enum AccountRow {
    static func ensure(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> Int64 {
        try session.execute(
            """
            INSERT INTO account (app, name, version) VALUES (\(app), \(name), 0)
            ON CONFLICT (app, name) DO NOTHING
            """)
        guard let found = try find(name, of: app, session) else {
            throw StorageError(.other, "an account that was just made is not there")
        }
        return found.id
    }

    static func find(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> (id: Int64, version: Int64)? {
        guard
            let row = try session.row(
                "SELECT id, version FROM account WHERE app = \(app) AND name = \(name)")
        else { return nil }
        return (try row.integer(0), try row.integer(1))
    }

    /// Whose purchases carry a token; nil where nobody has shown it. Its row is locked, so that
    /// who shows it and what was bought with it cannot miss each other.
    static func withToken(
        _ token: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> Int64? {
        try session.execute(
            """
            INSERT INTO account_token (app, token) VALUES (\(app), \(token))
            ON CONFLICT (app, token) DO NOTHING
            """)
        return try session.row(
            """
            SELECT account FROM account_token
            WHERE app = \(app) AND token = \(token)\(raw: session.dialect.lockRow)
            """
        )?.integerOrNil(0)
    }

    /// Remembers whose a token is; the first account that shows it has it.
    ///
    /// - Returns: whether it was not known before.
    static func remember(
        _ token: String, of account: Int64, app: Int64, _ session: any Session
    ) throws(StorageError) -> Bool {
        try session.execute(
            """
            UPDATE account_token SET account = \(account)
            WHERE app = \(app) AND token = \(token) AND account IS NULL
            """) == 1
    }

    /// Gives an account its next version: what is read of it has changed.
    static func touch(_ account: Int64, _ session: any Session) throws(StorageError) {
        try session.execute("UPDATE account SET version = version + 1 WHERE id = \(account)")
    }
}
