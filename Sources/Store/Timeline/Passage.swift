/// Short parts in a row, on as many lines as they need.
package enum Passage {
    /// A part that stays together.
    package struct Part: Hashable, Sendable {
        package var text: String
        package var colour: Style.Colour?
        /// What follows in no colour.
        package var then: String

        package init(_ text: String, _ colour: Style.Colour? = nil, then: String = "") {
            self.text = text
            self.colour = colour
            self.then = then
        }
    }

    /// The parts on lines that are no longer than a width, unless a part is.
    package static func lines(
        _ parts: [Part], separator: String, width: Int, style: Style
    ) -> [String] {
        var lines: [String] = []
        var line = ""
        var length = 0
        for part in parts {
            let added = part.text.terminalWidth + part.then.terminalWidth
            if length > 0, length + separator.terminalWidth + added > width {
                lines.append(line)
                (line, length) = ("", 0)
            }
            if length > 0 {
                line += style.paint(separator, .faint)
                length += separator.terminalWidth
            }
            line += style.paint(part.text, part.colour) + part.then
            length += added
        }
        return lines + [line]
    }
}
