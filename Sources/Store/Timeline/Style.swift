/// How text is to look where it is going: its width, its characters, its colours.
public struct Style: Hashable, Sendable {
    /// How wide a drawing becomes, in columns of a terminal.
    public var columns = 80
    /// How many columns a row or a sentence may have: as many as it needs where nobody said how
    /// wide a line is, as in a pipe, so that a row stays a line.
    public var lineWidth = Int.max
    /// Whether escapes for colours are understood.
    public var hasColours = false
    /// Whether only ASCII can be shown.
    public var isASCII = false

    /// The narrowest and the widest that a drawing becomes.
    public static let widths = 40...160

    /// Makes a style: 80 characters wide, and rows without an end, unless a width is given.
    public init(columns: Int? = nil, hasColours: Bool = false, isASCII: Bool = false) {
        self.columns = columns ?? 80
        lineWidth = columns ?? .max
        self.hasColours = hasColours
        self.isASCII = isASCII
    }

    /// The palette: few colours, each with one meaning.
    public enum Colour: String, Hashable, Sendable {
        /// Headings.
        case strong = "1"
        /// What matters less.
        case faint = "90"
        /// Paid for.
        case paid = "32"
        /// Free for a while.
        case trial = "36"
        /// Not paid, but served.
        case grace = "33"
        /// Not paid and not served.
        case retry = "31"
        /// What somebody chose.
        case mark = "35"
    }

    /// The text in a colour, where there are colours.
    public func paint(_ text: String, _ colour: Colour?) -> String {
        guard hasColours, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    /// One of two spellings.
    public func pick(_ unicode: String, _ ascii: String) -> String { isASCII ? ascii : unicode }
}
