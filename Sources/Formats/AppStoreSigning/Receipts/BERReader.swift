/// Why bytes are no receipt: what was expected, and at which byte.
struct BERSyntaxError: Error {
    let reason: String
    let offset: Int
}

/// One element of ASN.1, as places in the bytes that it was read from.
struct BERElement {
    /// Class, whether it is constructed, and number: one byte.
    let tag: UInt8
    /// What is inside, without an end mark.
    let content: Range<Int>
    /// With tag, length and end mark.
    let whole: Range<Int>
}

/// Reads ASN.1 in BER (X.690), one element after the other: definite and indefinite lengths, tags
/// of one byte.
///
/// It keeps nothing but places, so a length that lies costs nothing; SwiftASN1 makes a node of each
/// element of the whole text first.
struct BERReader {
    enum Tag {
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let null: UInt8 = 0x05
        static let objectIdentifier: UInt8 = 0x06
        static let utf8String: UInt8 = 0x0C
        static let ia5String: UInt8 = 0x16
        static let constructedOctetString: UInt8 = 0x24
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
        /// Context-specific, constructed, number 0.
        static let first: UInt8 = 0xA0
    }

    let bytes: [UInt8]
    private var index: Int
    private let end: Int

    /// Reads all of `bytes`.
    init(_ bytes: [UInt8]) {
        self.init(bytes, bytes.indices)
    }

    /// Reads what lies in `range`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound
        end = range.upperBound
    }

    /// Whether everything was read.
    var isAtEnd: Bool { index == end }

    /// The tag that comes next.
    var nextTag: UInt8? { index < end ? bytes[index] : nil }

    /// The next element, whatever it is.
    mutating func next() throws(BERSyntaxError) -> BERElement {
        let start = index
        let (tag, length) = try header(at: &index)
        let contentStart = index
        guard let length else {
            let contentEnd = try skipToEnd(from: &index)
            return BERElement(
                tag: tag, content: contentStart..<contentEnd, whole: start..<index)
        }
        index += length
        return BERElement(tag: tag, content: contentStart..<index, whole: start..<index)
    }

    /// The next element, which must have this tag; `what` names it to people.
    mutating func next(_ tag: UInt8, _ what: String) throws(BERSyntaxError) -> BERElement {
        guard nextTag == tag else { throw fault("\(what) should be here.") }
        return try next()
    }

    /// A reader of what is inside of the next element, which must have this tag.
    mutating func enter(_ tag: UInt8, _ what: String) throws(BERSyntaxError) -> BERReader {
        BERReader(bytes, try next(tag, what).content)
    }

    /// Refuses what is left.
    func finish(_ what: String) throws(BERSyntaxError) {
        guard isAtEnd else { throw fault("\(what) goes on where it should end.") }
    }

    /// A refusal at this place.
    func fault(_ reason: String) -> BERSyntaxError {
        BERSyntaxError(reason: reason, offset: index)
    }

    /// Tag and length at a place, which then stands behind them; no length where the end is marked.
    private func header(at place: inout Int) throws(BERSyntaxError) -> (UInt8, Int?) {
        func fault(_ reason: String) -> BERSyntaxError {
            BERSyntaxError(reason: reason, offset: place)
        }
        guard place < end else { throw fault("Something is missing at the end.") }
        let tag = bytes[place]
        guard tag & 0x1F != 0x1F else { throw fault("A tag is of a kind that receipts have not.") }
        guard place + 1 < end else { throw fault("A length is missing.") }
        let first = bytes[place + 1]
        if first == 0x80 {
            guard tag & 0x20 != 0 else { throw fault("What is primitive has no marked end.") }
            place += 2
            return (tag, nil)
        }
        var length = Int(first)
        var after = place + 2
        if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 4 else { throw fault("A length is longer than any receipt.") }
            guard after + count <= end else { throw fault("A length is cut off.") }
            length = bytes[after..<after + count].reduce(0) { $0 << 8 | Int($1) }
            after += count
        }
        guard length <= end - after else {
            throw fault("A length says more than there is.")
        }
        place = after
        return (tag, length)
    }

    /// Finds the end mark that belongs to the element whose inside begins at `place`, and stands
    /// behind it; answers where the inside ends.
    private func skipToEnd(from place: inout Int) throws(BERSyntaxError) -> Int {
        var depth = 1
        while true {
            let start = place
            let (tag, length) = try header(at: &place)
            if tag == 0 {
                guard length == 0 else {
                    throw BERSyntaxError(reason: "An end mark is not empty.", offset: start)
                }
                depth -= 1
                if depth == 0 { return start }
            } else if let length {
                place += length
            } else {
                depth += 1
                guard depth <= ReceiptLimit.depth else {
                    throw BERSyntaxError(reason: "It is nested too deep.", offset: start)
                }
            }
        }
    }
}

extension BERReader {
    /// The next element's content as a whole number of 64 bits.
    mutating func integer(_ what: String) throws(BERSyntaxError) -> Int64 {
        let place = self
        let element = try next(Tag.integer, what)
        guard let value = Self.integer(bytes[element.content]) else {
            throw place.fault("\(what) is no whole number of 64 bits.")
        }
        return value
    }

    /// The content of an octet string; the parts of a constructed one are joined, as Xcode has it.
    mutating func octets(_ what: String) throws(BERSyntaxError) -> [UInt8] {
        if nextTag == Tag.octetString {
            return Array(bytes[try next().content])
        }
        var parts = try enter(Tag.constructedOctetString, what)
        var octets: [UInt8] = []
        while !parts.isAtEnd {
            octets += parts.bytes[try parts.next(Tag.octetString, "A part of \(what)").content]
        }
        return octets
    }

    /// The bytes of an object identifier.
    mutating func objectIdentifier(_ what: String) throws(BERSyntaxError) -> [UInt8] {
        Array(bytes[try next(Tag.objectIdentifier, what).content])
    }

    static func integer(_ content: ArraySlice<UInt8>) -> Int64? {
        guard (1...8).contains(content.count), let first = content.first else { return nil }
        return content.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int64($1) }
    }
}
