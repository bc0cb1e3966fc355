/// How text is to look where it is going: its width, its characters, its colours.
struct Style: Hashable, Sendable {
    /// How wide a drawing becomes, in characters.
    var columns = 80
    /// How many characters a row or a sentence may have: as many as it needs where nobody said how
    /// wide a line is, as in a pipe, so that a row stays a line.
    var lineWidth = Int.max
    /// Whether escapes for colours are understood.
    var hasColours = false
    /// Whether only ASCII can be shown.
    var isASCII = false

    /// The narrowest and the widest that a drawing becomes.
    static let widths = 40...160

    /// Chooses a style.
    ///
    /// - Parameters:
    ///   - environment: the variables NO_COLOR, TERM, COLUMNS, LC_ALL, LC_CTYPE and LANG count.
    ///   - terminal: the terminal's width, or nil where the text goes into a pipe or a file.
    init(environment: [String: String], terminal: Int?, wantsASCII: Bool = false) {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let wanted = variable("COLUMNS").flatMap(Int.init) ?? terminal ?? 80
        columns = min(max(wanted, Self.widths.lowerBound), Self.widths.upperBound)
        if variable("COLUMNS") != nil || terminal != nil { lineWidth = max(wanted, columns) }
        hasColours = terminal != nil && variable("NO_COLOR") == nil && variable("TERM") != "dumb"
        let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG")
        isASCII = wantsASCII || locale.map { !Style.isUnicode($0) } ?? false
    }

    init(columns: Int? = nil, hasColours: Bool = false, isASCII: Bool = false) {
        self.columns = columns ?? 80
        lineWidth = columns ?? .max
        self.hasColours = hasColours
        self.isASCII = isASCII
    }

    /// Containers often set no locale at all and show Unicode well; `C` asks for ASCII.
    private static func isUnicode(_ locale: String) -> Bool {
        let name = locale.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }

    /// The palette: few colours, each with one meaning.
    enum Colour: String, Hashable, Sendable {
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
    func paint(_ text: String, _ colour: Colour?) -> String {
        guard hasColours, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    /// One of two spellings.
    func pick(_ unicode: String, _ ascii: String) -> String { isASCII ? ascii : unicode }
}
