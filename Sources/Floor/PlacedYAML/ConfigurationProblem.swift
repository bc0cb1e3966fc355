/// Something that is wrong with a configuration: where, what, and what to do.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The file, as it was named.
    public let file: String
    /// The line, from 1; nil where no line is to blame.
    public let line: Int?
    /// The column, from 1; nil where no line is to blame.
    public let column: Int?
    /// The member, such as `apps[0].roots`; empty where it is the file as a whole.
    public let member: String
    /// What is wrong and what to do, as sentences.
    public let message: String

    /// All in one line.
    public var description: String { sentence(at: line.map { ":\($0)" } ?? "") }

    /// The same with the column.
    public var placed: String {
        let column = column.map { ":\($0)" } ?? ""
        return sentence(at: line.map { ":\($0)\(column)" } ?? "")
    }

    private func sentence(at spot: String) -> String {
        let place = file + spot
        return member.isEmpty ? "\(place): \(message)" : "\(place): `\(member)` \(message)"
    }
}

/// Why a configuration cannot be used; nothing of it is.
public struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one, in the order of the file.
    public let problems: [ConfigurationProblem]

    /// A problem a line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong, so that all of it is said at once.
package struct Problems {
    package private(set) var all: [ConfigurationProblem] = []

    package init() {}

    package mutating func add(_ place: Place, _ message: String) {
        all.append(
            ConfigurationProblem(
                file: place.file, line: place.line, column: place.column, member: place.member,
                message: message))
    }

    package mutating func add(
        _ file: String, line: Int? = nil, column: Int? = nil, _ message: String
    ) {
        all.append(
            ConfigurationProblem(
                file: file, line: line, column: column, member: "", message: message))
    }

    /// - Throws: all that was collected, if anything was.
    package func check() throws(ConfigurationErrors) {
        guard !all.isEmpty else { return }
        let inOrder = all.enumerated().sorted { first, second in
            (first.element.line ?? .max, first.offset)
                < (second.element.line ?? .max, second.offset)
        }
        throw ConfigurationErrors(problems: inOrder.map(\.element))
    }
}
