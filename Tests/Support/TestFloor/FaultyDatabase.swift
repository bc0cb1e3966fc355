public import Storage
internal import Synchronization

/// A database that fails once, at a moment that the test chooses: what a crash leaves behind.
public final class FaultyDatabase: Database {
    /// Where it fails; the first one is 1.
    public enum Fault: Hashable, Sendable {
        /// At a statement, counted over all transactions.
        case statement(Int)
        /// At the end of a change, before it is committed.
        case beforeCommit(Int)
        /// After a change was committed, so that the caller cannot know what came of it.
        case afterCommit(Int)
    }

    private struct State {
        var fault: Fault?
        var statements = 0
        var changes = 0
        var reads = 0
        var hasFailed = false
    }

    private let base: any Database
    private let state = Mutex(State())

    public init(_ base: any Database) { self.base = base }

    public var dialect: Dialect { base.dialect }

    /// Starts counting, and fails once at a moment if one is given.
    public func arm(_ fault: Fault?) {
        state.withLock { $0 = State(fault: fault) }
    }

    /// How many statements and changes there were since it was armed.
    public var counts: (statements: Int, changes: Int) {
        state.withLock { ($0.statements, $0.changes) }
    }

    /// How many transactions only read since it was armed.
    public var reads: Int { state.withLock { $0.reads } }

    /// Whether it has failed since it was armed.
    public var hasFailed: Bool { state.withLock { $0.hasFailed } }

    public func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        let result = try await base.write(company) { [self] session in
            let result = try body(CountedSession(base: session, database: self))
            try fail { state in
                state.changes += 1
                return .beforeCommit(state.changes)
            }
            return result
        }
        try fail { .afterCommit($0.changes) }
        return result
    }

    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        state.withLock { $0.reads += 1 }
        return try await base.read { [self] session in
            try body(CountedSession(base: session, database: self))
        }
    }

    public func migrate(_ migrations: [Migration]) async throws {
        try await base.migrate(migrations)
    }

    public func check() async throws { try await base.check() }

    public var load: DatabaseLoad { base.load }

    public var copies: any DatabaseCopies { base.copies }

    public func close() async { await base.close() }

    fileprivate func countStatement() throws(StorageError) {
        try fail { state in
            state.statements += 1
            return .statement(state.statements)
        }
    }

    /// Fails if this is the place that was chosen.
    private func fail(at place: (inout State) -> Fault) throws(StorageError) {
        let failure = state.withLock { state -> Fault? in
            let place = place(&state)
            guard state.fault == place, !state.hasFailed else { return nil }
            state.hasFailed = true
            return place
        }
        if let failure { throw StorageError(.connectionLost, "\(failure)") }
    }
}

/// A session that counts its statements before it hands them on.
private struct CountedSession: Session {
    let base: any Session
    let database: FaultyDatabase

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int {
        try database.countStatement()
        return try base.execute(sql)
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        try database.countStatement()
        return try base.rows(sql)
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try database.countStatement()
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        try database.countStatement()
        return try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}
