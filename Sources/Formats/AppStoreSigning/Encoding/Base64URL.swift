/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5), as JWS uses it.
public enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The two characters of each 12 bits, the first one in the low byte: half the look-ups of a
    /// table of single characters, and signing long payloads is mostly this.
    private static let pairs: [UInt16] = (0..<4096).map {
        UInt16(alphabet[$0 >> 6]) | UInt16(alphabet[$0 & 63]) << 8
    }
    /// The value of each ASCII character; 0xFF for those outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// How many characters `count` bytes make.
    public static func encodedCount(of count: Int) -> Int { (count * 4 + 2) / 3 }

    /// The text of `bytes`.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(encodedCount(of: bytes.count))
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of `bytes` to `text` as ASCII.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let count = encodedCount(of: bytes.count)
        text += [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            bytes.withUnsafeBufferPointer { bytes in
                pairs.withUnsafeBufferPointer { pairs in
                    fill(UnsafeMutableRawBufferPointer(buffer), from: bytes, pairs)
                }
            }
            initializedCount = count
        }
    }

    private static func fill(
        _ text: UnsafeMutableRawBufferPointer, from bytes: UnsafeBufferPointer<UInt8>,
        _ pairs: UnsafeBufferPointer<UInt16>
    ) {
        var input = 0
        var output = 0
        while input + 3 <= bytes.count {
            let group =
                UInt32(bytes[input]) << 16 | UInt32(bytes[input + 1]) << 8
                | UInt32(bytes[input + 2])
            text.storeBytes(
                of: pairs[Int(group >> 12)].littleEndian, toByteOffset: output, as: UInt16.self)
            text.storeBytes(
                of: pairs[Int(group & 4095)].littleEndian, toByteOffset: output + 2,
                as: UInt16.self)
            input += 3
            output += 4
        }
        if input == bytes.count { return }
        let first = bytes[input]
        let second = input + 1 < bytes.count ? bytes[input + 1] : 0
        text[output] = alphabet[Int(first >> 2)]
        text[output + 1] = alphabet[Int(first & 3) << 4 | Int(second >> 4)]
        if input + 1 < bytes.count { text[output + 2] = alphabet[Int(second & 15) << 2] }
    }

    /// The bytes of `text`, or `nil` if it is not exactly what ``encode(_:)`` makes of some bytes:
    /// padding, white space, other alphabets and stray bits at the end are refused, so that one
    /// signature has one spelling.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        // Collections of bytes are seldom specialised, and texts are long.
        text.withContiguousStorageIfAvailable(bytes(of:))
            ?? Array(text).withUnsafeBufferPointer(bytes(of:))
    }

    private static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var isRight = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, count in
            values.withUnsafeBufferPointer { values in
                isRight = fill(UnsafeMutableRawBufferPointer(bytes), from: text, values)
            }
            count = isRight ? text.count * 3 / 4 : 0
        }
        return isRight ? bytes : nil
    }

    /// - Returns: whether the text is right.
    private static func fill(
        _ bytes: UnsafeMutableRawBufferPointer, from text: UnsafeBufferPointer<UInt8>,
        _ values: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var input = 0
        var output = 0
        while input + 4 <= text.count {
            let first = values[Int(text[input])]
            let second = values[Int(text[input + 1])]
            let third = values[Int(text[input + 2])]
            let fourth = values[Int(text[input + 3])]
            guard first | second | third | fourth < 64 else { return false }
            bytes[output] = first << 2 | second >> 4
            bytes[output + 1] = second << 4 | third >> 2
            bytes[output + 2] = third << 6 | fourth
            input += 4
            output += 3
        }
        if input == text.count { return true }
        let first = values[Int(text[input])]
        let second = values[Int(text[input + 1])]
        let third = input + 2 < text.count ? values[Int(text[input + 2])] : 0
        guard first | second | third < 64 else { return false }
        bytes[output] = first << 2 | second >> 4
        if input + 2 == text.count { return second & 15 == 0 }
        bytes[output + 1] = second << 4 | third >> 2
        return third & 3 == 0
    }
}
