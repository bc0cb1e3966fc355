/// A strict reader of JSON texts (RFC 8259) for ``JSONValue``.
///
/// It exists because FoundationEssentials' decoder keeps one of two members with the same name
/// without a word, says nothing of places, and has no depth limit of ours.
struct JSONParser {
    /// Arrays and objects may be nested this deep; deeper texts are attacks, not requests.
    static let depthLimit = 64

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the one value that the text is.
    mutating func text() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw fault("There is more after the JSON value.") }
        return value
    }

    private func fault(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(message: message, offset: offset ?? index)
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }

    /// Takes `byte` if it comes next.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        switch next {
        case nil: throw fault("The text ends where a value should be.")
        case UInt8(ascii: "{"), UInt8(ascii: "["): return try nested()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested() throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.depthLimit else {
            throw fault("The text is nested deeper than \(Self.depthLimit) levels.")
        }
        depth += 1
        defer { depth -= 1 }
        return next == UInt8(ascii: "{") ? try object() : try array()
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: length)
        guard bytes[index...].starts(with: expected) else { throw fault("This is no JSON value.") }
        index += length
        return value
    }

    // MARK: Objects and arrays

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        index += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            let start = index
            guard next == UInt8(ascii: "\"") else { throw fault("A member name should be here.") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("A colon should be here.") }
            skipSpace()
            guard members.updateValue(try value(), forKey: name) == nil else {
                throw fault("A member is given twice.", at: start)
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw fault("A comma or } should be here.") }
        }
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        index += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipSpace()
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw fault("A comma or ] should be here.") }
        }
    }

    // MARK: Numbers

    private mutating func digits() throws(JSONSyntaxError) {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw fault("A digit should be here.") }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = index
        let isNegative = take(UInt8(ascii: "-"))
        guard let first = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            throw fault(isNegative ? "A digit should be here." : "This is no JSON value.")
        }
        let firstDigit = index
        try digits()
        if first == UInt8(ascii: "0"), index > firstDigit + 1 {
            throw fault("A number begins with a needless zero.", at: start)
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            index += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            throw fault("The number is too large.", at: start)
        }
        return .number(value)
    }

    // MARK: Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = index
        index += 1
        var utf8: [UInt8] = []
        while true {
            let plain = bytes[index..<endOfPlainText()]
            index = plain.endIndex
            switch next {
            case UInt8(ascii: "\""):
                index += 1
                // Most have no escape, and signed texts are long.
                let text =
                    utf8.isEmpty
                    ? String(validating: plain, as: UTF8.self)
                    : String(validating: utf8 + plain, as: UTF8.self)
                guard let text else { throw fault("A string is not valid UTF-8.", at: start) }
                return text
            case UInt8(ascii: "\\"):
                index += 1
                utf8 += plain
                utf8 += String(try escape()).utf8
            case nil: throw fault("A string does not end.", at: start)
            default: throw fault("A string has a raw control character.")
            }
        }
    }

    /// Where the next quote, backslash or control character stands, or the text ends.
    private func endOfPlainText() -> Int {
        bytes.withUnsafeBytes { bytes in
            var end = index
            // Eight at a time, for signed texts are long: a byte's highest bit is set where it is
            // one of the three (or one above such a byte, which does no harm).
            let ones: UInt64 = 0x0101_0101_0101_0101
            while end + 8 <= bytes.count {
                let eight = bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)
                let quotes = eight ^ (ones &* UInt64(UInt8(ascii: "\"")))
                let backslashes = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
                let found =
                    (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
                    | (eight &- ones &* 0x20) & ~eight
                if found & (ones &* 0x80) != 0 { break }
                end += 8
            }
            while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""),
                bytes[end] != UInt8(ascii: "\\")
            {
                end += 1
            }
            return end
        }
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = index - 1
        guard let byte = next else { throw fault("A string does not end.", at: start) }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw fault("An escape is not known.", at: start)
        }
    }

    private mutating func unicodeEscape(
        from start: Int
    ) throws(JSONSyntaxError) -> Unicode.Scalar {
        let high = try hexadecimals()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard (0xD800..<0xDC00).contains(high), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u"))
        else { throw fault("A surrogate stands alone.", at: start) }
        let low = try hexadecimals()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { throw fault("A surrogate stands alone.", at: start) }
        return scalar
    }

    private mutating func hexadecimals() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                byte < 0x80
            else { throw fault("Four hexadecimal digits should be here.") }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
