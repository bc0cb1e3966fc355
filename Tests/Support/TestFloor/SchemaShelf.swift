import Storage
import StoragePostgres
import Synchronization

/// Schemas of a PostgreSQL server that tests use one after the other, with their connections: to
/// make the tables of one takes longer than most tests, and a new connection plans every statement
/// anew.
final class SchemaShelf: Sendable {
    /// A schema that nobody uses, and what it looks like with its tables made and empty.
    fileprivate struct Schema {
        let base: PostgresDatabase
        var shape: String?
    }

    private let state = Mutex<(free: [Schema], lent: Int)>(([], 0))

    func borrow() async throws -> any Database {
        let free = state.withLock { state in
            state.lent += 1
            return state.free.popLast()
        }
        guard let free else {
            let base = try PostgresDatabase(
                url: try await Backend.makePostgresURL(), connections: 2, limits: Backend.patience)
            return BorrowedDatabase(Schema(base: base), self)
        }
        return BorrowedDatabase(free, self)
    }

    /// How many are waiting to be used, and how many somebody has or had a moment ago.
    var counts: (free: Int, lent: Int) { state.withLock { ($0.free.count, $0.lent) } }

    /// - Parameter schema: nil where it can be used by nobody again.
    fileprivate func takeBack(_ schema: Schema?) {
        state.withLock { state in
            state.lent -= 1
            if let schema { state.free.append(schema) }
        }
    }
}

/// A database that goes back to its shelf when nobody has it any more.
private final class BorrowedDatabase: Database {
    private let base: PostgresDatabase
    private let shelf: SchemaShelf
    private let schema: Mutex<SchemaShelf.Schema>

    init(_ schema: SchemaShelf.Schema, _ shelf: SchemaShelf) {
        base = schema.base
        self.schema = Mutex(schema)
        self.shelf = shelf
    }

    deinit {
        let (base, shelf, schema) = (base, shelf, schema.withLock { $0 })
        Task {
            // One that a test has changed, or left in a state in which it cannot be emptied, is
            // used by nobody again.
            let shape = try? await base.write { session in
                try empty(session)
                return try shapeOfSchema(session)
            }
            let isAsBefore = shape != nil && shape == schema.shape
            if !isAsBefore { await base.close() }
            shelf.takeBack(isAsBefore ? schema : nil)
        }
    }

    func migrate(_ migrations: [Migration]) async throws {
        try await base.migrate(migrations)
        guard schema.withLock({ $0.shape == nil }) else { return }
        let shape = try await base.read(shapeOfSchema)
        schema.withLock { $0.shape = shape }
    }

    var dialect: Dialect { base.dialect }
    var load: DatabaseLoad { base.load }
    var copies: any DatabaseCopies { base.copies }
    func check() async throws { try await base.check() }
    func close() async { await base.close() }

    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company, body)
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read(body)
    }
}

/// Removes all rows but those of the table of migrations, and lets sequences begin anew.
private func empty(_ session: any Session) throws {
    try session.execute(
        """
        DO $$
        DECLARE
            found RECORD;
            has_rows BOOLEAN;
            filled TEXT := '';
        BEGIN
            FOR found IN SELECT relname, relkind FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S')
                    AND relname <> 'migration'
            LOOP
                IF found.relkind = 'S' THEN
                    EXECUTE format('ALTER SEQUENCE %I RESTART', found.relname);
                ELSE
                    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', found.relname) INTO has_rows;
                    IF has_rows THEN filled := filled || format(', %I', found.relname); END IF;
                END IF;
            END LOOP;
            IF filled <> '' THEN EXECUTE 'TRUNCATE ' || substr(filled, 3) || ' CASCADE'; END IF;
        END
        $$
        """)
}

/// What tables, indexes, constraints, triggers and migrations a schema has, and what copies stand
/// beside it.
private func shapeOfSchema(_ session: any Session) throws -> String {
    try session.rows(
        """
        WITH class AS (
            SELECT oid, relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
        SELECT md5(string_agg(part, ',' ORDER BY part)) FROM (
            SELECT concat_ws(' ', relname, attname, atttypid, attnotnull) AS part
            FROM class JOIN pg_attribute ON attrelid = class.oid AND NOT attisdropped
            UNION ALL SELECT conname FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace
            UNION ALL SELECT tgname FROM class JOIN pg_trigger ON tgrelid = class.oid
            WHERE NOT tgisinternal
            UNION ALL SELECT name FROM migration
            UNION ALL SELECT nspname FROM pg_namespace
            WHERE starts_with(nspname, current_schema() || '.')) AS parts
        """
    ).map { row in try row.text(0) }[0]
}
