/// An algorithm in the container of a receipt, known or not (RFC 3279, RFC 3370).
public struct ReceiptAlgorithm: Sendable, Hashable, CustomStringConvertible {
    /// The object identifier's content in DER.
    let identifier: [UInt8]

    /// The digest of receipts since 2023.
    public static let sha256 = Self(identifier: [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1])
    /// The digest of older receipts.
    public static let sha1 = Self(identifier: [0x2B, 0x0E, 3, 2, 0x1A])
    /// RSA; which digest stands beside it.
    public static let rsaEncryption = Self(pkcs1: 1)
    /// RSA over SHA-1.
    public static let sha1WithRSAEncryption = Self(pkcs1: 5)
    /// RSA over SHA-256.
    public static let sha256WithRSAEncryption = Self(pkcs1: 11)

    init(identifier: [UInt8]) { self.identifier = identifier }

    private init(pkcs1 number: UInt8) {
        identifier = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, number]
    }

    private static let names: [Self: String] = [
        .sha256: "SHA-256", .sha1: "SHA-1", .rsaEncryption: "rsaEncryption",
        .sha1WithRSAEncryption: "sha1WithRSAEncryption",
        .sha256WithRSAEncryption: "sha256WithRSAEncryption",
    ]

    /// The name, or the object identifier in numbers if this version has none.
    public var description: String { Self.names[self] ?? dotted }

    private var dotted: String {
        var numbers: [UInt64] = []
        var number: UInt64 = 0
        for byte in identifier {
            guard number <= UInt64.max >> 7 else { return "an object identifier too long to read" }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 {
                if numbers.isEmpty {
                    let first = min(number / 40, 2)
                    numbers = [first, number - first * 40]
                } else {
                    numbers.append(number)
                }
                number = 0
            }
        }
        return numbers.map(String.init).joined(separator: ".")
    }

    init(from reader: inout BERReader, _ what: String) throws(BERSyntaxError) {
        var parts = try reader.enter(BERReader.Tag.sequence, what)
        identifier = try parts.objectIdentifier(what)
        if !parts.isAtEnd {
            let null = try parts.next(BERReader.Tag.null, "Nothing but NULL")
            guard null.content.isEmpty else { throw parts.fault("NULL is not empty.") }
        }
        try parts.finish(what)
    }

    /// With NULL as parameters.
    var encoded: [UInt8] {
        typealias Tag = DERWriter.Tag
        return DERWriter.element(
            Tag.sequence, DERWriter.element(Tag.objectIdentifier, identifier),
            DERWriter.element(Tag.null))
    }
}
