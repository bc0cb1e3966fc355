/// A property list of the old kind, as far as receipts use it: texts by their names, in their
/// order, each as `"name" = "value";` between braces (RCP-3.5).
struct OldPropertyList: Hashable {
    struct Entry: Hashable {
        let name: String
        let value: String
    }

    /// A transaction receipt has some thirty.
    static let entryLimit = 128

    private(set) var entries: [Entry] = []

    /// An empty one.
    init() {}

    /// Adds an entry, or nothing.
    mutating func add(_ name: String, _ value: String?) {
        if let value { entries.append(Entry(name: name, value: value)) }
    }

    /// The same with a signature before all else.
    func signed(_ signature: String) -> OldPropertyList {
        var list = self
        list.entries.insert(Entry(name: "signature", value: signature), at: 0)
        return list
    }

    /// The same without its signature.
    var unsigned: OldPropertyList {
        var list = self
        list.entries.removeAll { $0.name == "signature" }
        return list
    }

    subscript(name: String) -> String? { entries.first { $0.name == name }?.value }

    /// The text in UTF-8, an entry a line.
    var bytes: [UInt8] {
        var text = "{\n"
        for entry in entries {
            text += "\t\(Self.quoted(entry.name)) = \(Self.quoted(entry.value));\n"
        }
        return Array((text + "}").utf8)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Reads all of `bytes`; a name that is there twice is refused.
    init(parsing bytes: some Collection<UInt8>) throws(BERSyntaxError) {
        var reader = OldPropertyListReader(bytes: Array(bytes))
        try reader.take("{")
        var names: Set<String> = []
        while reader.next != UInt8(ascii: "}") {
            guard entries.count < Self.entryLimit else {
                throw reader.fault("There are more than \(Self.entryLimit) entries.")
            }
            let name = try reader.text()
            guard names.insert(name).inserted else { throw reader.fault("A name is there twice.") }
            try reader.take("=")
            entries.append(Entry(name: name, value: try reader.text()))
            try reader.take(";")
        }
        try reader.take("}")
        try reader.finish()
    }
}

/// Where reading an ``OldPropertyList`` stands.
private struct OldPropertyListReader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next byte that is no white space.
    var next: UInt8? {
        mutating get {
            while index < bytes.count, [0x20, 0x09, 0x0A].contains(bytes[index]) { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }
    }

    func fault(_ reason: String) -> BERSyntaxError {
        BERSyntaxError(reason: reason, offset: index)
    }

    mutating func take(_ character: Unicode.Scalar) throws(BERSyntaxError) {
        guard next == UInt8(ascii: character) else { throw fault("`\(character)` should be here.") }
        index += 1
    }

    mutating func finish() throws(BERSyntaxError) {
        guard next == nil else { throw fault("There is more after the list.") }
    }

    mutating func text() throws(BERSyntaxError) -> String {
        try take("\"")
        var utf8: [UInt8] = []
        while index < bytes.count {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard let text = String(validating: utf8, as: UTF8.self) else {
                    throw fault("A text is not UTF-8.")
                }
                return text
            }
            if byte == UInt8(ascii: "\\") {
                guard index < bytes.count,
                    [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
                        .contains(bytes[index])
                else { throw fault("An escape is not known.") }
                byte = bytes[index]
                index += 1
            }
            utf8.append(byte)
        }
        throw fault("A text does not end.")
    }
}
