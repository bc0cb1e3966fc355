internal import CSQLite
internal import Storage

/// Translates SQLite's extended result codes into the codes that both databases share.
enum SQLiteErrors {
    /// The error of the call that just failed on a connection.
    static func last(_ handle: OpaquePointer, statement: String?) -> StorageError {
        make(
            told(sqlite3_extended_errcode(handle), by: handle),
            String(cString: sqlite3_errmsg(handle)), statement: statement)
    }

    /// A result code; that of a full disk also where a quota is used up or a file may not become
    /// longer, which SQLite tells of as of any failure to write.
    static func told(_ result: CInt, by handle: OpaquePointer) -> CInt {
        guard result & 0xFF == SQLITE_IOERR,
            PrivateFiles.isLackOfRoom(sqlite3_system_errno(handle))
        else { return result }
        return SQLITE_FULL
    }

    /// The error for a result code and SQLite's message.
    static func make(_ result: CInt, _ message: String, statement: String? = nil) -> StorageError {
        // It has no result code of its own.
        let code = message == "integer overflow" ? .overflow : code(result)
        return StorageError(
            code, code == .busy ? "another process holds the database: \(message)" : message,
            constraint: constraint(result, message), statement: statement)
    }

    private static func code(_ result: CInt) -> StorageError.Code {
        switch result {
        // The extended codes are macros in C that Swift does not see: primary code | (n << 8).
        case constraint(6), constraint(8), constraint(10): .uniqueViolation
        case constraint(3): .foreignKeyViolation
        case constraint(1): .checkViolation
        case constraint(5): .notNullViolation
        case constraint(12): .invalidStatement
        case SQLITE_BUSY | (2 << 8): .serializationFailure
        default: primaryCode(result & 0xFF)
        }
    }

    private static func primaryCode(_ result: CInt) -> StorageError.Code {
        switch result {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .diskFull
        case SQLITE_READONLY: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_MISUSE, SQLITE_TOOBIG:
            .invalidStatement
        default: .other
        }
    }

    private static func constraint(_ extended: CInt) -> CInt {
        SQLITE_CONSTRAINT | (extended << 8)
    }

    /// SQLite names what failed only at the end of its message.
    private static func constraint(_ result: CInt, _ message: String) -> String? {
        guard result & 0xFF == SQLITE_CONSTRAINT else { return nil }
        let marker = " constraint failed: "
        var rest = message[...]
        while !rest.isEmpty {
            if rest.hasPrefix(marker) { return String(rest.dropFirst(marker.count)) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
