import Storage
import Synchronization

/// Databases that tests use one after the other, with their connections: to make the tables of one
/// takes longer than most tests, and a new connection reads the schema and plans every statement
/// anew.
final class DatabaseShelf: Sendable {
    /// A database that nobody uses, and what it has room for once its tables are made.
    fileprivate struct Place {
        let base: any Database
        var layout: Layout?
    }

    private let make: @Sendable () async throws -> any Database
    private let state = Mutex<(free: [Place], lent: Int)>(([], 0))

    /// - Parameter make: makes an empty database.
    init(_ make: @escaping @Sendable () async throws -> any Database) {
        self.make = make
    }

    func borrow() async throws -> any Database {
        let free = state.withLock { state in
            state.lent += 1
            return state.free.popLast()
        }
        if let free { return BorrowedDatabase(free, self) }
        return BorrowedDatabase(Place(base: try await make()), self)
    }

    /// How many are waiting to be used, and how many somebody has or had a moment ago.
    var counts: (free: Int, lent: Int) { state.withLock { ($0.free.count, $0.lent) } }

    /// Lets go of those that nobody has.
    func clear() {
        state.withLock { $0.free = [] }
    }

    /// - Parameter place: nil where it can be used by nobody again.
    fileprivate func takeBack(_ place: Place?) {
        state.withLock { state in
            state.lent -= 1
            if let place { state.free.append(place) }
        }
    }
}

/// A database that goes back to its shelf when nobody has it any more.
private final class BorrowedDatabase: Database {
    private let base: any Database
    private let shelf: DatabaseShelf
    private let layout: Mutex<Layout?>
    private let isChanged = Flag()

    init(_ place: DatabaseShelf.Place, _ shelf: DatabaseShelf) {
        base = place.base
        layout = Mutex(place.layout)
        self.shelf = shelf
    }

    deinit {
        let (base, shelf) = (base, shelf)
        let layout = isChanged.value ? nil : layout.withLock(\.self)
        Task {
            // One that a test has changed or left in a state in which it cannot be emptied, is
            // used by nobody again.
            if let layout, (try? await base.write { try layout.empty($0) }) != nil {
                shelf.takeBack(DatabaseShelf.Place(base: base, layout: layout))
            } else {
                await base.close()
                shelf.takeBack(nil)
            }
        }
    }

    func migrate(_ migrations: [Migration]) async throws {
        try await base.migrate(migrations)
        let made = migrations.map(\.name)
        if let known = layout.withLock(\.self) {
            if known.migrations != made { isChanged.raise() }
        } else {
            let found = try await base.read { try Layout(of: $0, after: made) }
            layout.withLock { $0 = found }
        }
    }

    var dialect: Dialect { base.dialect }
    var load: DatabaseLoad { base.load }
    var copies: any DatabaseCopies {
        // They stand beside it, and one can be put in its place.
        isChanged.raise()
        return base.copies
    }
    func check() async throws { try await base.check() }
    func close() async { await base.close() }

    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company) { [isChanged] session in
            try body(WatchedSession(base: session, isChanged: isChanged))
        }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read(body)
    }
}

private final class Flag: Sendable {
    private let isRaised = Atomic(false)

    var value: Bool { isRaised.load(ordering: .relaxed) }
    func raise() { isRaised.store(true, ordering: .relaxed) }
}

/// A session that notices when tables are changed, or what is known of migrations.
private struct WatchedSession: Session {
    let base: any Session
    let isChanged: Flag

    private static let changes = [
        "CREATE ", "ALTER ", "DROP ", "INSERT INTO migration ", "UPDATE migration ",
        "DELETE FROM migration",
    ]

    private func watch(_ text: String) {
        if Self.changes.contains(where: text.hasPrefix) { isChanged.raise() }
    }

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int {
        watch(sql.text)
        return try base.execute(sql)
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] { try base.rows(sql) }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        watch(text)
        return try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}

/// What a database has room for.
private struct Layout {
    /// The names of those that made it.
    let migrations: [String]
    /// All tables but the one of migrations.
    private let tables: [String]
    /// On PostgreSQL.
    private let sequences: [String]
    /// Asks which tables have rows.
    private let question: SQL

    init(of session: any Session, after migrations: [String]) throws {
        self.migrations = migrations
        switch session.dialect {
        case .sqlite:
            tables = try session.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migration'"
            ).map { try $0.text(0) }
            sequences = []
        case .postgres:
            let found = try session.rows(
                """
                SELECT relname::text, relkind::text FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S')
                    AND relname <> 'migration'
                """
            ).map { (name: try $0.text(0), kind: try $0.text(1)) }
            tables = found.filter { $0.kind == "r" }.map(\.name)
            sequences = found.filter { $0.kind == "S" }.map(\.name)
        }
        question = SQL(
            text: tables.map { "SELECT '\($0)' WHERE EXISTS (SELECT 1 FROM \($0))" }
                .joined(separator: " UNION ALL "))
    }

    /// Removes all rows, and lets numbers begin anew. Nothing that changes a table, as `TRUNCATE`
    /// does: each connection keeps its plans.
    func empty(_ session: any Session) throws {
        let filled = try session.rows(question).map { try $0.text(0) }
        // References are judged when all rows are gone, or by nobody.
        switch session.dialect {
        case .sqlite:
            try session.execute("PRAGMA defer_foreign_keys = ON")
        case .postgres:
            _ = try session.rows("SELECT set_config('session_replication_role', 'replica', TRUE)")
            let beginnings = sequences.map { "setval('\($0)', 1, FALSE)" }
            _ = try session.rows(SQL(text: "SELECT 1 \(beginnings.map { ", " + $0 }.joined())"))
        }
        for name in filled { try session.execute(SQL(text: "DELETE FROM \(name)")) }
    }
}
