/// In whose company a change is made.
public enum Company: Sendable, Hashable {
    /// Nothing else is changed meanwhile, by this process or another one: as if there were one
    /// writer.
    case alone
    /// Beside others that are together as well. PostgreSQL shows each statement what is committed
    /// by then, so whoever reads in order to change locks first what others may change. SQLite has
    /// one writer anyway.
    case together
}

/// A database that keeps its promises to many at once, SQLite or PostgreSQL.
public protocol Database: Sendable {
    /// The words in which this database's SQL differs.
    var dialect: Dialect { get }

    /// Runs one transaction: commits what the body did, or rolls it back and rethrows the body's
    /// error.
    ///
    /// The body may run several times, since a transaction that lost a race against others is
    /// repeated alone, so it must change nothing but the database. Throws a `StorageError` if the
    /// database fails; `connectionLost` at COMMIT means that the outcome is unknown. Turns come in
    /// the order of asking: who would wait longer than `DatabaseLimits` allow is refused as `busy`,
    /// and whose task is cancelled while waiting with a `CancellationError`; nothing has happened
    /// then.
    @discardableResult
    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T

    /// Runs queries on one consistent snapshot; a change is refused as `readOnly`. Waiting has the
    /// limits that it has for `write`.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T

    /// Brings the schema up to date: applies each migration once, in order, each in a transaction
    /// of its own; refuses a database that knows migrations which this list does not.
    func migrate(_ migrations: [Migration]) async throws

    /// Asks the database whether it is there, behind nobody who waits for a turn and for a few
    /// seconds at most; throws a `StorageError` if it is not.
    func check() async throws

    /// How busy it is, without asking it.
    var load: DatabaseLoad { get }

    /// Copies of all that it holds, kept beside it.
    var copies: any DatabaseCopies { get }

    /// Waits for running transactions and lets go of all connections; later use is refused as
    /// `connectionLost`.
    func close() async
}

extension Database {
    /// Runs one transaction while nothing else is changed.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await write(.alone, body)
    }
}
