/// The forms that verifyReceipt gives a date (RCP-3.4).
package enum ReceiptDateForms {
    /// `2020-07-14 19:36:40 Etc/GMT`.
    package static func universal(_ milliseconds: Int64) -> String {
        let time = CivilTime(milliseconds: milliseconds)
        return "\(time.dateText) \(time.timeText) Etc/GMT"
    }

    /// `2020-07-14 12:36:40 America/Los_Angeles`, with summer time.
    package static func pacific(_ milliseconds: Int64) -> String {
        let time = PacificTime.wallClock(at: milliseconds)
        return "\(time.dateText) \(time.timeText) America/Los_Angeles"
    }
}

extension JSONWriter {
    /// Writes an instant in its three forms, or nothing: `name`, `name_ms`, `name_pst`.
    mutating func dates(_ name: String, _ milliseconds: Int64?) {
        guard let milliseconds else { return }
        field(named: name, ReceiptDateForms.universal(milliseconds))
        field(named: "\(name)_ms", String(milliseconds))
        field(named: "\(name)_pst", ReceiptDateForms.pacific(milliseconds))
    }

    /// Writes a number as text, or nothing.
    mutating func textField(_ name: StaticString, _ number: (some BinaryInteger)?) {
        field(name, number.map { String($0) })
    }

    /// Writes `"true"` or `"false"`, or nothing.
    mutating func textField(_ name: StaticString, flag: Bool?) {
        field(name, flag.map { $0 ? "true" : "false" })
    }

    /// Writes `"1"` or `"0"`, or nothing.
    mutating func textField(_ name: StaticString, bit: Bool?) {
        field(name, bit.map { $0 ? "1" : "0" })
    }
}

/// A member name of verifyReceipt's JSON.
struct ReceiptKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

/// Nearly all values are texts, numbers and flags included (RCP-3.2).
extension KeyedDecodingContainer where Key == ReceiptKey {
    func text(_ key: Key) throws -> String { try decode(String.self, forKey: key) }

    func textIfPresent(_ key: Key) throws -> String? {
        try decodeIfPresent(String.self, forKey: key)
    }

    private func read<Value>(
        _ key: Key, _ kind: String, _ parse: (String) -> Value?
    ) throws -> Value? {
        guard let text = try textIfPresent(key) else { return nil }
        guard let value = parse(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "The text is not \(kind).")
        }
        return value
    }

    private func needed<Value>(_ key: Key, _ value: Value?) throws -> Value {
        guard let value else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "The member is missing."))
        }
        return value
    }

    func numberIfPresent<Number: FixedWidthInteger>(
        _ key: Key, _ type: Number.Type = Number.self
    ) throws -> Number? {
        try read(key, "a whole number") { Number($0) }
    }

    func number<Number: FixedWidthInteger>(_ key: Key) throws -> Number {
        try needed(key, numberIfPresent(key))
    }

    /// `"true"` or `"false"`.
    func flagIfPresent(_ key: Key) throws -> Bool? {
        try read(key, "true or false") { ["true": true, "false": false][$0] }
    }

    /// `"1"` or `"0"`.
    func bitIfPresent(_ key: Key) throws -> Bool? {
        try read(key, "0 or 1") { ["1": true, "0": false][$0] }
    }

    /// Only the form in milliseconds is read.
    func dateIfPresent(_ name: String) throws -> Int64? {
        try numberIfPresent(Key(stringValue: "\(name)_ms"))
    }

    func date(_ name: String) throws -> Int64 {
        let key = Key(stringValue: "\(name)_ms")
        return try needed(key, numberIfPresent(key))
    }
}
