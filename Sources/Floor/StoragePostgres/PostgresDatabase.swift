internal import CPostgres
public import Storage

/// A database on a PostgreSQL server, or one of its schemas if the URL's options say so.
public final class PostgresDatabase: Database {
    /// PostgreSQL's words.
    public let dialect = Dialect.postgres
    private let pool: ConnectionPool
    /// Copies of the schema, each a schema of the same database.
    public let copies: any DatabaseCopies

    /// Notes where to connect, which happens at first use; throws a `StorageError` for a URL that
    /// cannot be read. More connections let more transactions run at once; one more is made by
    /// which one sees whether the server is there.
    public convenience init(
        url: String, connections: Int = PostgresDatabase.usualConnections,
        limits: DatabaseLimits = DatabaseLimits()
    ) throws {
        precondition(
            Self.connectionsRange.contains(connections),
            "\(connections) connections are not 1 to 100")
        self.init(try PostgresURL(url), connections: connections, limits: limits)
    }

    init(_ url: PostgresURL, connections: Int, limits: DatabaseLimits) {
        let pool = ConnectionPool(url, size: connections, limits: limits)
        self.pool = pool
        copies = PostgresCopies(pool: pool, url: url, connections: connections, limits: limits)
    }

    /// How many connections there may be.
    public static let connectionsRange = 1...100
    /// How many there are unless it is said.
    public static let usualConnections = 8

    /// Runs one READ COMMITTED transaction behind the queue of all changes, again if it lost its
    /// connection before COMMIT, and again and alone if it lost a race.
    @discardableResult
    public func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await pool.perform { connection in
            try Transaction(
                connection, "BEGIN ISOLATION LEVEL READ COMMITTED", in: company
            ).perform(body)
        }
    }

    /// Runs queries on one snapshot (REPEATABLE READ READ ONLY).
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await pool.perform { connection in
            try Transaction(
                connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", in: nil
            ).perform(body)
        }
    }

    /// Asks over a connection of its own.
    public func check() async throws { try await pool.check() }

    /// How busy the connections are.
    public var load: DatabaseLoad { pool.load }

    /// Waits for running transactions and ends all connections.
    public func close() async {
        await pool.close()
    }
}
