/// The parameters of a query, decoded, in their order; keys may repeat (API-3).
package struct QueryString: Sendable {
    package let items: [(name: String, value: String)]

    /// Reads what follows the question mark. Empty pieces are skipped: Apple's Node client ends
    /// every path with a question mark.
    package init(_ text: String) {
        guard !text.isEmpty else {
            items = []
            return
        }
        items = text.split(separator: "&").map { piece in
            let parts = piece.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1] : ""
            return (QueryString.decode(parts[0]), QueryString.decode(value))
        }
    }

    /// Python and Node write a space as `+` and a plus as `%2B`, Java writes `%20`; Swift leaves a
    /// plus alone, which no value of ours contains (LIB-1). What cannot
    /// be decoded stays as it is, and then fits no rule.
    private static func decode(_ text: Substring) -> String {
        PercentText.decode(text, plusIsSpace: true) ?? String(text)
    }

    /// Every value of a key.
    package func values(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// The value of a key that may be given once; nil when it is absent.
    ///
    /// - Parameter error: thrown when the key is repeated, since it cannot be known which is meant.
    package func value<Failure: Error>(
        _ name: String, or error: @autoclosure () -> Failure
    ) throws(Failure) -> String? {
        let values = values(name)
        guard values.count <= 1 else { throw error() }
        return values.first
    }
}

/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentText {
    /// Decodes a text; nil when a percent sign is not followed by two hexadecimal digits or the
    /// bytes are not UTF-8.
    package static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        let utf8 = text.utf8
        let plus = UInt8(ascii: "+")
        let percent = UInt8(ascii: "%")
        guard utf8.contains(where: { $0 == percent || (plusIsSpace && $0 == plus) }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var index = utf8.startIndex
        while index < utf8.endIndex {
            let byte = utf8[index]
            utf8.formIndex(after: &index)
            if byte == percent {
                let digits = utf8[index...].prefix(2)
                guard digits.count == 2, let high = digit(digits.first),
                    let low = digit(digits.last)
                else { return nil }
                bytes.append(high << 4 | low)
                utf8.formIndex(&index, offsetBy: 2)
            } else {
                bytes.append(plusIsSpace && byte == plus ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case let byte? where (0x30...0x39).contains(byte): byte - 0x30
        case let byte? where (0x41...0x46).contains(byte): byte - 0x41 + 10
        case let byte? where (0x61...0x66).contains(byte): byte - 0x61 + 10
        default: nil
        }
    }
}
