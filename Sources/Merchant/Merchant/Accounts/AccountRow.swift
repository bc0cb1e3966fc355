import Storage

/// An account's row.
enum AccountRow {
    /// The account that answers to a name, which is made where there is none.
    static func ensure(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> Int64 {
        if let known = try find(name, of: app, session) { return known.id }
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

    /// The account that answers to a name, with its own name: an alias always names it directly.
    static func find(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> (id: Int64, version: Int64, name: String)? {
        guard
            let row = try session.row(
                """
                SELECT a.id, a.version, a.name FROM account a
                WHERE a.id = \(id(of: name, in: app))
                """)
        else { return nil }
        return (try row.integer(0), try row.integer(1), try row.text(2))
    }

    /// The number of the account that answers to a name, as part of a query.
    static func id(of name: String, in app: Int64) -> SQL {
        """
        COALESCE(
            (SELECT l.account FROM account_alias l WHERE l.app = \(app) AND l.alias = \(name)),
            (SELECT o.id FROM account o WHERE o.app = \(app) AND o.name = \(name)))
        """
    }

    /// What an account is called; nil where there is none.
    static func name(of id: Int64, _ session: any Session) throws(StorageError) -> String? {
        try session.row("SELECT name FROM account WHERE id = \(id)")?.text(0)
    }

    /// The accounts that were merged into one, in order: only their names and transfers are left.
    static func merged(
        into account: Int64, _ session: any Session
    ) throws(StorageError) -> [Int64] {
        try session.rows(
            """
            SELECT a.id FROM account_alias l JOIN account a ON a.app = l.app AND a.name = l.alias
            WHERE l.account = \(account) ORDER BY a.id
            """
        ).map { row throws(StorageError) in try row.integer(0) }
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
        // An erased purchase keeps no token, so there may be no row.
        try session.execute(
            """
            UPDATE account_token SET account = \(account)
            WHERE app = \(app) AND token = \(token) AND account IS NULL
            """) == 1
    }

    /// Gives an account its next version: what is read of it has changed.
    ///
    /// - Returns: that version.
    @discardableResult
    static func touch(_ account: Int64, _ session: any Session) throws(StorageError) -> Int64 {
        try session.execute("UPDATE account SET version = version + 1 WHERE id = \(account)")
        guard let row = try session.row("SELECT version FROM account WHERE id = \(account)") else {
            throw StorageError(.other, "an account that has something is not there")
        }
        return try row.integer(0)
    }
}
