/// One transaction on one connection; it ends with the closure that received it.
///
/// After an error the transaction is lost: every later statement is refused with that same error
/// and the transaction is rolled back, even if the error was caught (PostgreSQL can only do so,
/// SQLite is made to, so that tests on either show the mistake).
public protocol Session {
    /// The words in which this database's SQL differs.
    var dialect: Dialect { get }

    /// Runs a statement and returns the number of rows it changed, 0 for DDL.
    @discardableResult
    func execute(_ sql: SQL) throws(StorageError) -> Int

    /// Runs a statement and returns all its rows.
    func rows(_ sql: SQL) throws(StorageError) -> [Row]

    /// Runs a query and hands over row after row without holding them all; the body may run other
    /// statements meanwhile. Rethrows the body's error, after which the session goes on. PostgreSQL
    /// keeps the query's cursor until the transaction ends: do not change its tables' definitions
    /// afterwards, and do not call this in a loop.
    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws

    /// Runs one statement once for each list of binds and returns the number of rows changed in
    /// all: the fast way to write many rows.
    @discardableResult
    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int

    /// Lets the statements of this transaction take, and wait for locks, as long as they need: for
    /// work that nobody waits for, such as a migration. A server that is gone is noticed still.
    func liftLimits() throws(StorageError)
}

extension Session {
    /// Runs a statement and returns its first row, or nil if there is none.
    public func row(_ sql: SQL) throws(StorageError) -> Row? {
        try rows(sql).first
    }

    /// Runs a query and tells whether it has a row.
    public func exists(_ sql: SQL) throws(StorageError) -> Bool {
        try row(sql) != nil
    }
}
