/// A value that knows how to write itself as one JSON value.
///
/// Payloads and replies are written by hand-ordered code rather than by `JSONEncoder`: the store
/// signs one payload per renewal and the encoder cost several times the signature itself.
public protocol WireEncodable {
    /// Appends exactly one JSON value to `json`.
    func encode(to json: inout JSONWriter)
}

extension WireEncodable {
    /// The value as UTF-8 JSON text, without white space.
    @inlinable
    public func jsonBytes() -> [UInt8] {
        var json = JSONWriter()
        encode(to: &json)
        return json.bytes
    }

    /// The value as JSON text, without white space.
    @inlinable
    public func jsonText() -> String {
        String(decoding: jsonBytes(), as: UTF8.self)
    }
}

extension String: WireEncodable {
    /// Writes a quoted and escaped JSON string.
    public func encode(to json: inout JSONWriter) { json.writeString(self) }
}

extension Bool: WireEncodable {
    /// Writes `true` or `false`.
    public func encode(to json: inout JSONWriter) { json.writeBool(self) }
}

extension Int64: WireEncodable {
    /// Writes a whole JSON number without exponent or fraction (JWS-11).
    public func encode(to json: inout JSONWriter) { json.writeInteger(self) }
}

extension Int32: WireEncodable {
    /// Writes a whole JSON number.
    public func encode(to json: inout JSONWriter) { json.writeInteger(Int64(self)) }
}

extension Int: WireEncodable {
    /// Writes a whole JSON number.
    public func encode(to json: inout JSONWriter) { json.writeInteger(Int64(self)) }
}

extension Array: WireEncodable where Element: WireEncodable {
    /// Writes a JSON array of the elements.
    public func encode(to json: inout JSONWriter) {
        json.array { json in
            for element in self { json.element(element) }
        }
    }
}
