internal import CSQLiteOptions
internal import GRDB
internal import GRDBSQLite
internal import Storage

/// How a connection is opened.
struct ConnectionOptions: Sendable {
    /// Whether a commit waits until the disk has it; a database that ends with the process
    /// does without.
    var isDurable = true
    /// How long to wait for another process's lock.
    var busyTimeoutMilliseconds: Int
}

/// One connection to a file, with its compiled statements.
///
/// GRDB opens it, sets it up and closes it; statements run over SQLite's C functions. It is in use
/// by one thread at a time: the writer's by its queue, a reader's by being taken out of a pool.
final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    private let queue: DatabaseQueue
    private var statements: [String: PreparedStatement] = [:]

    // Before the first connection, once: nobody asks SQLite how much memory it uses, and counting
    // that locks a mutex at every allocation, some fifty times for a renewal.
    private static let countsNoMemory = sqlite_count_no_memory()

    // Lists of different lengths make many texts; more than a program has of its own.
    private static let maximumStatements = 500

    init(path: String, readOnly: Bool, options: ConnectionOptions) throws(StorageError) {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.journalMode = .wal
        configuration.foreignKeysEnabled = true
        _ = Self.countsNoMemory
        let timeout = Double(options.busyTimeoutMilliseconds) / 1000
        configuration.busyMode = .timeout(timeout)
        configuration.label = readOnly ? "perennial.sqlite.reader" : "perennial.sqlite.writer"
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            handle = try queue.inDatabase { database in
                guard let handle = database.sqliteConnection else {
                    throw StorageError(.connectionLost, "the connection is closed")
                }
                return handle
            }
        } catch {
            throw Self.opening(path, error)
        }
        // Nothing observes changes through GRDB, and its hooks cost time on each commit.
        sqlite3_commit_hook(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
        sqlite3_set_authorizer(handle, nil, nil)
        for pragma in Self.pragmas(readOnly: readOnly, options: options) {
            try step("PRAGMA \(pragma)")
        }
    }

    /// The compiled statement for a text; not one that is in the midst of a result.
    func statement(_ text: String) throws(StorageError) -> PreparedStatement {
        if let statement = statements[text] {
            guard statement.isRunning else { return statement }
            return try PreparedStatement(text, on: handle)
        }
        if statements.count >= Self.maximumStatements { statements.removeAll() }
        let statement = try PreparedStatement(text, on: handle)
        statements[text] = statement
        return statement
    }

    /// Runs a statement of our own without binds, such as BEGIN.
    func step(_ text: String) throws(StorageError) {
        let statement = try statement(text)
        defer { statement.reset() }
        while true {
            switch sqlite3_step(statement.handle) {
            case SQLITE_ROW: continue
            case SQLITE_DONE: return
            default: throw SQLiteErrors.last(handle, statement: text)
            }
        }
    }

    /// Whether a transaction is open; SQLite ends it by itself after some errors.
    var isInTransaction: Bool {
        sqlite3_get_autocommit(handle) == 0
    }

    /// Lets go of the file.
    func close() {
        statements.removeAll()
        try? queue.close()
    }

    deinit {
        // The statements must go before GRDB closes the connection they belong to.
        statements.removeAll()
    }

    private static func pragmas(readOnly: Bool, options: ConnectionOptions) -> [String] {
        // Negative cache sizes are KiB. Readers share what the system has mapped.
        let shared = ["mmap_size = 268435456", "temp_store = MEMORY"]
        guard !readOnly else { return shared + ["cache_size = -16384"] }
        return shared + [
            "cache_size = -65536",
            // GRDB sets NORMAL with WAL, which can forget the last commits in a power failure.
            options.isDurable ? "synchronous = FULL" : "synchronous = OFF",
            // Four times the usual, since a sweep writes much: fewer checkpoints, bounded file.
            "wal_autocheckpoint = 4000",
            "journal_size_limit = 67108864",
        ]
    }

    private static func opening(_ path: String, _ error: any Error) -> StorageError {
        guard let error = error as? DatabaseError else {
            return error as? StorageError ?? StorageError(.other, "cannot open \(path): \(error)")
        }
        let result = error.extendedResultCode.rawValue
        let reason = error.message ?? "result \(result)"
        return SQLiteErrors.make(result, "cannot open \(path): \(reason)")
    }
}
