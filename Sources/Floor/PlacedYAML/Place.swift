package import Yams

/// A value of the file, with its place in it.
package struct Place {
    package let file: String
    /// The member, such as `apps[0].roots`; empty for the whole file.
    package let member: String
    /// Nil where no line is to blame.
    package let line: Int?
    /// From 1; nil where no line is to blame.
    package let column: Int?
    package let node: Node

    package init(file: String, member: String, line: Int?, column: Int? = nil, node: Node) {
        self.file = file
        self.member = member
        self.line = line
        self.column = column
        self.node = node
    }

    /// A member of it.
    func below(_ name: String, at mark: Mark?, _ node: Node) -> Place {
        Place(
            file: file, member: member.isEmpty ? name : "\(member).\(name)",
            line: mark?.line ?? line, column: mark?.column ?? column, node: node)
    }

    /// A text that is not empty.
    package func text(_ problems: inout Problems) -> String? {
        guard let text = node.scalar?.string, !text.isEmpty else {
            problems.add(self, "must be a text: write one value behind it.")
            return nil
        }
        return text
    }

    /// A whole number.
    package func number(_ range: ClosedRange<Int64>, _ problems: inout Problems) -> Int64? {
        guard let number = node.scalar.flatMap({ Int64($0.string) }), range.contains(number)
        else {
            let rule =
                range.upperBound == .max
                ? "of \(range.lowerBound) or more"
                : "from \(range.lowerBound) to \(range.upperBound)"
            problems.add(self, "must be a whole number \(rule).")
            return nil
        }
        return number
    }

    /// Whether it has members.
    package var isMapping: Bool { if case .mapping = node { true } else { false } }

    /// Whether it has elements.
    package var isList: Bool { if case .sequence = node { true } else { false } }

    /// True or false.
    package func truth(_ problems: inout Problems) -> Bool? {
        switch node.scalar?.string {
        case "true"?: return true
        case "false"?: return false
        default:
            problems.add(self, "must be true or false.")
            return nil
        }
    }

    /// One of a few words.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ problems: inout Problems
    ) -> Choice? where Choice.RawValue == String {
        if let choice = node.scalar.flatMap({ Choice(rawValue: $0.string) }) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: " or ")
        problems.add(self, "must be \(words).")
        return nil
    }

    /// The elements of a list that is not empty.
    package func elements(_ problems: inout Problems) -> [Place]? {
        guard case .sequence(let sequence) = node else {
            problems.add(self, "must be a list: write each element on a line of its own, `- one`.")
            return nil
        }
        guard !sequence.isEmpty else {
            problems.add(self, "is empty: write each element on a line of its own, `- one`.")
            return nil
        }
        return sequence.enumerated().map { index, node in
            Place(
                file: file, member: "\(member)[\(index)]", line: node.mark?.line ?? line,
                column: node.mark?.column ?? column, node: node)
        }
    }

    /// The texts of a list, each once.
    package func texts(_ problems: inout Problems) -> [String]? {
        guard let elements = elements(&problems) else { return nil }
        var texts: [String] = []
        // A list of accounts is long.
        var known: Set<String> = []
        for element in elements {
            guard let text = element.text(&problems) else { continue }
            if known.insert(text).inserted {
                texts.append(text)
            } else {
                problems.add(element, "says \(text) again: remove one of them.")
            }
        }
        return texts.count == elements.count ? texts : nil
    }
}
