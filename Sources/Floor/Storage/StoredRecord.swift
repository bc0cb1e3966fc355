public import SubscriptionRules

/// A row as a value, whose columns are listed once: writing, reading and SELECT lists follow that
/// list, so that no column is known by its number.
package protocol StoredRecord: Sendable {
    /// A value to read a row into.
    static var blank: Self { get }

    /// Names each column with the property that it holds, always in the same order.
    mutating func visit(_ columns: inout RecordColumns) throws(StorageError)
}

/// A value that one column holds.
public protocol StoredValue: SQLConvertible {
    /// The value at an index of a row; throws `corrupt` for anything else.
    static func read(_ row: Row, _ index: Int) throws(StorageError) -> Self
}

/// What goes through the columns of a record: it names them, takes their values, or fills them.
/// The compiler sees through it where a record lists its columns, since each row read goes there.
package struct RecordColumns {
    @usableFromInline
    enum Purpose {
        case naming
        case taking
        case filling(Row)
    }

    @usableFromInline let purpose: Purpose
    @usableFromInline var names: [String] = []
    @usableFromInline var values: [SQLValue] = []
    /// The index of the next column to be filled.
    @usableFromInline var filled: Int

    fileprivate init(_ purpose: Purpose, from first: Int = 0) {
        self.purpose = purpose
        filled = first
    }

    /// A column and the property that it holds.
    @inlinable
    package mutating func column<Value: StoredValue>(
        _ name: String, _ value: inout Value
    ) throws(StorageError) {
        switch purpose {
        case .naming: names.append(name)
        case .taking: values.append(value.sqlValue)
        case .filling(let row):
            value = try Value.read(row, filled)
            filled += 1
        }
    }

    /// A column that holds a choice by its number.
    @inlinable
    package mutating func column<Choice: RawRepresentable>(
        _ name: String, _ value: inout Choice
    ) throws(StorageError) where Choice.RawValue: StoredValue {
        var raw = value.rawValue
        try column(name, &raw)
        value = try Self.choice(raw, name)
    }

    /// A column that holds a choice by its number, or nothing.
    @inlinable
    package mutating func column<Choice: RawRepresentable>(
        _ name: String, _ value: inout Choice?
    ) throws(StorageError) where Choice.RawValue: StoredValue {
        var raw = value?.rawValue
        try column(name, &raw)
        value = nil
        if let raw { value = try Self.choice(raw, name) }
    }

    @inlinable
    static func choice<Choice: RawRepresentable>(
        _ raw: Choice.RawValue, _ name: String
    ) throws(StorageError) -> Choice {
        guard let choice = Choice(rawValue: raw) else {
            throw StorageError(.corrupt, "\(name) holds none of its values")
        }
        return choice
    }
}

extension StoredRecord {
    /// The names of the columns in order, made once by whoever keeps them.
    package static func columnNames() -> [String] {
        var (blank, columns) = (Self.blank, RecordColumns(.naming))
        // Naming reads nothing, and so cannot fail.
        try? blank.visit(&columns)
        return columns.names
    }

    /// The values in the order of the names.
    package var storedValues: [SQLValue] {
        var (copy, columns) = (self, RecordColumns(.taking))
        try? copy.visit(&columns)
        return columns.values
    }

    /// Reads a row whose columns are those of the list, in its order.
    ///
    /// - Parameter first: the index of the first of them.
    /// - Throws: `corrupt` where a column holds something else.
    package init(_ row: Row, from first: Int = 0) throws(StorageError) {
        self = .blank
        var columns = RecordColumns(.filling(row), from: first)
        try visit(&columns)
    }
}

extension Int64: StoredValue {
    public static func read(_ row: Row, _ index: Int) throws(StorageError) -> Int64 {
        try row.integer(index)
    }
}

extension Bool: StoredValue {
    public static func read(_ row: Row, _ index: Int) throws(StorageError) -> Bool {
        try row.bool(index)
    }
}

extension String: StoredValue {
    public static func read(_ row: Row, _ index: Int) throws(StorageError) -> String {
        try row.text(index)
    }
}

extension Instant: StoredValue {
    public static func read(_ row: Row, _ index: Int) throws(StorageError) -> Instant {
        try row.instant(index)
    }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    @inlinable
    public static func read(_ row: Row, _ index: Int) throws(StorageError) -> Wrapped? {
        row.isNull(index) ? nil : try Wrapped.read(row, index)
    }
}
