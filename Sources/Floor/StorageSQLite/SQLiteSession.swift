internal import CSQLite
internal import Storage

/// One transaction, or one part of a shared one, on a connection.
final class SQLiteSession: Session {
    let dialect = Dialect.sqlite
    private let connection: Connection
    /// The first error, after which every statement is refused as PostgreSQL does.
    private(set) var failure: StorageError?

    init(_ connection: Connection) {
        self.connection = connection
    }

    @discardableResult
    func execute(_ sql: SQL) throws(StorageError) -> Int {
        try remembering { () throws(StorageError) in
            let statement = try connection.statement(sql.text)
            return try run(statement, sql.binds)
        }
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        try remembering { () throws(StorageError) in
            let statement = try connection.statement(sql.text)
            try statement.bind(sql.binds)
            defer { statement.reset() }
            var rows: [Row] = []
            while let row = try step(statement) {
                rows.append(row)
            }
            return rows
        }
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        let statement = try remembering { () throws(StorageError) in
            let statement = try connection.statement(sql.text)
            try statement.bind(sql.binds)
            return statement
        }
        statement.isRunning = true
        defer {
            statement.isRunning = false
            statement.reset()
        }
        // One array for all rows, unless the body keeps one.
        var values: [SQLValue] = []
        while try remembering({ () throws(StorageError) in try step(statement, &values) }) {
            try body(Row(values))
        }
    }

    @discardableResult
    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        try remembering { () throws(StorageError) in
            let statement = try connection.statement(text)
            var changed = 0
            for binds in rows {
                changed += try run(statement, binds)
            }
            return changed
        }
    }

    /// There is one writer, so nothing of SQLite's has such a limit.
    func liftLimits() throws(StorageError) {}

    private func remembering<T>(
        _ work: () throws(StorageError) -> T
    ) throws(StorageError) -> T {
        if let failure { throw failure }
        do {
            return try work()
        } catch {
            failure = error
            throw error
        }
    }

    private func run(
        _ statement: PreparedStatement, _ binds: [SQLValue]
    ) throws(StorageError) -> Int {
        try statement.bind(binds)
        let before = sqlite3_total_changes64(connection.handle)
        var result = sqlite3_step(statement.handle)
        while result == SQLITE_ROW {
            result = sqlite3_step(statement.handle)
        }
        guard result == SQLITE_DONE else {
            let error = SQLiteErrors.last(connection.handle, statement: statement.text)
            statement.reset()
            throw error
        }
        // SQLite's count is that of the last statement that had one; a total that stands still
        // tells that this one changed nothing. Unlike the total it leaves out cascades.
        let hasChanged = sqlite3_total_changes64(connection.handle) != before
        let changes = hasChanged ? Int(sqlite3_changes64(connection.handle)) : 0
        statement.reset()
        return changes
    }

    private func step(_ statement: PreparedStatement) throws(StorageError) -> Row? {
        var values: [SQLValue] = []
        return try step(statement, &values) ? Row(values) : nil
    }

    /// Reads the next row's values.
    ///
    /// - Returns: whether there is one.
    private func step(
        _ statement: PreparedStatement, _ values: inout [SQLValue]
    ) throws(StorageError) -> Bool {
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW:
            try statement.read(into: &values)
            return true
        case SQLITE_DONE:
            return false
        default:
            throw SQLiteErrors.last(connection.handle, statement: statement.text)
        }
    }
}
