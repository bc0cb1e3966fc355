import Yams

/// The members of a mapping: each is taken once, and what nobody took is unknown.
package struct Members {
    package let place: Place
    private var waiting: [(name: String, place: Place)] = []
    private var known: [String] = []

    /// Nil where the value is no mapping, which is a problem then.
    package init?(_ place: Place, _ problems: inout Problems) {
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
            waiting.append((name, place.below(name, at: key.mark, value)))
        }
    }

    /// Takes a member; nil where it is absent, or has no value, which is a problem then.
    package mutating func take(_ name: String, _ problems: inout Problems) -> Place? {
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
    package mutating func need(
        _ name: String, _ remedy: String, _ problems: inout Problems
    ) -> Place? {
        if has(name) { return take(name, &problems) }
        known.append(name)
        problems.add(place, "lacks `\(name)`: \(remedy).")
        return nil
    }

    /// The members that were not taken, in the order of the file.
    package var names: [String] { waiting.map(\.name) }

    /// Whether a member is there and was not taken.
    package func has(_ name: String) -> Bool { waiting.contains { $0.name == name } }

    /// Takes all members, whatever their names are.
    package mutating func takeAll() -> [(name: String, place: Place)] {
        defer { waiting = [] }
        return waiting
    }

    /// Refuses what nobody took.
    package func finish(_ problems: inout Problems) {
        for (_, place) in waiting {
            problems.add(
                place, "is unknown: use \(known.joined(separator: ", ")), or remove the line.")
        }
    }
}
