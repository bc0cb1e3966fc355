/// Appends JSON text (RFC 8259, UTF-8, no white space) to a byte array.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///     json.field("hasMore", false)
///     json.field("revision", revision)            // an absent optional writes nothing
///     json.array("items") { json in json.element("one") }
/// }
/// ```
///
/// There is no way to write `null` or a fraction: Apple's Node client refuses the first
/// (LIB-2) and every number on this wire is whole.
public struct JSONWriter: Sendable {
    /// The text written so far.
    public private(set) var bytes: [UInt8]
    /// Whether the next member or element has one before it in the same object or array.
    private var needsComma = false

    /// An empty writer; `capacity` in bytes is a hint.
    public init(capacity: Int = 1024) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    // MARK: Objects

    /// Writes an object as the value at this place; `body` writes its members.
    @inlinable
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a member whose value is an object.
    @inlinable
    public mutating func object<Failure: Error>(
        _ key: StaticString, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.key(key)
        try object(body)
    }

    /// Writes a member, or nothing if the value is absent. `key` must need no escaping.
    @inlinable
    public mutating func field<Value: WireEncodable>(_ key: StaticString, _ value: Value?) {
        guard let value else { return }
        self.key(key)
        value.encode(to: &self)
    }

    /// Writes a member whose name is only known at run time (maps), or nothing.
    @inlinable
    public mutating func field<Value: WireEncodable>(named key: String, _ value: Value?) {
        guard let value else { return }
        self.key(named: key)
        value.encode(to: &self)
    }

    /// Writes a member whose name is only known at run time and whose value is an object.
    @inlinable
    public mutating func object<Failure: Error>(
        named key: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.key(named: key)
        try object(body)
    }

    /// Writes a member whose value is JSON text made elsewhere; it is not checked.
    public mutating func rawField(_ key: StaticString, _ json: some Collection<UInt8>) {
        self.key(key)
        raw(json)
    }

    // MARK: Arrays

    /// Writes an array as the value at this place; `body` writes its elements.
    @inlinable
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes a member whose value is an array.
    @inlinable
    public mutating func array<Failure: Error>(
        _ key: StaticString, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.key(key)
        try array(body)
    }

    /// Writes a member whose name is only known at run time and whose value is an array.
    @inlinable
    public mutating func array<Failure: Error>(
        named key: String, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        self.key(named: key)
        try array(body)
    }

    /// Writes one element of the array being written.
    @inlinable
    public mutating func element(_ value: some WireEncodable) {
        separate()
        value.encode(to: &self)
    }

    /// Writes one element that is an object.
    @inlinable
    public mutating func elementObject<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        separate()
        try object(body)
    }

    // MARK: Values

    /// Writes JSON text made elsewhere as the value at this place; it is not checked.
    public mutating func raw(_ json: some Collection<UInt8>) {
        bytes.append(contentsOf: json)
        needsComma = true
    }

    /// Writes a quoted string; only what RFC 8259 section 7 demands is escaped.
    public mutating func writeString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if Self.isPlain(utf8) { bytes.append(contentsOf: utf8) } else { appendEscaping(utf8) }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a whole number in decimal digits.
    public mutating func writeInteger(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        // From the last digit to the first; no whole number of 64 bits has more than 20.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var first = digits.endIndex
            var rest = value.magnitude
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
        needsComma = true
    }

    /// Writes `true` or `false`.
    public mutating func writeBool(_ value: Bool) {
        raw(value ? Self.trueText : Self.falseText)
    }

    // MARK: Punctuation

    @usableFromInline
    mutating func key(_ key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        colon()
    }

    @usableFromInline
    mutating func key(named key: String) {
        separate()
        writeString(key)
        colon()
    }

    private mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    @usableFromInline
    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private static let trueText = Array("true".utf8)
    private static let falseText = Array("false".utf8)
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether nothing needs an escape. Nearly every string is plain, and signed strings are long,
    /// so eight bytes are looked at at a time.
    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(utf8)
        var place = 0
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard !hasEscape(word) else { return false }
            place += 8
        }
        while place < bytes.count {
            guard !needsEscape(bytes[place]) else { return false }
            place += 1
        }
        return true
    }

    /// Whether any of the eight bytes of a word needs an escape. What is subtracted from a byte
    /// that is smaller sets its highest bit; where that was set before, the byte is none of these.
    private static func hasEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte that is equal becomes 0, and only 0 is below 1.
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let isControl = (word &- (ones &* 0x20)) & ~word
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        return ((isControl | isQuote | isBackslash) & (ones &* 0x80)) != 0
    }

    private mutating func appendEscaping(_ utf8: UnsafeBufferPointer<UInt8>) {
        for byte in utf8 {
            if Self.needsEscape(byte) { escape(byte) } else { bytes.append(byte) }
        }
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexDigits[Int(byte >> 4)])
            bytes.append(Self.hexDigits[Int(byte & 0xF)])
        }
    }
}
