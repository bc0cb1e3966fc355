import Timeline

extension Style {
    /// Chooses a style.
    ///
    /// - Parameters:
    ///   - environment: the variables NO_COLOR, TERM, COLUMNS, LC_ALL, LC_CTYPE and LANG count.
    ///   - terminal: the terminal's width, or nil where the text goes into a pipe or a file.
    init(environment: [String: String], terminal: Int?, wantsASCII: Bool = false) {
        let wanted = environment.variable("COLUMNS").flatMap(Int.init) ?? terminal ?? 80
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment.variable).first
        self.init(
            columns: min(max(wanted, Self.widths.lowerBound), Self.widths.upperBound),
            hasColours: terminal != nil && environment.variable("NO_COLOR") == nil
                && environment.variable("TERM") != "dumb",
            isASCII: wantsASCII || locale.map { !Style.isUnicode($0) } ?? false)
        let isGiven = environment.variable("COLUMNS") != nil || terminal != nil
        lineWidth = isGiven ? max(wanted, columns) : .max
    }

    /// Containers often set no locale at all and show Unicode well; `C` asks for ASCII.
    private static func isUnicode(_ locale: String) -> Bool {
        let name = locale.lowercased()
        return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
    }
}
