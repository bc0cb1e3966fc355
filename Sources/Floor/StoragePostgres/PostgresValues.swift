internal import CPostgres
internal import Storage

/// The types that the seam reads and writes, by PostgreSQL's fixed numbers for them.
enum PostgresType {
    static let unknown: Oid = 0
    static let boolean: Oid = 16
    static let bytes: Oid = 17
    static let name: Oid = 19
    static let integer64: Oid = 20
    static let integer16: Oid = 21
    static let integer32: Oid = 23
    static let text: Oid = 25
    static let untypedLiteral: Oid = 705
    static let character: Oid = 1042
    static let varying: Oid = 1043
    static let void: Oid = 2278

    /// The type that a bind is declared to have; NULL leaves it to the server.
    static func declared(for value: SQLValue) -> Oid {
        switch value {
        case .null: unknown
        case .integer: integer64
        case .text: text
        case .bytes: bytes
        }
    }

    /// Whether a statement that was prepared with a parameter type takes a value as it is.
    static func isFit(_ type: Oid, for value: SQLValue) -> Bool {
        switch value {
        case .null: true
        case .integer: type == integer64 || type == integer32 || type == integer16
        case .text: type == text || type == varying || type == character
        case .bytes: type == bytes
        }
    }
}

/// Binds in the form in which libpq takes them, in one piece of memory.
struct EncodedBinds {
    private var memory: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [CInt] = []
    private var formats: [CInt] = []

    private static let textual: CInt = 0
    private static let binary: CInt = 1

    init(_ binds: [SQLValue], types: [Oid]) {
        offsets.reserveCapacity(binds.count)
        lengths.reserveCapacity(binds.count)
        formats.reserveCapacity(binds.count)
        memory.reserveCapacity(16 * binds.count)
        for (bind, type) in zip(binds, types) {
            switch bind {
            case .null: append(Self.binary, isNull: true) { _ in }
            case .integer(let value) where type == PostgresType.integer64:
                append(Self.binary) { memory in
                    withUnsafeBytes(of: value.bigEndian) { memory.append(contentsOf: $0) }
                }
            case .integer(let value):
                append(Self.textual) { memory in
                    memory.append(contentsOf: String(value).utf8)
                    memory.append(0)
                }
            case .text(let value): append(Self.binary) { $0.append(contentsOf: value.utf8) }
            case .bytes(let value): append(Self.binary) { $0.append(contentsOf: value) }
            }
        }
    }

    private mutating func append(
        _ format: CInt, isNull: Bool = false, _ write: (inout [UInt8]) -> Void
    ) {
        let start = memory.count
        write(&memory)
        offsets.append(isNull ? nil : start)
        lengths.append(CInt(memory.count - start))
        formats.append(format)
    }

    /// Hands over the count, addresses, lengths and formats, valid for the time of the call.
    func withPointers<Result>(
        _ body: (
            CInt, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<CInt>, UnsafePointer<CInt>
        ) -> Result
    ) -> Result {
        // One more byte, since empty memory has no address and a null address means NULL.
        (memory + [0]).withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let addresses = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
            return body(CInt(offsets.count), addresses, lengths, formats)
        }
    }
}

/// Reads a result's rows, all in binary form.
struct ResultReader {
    let result: OpaquePointer
    let statement: String
    private let types: [Oid]

    init(_ result: OpaquePointer, _ statement: String) {
        self.result = result
        self.statement = statement
        types = (0..<PQnfields(result)).map { PQftype(result, $0) }
    }

    func rows() throws(StorageError) -> [Row] {
        let count = PQntuples(result)
        var rows: [Row] = []
        rows.reserveCapacity(Int(count))
        for index in 0..<count {
            var values: [SQLValue] = []
            values.reserveCapacity(types.count)
            for column in types.indices {
                values.append(try value(index, column))
            }
            rows.append(Row(values))
        }
        return rows
    }

    private func value(_ row: CInt, _ index: Int) throws(StorageError) -> SQLValue {
        let column = CInt(truncatingIfNeeded: index)
        guard PQgetisnull(result, row, column) == 0 else { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column),
            count: Int(PQgetlength(result, row, column)))
        switch types[index] {
        case PostgresType.integer64: return .integer(Self.integer(bytes, as: Int64.self))
        case PostgresType.integer32: return .integer(Int64(Self.integer(bytes, as: Int32.self)))
        case PostgresType.integer16: return .integer(Int64(Self.integer(bytes, as: Int16.self)))
        case PostgresType.boolean: return .integer(bytes[0] == 0 ? 0 : 1)
        case PostgresType.text, PostgresType.varying, PostgresType.character, PostgresType.name,
            PostgresType.untypedLiteral:
            return .text(String(decoding: bytes, as: UTF8.self))
        case PostgresType.bytes: return .bytes([UInt8](bytes))
        case PostgresType.void: return .null
        case let type:
            throw StorageError(
                .invalidStatement,
                "column \(index) has type number \(type); cast it to bigint, text or bytea",
                statement: statement)
        }
    }

    private static func integer<T: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, as type: T.Type
    ) -> T {
        T(bigEndian: bytes.loadUnaligned(as: T.self))
    }
}
