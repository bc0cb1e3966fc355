import Dispatch
import Storage
import Synchronization
import TestFloor

/// A database that writes down what changes ask it, in order, and may hold one of them up.
final class StatementLog: Database {
    private let base: any Database
    private let texts = Mutex<[String]>([])
    private let changes = Mutex<[Company]>([])
    private let queries = Mutex(0)
    private let held = Mutex<(words: String, reached: Gate)?>(nil)
    private let released = DispatchSemaphore(value: 0)

    init(_ base: any Database) { self.base = base }

    var dialect: Dialect { base.dialect }
    var load: DatabaseLoad { base.load }
    var copies: any DatabaseCopies { base.copies }

    /// Where a statement first comes that has these words; nil where none has.
    func place(of words: String) -> Int? {
        texts.withLock { $0.firstIndex { $0.contains(words) } }
    }

    /// How many statements there were.
    var count: Int { texts.withLock { $0.count } }

    /// How often something was read.
    var reads: Int { queries.withLock { $0 } }

    /// Who else could change something beside each change, in order; one that is made anew comes
    /// twice.
    var companies: [Company] { changes.withLock { $0 } }

    /// Forgets what was asked so far.
    func clear() {
        texts.withLock { $0 = [] }
        changes.withLock { $0 = [] }
        queries.withLock { $0 = 0 }
    }

    /// Holds the next change up that is about to ask something with these words.
    ///
    /// - Returns: what opens once a change has come so far.
    func hold(before words: String) -> Gate {
        let reached = Gate()
        held.withLock { $0 = (words, reached) }
        return reached
    }

    /// Lets the change go on that is held up.
    func release() { released.signal() }

    fileprivate func add(_ text: String) {
        texts.withLock { $0.append(text) }
        let reached = held.withLock { held -> Gate? in
            guard let (words, reached) = held, text.contains(words) else { return nil }
            held = nil
            return reached
        }
        guard let reached else { return }
        reached.open()
        released.wait()
    }

    @discardableResult
    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        changes.withLock { $0.append(company) }
        return try await base.write(company) { [self] in try body(Logged(base: $0, log: self)) }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        queries.withLock { $0 += 1 }
        return try await base.read(body)
    }

    func migrate(_ migrations: [Migration]) async throws { try await base.migrate(migrations) }
    func check() async throws { try await base.check() }
    func close() async { await base.close() }
}

private struct Logged: Session {
    let base: any Session
    let log: StatementLog

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int {
        log.add(sql.text)
        return try base.execute(sql)
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        log.add(sql.text)
        return try base.rows(sql)
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        log.add(sql.text)
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        log.add(text)
        return try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}
