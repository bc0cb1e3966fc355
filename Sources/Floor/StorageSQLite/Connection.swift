internal import CSQLite
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
/// It is in use by one thread at a time: the writer's by its queue, a reader's by being taken out
/// of a pool.
final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    private var isClosed = false
    private var statements: [String: PreparedStatement] = [:]

    // Before the first connection, once: nobody asks SQLite how much memory it uses, and counting
    // that locks a mutex at every allocation, some fifty times for a renewal.
    private static let countsNoMemory = sqlite_count_no_memory()

    // Lists of different lengths make many texts; more than a program has of its own.
    private static let maximumStatements = 500

    init(path: String, readOnly: Bool, options: ConnectionOptions) throws(StorageError) {
        _ = Self.countsNoMemory
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else {
            throw SQLiteErrors.make(result, "cannot open \(path): there is no memory for it")
        }
        handle = opened
        guard result == SQLITE_OK else { throw opening(path) }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, CInt(clamping: options.busyTimeoutMilliseconds))
        guard sqlite_refuse_quoted_texts(handle) == SQLITE_OK else { throw opening(path) }
        for pragma in Self.pragmas(readOnly: readOnly, options: options) {
            // The first of them is what reads the file.
            do { try step("PRAGMA \(pragma)") } catch { throw opening(path) }
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

    /// The bytes of the whole database.
    func contents() throws(StorageError) -> [UInt8] {
        var size: Int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else {
            throw SQLiteErrors.last(handle, statement: nil)
        }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    /// Lets go of the file.
    func close() {
        // They hold the connection that they belong to.
        statements.removeAll()
        guard !isClosed else { return }
        isClosed = true
        sqlite3_close_v2(handle)
    }

    deinit { close() }

    private static func pragmas(readOnly: Bool, options: ConnectionOptions) -> [String] {
        // Negative cache sizes are KiB. Connections share what the system has mapped: as much as
        // SQLite allows. The pages behind it each reads into a cache of its own.
        let shared = ["mmap_size = 2147418112", "temp_store = MEMORY", "foreign_keys = ON"]
        guard !readOnly else { return shared + ["cache_size = -16384"] }
        return shared + [
            "journal_mode = WAL",
            "cache_size = -65536",
            // NORMAL can forget the last commits in a power failure.
            options.isDurable ? "synchronous = FULL" : "synchronous = OFF",
            // Four times the usual, since a sweep writes much: fewer checkpoints, bounded file.
            "wal_autocheckpoint = 4000",
            "journal_size_limit = 67108864",
        ]
    }

    /// The error of a call that just failed while the file was opened.
    private func opening(_ path: String) -> StorageError {
        let result = SQLiteErrors.told(sqlite3_extended_errcode(handle), by: handle)
        return SQLiteErrors.make(
            result, "cannot open \(path): \(String(cString: sqlite3_errmsg(handle)))")
    }
}
