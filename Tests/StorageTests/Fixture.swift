import Storage
import Synchronization
import TestFloor
import Testing

/// A table of accounts and one of what they hold, with every kind of constraint.
let accounts = Migration("accounts") { dialect in
    [
        """
        CREATE TABLE account (
            id \(dialect.integerKey),
            name TEXT NOT NULL,
            balance \(dialect.integer) NOT NULL DEFAULT 0
                CONSTRAINT balance_is_not_negative CHECK (balance >= 0),
            UNIQUE (name)
        )\(dialect.tableOptions)
        """,
        """
        CREATE TABLE holding (
            id \(dialect.integerKey),
            account_id \(dialect.integer) NOT NULL REFERENCES account (id),
            label TEXT,
            content \(dialect.bytes)
        )\(dialect.tableOptions)
        """,
    ]
}

/// Runs a test on a fresh database with the tables of `accounts`, and closes it.
func withDatabase(
    _ backend: Backend, _ body: (any Database) async throws -> Void
) async throws {
    let database = try await backend.makeDatabase()
    do {
        try await database.migrate([accounts])
        try await body(database)
    } catch {
        await database.close()
        throw error
    }
    await database.close()
}

extension Session {
    /// Opens an account.
    func open(_ id: Int, _ name: String, balance: Int = 0) throws(StorageError) {
        try execute("INSERT INTO account (id, name, balance) VALUES (\(id), \(name), \(balance))")
    }

    /// An account's balance.
    func balance(_ id: Int) throws(StorageError) -> Int? {
        try row("SELECT balance FROM account WHERE id = \(id)")?.int(0)
    }

    /// How many accounts there are.
    func accountCount() throws(StorageError) -> Int? {
        try row("SELECT COUNT(*) FROM account")?.int(0)
    }
}

/// What a failed storage operation throws; records an issue if it does not fail so.
func storageError(
    _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> StorageError? {
    await #expect(throws: StorageError.self, sourceLocation: location) { try await body() }
}

/// An error of the domain, thrown to leave a transaction.
struct ChangeOfMind: Error, Equatable {}

/// What a copy told of itself.
final class Told: Sendable {
    private let state = Mutex<[CopyProgress]>([])

    var readings: [CopyProgress] { state.withLock { $0 } }

    var take: @Sendable (CopyProgress) -> Void {
        { [self] progress in state.withLock { $0.append(progress) } }
    }
}
