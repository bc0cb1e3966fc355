/// A function, initialiser, subscript or computed property and the lines it takes.
struct Function {
    /// The line of its keyword, from 1.
    let line: Int
    /// From its keyword to its closing brace, both included.
    let length: Int

    /// All functions with a body in a file's code.
    static func all(in code: String) -> [Function] {
        let tokens = Token.all(in: code)
        return tokens.indices.compactMap { function(at: $0, in: tokens) }
    }

    private static let endsWithoutBody: Set<String> = [
        "func", "var", "let", "init", "case", "static", "public", "private", "fileprivate",
        "internal", "mutating", "struct", "enum", "class", "extension", "protocol", "subscript",
        "associatedtype", "typealias", "deinit", "if", "guard", "for", "while", "switch", "do",
        "return", "try", "defer", "repeat", "}", "@", "#",
    ]

    private static func function(at index: Int, in tokens: [Token]) -> Function? {
        guard begins(at: index, in: tokens) else { return nil }
        let isProperty = tokens[index].text == "var"
        var depth = 0
        var place = index + 1
        while place < tokens.count {
            let text = tokens[place].text
            switch text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0:
                return body(from: place, of: tokens[index], in: tokens)
            case "=" where depth == 0 && isProperty: return nil
            case _ where depth == 0 && endsWithoutBody.contains(text): return nil
            default: break
            }
            if depth < 0 { return nil }
            place += 1
        }
        return nil
    }

    private static func begins(at index: Int, in tokens: [Token]) -> Bool {
        let next = index + 1 < tokens.count ? tokens[index + 1].text : ""
        switch tokens[index].text {
        case "func", "var": return true
        case "deinit": return next == "{"
        case "init", "subscript":
            let isCall = index > 0 && tokens[index - 1].text == "."
            return !isCall && ["(", "<", "?", "!"].contains(next)
        default: return false
        }
    }

    private static func body(from opening: Int, of start: Token, in tokens: [Token]) -> Function? {
        var depth = 0
        for token in tokens[opening...] {
            if token.text == "{" { depth += 1 }
            if token.text == "}" { depth -= 1 }
            if depth == 0 {
                return Function(line: start.line, length: token.line - start.line + 1)
            }
        }
        return nil
    }
}

/// A word or a single sign of code and its line.
private struct Token {
    let text: String
    let line: Int

    static func all(in code: String) -> [Token] {
        var tokens: [Token] = []
        var word: [UInt8] = []
        var line = 1
        func finishWord() {
            guard !word.isEmpty else { return }
            tokens.append(Token(text: String(decoding: word, as: UTF8.self), line: line))
            word.removeAll()
        }
        for byte in code.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
                word.append(byte)
            case UInt8(ascii: "\n"):
                finishWord()
                line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                finishWord()
            default:
                finishWord()
                tokens.append(Token(text: String(UnicodeScalar(byte)), line: line))
            }
        }
        finishWord()
        return tokens
    }
}
