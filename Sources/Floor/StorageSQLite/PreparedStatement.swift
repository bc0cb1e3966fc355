internal import CSQLite
internal import Storage

/// A compiled statement that its connection keeps for the next use of the same text.
final class PreparedStatement {
    let handle: OpaquePointer
    let text: String
    /// Whether a result is being read from it, so that it cannot be run from the start.
    var isRunning = false
    /// For each of SQLite's parameters, the index of its bind.
    private let positions: [Int]
    private let bindCount: Int
    private var texts = BoundTexts()

    init(_ text: String, on connection: OpaquePointer) throws(StorageError) {
        self.text = text
        handle = try Self.compile(text, on: connection)
        do {
            positions = try Self.positions(of: handle, text)
        } catch {
            sqlite3_finalize(handle)
            throw error
        }
        bindCount = (positions.max() ?? -1) + 1
    }

    deinit {
        sqlite3_finalize(handle)
        texts.deallocate()
    }

    /// Gives every parameter its value, for the next run.
    func bind(_ binds: [SQLValue]) throws(StorageError) {
        guard binds.count == bindCount else {
            throw StorageError(
                .invalidStatement, "\(binds.count) binds for \(bindCount) placeholders",
                statement: text)
        }
        texts.makeRoom(for: binds)
        for parameter in positions.indices {
            let result = bind(
                binds[positions[parameter]], at: CInt(truncatingIfNeeded: parameter + 1))
            guard result == SQLITE_OK else {
                throw result == Self.textWithNUL
                    ? StorageError(.invalidStatement, "text with a NUL character", statement: text)
                    : SQLiteErrors.make(result, "cannot bind", statement: text)
            }
        }
    }

    /// Makes it ready for the next run; its error, if any, was told by the last step.
    func reset() {
        sqlite3_reset(handle)
    }

    /// Reads the values of the current row, in the place of those that are in the array.
    func read(into values: inout [SQLValue]) throws(StorageError) {
        let count = sqlite3_column_count(handle)
        values.removeAll(keepingCapacity: true)
        values.reserveCapacity(Int(count))
        for column in 0..<count { values.append(try value(column)) }
    }

    private func value(_ column: CInt) throws(StorageError) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER:
            return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            let utf8 = UnsafeBufferPointer(start: start, count: count)
            return .text(String(decoding: utf8, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        case SQLITE_NULL:
            return .null
        case SQLITE_FLOAT where sqlite3_column_decltype(handle, column) != nil:
            // No column of a STRICT table of ours holds one: the file is damaged there, and who
            // reads this row is told so by its bytes, while the other rows of the result stay.
            let bits = sqlite3_column_double(handle, column).bitPattern
            return .bytes(withUnsafeBytes(of: bits.bigEndian) { [UInt8]($0) })
        default:
            throw StorageError(
                .invalidStatement, "column \(column) is a floating-point number", statement: text)
        }
    }

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    private static let textWithNUL: CInt = -1

    private func bind(_ value: SQLValue, at parameter: CInt) -> CInt {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, parameter)
        case .integer(let value):
            return sqlite3_bind_int64(handle, parameter, value)
        case .text(let value):
            let characters = texts.append(value)
            // PostgreSQL has no NUL in text, so SQLite must refuse it too.
            guard !Self.hasNUL(characters) else { return Self.textWithNUL }
            return sqlite3_bind_text64(
                handle, parameter, characters.baseAddress, UInt64(characters.count), nil,
                UInt8(SQLITE_UTF8))
        case .bytes(let value):
            return value.withUnsafeBytes { bytes in
                // A null address would bind NULL instead of no bytes.
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, parameter, 0)
                    : sqlite3_bind_blob64(
                        handle, parameter, bytes.baseAddress, UInt64(bytes.count), Self.copied)
            }
        }
    }

    /// Counting without an early exit compiles to vector instructions, and texts are long.
    private static func hasNUL(_ characters: UnsafeBufferPointer<CChar>) -> Bool {
        var count = 0
        for character in characters where character == 0 { count &+= 1 }
        return count > 0
    }

    private static func compile(
        _ text: String, on connection: OpaquePointer
    ) throws(StorageError) -> OpaquePointer {
        var compiled: OpaquePointer?
        var text = text
        let (result, hasMore) = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                var tail: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(
                    connection, characters.baseAddress, CInt(characters.count),
                    CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &compiled, &tail)
                guard let tail, let start = characters.baseAddress else { return (result, false) }
                let rest = characters[(tail - start)...]
                return (result, rest.contains { !whitespace.contains(UInt8(bitPattern: $0)) })
            }
        }
        guard result == SQLITE_OK else { throw SQLiteErrors.last(connection, statement: text) }
        guard let compiled, !hasMore else {
            sqlite3_finalize(compiled)
            throw StorageError(.invalidStatement, "not exactly one statement", statement: text)
        }
        return compiled
    }

    private static let whitespace = Array(" \n\t\r;".utf8)

    /// SQLite takes `$2` for a name and numbers names by first appearance: the names are read once.
    private static func positions(
        of handle: OpaquePointer, _ text: String
    ) throws(StorageError) -> [Int] {
        var positions: [Int] = []
        let count = sqlite3_bind_parameter_count(handle)
        for parameter in 0..<count {
            guard let name = sqlite3_bind_parameter_name(handle, parameter + 1),
                name[0] == CChar(UInt8(ascii: "$")),
                let number = Int(String(cString: name + 1)), number > 0
            else {
                throw StorageError(
                    .invalidStatement, "a placeholder is not of the form $1", statement: text)
            }
            positions.append(number - 1)
        }
        return positions
    }
}
