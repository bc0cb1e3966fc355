internal import Storage

/// Copies of a schema, each a schema beside it: `public.snapshot.NAME`, `public.fork.NAME`.
///
/// `CREATE DATABASE … TEMPLATE` would be faster, but only while nobody is connected. So the tables
/// are made anew from what the catalogue says of them, filled from one snapshot, and indexed when
/// they are full; sequences go on from where they are, and never back. All of it is one
/// transaction: what is not complete was never there.
struct PostgresCopies: DatabaseCopies {
    private let pool: ConnectionPool
    private let url: PostgresURL
    private let connections: Int
    private let limits: DatabaseLimits

    /// Where a snapshot is on its way back; never listed, since it is no place's schema.
    private static let comingBack = "rewinding"

    init(pool: ConnectionPool, url: PostgresURL, connections: Int, limits: DatabaseLimits) {
        self.pool = pool
        self.url = url
        self.connections = connections
        self.limits = limits
    }

    func make(
        _ place: CopyPlace, progress: @escaping @Sendable (CopyProgress) -> Void,
        preparing prepare: @escaping @Sendable (any Session) throws -> Void
    ) async throws {
        try await pool.performBeside { connection in
            try Self.oneSnapshot(connection, after: connection.ourTables()) { session in
                let source = try Self.currentSchema(session)
                let target = try Self.schema(place, of: source)
                try Self.checkPrivilege(session)
                guard try !Self.exists(target, session) else {
                    throw StorageError(
                        .uniqueViolation, "there is a copy \(place.name) already")
                }
                try SchemaCopy(from: source, to: target, session).run(progress)
                try SchemaCopy.use(target, session)
                try prepare(session)
            }
        }
    }

    func all(_ kind: CopyPlace.Kind) async throws -> [StoredCopy] {
        try await pool.performBeside { connection in
            try Self.oneSnapshot(connection) { session in
                let prefix = "\(try Self.currentSchema(session)).\(kind.rawValue)."
                return try session.rows(
                    """
                    SELECT n.nspname::text, COALESCE((
                        SELECT SUM(pg_total_relation_size(oid)) FROM pg_class
                        WHERE oid IN (\(SchemaCopy.relations(of: "n.oid"))) AND relkind = 'r'
                    ), 0)::bigint
                    FROM pg_namespace n WHERE starts_with(n.nspname::text, \(prefix))
                    ORDER BY n.nspname::text COLLATE "C"
                    """
                ).compactMap { row in
                    let name = String(try row.text(0).dropFirst(prefix.count))
                    guard let place = CopyPlace(kind, name) else { return nil }
                    return StoredCopy(place: place, size: try row.integer(1))
                }
            }
        }
    }

    func read<T: Sendable>(
        _ place: CopyPlace, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await pool.performBeside { connection in
            let schema = try Self.oneSnapshot(connection) { try Self.existing(place, $0) }
            // A fork may be put back to a snapshot of its own.
            let first = Self.quoted(PostgresConnection.lockedFirst, in: schema)
            return try Self.oneSnapshot(connection, after: .tables(first: first)) { session in
                try SchemaCopy.use(schema, session)
                return try body(session)
            }
        }
    }

    func open(_ place: CopyPlace) async throws -> any Database {
        let schema = try await pool.performBeside { connection in
            try Self.oneSnapshot(connection) { session in
                try Self.existing(place, session)
            }
        }
        return PostgresDatabase(url.inSchema(schema), connections: connections, limits: limits)
    }

