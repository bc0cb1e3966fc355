/// A JSON text as a value: request bodies before they are judged, and `.storekit` files.
///
/// The parser is strict: see ``JSONSyntaxError`` for what it refuses.
public enum JSONValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; a member that is given twice is refused by the parser.
    case object([String: JSONValue])

    /// Reads one JSON text (RFC 8259) from all of `bytes`.
    public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes)
        self = try parser.text()
    }

    /// Reads one JSON text (RFC 8259) from all of `bytes`.
    public init(parsing bytes: some Sequence<UInt8>) throws(JSONSyntaxError) {
        try self.init(parsing: Array(bytes))
    }

    /// The member of an object; `nil` if it is absent or this is no object.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The Boolean, if this is one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number, if it was written as a whole one: `7`, but neither `7.0` nor `7e0`.
    public var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The number, if it is whole and fits 64 bits, however it was written: `7`, `7.0` and `7e0`
    /// are the same to JSON Schema's `integer`. Beyond 2^53 the last two lose digits.
    public var wholeNumber: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The number, whole or not; whole ones beyond 2^53 lose digits.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text, if this is a string.
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    /// The members, if this is an object.
    public var object: [String: JSONValue]? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

/// A value that was read, written again: the members of an object in the order of their names.
extension JSONValue: WireEncodable {
    public func encode(to json: inout JSONWriter) {
        switch self {
        case .null: json.raw("null".utf8)
        case .bool(let value): json.writeBool(value)
        case .integer(let value): json.writeInteger(value)
        case .number(let value): json.raw("\(value)".utf8)
        case .string(let value): json.writeString(value)
        case .array(let values):
            json.array { json in for value in values { json.element(value) } }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.field(named: name, value)
                }
            }
        }
    }
}
