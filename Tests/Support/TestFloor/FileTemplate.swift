import Storage
import StorageSQLite
import Synchronization

/// The bytes of a SQLite database with its tables made and empty, which tests begin with copies of.
final class FileTemplate: Sendable {
    private let contents = Mutex<[UInt8]>([])

    /// A copy of it; an empty database as long as nobody has made tables.
    func copy() throws -> any Database {
        let contents = contents.withLock(\.self)
        let database = try SQLiteDatabase.ephemeral(limits: Backend.patience, contents: contents)
        return contents.isEmpty ? FirstDatabase(database, self) : database
    }

    fileprivate func keep(_ contents: [UInt8]) {
        self.contents.withLock { if $0.isEmpty { $0 = contents } }
    }
}

/// A database whose file is kept as the template once its tables are made.
private final class FirstDatabase: Database {
    private let base: SQLiteDatabase
    private let template: FileTemplate
    private let isFresh = Atomic(true)

    init(_ base: SQLiteDatabase, _ template: FileTemplate) {
        self.base = base
        self.template = template
    }

    func migrate(_ migrations: [Migration]) async throws {
        try await base.migrate(migrations)
        // Whoever opens it again finds rows.
        guard isFresh.exchange(false, ordering: .relaxed) else { return }
        template.keep(try await base.contents())
    }

    var dialect: Dialect { base.dialect }
    var load: DatabaseLoad { base.load }
    var copies: any DatabaseCopies { base.copies }
    func check() async throws { try await base.check() }
    func close() async { await base.close() }

    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company, body)
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read(body)
    }
}
