import Timeline

/// Lines that are no longer than a terminal is wide, broken between words.
enum Folding {
    /// A line, on as many lines as it needs.
    ///
    /// What follows stands under the words: behind a label and two spaces, or as far in as the
    /// line itself. Where that leaves too little room, it stands on lines of its own.
    static func lines(of line: String, width: Int) -> [String] {
        let indent = line.prefix { $0 == " " }.count
        let text = line.dropFirst(indent)
        guard let label = label(of: text) else {
            guard line.terminalWidth > width || indent > room(width) else { return [line] }
            return filled(text, indent: indent > room(width) ? 6 : indent, width: width)
        }
        let words = text.dropFirst(label.count).drop { $0 == " " }
        let head = line.prefix(line.count - words.count)
        let hanging = head.terminalWidth
        guard line.terminalWidth > width || hanging > room(width) else { return [line] }
        if hanging > room(width) {
            return [String(line.prefix(indent)) + label]
                + filled(words, indent: indent + 4, width: width)
        }
        var lines = filled(words, indent: hanging, width: width)
        lines[0] = String(head + lines[0].dropFirst(hanging))
        return lines
    }

    /// A sentence, on as many lines as it needs; what stands in columns or has colours stays as it
    /// is.
    static func sentence(_ line: String, width: Int) -> [String] {
        let words = line.drop { $0 == " " }
        guard line.terminalWidth > width, !words.contains("  "), !words.contains("\u{1B}") else {
            return [line]
        }
        return filled(words, indent: line.count - words.count, width: width)
    }

    /// A command line, on as many lines as it needs: a backslash joins them for the shell.
    static func command(_ line: String, width: Int) -> [String] {
        let indent = line.prefix { $0 == " " }.count
        // An option and its value stay together, and what is in quotes.
        var words: [String] = []
        for word in line.split(separator: " ") {
            let last = words.last ?? ""
            let isQuoted = !last.count { $0 == "\"" }.isMultiple(of: 2)
            let isValue =
                last.hasPrefix("--") && !last.contains(" ") && !word.hasPrefix("--")
            if isQuoted || isValue {
                words[words.count - 1] += " \(word)"
            } else {
                words.append(String(word))
            }
        }
        var lines = filled(words, indent: indent, width: width - 2, more: 4)
        for index in lines.indices.dropLast() { lines[index] += " \\" }
        return lines
    }

    /// How far in words may stand.
    private static func room(_ width: Int) -> Int { width / 5 * 2 }

    /// What stands before words that are set off by two spaces; nil where nothing does.
    private static func label(of text: Substring) -> Substring? {
        guard let gap = text.firstRange(of: "  "), gap.upperBound < text.endIndex else {
            return nil
        }
        return text[..<gap.lowerBound]
    }

    private static func filled(_ text: Substring, indent: Int, width: Int) -> [String] {
        filled(text.split(separator: " ").map(String.init), indent: indent, width: width)
    }

    /// - Parameter more: how much farther in all lines but the first stand.
    private static func filled(
        _ words: [String], indent: Int, width: Int, more: Int = 0
    ) -> [String] {
        var lines: [String] = []
        var line = "".filled(to: indent)
        var isEmpty = true
        for word in words {
            if !isEmpty, line.terminalWidth + 1 + word.terminalWidth > width {
                lines.append(line)
                line = "".filled(to: indent + more)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

/// The parser's help, as wide as a terminal.
enum HelpText {
    /// The line about the options of every command that talks to a store, which `--help` hides.
    static let common =
        "Every command: --json; --no-wait returns before notifications went out; --ready <file>, "
        + "or --url <url> and --token <secret>, name a store other than ./perennial-data "
        + "(--help-hidden explains them)."

    /// Help with the line about hidden options where the command has them.
    ///
    /// - Parameters:
    ///   - text: the help as the parser writes it.
    ///   - command: the words of the command line that asked for it.
    static func withCommonOptions(_ text: String, of command: [String]) -> String {
        // Not of a version, which is asked for more often.
        let hides =
            text.contains("USAGE: ") && !text.contains("--ready <file>")
            && Vocabulary.shared.parameters(of: command.joined(separator: " "))
                .contains("--ready")
        return hides ? text + "\n\n" + common : text
    }

    /// Whether programs read the answer: the parser's JSON, or a script for a shell, which a line
    /// that is broken elsewhere would spoil.
    static func isForPrograms(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains {
            $0 == "--experimental-dump-help" || $0.hasPrefix("--generate-completion-script")
        }
    }

    /// - Parameter text: the help as the parser writes it where lines have no end.
    static func folded(_ text: String, width: Int) -> String {
        var lines: [String] = []
        var command = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isCommand = line.hasPrefix("  perennial ")
            guard isCommand || !command.isEmpty else {
                lines += Folding.lines(of: String(line), width: width)
                continue
            }
            command += (command.isEmpty ? "" : " ") + (isCommand ? line : line.trimming())
            if command.hasSuffix("\\") {
                command = String(command.dropLast()).trimmingEnd()
            } else {
                lines += Folding.command(command, width: width)
                command = ""
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension Substring {
    /// The text without spaces before it.
    fileprivate func trimming() -> Substring { drop { $0 == " " } }
}
