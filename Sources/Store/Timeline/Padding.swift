/// A number and a noun: `1 renewal`, `2 renewals`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count.magnitude) \(noun)\(count == 1 ? "" : "s")"
}

extension String {
    /// The text without spaces at its end.
    package func trimmingEnd() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// The text, with spaces behind it up to a width in columns of a terminal.
    package func filled(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - terminalWidth))
    }

    /// The text, with spaces before it up to a width in columns of a terminal.
    package func pushed(to width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - terminalWidth)) + self
    }
}
