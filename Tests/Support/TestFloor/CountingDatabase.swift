public import Storage
internal import Synchronization

/// A database that counts its statements by their texts: how much of them a piece of work takes.
public final class CountingDatabase: Database {
    /// How often statements were sent, and how often they ran.
    public struct Count: Sendable, Hashable {
        public var sent: Int
        /// A statement for many rows is sent once and runs for each of them.
        public var runs: Int

        public init(sent: Int = 0, runs: Int = 0) {
            self.sent = sent
            self.runs = runs
        }

        static func + (one: Count, other: Count) -> Count {
            Count(sent: one.sent + other.sent, runs: one.runs + other.runs)
        }
    }

    private let base: any Database
    private let counts = Mutex<[String: Count]>([:])

    public init(_ base: any Database) { self.base = base }

    public var dialect: Dialect { base.dialect }
    public var load: DatabaseLoad { base.load }
    public var copies: any DatabaseCopies { base.copies }

    /// All statements since it was made or forgot them.
    public var all: Count { count(of: "") }

    /// The statements among them whose texts begin with some words, such as `INSERT INTO journal`.
    public func count(of beginning: String) -> Count {
        counts.withLock { counts in
            counts.reduce(Count()) { $1.key.hasPrefix(beginning) ? $0 + $1.value : $0 }
        }
    }

    /// Counts from nothing.
    public func forget() { counts.withLock { $0 = [:] } }

    @discardableResult
    public func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company) { [self] session in
            try body(CountingSession(base: session, database: self))
        }
    }

    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read { [self] session in
            try body(CountingSession(base: session, database: self))
        }
    }

    public func migrate(_ migrations: [Migration]) async throws {
        try await base.migrate(migrations)
    }

    public func check() async throws { try await base.check() }

    public func close() async { await base.close() }

    fileprivate func add(_ text: String, runs: Int = 1) {
        counts.withLock { counts in
            counts[text, default: Count()].sent += 1
            counts[text, default: Count()].runs += runs
        }
    }
}

/// A session that counts its statements before it hands them on.
private struct CountingSession: Session {
    let base: any Session
    let database: CountingDatabase

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int {
        database.add(sql.text)
        return try base.execute(sql)
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        database.add(sql.text)
        return try base.rows(sql)
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        database.add(sql.text)
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        database.add(text, runs: rows.count)
        return try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}
