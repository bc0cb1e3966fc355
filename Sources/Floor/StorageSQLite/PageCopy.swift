internal import CSQLite
internal import Storage

/// A run of SQLite's backup interface, from one connection's main database to another's.
struct PageCopy {
    let source: OpaquePointer
    let target: OpaquePointer

    init(from source: OpaquePointer, to target: OpaquePointer) {
        self.source = source
        self.target = target
    }

    private static let pagesAtOnce: CInt = 4096

    /// Copies one snapshot of a file to a new one, while others write to it.
    static func make(
        of path: String, at draft: String, options: ConnectionOptions,
        _ progress: (CopyProgress) -> Void
    ) throws {
        let source = try Connection(path: path, readOnly: true, options: options)
        defer { source.close() }
        try source.step("BEGIN")
        defer { try? source.step("ROLLBACK") }
        // A transaction has no snapshot before its first look.
        try source.step("SELECT COUNT(*) FROM sqlite_schema")
        try PrivateFiles.createFile(draft)
        var target: OpaquePointer?
        defer { sqlite3_close_v2(target) }
        let opened = sqlite3_open_v2(draft, &target, SQLITE_OPEN_READWRITE, nil)
        guard opened == SQLITE_OK, let target else {
            throw SQLiteErrors.make(opened, "cannot open \(draft)")
        }
        // A draft has nothing to go back to; it is brought to the disk when it is changed.
        sqlite3_exec(target, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
        try PageCopy(from: source.handle, to: target).run(pagesAtOnce: pagesAtOnce, progress)
    }

    func run(pagesAtOnce: CInt, _ progress: (CopyProgress) -> Void) throws(StorageError) {
        guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
            throw SQLiteErrors.last(target, statement: nil)
        }
        var result = SQLITE_OK
        while result == SQLITE_OK {
            result = sqlite3_backup_step(backup, pagesAtOnce)
            let total = Int64(sqlite3_backup_pagecount(backup))
            let left = Int64(sqlite3_backup_remaining(backup))
            progress(CopyProgress(done: (total - left) * 4096, total: total * 4096))
        }
        let finished = sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE, finished == SQLITE_OK else {
            let code = result == SQLITE_DONE ? finished : result
            throw SQLiteErrors.make(
                SQLiteErrors.told(code, by: target), String(cString: sqlite3_errstr(code)))
        }
    }
}