    func remove(_ place: CopyPlace) async throws -> Bool {
        try await pool.performBeside { [limits] connection in
            try Self.transaction(on: connection, "BEGIN") { session in
                try Self.limitLocks(session, limits)
                let schema = try Self.schema(place, of: Self.currentSchema(session))
                guard try Self.exists(schema, session) else { return false }
                // Its own copies are schemas beside it.
                for inner in try Self.schemas(within: schema, session) + [schema] {
                    // In the order of whoever reads it: or each might wait for the other.
                    if try SchemaCopy.tables(of: inner, session)
                        .contains(PostgresConnection.lockedFirst)
                    {
                        try Self.lock(
                            Self.quoted(PostgresConnection.lockedFirst, in: inner), session)
                    }
                    try session.execute(SQL(text: "DROP SCHEMA \(Self.quoted(inner)) CASCADE"))
                }
                return true
            }
        }
    }

    /// The copy is brought beside the tables first, and then takes their place, which is a matter
    /// of milliseconds. Two transactions, and whoever reads waits before its snapshot is taken: so
    /// whoever reads while the tables change finds rows in them that its own snapshot shows.
    func putBack<Kept: Sendable>(
        _ place: CopyPlace, progress: @escaping @Sendable (CopyProgress) -> Void,
        keeping keep: @escaping @Sendable (any Session) throws -> Kept,
        preparing prepare: @escaping @Sendable (Kept, any Session) throws -> Void
    ) async throws {
        try await pool.performBeside { [limits] connection in
            let (live, staged) = try Self.oneSnapshot(connection) { session in
                let live = try Self.currentSchema(session)
                let staged = "\(live).\(Self.comingBack)"
                let source = try Self.existing(place, session)
                try Self.drop(staged, session)
                try SchemaCopy(from: source, to: staged, session).run(progress)
                return (live, staged)
            }
            do {
                try Self.untilItsTurn(limits) { brief in
                    try Self.exchange(live, for: staged, on: connection, brief, keep, prepare)
                }
            } catch {
                try? Self.transaction(on: connection, "BEGIN") { try Self.drop(staged, $0) }
                throw error
            }
        }
    }

    /// While it waits for whoever reads for long everybody else waits behind it: so it waits for a
    /// moment, lets them through and tries again, until a lock was waited for long enough.
    private static func untilItsTurn(
        _ limits: DatabaseLimits, _ exchange: (DatabaseLimits) throws -> Void
    ) throws {
        var brief = limits
        // Longer than the second after which the server bids an autovacuum go.
        brief.lock = .seconds(2)
        let tries = max(2, limits.lock.milliseconds / brief.lock.milliseconds)
        for _ in 1..<tries {
            do {
                return try exchange(brief)
            } catch let error as StorageError
                where [.busy, .serializationFailure].contains(error.code)
            {}
        }
        try exchange(brief)
    }

    private static func exchange<Kept>(
        _ live: String, for staged: String, on connection: PostgresConnection,
        _ limits: DatabaseLimits, _ keep: (any Session) throws -> Kept,
        _ prepare: (Kept, any Session) throws -> Void
    ) throws {
        try transaction(on: connection, "BEGIN ISOLATION LEVEL READ COMMITTED") { session in
            try limitLocks(session, limits)
            // Who wrote before this has ended, and who writes after it begins with what comes now.
            try session.execute(SQL(text: Company.alone.joining))
            let tables = try SchemaCopy.tables(of: live, session).map { quoted($0, in: live) }
            // First the one that whoever reads locks first: so nobody waits for both of us.
            try lock(quoted(PostgresConnection.lockedFirst, in: live), session)
            try lock(tables.joined(separator: ", "), session)
            let kept = try keep(session)
            try SchemaCopy.use(staged, session)
            try prepare(kept, session)
            try session.execute(
                SQL(text: "DROP TABLE \(tables.joined(separator: ", ")) CASCADE"))
            for table in try SchemaCopy.tables(of: staged, session) {
                let name = quoted(table, in: staged)
                try session.execute(
                    SQL(text: "ALTER TABLE \(name) SET SCHEMA \(quoted(live))"))
            }
            try drop(staged, session)
        }
    }

    // MARK: Schemas

