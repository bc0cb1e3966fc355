/// What `Package.swift` says of targets and the arrows between them.
struct Manifest {
    struct Target {
        let name: String
        /// Whether it is a program: others need it built rather than imported.
        let isExecutable: Bool
        /// The line that it begins on.
        let line: Int
        /// Names of the modules that it may import.
        let dependencies: Set<String>
    }

    let targets: [Target]

    init(_ text: String) {
        let products = Dictionary(
            Pattern(#"static let (\w+) = (?:server\(|product\(\s*name: )"(\w+)""#).matches(in: text)
                .map {
                    ($0.groups[1], $0.groups[2])
                }, uniquingKeysWith: { first, _ in first })
        let beginning = Pattern(#"^\s*\.(target|executableTarget|testTarget)\(\s*name: "(\w+)""#)
        let list = Pattern(#"dependencies: \[([^\]]*)\]"#)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        targets = beginning.matches(in: text).map { match in
            let line = match.line + match.groups[0].prefix { $0.isNewline }.count
            let declaration = Manifest.declaration(from: lines[(line - 1)...])
            let names = list.matches(in: declaration).first?.groups[1] ?? ""
            let quoted = Pattern(#""(\w+)""#).matches(in: names).map { $0.groups[1] }
            let shorthand = Pattern(#"\.(\w+)"#).matches(in: names).map { $0.groups[1] }
            return Target(
                name: match.groups[2], isExecutable: match.groups[1] == "executableTarget",
                line: line,
                dependencies: Set(quoted + shorthand.map { products[$0] ?? "." + $0 }))
        }
    }

    /// Lines until the parenthesis that the first one opens is closed.
    private static func declaration(from lines: ArraySlice<Substring>) -> String {
        var depth = 0
        var taken: [Substring] = []
        for line in lines {
            taken.append(line)
            depth += line.count { $0 == "(" } - line.count { $0 == ")" }
            if depth <= 0 { break }
        }
        return taken.joined(separator: "\n")
    }
}
