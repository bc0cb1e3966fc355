import FoundationEssentials
import Yams

/// Reads a whole file of YAML.
package enum YAMLText {
    /// How large a file may be, in bytes.
    package static let sizeLimit = 1 << 20

    /// The text of a file.
    ///
    /// - Parameter meant: what the file should hold, such as `a campaign`.
    package static func text(
        at path: String, _ meant: String, _ problems: inout Problems
    ) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else {
            problems.add(path, "There is no such file that can be read: correct the path.")
            return nil
        }
        guard data.count <= sizeLimit else {
            problems.add(path, "The file has more than 1 MiB: give \(meant).")
            return nil
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            problems.add(path, "The file is not UTF-8: save it as such.")
            return nil
        }
        return text
    }

    /// What a text holds.
    ///
    /// - Parameters:
    ///   - name: what problems call the file.
    ///   - remedy: what to write into an empty file.
    package static func root(
        of text: String, named name: String, ifEmpty remedy: String, _ problems: inout Problems
    ) -> Place? {
        let aliases = "The file says too much by aliases: write out what they stand for."
        guard !AliasLimit.isExceeded(byText: text) else {
            problems.add(name, aliases)
            return nil
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            problems.add(complaint: error, name)
            return nil
        }
        guard let root else {
            problems.add(name, line: 1, "The file is empty: \(remedy).")
            return nil
        }
        guard !AliasLimit.isExceeded(by: root, of: text) else {
            problems.add(name, aliases)
            return nil
        }
        return Place(
            file: name, member: "", line: root.mark?.line ?? 1, column: root.mark?.column ?? 1,
            node: root)
    }
}

extension Problems {
    /// What the parser complains about.
    package mutating func add(complaint error: any Error, _ file: String) {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?,
            .composer(_, let problem, let mark, _)?:
            add(file, line: mark.line, column: mark.column, "This is no YAML: \(problem).")
        case .duplicatedKeysInMapping(let names, let context)?:
            let list = names.map { "`\($0)`" }.joined(separator: ", ")
            add(
                file, line: context.mark.line, column: context.mark.column,
                "\(list) is given more than once: keep one of them.")
        default:
            add(file, line: 1, "This is no YAML: it holds characters that YAML has not.")
        }
    }
}
