/// One row of a result, read by column index from 0 in the order of the SELECT list.
///
/// A value of another type than was asked for is an error, `corrupt`, and nothing that ends the
/// process: a column that the schema guarantees may still come out of a damaged file as something
/// else. An index that the row does not have is a mistake of the statement's author.
public struct Row: Sendable, Hashable {
    /// The columns' values in order.
    public let values: [SQLValue]

    /// Makes a row; for databases and tests.
    public init(_ values: [SQLValue]) {
        self.values = values
    }

    /// The number of columns.
    public var count: Int { values.count }

    /// The integer at an index; throws `corrupt` for anything else.
    public func integer(_ index: Int) throws(StorageError) -> Int64 {
        guard case .integer(let value) = value(index) else { throw broken(index, "an integer") }
        return value
    }

    /// The integer at an index, or nil for NULL; throws `corrupt` for anything else.
    public func integerOrNil(_ index: Int) throws(StorageError) -> Int64? {
        isNull(index) ? nil : try integer(index)
    }

    /// The integer at an index; throws `corrupt` for anything else.
    public func int(_ index: Int) throws(StorageError) -> Int {
        Int(try integer(index))
    }

    /// The integer at an index, or nil for NULL; throws `corrupt` for anything else.
    public func intOrNil(_ index: Int) throws(StorageError) -> Int? {
        isNull(index) ? nil : try int(index)
    }

    /// The boolean at an index, stored as 0 or 1; throws `corrupt` for anything else.
    public func bool(_ index: Int) throws(StorageError) -> Bool {
        switch value(index) {
        case .integer(0): false
        case .integer(1): true
        case .integer, .null, .text, .bytes: throw broken(index, "0 or 1")
        }
    }

    /// The boolean at an index, stored as 0 or 1, or nil for NULL; throws `corrupt` for anything
    /// else.
    public func boolOrNil(_ index: Int) throws(StorageError) -> Bool? {
        isNull(index) ? nil : try bool(index)
    }

    /// The text at an index; throws `corrupt` for anything else.
    public func text(_ index: Int) throws(StorageError) -> String {
        guard case .text(let value) = value(index) else { throw broken(index, "text") }
        return value
    }

    /// The text at an index, or nil for NULL; throws `corrupt` for anything else.
    public func textOrNil(_ index: Int) throws(StorageError) -> String? {
        isNull(index) ? nil : try text(index)
    }

    /// The bytes at an index; throws `corrupt` for anything else.
    public func bytes(_ index: Int) throws(StorageError) -> [UInt8] {
        guard case .bytes(let value) = value(index) else { throw broken(index, "bytes") }
        return value
    }

    /// The bytes at an index, or nil for NULL; throws `corrupt` for anything else.
    public func bytesOrNil(_ index: Int) throws(StorageError) -> [UInt8]? {
        isNull(index) ? nil : try bytes(index)
    }

    /// Whether the value at an index is NULL.
    public func isNull(_ index: Int) -> Bool {
        precondition(values.indices.contains(index), "no column \(index) among \(values.count)")
        // A comparison would copy the value, and most columns of a subscription are asked.
        guard case .null = values[index] else { return false }
        return true
    }

    private func value(_ index: Int) -> SQLValue {
        precondition(values.indices.contains(index), "no column \(index) among \(values.count)")
        return values[index]
    }

    // Text and bytes are told by their length only: they may be secret, and this goes to a log.
    private func broken(_ index: Int, _ expected: String) -> StorageError {
        let found =
            switch values[index] {
            case .null: "NULL"
            case .integer(let value): "the integer \(value)"
            case .text(let value): "text of \(value.utf8.count) bytes"
            case .bytes(let value): "\(value.count) bytes"
            }
        return StorageError(.corrupt, "column \(index) holds \(found), not \(expected)")
    }
}
