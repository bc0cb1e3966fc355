/// Makes ASN.1 in DER (X.690). A length stands before the content, so that is made first, or
/// measured.
enum DERWriter {
    typealias Tag = BERReader.Tag

    /// One element around parts that are made already.
    static func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let count = parts.reduce(0) { $0 + $1.count }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 6)
        begin(tag, count, in: &bytes)
        for part in parts { bytes += part }
        return bytes
    }

    /// The tag and the length of an element whose content follows.
    static func begin(_ tag: UInt8, _ count: Int, in bytes: inout [UInt8]) {
        bytes.append(tag)
        guard count >= 0x80 else { return bytes.append(UInt8(count)) }
        let digits = lengthDigits(count)
        bytes.append(0x80 | UInt8(digits))
        for digit in (0..<digits).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: count >> (8 * digit)))
        }
    }

    /// How many bytes an element with so much content has.
    static func size(ofContent count: Int) -> Int {
        count + (count < 0x80 ? 2 : 2 + lengthDigits(count))
    }

    private static func lengthDigits(_ count: Int) -> Int {
        (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
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
        element(Tag.set, join(elements.sorted(by: precedes)))
    }

    /// As texts of bytes are ordered.
    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in left.lexicographicallyPrecedes(right) }
        }
    }

    /// A whole number, as short as it goes.
    static func integer(_ value: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10)
        integer(value, in: &bytes)
        return bytes
    }

    /// The same behind what is there already.
    static func integer(_ value: Int64, in bytes: inout [UInt8]) {
        let count = integerCount(value)
        begin(Tag.integer, count, in: &bytes)
        for place in (0..<count).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * Int64(place))))
        }
    }

    /// How many bytes the content of a whole number has: its bits and that of its sign.
    static func integerCount(_ value: Int64) -> Int {
        (Int64.bitWidth - (value < 0 ? ~value : value).leadingZeroBitCount) / 8 + 1
    }

    /// Bytes.
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(Tag.octetString, bytes) }

    /// Text of any characters.
    static func utf8(_ text: String) -> [UInt8] { element(Tag.utf8String, Array(text.utf8)) }

    /// Text in ASCII.
    static func ia5(_ text: String) -> [UInt8] { element(Tag.ia5String, Array(text.utf8)) }
}
