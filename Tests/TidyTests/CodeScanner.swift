/// Tells code from comments and string literals, byte by byte. Knows nested comments, raw and
/// multi-line strings and the code inside interpolations; does not know regex literals, which the
/// project does not use.
struct CodeScanner {
    private enum Place {
        /// Code; inside an interpolation, with the number of parentheses open in it.
        case code(openParentheses: Int)
        case lineComment
        case blockComment(depth: Int)
        case string(hashes: Int, isMultiline: Bool)
    }

    private static let slash = UInt8(ascii: "/")
    private static let backslash = UInt8(ascii: "\\")
    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")

    private let bytes: [UInt8]
    private var position = 0
    private var places: [Place] = [.code(openParentheses: 0)]
    private var code: [UInt8]
    private var codeAndLiterals: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes
        codeAndLiterals = bytes
    }

    /// The two views of the text, each of the same length as the text.
    mutating func views() -> (code: String, codeAndLiterals: String) {
        while position < bytes.count {
            switch places[places.count - 1] {
            case .code(let open): scanCode(open)
            case .lineComment: scanLineComment()
            case .blockComment(let depth): scanBlockComment(depth)
            case .string(let hashes, let isMultiline): scanString(hashes, isMultiline)
            }
        }
        return (
            String(decoding: code, as: UTF8.self), String(decoding: codeAndLiterals, as: UTF8.self)
        )
    }

    private mutating func scanCode(_ open: Int) {
        // Most bytes begin nothing: asked first, since texts are compared slowly in a debug build.
        let byte = bytes[position]
        guard byte == Self.slash || byte == Self.quote || byte == Self.hash else {
            if places.count > 1 { countParentheses(open) }
            position += 1
            return
        }
        if sees("//") {
            places.append(.lineComment)
        } else if sees("/*") {
            places.append(.blockComment(depth: 1))
            blank(2, isComment: true)
        } else if let (hashes, isMultiline) = openingQuote() {
            places.append(.string(hashes: hashes, isMultiline: isMultiline))
            position += hashes + (isMultiline ? 3 : 1)
        } else {
            if places.count > 1 { countParentheses(open) }
            position += 1
        }
    }

    private mutating func countParentheses(_ open: Int) {
        switch bytes[position] {
        case UInt8(ascii: "("):
            places[places.count - 1] = .code(openParentheses: open + 1)
        case UInt8(ascii: ")") where open == 0:
            places.removeLast()
        case UInt8(ascii: ")"):
            places[places.count - 1] = .code(openParentheses: open - 1)
        default:
            break
        }
    }

    private mutating func scanLineComment() {
        if bytes[position] == UInt8(ascii: "\n") {
            places.removeLast()
            position += 1
        } else {
            blank(1, isComment: true)
        }
    }

    private mutating func scanBlockComment(_ depth: Int) {
        if sees("/*") {
            places[places.count - 1] = .blockComment(depth: depth + 1)
            blank(2, isComment: true)
        } else if sees("*/") {
            places.removeLast()
            if depth > 1 { places.append(.blockComment(depth: depth - 1)) }
            blank(2, isComment: true)
        } else {
            blank(1, isComment: true)
        }
    }

    private mutating func scanString(_ hashes: Int, _ isMultiline: Bool) {
        let byte = bytes[position]
        guard byte == Self.quote || byte == Self.backslash else {
            return blank(1, isComment: false)
        }
        let end = (isMultiline ? "\"\"\"" : "\"") + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        if sees(end) {
            places.removeLast()
            position += end.utf8.count
        } else if sees(escape + "(") {
            places.append(.code(openParentheses: 0))
            blank(escape.utf8.count + 1, isComment: false)
        } else if sees(escape) {
            blank(escape.utf8.count + 1, isComment: false)
        } else {
            blank(1, isComment: false)
        }
    }

    /// The quote that opens a literal here: how many hashes it has, and whether it is threefold.
    private func openingQuote() -> (hashes: Int, isMultiline: Bool)? {
        var hashes = 0
        while position + hashes < bytes.count, bytes[position + hashes] == UInt8(ascii: "#") {
            hashes += 1
        }
        let quote = position + hashes
        guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") else { return nil }
        let isMultiline = bytes[quote...].starts(with: "\"\"\"".utf8)
        return (hashes, isMultiline)
    }

    private func sees(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func blank(_ count: Int, isComment: Bool) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] != UInt8(ascii: "\n") {
                code[position] = UInt8(ascii: " ")
                if isComment { codeAndLiterals[position] = UInt8(ascii: " ") }
            }
            position += 1
        }
    }
}
