extension Sequence<UInt8> {
    /// The bytes as two lower-case hexadecimal digits each.
    public var hexadecimal: String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

private let digits = Array("0123456789abcdef".utf8)
