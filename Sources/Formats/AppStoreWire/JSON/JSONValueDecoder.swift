extension JSONValue {
    /// Reads it as `type`, as Foundation's decoder reads its text: a number that is whole however
    /// it is written is an integer, and `null` is a member that is absent.
    ///
    /// - Throws: `DecodingError`.
    public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try Value(from: ValueDecoder(value: self, codingPath: []))
    }
}

/// A text, truth or number: what a decoder is asked for in the end.
private protocol Scalar {
    init?(_ value: JSONValue)
}

extension Scalar where Self: FixedWidthInteger {
    init?(_ value: JSONValue) {
        guard let whole = value.wholeNumber else { return nil }
        self.init(exactly: whole)
    }
}

extension String: Scalar {
    fileprivate init?(_ value: JSONValue) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

extension Bool: Scalar {
    fileprivate init?(_ value: JSONValue) {
        guard case .bool(let truth) = value else { return nil }
        self = truth
    }
}

extension Double: Scalar {
    fileprivate init?(_ value: JSONValue) {
        guard let number = value.number else { return nil }
        self = number
    }
}

extension Float: Scalar {
    fileprivate init?(_ value: JSONValue) {
        guard let number = value.number else { return nil }
        self.init(number)
    }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}

private struct Index: CodingKey {
    let intValue: Int?
    var stringValue: String { "Index \(intValue ?? 0)" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}

/// One value, and the way to it.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
        return KeyedDecodingContainer(Members(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([JSONValue].self) }
        return Elements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(
            type, DecodingError.Context(codingPath: codingPath, debugDescription: "no \(type)"))
    }

    func scalar<Value: Scalar>() throws -> Value {
        guard let scalar = Value(value) else { throw mismatch(Value.self) }
        return scalar
    }

    func decodeNil() -> Bool { value.isNull }
    // The generic one would do for these too, and takes longer.
    func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
    func decode(_ type: String.Type) throws -> String { try scalar() }
    func decode(_ type: Double.Type) throws -> Double { try scalar() }
    func decode(_ type: Int.Type) throws -> Int { try scalar() }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let scalar = type as? any Scalar.Type else { return try Value(from: self) }
        guard let value = scalar.init(value) as? Value else { throw mismatch(type) }
        return value
    }
}

/// The members of an object.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func at(_ key: Key) throws -> ValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: "is missing"))
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
        if let value = members[key.stringValue], let scalar = Value(value) { return scalar }
        return try at(key).scalar()
    }

    private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
        guard let value = members[key.stringValue], !value.isNull else { return nil }
        if let scalar = Value(value) { return scalar }
        throw try at(key).mismatch(Value.self)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try at(key).decodeNil() }
    // What most members are, without the way to it and looked up once in place of three times.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: at(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try scalarIfPresent(key)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try scalarIfPresent(key)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try scalarIfPresent(key)
    }
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value? {
        guard let value = members[key.stringValue], !value.isNull else { return nil }
        return try Value(from: ValueDecoder(value: value, codingPath: codingPath + [key]))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try at(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        ValueDecoder(value: .object(members), codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }
}

/// The elements of an array, one after the other.
private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private var next: ValueDecoder {
        get throws {
            let path = codingPath + [Index(currentIndex)]
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    JSONValue.self,
                    DecodingError.Context(codingPath: path, debugDescription: "is missing"))
            }
            return ValueDecoder(value: elements[currentIndex], codingPath: path)
        }
    }

    /// Only what was read is left behind.
    private mutating func take<Value>(_ read: (ValueDecoder) throws -> Value) throws -> Value {
        let value = try read(next)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try next.decodeNil()
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try take { try Value(from: $0) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}
