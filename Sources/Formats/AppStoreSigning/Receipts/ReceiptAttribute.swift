/// One attribute of an app receipt, or of a transaction in it, as it is stored (RCP-4).
public struct ReceiptAttribute: Sendable, Hashable {
    /// Which attribute it is, such as 2 for the bundle id.
    public var type: Int64
    /// 1, or 2 for the opaque value of real receipts.
    public var version: Int64
    /// What it holds: for most types an element of ASN.1 again, tag and length included.
    public var value: [UInt8]

    /// Makes an attribute of any bytes.
    public init(type: Int64, version: Int64 = 1, value: [UInt8]) {
        self.type = type
        self.version = version
        self.value = value
    }

    /// An attribute that holds a whole number.
    public static func integer(_ type: Int64, _ value: Int64) -> Self {
        Self(type: type, value: DERWriter.integer(value))
    }

    /// An attribute that holds text.
    public static func text(_ type: Int64, _ text: String) -> Self {
        Self(type: type, value: DERWriter.utf8(text))
    }

    /// An attribute that holds text in ASCII.
    public static func ascii(_ type: Int64, _ text: String) -> Self {
        Self(type: type, value: DERWriter.ia5(text))
    }

    /// An attribute that holds a date in milliseconds since 1970 UTC, or an empty text for none.
    public static func date(_ type: Int64, _ milliseconds: Int64?) -> Self {
        ascii(type, ReceiptDateText.write(milliseconds))
    }

    /// The attributes as a set in DER: a receipt's payload, or the value of attribute 17. The order
    /// is the one of DER, which is not the one of types.
    public static func encode(_ attributes: [Self]) -> [UInt8] {
        DERWriter.setOf(attributes.map(\.encoded))
    }

    /// A receipt of hundreds of transactions has thousands of these, so it is made in one piece.
    private var encoded: [UInt8] {
        typealias DER = DERWriter
        let count =
            DER.size(ofContent: DER.integerCount(type))
            + DER.size(ofContent: DER.integerCount(version)) + DER.size(ofContent: value.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(DER.size(ofContent: count))
        DER.begin(DER.Tag.sequence, count, in: &bytes)
        DER.integer(type, in: &bytes)
        DER.integer(version, in: &bytes)
        DER.begin(DER.Tag.octetString, value.count, in: &bytes)
        bytes += value
        return bytes
    }

    /// Reads a receipt's payload; throws ``ReceiptVerificationError/Code/malformed``.
    public static func decode(
        payload: [UInt8]
    ) throws(ReceiptVerificationError) -> [Self] {
        try read(payload, limit: ReceiptLimit.attributes, "The payload")
    }

    static func read(
        _ bytes: [UInt8], limit: Int, _ what: String
    ) throws(ReceiptVerificationError) -> [Self] {
        do throws(BERSyntaxError) {
            var outer = BERReader(bytes)
            var set = try outer.enter(BERReader.Tag.set, "A set of attributes")
            try outer.finish(what)
            var attributes: [Self] = []
            while !set.isAtEnd {
                guard attributes.count < limit else {
                    throw set.fault("\(what) has more than \(limit) attributes.")
                }
                var parts = try set.enter(BERReader.Tag.sequence, "An attribute")
                attributes.append(
                    Self(
                        type: try parts.integer("An attribute's type"),
                        version: try parts.integer("An attribute's version"),
                        value: try parts.octets("An attribute's value")))
                try parts.finish("An attribute")
            }
            return attributes
        } catch {
            throw ReceiptVerificationError(error, in: what)
        }
    }
}

/// What the value of an attribute turns out to be.
enum ReceiptAttributeValue: Hashable {
    case integer(Int64)
    case text(String)
    /// Bytes that are nothing else.
    case bytes

    /// What `value` is, if it is a whole number or text and nothing besides.
    init(_ value: [UInt8]) {
        var reader = BERReader(value)
        guard let element = try? reader.next(), reader.isAtEnd else {
            self = .bytes
            return
        }
        let content = value[element.content]
        switch element.tag {
        case BERReader.Tag.integer:
            self = BERReader.integer(content).map(Self.integer) ?? .bytes
        case BERReader.Tag.utf8String, BERReader.Tag.ia5String:
            self = String(validating: content, as: UTF8.self).map(Self.text) ?? .bytes
        default:
            self = .bytes
        }
    }
}
