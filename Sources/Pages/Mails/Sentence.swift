import HTMLPages

/// A sentence in which names, amounts and days are told from the words around them: whatever
/// anybody wrote stays one piece, of one direction, and is never markup.
struct Sentence: ExpressibleByStringInterpolation, Sendable, Hashable {
    fileprivate enum Piece: Sendable, Hashable {
        case words(String)
        case value(String)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ words: String) {
            if !words.isEmpty { pieces.append(.words(words)) }
        }

        mutating func appendInterpolation(_ value: String) { pieces.append(.value(value)) }

        mutating func appendInterpolation(_ sentence: Sentence) { pieces += sentence.pieces }

        /// What is words and no value, such as a counted thing.
        mutating func appendInterpolation(words: String) { appendLiteral(words) }
    }

    private let pieces: [Piece]

    init(stringLiteral words: String) { pieces = [.words(words)] }
    init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }
    private init(_ pieces: [Piece]) { self.pieces = pieces }

    /// A value alone.
    static func value(_ value: String) -> Sentence { Sentence([.value(value)]) }

    /// Values one after the other.
    ///
    /// - Parameters:
    ///   - comma: what stands between them, as words.
    ///   - and: what stands before the last one.
    static func list(_ values: [String], _ comma: String, _ and: String) -> Sentence {
        values.enumerated().reduce(Sentence([])) { list, one in
            let between =
                one.offset == 0 ? "" : one.offset == values.count - 1 ? and : comma
            return "\(list)\(words: between)\(one.element)"
        }
    }

    /// For sentences that are longer than a line of code.
    static func + (left: Sentence, right: Sentence) -> Sentence {
        Sentence(left.pieces + right.pieces)
    }

    /// For HTML, escaped: each value stands apart from the direction of what is around it.
    var html: String {
        pieces.map { piece in
            switch piece {
            case .words(let words): HTMLText.escaped(words)
            case .value(let value): "<bdi>\(HTMLText.escaped(Self.oneLine(value)))</bdi>"
            }
        }.joined()
    }

    /// As plain text on one line.
    ///
    /// - Parameter isolated: whether values are set apart by invisible marks, as a language that is
    ///   written from right to left needs it.
    func text(isolated: Bool) -> String {
        pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .value(let value):
                isolated ? "\u{2068}\(Self.oneLine(value))\u{2069}" : Self.oneLine(value)
            }
        }.joined()
    }

    /// A value without what ends a line or turns the direction of what follows it.
    private static func oneLine(_ value: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
            case "\u{2028}", "\u{2029}": line.append(" ")
            case _ where scalar.properties.generalCategory == .control: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
