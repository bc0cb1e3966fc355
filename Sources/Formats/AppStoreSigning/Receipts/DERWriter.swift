/// Makes ASN.1 in DER (X.690): an element's content is made before its length is known.
enum DERWriter {
    typealias Tag = BERReader.Tag

    /// One element around parts that are made already.
    static func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let count = parts.reduce(0) { $0 + $1.count }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 6)
        bytes.append(tag)
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            let digits = Self.digits(count)
            bytes.append(0x80 | UInt8(digits.count))
            bytes += digits
        }
        for part in parts { bytes += part }
        return bytes
    }

    /// An element whose end is marked (BER), as Xcode writes them.
    static func indefinite(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        [tag, 0x80] + join(parts) + [0, 0]
    }

    /// One after the other; `joined()` goes byte by byte.
    static func join(_ parts: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { bytes += part }
        return bytes
    }

    /// A set of equals, in the order that DER gives it.
    static func setOf(_ elements: [[UInt8]]) -> [UInt8] {
        element(Tag.set, join(elements.sorted { $0.lexicographicallyPrecedes($1) }))
    }

    /// A whole number, as short as it goes.
    static func integer(_ value: Int64) -> [UInt8] {
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
        while bytes.count > 1, bytes[0] == (bytes[1] & 0x80 == 0 ? 0 : 0xFF) { bytes.removeFirst() }
        return element(Tag.integer, bytes)
    }

    /// Bytes.
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(Tag.octetString, bytes) }

    /// Text of any characters.
    static func utf8(_ text: String) -> [UInt8] { element(Tag.utf8String, Array(text.utf8)) }

    /// Text in ASCII.
    static func ia5(_ text: String) -> [UInt8] { element(Tag.ia5String, Array(text.utf8)) }

    private static func digits(_ count: Int) -> [UInt8] {
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return digits
    }
}
