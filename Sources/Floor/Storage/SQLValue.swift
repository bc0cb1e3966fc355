/// A value that both databases store exactly; there is no floating point on purpose.
public enum SQLValue: Sendable, Hashable {
    /// The absence of a value.
    case null
    /// A signed 64-bit integer: instants in milliseconds, money in milliunits, counts, booleans.
    case integer(Int64)
    /// Unicode text without a NUL character, which PostgreSQL cannot hold.
    case text(String)
    /// Bytes, kept exactly.
    case bytes([UInt8])
}

/// What can stand as a bind in a statement; an enumeration with such a raw value conforms for free.
public protocol SQLConvertible: Sendable {
    /// The value as the database stores it.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    /// Itself.
    public var sqlValue: SQLValue { self }
}

extension Int: SQLConvertible {
    /// The number as a 64-bit integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int32: SQLConvertible {
    /// The number as a 64-bit integer.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLConvertible {
    /// The number itself.
    public var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLConvertible {
    /// 1 for true, 0 for false, since SQLite has no boolean of its own.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLConvertible {
    /// The text itself.
    public var sqlValue: SQLValue { .text(self) }
}

extension Array: SQLConvertible where Element == UInt8 {
    /// The bytes themselves.
    public var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    /// The wrapped value, or NULL for nil.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    /// The raw value, so that an enumeration only has to declare the conformance.
    public var sqlValue: SQLValue { rawValue.sqlValue }
}
