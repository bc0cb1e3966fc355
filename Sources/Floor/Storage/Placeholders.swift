/// The `$n` in a statement's text, found without being misled by quoted text.
package enum Placeholders {
    /// The text with each `$n` outside of quotes written as `$(n + offset)`.
    package static func renumber(_ text: String, by offset: Int) -> String {
        guard offset > 0 else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 8)
        scan(text) { part in
            switch part {
            case .other(let byte): result.append(byte)
            case .placeholder(let number):
                result.append(dollar)
                result.append(contentsOf: String(number + offset).utf8)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The greatest n of all `$n`, which is how many binds the text needs; 0 for none.
    package static func highest(in text: String) -> Int {
        var highest = 0
        scan(text) { part in
            if case .placeholder(let number) = part { highest = max(highest, number) }
        }
        return highest
    }

    private enum Part {
        case other(UInt8)
        case placeholder(Int)
    }

    private static let dollar = UInt8(ascii: "$")
    private static let quotes = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func scan(_ text: String, _ visit: (Part) -> Void) {
        var bytes = text.utf8.makeIterator()
        var next = bytes.next()
        var quote: UInt8?
        while let byte = next {
            next = bytes.next()
            if let open = quote {
                if byte == open { quote = nil }
            } else if quotes.contains(byte) {
                quote = byte
            } else if byte == dollar, let first = next, digits.contains(first) {
                var number = 0
                while let digit = next, digits.contains(digit), number < 100_000 {
                    number = number * 10 + Int(digit - digits.lowerBound)
                    next = bytes.next()
                }
                visit(.placeholder(number))
                continue
            }
            visit(.other(byte))
        }
    }
}
