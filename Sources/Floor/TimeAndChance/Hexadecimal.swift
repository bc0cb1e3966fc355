extension Sequence<UInt8> {
    /// The bytes as two lower-case hexadecimal digits each.
    public var hexadecimal: String {
        reduce(into: "") { text, byte in
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
    }
}
