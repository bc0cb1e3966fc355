internal import Storage

/// Makes a schema that holds what another one does: tables, rows, indexes and constraints, in the
/// transaction, and as of the snapshot, of a session.
struct SchemaCopy {
    private let source: String
    private let target: String
    private let session: any Session
    private let tables: [Table]

    private struct Table {
        let name: String
        /// In blocks of the table itself.
        let blocks: Int64
        /// Of its indexes, in bytes.
        let indexSize: Int64
    }

    /// What a block takes up unless the server was built otherwise.
    private static let blockSize: Int64 = 8192
    /// How many blocks one statement copies, so that one can say how far it is.
    private static let blocksAtOnce: Int64 = 8192

    init(from source: String, to target: String, _ session: any Session) throws {
        self.source = source
        self.target = target
        self.session = session
        tables = try session.rows(
            """
            SELECT c.relname::text, pg_relation_size(c.oid) / \(Self.blockSize),
                pg_indexes_size(c.oid)
            FROM pg_class c WHERE c.oid IN (\(Self.relations(ofSchema: source))) AND c.relkind = 'r'
            ORDER BY pg_relation_size(c.oid) DESC, c.relname
            """
        ).map { row in
            Table(
                name: try row.text(0), blocks: try row.integer(1), indexSize: try row.integer(2))
        }
    }

    /// The identifiers of a schema's relations other than indexes. `pg_depend` has an index by
    /// schema, `pg_class` has none, and a database may hold many other schemas.
    ///
    /// - Parameter schema: the schema's own identifier.
    static func relations(of schema: SQL) -> SQL {
        """
        SELECT objid FROM pg_depend
        WHERE refclassid = 'pg_namespace'::regclass AND refobjid = \(schema)
            AND classid = 'pg_class'::regclass
        """
    }

    private static func relations(ofSchema name: String) -> SQL {
        relations(of: "(SELECT oid FROM pg_namespace WHERE nspname = \(name))")
    }

    /// Lets names without a schema mean one.
    static func use(_ schema: String, _ session: any Session) throws(StorageError) {
        try session.execute(SQL(text: "SET LOCAL search_path = \(PostgresCopies.quoted(schema))"))
    }

    /// Makes the sequences, each as far as the source's has come by now: behind nothing that the
    /// snapshot shows.
    private func copySequences() throws {
        let found = try session.rows(
            """
            SELECT c.relname::text, s.seqincrement FROM pg_sequence s
            JOIN pg_class c ON c.oid = s.seqrelid
            WHERE s.seqrelid IN (\(Self.relations(ofSchema: source)))
            """)
        for row in found {
            let (name, step) = (try row.text(0), try row.integer(1))
            let copy = PostgresCopies.quoted(name, in: target)
            let model = PostgresCopies.quoted(name, in: source)
            try session.execute(SQL(text: "CREATE SEQUENCE \(copy) INCREMENT BY \(step)"))
            try session.execute(
                SQL(text: "SELECT setval('\(copy)', last_value, is_called) FROM \(model)"))
        }
    }

    /// The names of a schema's tables.
    static func tables(
        of schema: String, _ session: any Session
    ) throws(StorageError) -> [String] {
        try session.rows(
            """
            SELECT relname::text FROM pg_class
            WHERE oid IN (\(relations(ofSchema: schema))) AND relkind = 'r' ORDER BY relname
            """
        ).map { row throws(StorageError) in try row.text(0) }
    }