    /// A name as SQL writes it.
    static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// A table's name with its schema's, as SQL writes it.
    static func quoted(_ table: String, in schema: String) -> String {
        "\(quoted(schema)).\(quoted(table))"
    }

    private static let longestSchema = 63

    private static func schema(
        _ place: CopyPlace, of source: String
    ) throws(StorageError) -> String {
        let name = "\(source).\(place.kind.rawValue).\(place.name)"
        guard name.utf8.count <= longestSchema else {
            throw StorageError(
                .invalidStatement,
                "'\(name)' is longer than the \(longestSchema) bytes that PostgreSQL gives the "
                    + "name of a schema: choose a shorter one")
        }
        return name
    }

    private static func currentSchema(_ session: any Session) throws(StorageError) -> String {
        guard let schema = try session.row("SELECT current_schema()::text")?.textOrNil(0) else {
            throw StorageError(.invalidStatement, "the search_path names no schema")
        }
        return schema
    }

    private static func exists(
        _ schema: String, _ session: any Session
    ) throws(StorageError) -> Bool {
        try session.exists("SELECT 1 FROM pg_namespace WHERE nspname = \(schema)")
    }

    /// The schema of a copy that there is.
    private static func existing(
        _ place: CopyPlace, _ session: any Session
    ) throws(StorageError) -> String {
        let schema = try schema(place, of: currentSchema(session))
        guard try exists(schema, session) else {
            throw StorageError(.other, "there is no copy \(place.name)")
        }
        return schema
    }

    private static func schemas(
        within schema: String, _ session: any Session
    ) throws(StorageError) -> [String] {
        try session.rows(
            """
            SELECT nspname::text FROM pg_namespace
            WHERE starts_with(nspname::text, \(schema + "."))
            """
        ).map { row throws(StorageError) in try row.text(0) }
    }

    private static func checkPrivilege(_ session: any Session) throws(StorageError) {
        let row = try session.row(
            """
            SELECT CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 1 ELSE 0 END,
                current_database()::text, current_user::text
            """)
        guard let row, try row.integer(0) == 0 else { return }
        throw StorageError(
            .readOnly,
            "this user may make no schema: GRANT CREATE ON DATABASE \(quoted(try row.text(1))) TO "
                + quoted(try row.text(2)))
    }

    private static func drop(_ schema: String, _ session: any Session) throws(StorageError) {
        try session.execute(SQL(text: "DROP SCHEMA IF EXISTS \(quoted(schema)) CASCADE"))
    }

    // MARK: Transactions

    /// Nobody else reads or writes these tables any more.
    private static func lock(_ tables: String, _ session: any Session) throws(StorageError) {
        try session.execute(SQL(text: "LOCK TABLE \(tables) IN ACCESS EXCLUSIVE MODE"))
    }

    private static func limitLocks(
        _ session: any Session, _ limits: DatabaseLimits
    ) throws(StorageError) {
        try session.execute(SQL(text: "SET LOCAL lock_timeout = \(limits.lock.milliseconds)"))
    }

    private static func oneSnapshot<T>(
        _ connection: PostgresConnection, after awaited: Beginning.Awaited = .nothing,
        _ body: (any Session) throws -> T
    ) throws -> T {
        try transaction(
            on: connection, "BEGIN ISOLATION LEVEL REPEATABLE READ", after: awaited, body)
    }

    /// Not in the queue of changes, which it would stop for as long as it takes.
    private static func transaction<T>(
        on connection: PostgresConnection, _ begin: String,
        after awaited: Beginning.Awaited = .nothing, _ body: (any Session) throws -> T
    ) throws -> T {
        try connection.begin(begin, after: awaited)
        let session = PostgresSession(connection)
        do {
            try session.liftLimits()
            let result = try body(session)
            if let failure = session.failure { throw failure }
            try connection.end("COMMIT")
            return result
        } catch {
            if !connection.isLost { try? connection.end("ROLLBACK") }
            throw error
        }
    }
}
