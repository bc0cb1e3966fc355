internal import CPostgres
public import Storage

/// A database on a PostgreSQL server, or one of its schemas if the URL's options say so.
public final class PostgresDatabase: Database {
    /// PostgreSQL's words.
    public let dialect = Dialect.postgres
    private let pool: ConnectionPool

    /// Notes where to connect, which happens at first use; throws a `StorageError` for a URL that
    /// cannot be read. More connections let more transactions run at once.
    public init(url: String, connections: Int = 4) throws {
        precondition(connections > 0, "a database needs a connection")
        pool = ConnectionPool(try PostgresURL(url), size: connections)
    }

    /// Runs one SERIALIZABLE transaction, again if it lost a race or its connection before COMMIT.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await pool.perform { connection in
            try Transaction(connection, "BEGIN ISOLATION LEVEL SERIALIZABLE").perform(body)
        }
    }

    /// Runs queries on one snapshot (REPEATABLE READ READ ONLY).
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await pool.perform { connection in
            try Transaction(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                .perform(body)
        }
    }

    /// Waits for running transactions and ends all connections.
    public func close() async {
        await pool.close()
    }
}