    func run(_ progress: (CopyProgress) -> Void) throws {
        // The definitions are read while names without a schema mean the source, so that they name
        // no schema but where the index is made.
        try Self.use(source, session)
        let (indexes, constraints) = (try indexes(), try constraints())
        try session.execute(SQL(text: "CREATE SCHEMA \(PostgresCopies.quoted(target))"))
        // Enough for the indexes of large tables to be sorted in memory.
        try session.execute("SET LOCAL maintenance_work_mem = '256MB'")
        let total = tables.reduce(0) { $0 + $1.blocks * Self.blockSize + $1.indexSize }
        var done: Int64 = 0
        for table in tables {
            let name = PostgresCopies.quoted(table.name, in: target)
            let model = PostgresCopies.quoted(table.name, in: source)
            // Checks, defaults and not-null constraints; what needs an index comes afterwards.
            try session.execute(
                SQL(
                    text: "CREATE TABLE \(name) (LIKE \(model) INCLUDING DEFAULTS "
                        + "INCLUDING CONSTRAINTS INCLUDING STORAGE)"))
            try copyRows(of: table) { blocks in
                done += blocks * Self.blockSize
                progress(CopyProgress(done: done, total: total))
            }
        }
        try copySequences()
        try Self.use(target, session)
        for table in tables {
            for definition in indexes[table.name] ?? [] {
                try session.execute(SQL(text: definition))
            }
            for constraint in constraints[table.name] ?? [] where !constraint.refers {
                try add(constraint, to: table)
            }
            done += table.indexSize
            progress(CopyProgress(done: done, total: total))
        }
        for table in tables {
            for constraint in constraints[table.name] ?? [] where constraint.refers {
                try add(constraint, to: table)
            }
            try session.execute(SQL(text: "ANALYZE \(PostgresCopies.quoted(table.name))"))
        }
    }

    /// Range by range of the table's blocks; what was added behind them is in no snapshot that was
    /// taken before.
    private func copyRows(of table: Table, _ progress: (Int64) -> Void) throws(StorageError) {
        let name = PostgresCopies.quoted(table.name, in: target)
        let model = PostgresCopies.quoted(table.name, in: source)
        var first: Int64 = 0
        repeat {
            let next = first + Self.blocksAtOnce
            // The last range has no end: the table may have grown before the snapshot was taken.
            let end = next < table.blocks ? " AND ctid < '(\(next),0)'::tid" : ""
            try session.execute(
                SQL(
                    text: "INSERT INTO \(name) SELECT * FROM \(model) "
                        + "WHERE ctid >= '(\(first),0)'::tid\(end)"))
            progress(max(0, min(next, table.blocks) - first))
            first = next
        } while first < table.blocks
    }

    private struct Constraint {
        let name: String
        let definition: String
        /// Whether it is about another table as well.
        let refers: Bool
    }

    private func add(_ constraint: Constraint, to table: Table) throws(StorageError) {
        try session.execute(
            SQL(
                text: "ALTER TABLE \(PostgresCopies.quoted(table.name)) ADD CONSTRAINT "
                    + "\(PostgresCopies.quoted(constraint.name)) \(constraint.definition)"))
    }

    /// Primary and unique keys, and foreign keys, by table.
    private func constraints() throws(StorageError) -> [String: [Constraint]] {
        let rows = try session.rows(
            """
            SELECT t.relname::text, c.conname::text, pg_get_constraintdef(c.oid),
                CASE WHEN c.contype = 'f' THEN 1 ELSE 0 END
            FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
            WHERE c.conrelid IN (\(Self.relations(ofSchema: source)))
                AND c.contype IN ('p', 'u', 'f')
            ORDER BY t.relname, c.contype DESC, c.conname
            """)
        var found: [String: [Constraint]] = [:]
        for row in rows {
            found[try row.text(0), default: []].append(
                Constraint(
                    name: try row.text(1), definition: try row.text(2),
                    refers: try row.integer(3) == 1))
        }
        return found
    }

    /// What makes the indexes that no constraint has, by table.
    private func indexes() throws(StorageError) -> [String: [String]] {
        let rows = try session.rows(
            """
            SELECT t.relname::text, pg_get_indexdef(i.indexrelid)
            FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
            WHERE i.indrelid IN (\(Self.relations(ofSchema: source)))
                AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conrelid = i.indrelid
                    AND c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x'))
            ORDER BY t.relname, i.indexrelid
            """)
        var found: [String: [String]] = [:]
        for row in rows {
            found[try row.text(0), default: []].append(try relocated(row.text(1)))
        }
        return found
    }

    /// The statement that makes an index, for the other schema: PostgreSQL names the table with its
    /// schema, quoted where it must be, behind the first ` ON `.
    private func relocated(_ definition: String) throws(StorageError) -> String {
        let quotedSource = PostgresCopies.quoted(source)
        for schema in [quotedSource, source] {
            if let place = definition.firstRange(of: " ON \(schema).") {
                return definition[..<place.lowerBound] + " ON "
                    + definition[place.upperBound...]
            }
        }
        throw StorageError(.invalidStatement, "no table in: \(definition)", statement: definition)
    }
}
