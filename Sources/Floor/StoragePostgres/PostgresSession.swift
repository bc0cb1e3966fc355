internal import CPostgres
internal import Storage

/// One transaction on a connection.
final class PostgresSession: Session {
    let dialect = Dialect.postgres
    private let connection: PostgresConnection
    private var cursors = 0
    /// The first error, after which every statement is refused.
    private(set) var failure: StorageError?

    private static let fetched = 500

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

    @discardableResult
    func execute(_ sql: SQL) throws(StorageError) -> Int {
        try remembering { () throws(StorageError) in
            try connection.run(sql) { PostgresConnection.changes($0) }
        }
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        try remembering { () throws(StorageError) in
            try connection.run(sql) { (result) throws(StorageError) in
                try ResultReader(result, sql.text).rows()
            }
        }
    }

    /// Through a cursor, so that the body can run other statements between two fetches. The cursor
    /// ends with the transaction.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        cursors += 1
        let cursor = "perennial_cursor_\(cursors)"
        try remembering { () throws(StorageError) in
            let declaration = SQL(
                text: "DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql.text)", binds: sql.binds)
            try connection.runOnce(declaration) { _ in }
        }
        while true {
            let rows = try fetch(cursor)
            for row in rows { try body(row) }
            if rows.count < Self.fetched { return }
        }
    }

    // Not prepared: in the next transaction a cursor of the same name has other columns.
    private func fetch(_ cursor: String) throws(StorageError) -> [Row] {
        let fetch = SQL(text: "FETCH FORWARD \(Self.fetched) FROM \(cursor)")
        return try remembering { () throws(StorageError) in
            try connection.runOnce(fetch) { (result) throws(StorageError) in
                try ResultReader(result, fetch.text).rows()
            }
        }
    }

    @discardableResult
    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        try remembering { () throws(StorageError) in
            try connection.runMany(text, rows)
        }
    }

    func liftLimits() throws(StorageError) {
        try remembering { () throws(StorageError) in try connection.liftLimits() }
    }

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
}
