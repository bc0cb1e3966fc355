import Yams

/// A value of the file, with its place in it.
struct Place {
    let file: String
    /// The member, such as `apps[0].roots`; empty for the whole file.
    let member: String
    /// Nil where no line is to blame.
    let line: Int?
    let node: Node

    /// A member of it.
    func below(_ name: String, at line: Int?, _ node: Node) -> Place {
        Place(
            file: file, member: member.isEmpty ? name : "\(member).\(name)",
            line: line ?? self.line, node: node)
    }

    /// A text that is not empty.
    func text(_ problems: inout Problems) -> String? {
        guard let text = node.scalar?.string, !text.isEmpty else {
            problems.add(self, "must be a text: write one value behind it.")
            return nil
        }
        return text
    }

    /// A whole number.
    func number(_ range: ClosedRange<Int64>, _ problems: inout Problems) -> Int64? {
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
    var isMapping: Bool { if case .mapping = node { true } else { false } }

    /// One of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ problems: inout Problems
    ) -> Choice? where Choice.RawValue == String {
        if let choice = node.scalar.flatMap({ Choice(rawValue: $0.string) }) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: " or ")
        problems.add(self, "must be \(words).")
        return nil
    }

    /// The elements of a list that is not empty.
    func elements(_ problems: inout Problems) -> [Place]? {
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
                node: node)
        }
    }

    /// The texts of a list, each once.
    func texts(_ problems: inout Problems) -> [String]? {
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

/// The members of a mapping: each is taken once, and what nobody took is unknown.
struct Members {
    let place: Place
    private var waiting: [(name: String, place: Place)] = []
    private var known: [String] = []

    /// Nil where the value is no mapping, which is a problem then.
    init?(_ place: Place, _ problems: inout Problems) {
        guard case .mapping(let mapping) = place.node else {
            problems.add(place, "must be a mapping: write its members below it, `name: value`.")
            return nil
        }
        self.place = place
        for (key, value) in mapping {
            guard let name = key.scalar?.string, !name.isEmpty else {
                problems.add(place, "has a member whose name is no text: name it.")
                continue
            }
            waiting.append((name, place.below(name, at: key.mark?.line, value)))
        }
    }

    /// Takes a member; nil where it is absent, or has no value, which is a problem then.
    mutating func take(_ name: String, _ problems: inout Problems) -> Place? {
        known.append(name)
        guard let index = waiting.firstIndex(where: { $0.name == name }) else { return nil }
        let place = waiting.remove(at: index).place
        if let scalar = place.node.scalar, scalar.style == .plain,
            ["", "~", "null"].contains(scalar.string)
        {
            problems.add(place, "has no value: give it one, or remove the line.")
            return nil
        }
        return place
    }

    /// Takes a member that must be there.
    mutating func need(
        _ name: String, _ remedy: String, _ problems: inout Problems
    ) -> Place? {
        if has(name) { return take(name, &problems) }
        known.append(name)
        problems.add(place, "lacks `\(name)`: \(remedy).")
        return nil
    }

    /// Whether a member is there and was not taken.
    func has(_ name: String) -> Bool { waiting.contains { $0.name == name } }

    /// Takes all members, whatever their names are.
    mutating func takeAll() -> [(name: String, place: Place)] {
        defer { waiting = [] }
        return waiting
    }

    /// Refuses what nobody took.
    func finish(_ problems: inout Problems) {
        for (_, place) in waiting {
            problems.add(
                place, "is unknown: use \(known.joined(separator: ", ")), or remove the line.")
        }
    }
}
