/// One row of a result, read by column index from 0 in the order of the SELECT list.
///
/// Who wrote the statement knows its columns: a wrong type or index is a broken promise of our
/// own, so it stops the process with a message that names the index and what was there.
public struct Row: Sendable, Hashable {
    /// The columns' values in order.
    public let values: [SQLValue]

    /// Makes a row; for databases and tests.
    public init(_ values: [SQLValue]) {
        self.values = values
    }

    /// The number of columns.
    public var count: Int { values.count }

    /// The integer at an index.
    public func integer(_ index: Int) -> Int64 {
        guard case .integer(let value) = value(index) else { broken(index, "an integer") }
        return value
    }

    /// The integer at an index, or nil for NULL.
    public func integerOrNil(_ index: Int) -> Int64? {
        isNull(index) ? nil : integer(index)
    }

    /// The integer at an index.
    public func int(_ index: Int) -> Int {
        Int(integer(index))
    }

    /// The integer at an index, or nil for NULL.
    public func intOrNil(_ index: Int) -> Int? {
        isNull(index) ? nil : int(index)
    }

    /// The boolean at an index, stored as 0 or 1.
    public func bool(_ index: Int) -> Bool {
        switch value(index) {
        case .integer(0): false
        case .integer(1): true
        case .integer, .null, .text, .bytes: broken(index, "0 or 1")
        }
    }

    /// The boolean at an index, stored as 0 or 1, or nil for NULL.
    public func boolOrNil(_ index: Int) -> Bool? {
        isNull(index) ? nil : bool(index)
    }

    /// The text at an index.
    public func text(_ index: Int) -> String {
        guard case .text(let value) = value(index) else { broken(index, "text") }
        return value
    }

    /// The text at an index, or nil for NULL.
    public func textOrNil(_ index: Int) -> String? {
        isNull(index) ? nil : text(index)
    }

    /// The bytes at an index.
    public func bytes(_ index: Int) -> [UInt8] {
        guard case .bytes(let value) = value(index) else { broken(index, "bytes") }
        return value
    }

    /// The bytes at an index, or nil for NULL.
    public func bytesOrNil(_ index: Int) -> [UInt8]? {
        isNull(index) ? nil : bytes(index)
    }

    /// Whether the value at an index is NULL.
    public func isNull(_ index: Int) -> Bool {
        value(index) == .null
    }

    private func value(_ index: Int) -> SQLValue {
        precondition(values.indices.contains(index), "no column \(index) among \(values.count)")
        return values[index]
    }

    // Text and bytes are told by their length only: they may be secret, and this goes to a log.
    private func broken(_ index: Int, _ expected: String) -> Never {
        let found =
            switch values[index] {
            case .null: "NULL"
            case .integer(let value): "the integer \(value)"
            case .text(let value): "text of \(value.utf8.count) bytes"
            case .bytes(let value): "\(value.count) bytes"
            }
        preconditionFailure("column \(index) is \(found), not \(expected)")
    }
}
