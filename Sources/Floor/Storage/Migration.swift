/// A named, numbered by its place in the list, step of the schema; once released it never changes.
///
/// One whose name ends in `+` only adds what an earlier version can leave alone, such as a table,
/// an index or a column that may be empty: processes of that version go on beside the later one.
public struct Migration: Sendable {
    /// The name under which the database remembers it.
    public let name: String
    /// The statements, one a string, in the words of a dialect.
    public let statements: @Sendable (Dialect) -> [String]

    /// Makes a step of statements, one a string.
    public init(_ name: String, _ statements: @escaping @Sendable (Dialect) -> [String]) {
        self.name = name
        self.statements = statements
    }
}

extension Database {
    /// Applies what is missing; throws `newerSchema` for a database of a later build, and
    /// `invalidStatement` if the list was reordered.
    public func migrate(_ migrations: [Migration]) async throws {
        precondition(
            Set(migrations.map(\.name)).count == migrations.count, "two migrations have one name")
        try await makeMigrationTable()
        let known = migrations.map(\.name)
        let applied = try await read { session in try appliedMigrations(session) }
        try refuseOther(applied, than: known)
        let count = applied.count(where: Set(known).contains)
        for (order, migration) in migrations.enumerated().dropFirst(count) {
            try await apply(migration, order: order, known: known)
        }
    }

    /// Throws `newerSchema` once a later build has brought the schema further than these
    /// migrations, unless it only added something: for a process that went on running meanwhile.
    public func refuseNewerSchema(than migrations: [Migration]) async throws {
        let known = Set(migrations.map(\.name))
        try refuse(try await read { session in try appliedMigrations(session) }, laterThan: known)
    }

    private func makeMigrationTable() async throws {
        let create = SQL(
            text: """
                CREATE TABLE IF NOT EXISTS migration (
                    name TEXT NOT NULL PRIMARY KEY,
                    applied_order \(dialect.integer) NOT NULL UNIQUE
                )\(dialect.tableOptions)
                """)
        let make: @Sendable (any Session) throws -> Void = { session in
            try session.liftLimits()
            try session.execute(create)
        }
        do {
            try await write(make)
        } catch is StorageError {
            // PostgreSQL's IF NOT EXISTS can lose against another process that creates the table
            // at the same moment; then it exists now.
            try await write(make)
        }
    }

    private func apply(_ migration: Migration, order: Int, known: [String]) async throws {
        let statements = migration.statements(dialect)
        try await write { session in
            // A new index over many rows takes its time, and another process may be at it.
            try session.liftLimits()
            try lockMigrations(session)
            let applied = try appliedMigrations(session)
            try refuseOther(applied, than: known)
            // Another process may have been faster between the first look and the lock.
            guard !applied.contains(migration.name) else { return }
            for statement in statements {
                try session.execute(SQL(text: statement))
            }
            try session.execute(
                "INSERT INTO migration (name, applied_order) VALUES (\(migration.name), \(order))")
        }
    }
}

private func appliedMigrations(_ session: any Session) throws(StorageError) -> [String] {
    try session.rows("SELECT name FROM migration ORDER BY applied_order").map {
        row throws(StorageError) in
        try row.text(0)
    }
}

/// LOCK TABLE comes before the transaction's snapshot, so who waited sees what the other did.
private func lockMigrations(_ session: any Session) throws(StorageError) {
    switch session.dialect {
    case .sqlite: break
    case .postgres: try session.execute("LOCK TABLE migration IN EXCLUSIVE MODE")
    }
}

private func refuseOther(_ applied: [String], than known: [String]) throws(StorageError) {
    try refuse(applied, laterThan: Set(known))
    let ours = applied.filter(Set(known).contains)
    guard Array(known.prefix(ours.count)) == ours else {
        throw StorageError(
            .invalidStatement,
            "migrations were applied in another order: \(applied.joined(separator: ", "))")
    }
}

private func refuse(_ applied: [String], laterThan known: Set<String>) throws(StorageError) {
    let later = applied.filter { !known.contains($0) && !$0.hasSuffix("+") }
    guard later.isEmpty else {
        throw StorageError(
            .newerSchema,
            "the database was migrated by a later build (\(later.joined(separator: ", ")));"
                + " use that build or later")
    }
}
