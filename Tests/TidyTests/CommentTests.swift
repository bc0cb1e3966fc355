import Testing

/// What is written for the next reader.
struct CommentTests {
    private static let modifiers =
        #"(?:(?:@\w+(?:\([^)\n]*\))?|public|package|internal|fileprivate|private|open|static|final"#
        + #"|indirect|mutating|nonisolated|required|convenience|override|lazy|weak"#
        + #"|(?:public|package|internal|fileprivate|private)\(set\))\s+)*"#

    private let anyDeclaration = Pattern(
        "^[ \\t]*\(modifiers)"
            + #"(struct|class|enum|actor|protocol|extension|func|var|let|init|subscript"#
            + #"|typealias|case)\b"#
    )

    private let publicDeclaration = Pattern(
        #"^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+)*public\s+(?:(?:static|final|indirect|mutating)\s+)*"#
            + #"(struct|class|enum|actor|protocol|func)\b"#)

    @Test("Every source file says what its first declaration is for")
    func firstDeclaration() {
        expectNone(
            SourceTree.sources.compactMap { file in
                let found = anyDeclaration.matches(in: file.code)
                guard let first = found.first, !isDocumented(first.line, in: file) else {
                    return nil
                }
                // An extension may leave it to its first member.
                if first.groups[1] == "extension", found.count > 1,
                    isDocumented(found[1].line, in: file)
                {
                    return nil
                }
                return Finding(
                    path: file.path, line: first.line,
                    reason: "a sentence is missing: what is it for?")
            })
    }

    @Test("No sentence for people names a rule by its number")
    func ruleNumbers() {
        // Encodings and digests are called like rules.
        let number = Pattern(#"\b(?!UTF|SHA)[A-Z]{3}-\d+"#)
        expectNone(
            SourceTree.sources.flatMap { file -> [Finding] in
                // Programs are given the numbers there, in a field of their own.
                guard !file.path.hasSuffix("PriceIncrease/ConsentReason.swift") else { return [] }
                return number.lines(in: file.codeAndLiterals).map {
                    Finding(path: file.path, line: $0, reason: "nobody knows the rules' numbers")
                }
            })
    }

    @Test("Every public type says what it is")
    func publicTypes() {
        expectNone(
            SourceTree.sources.flatMap { file in
                publicDeclaration.matches(in: file.code).filter {
                    $0.groups[1] != "func" && !isDocumented($0.line, in: file)
                }.map {
                    Finding(
                        path: file.path, line: $0.line,
                        reason: "a public \($0.groups[1]) without a sentence")
                }
            })
    }

    @Test("Nothing is left half done")
    func marks() {
        // Spelled in parts, so that this file does not find itself.
        let pattern = Pattern(
            "TO" + "DO|FIX" + "ME|XX" + "X+|not imple" + "mented|unimple" + "mented")
        expectNone(
            SourceTree.all.flatMap { file in
                pattern.lines(in: file.text).map {
                    Finding(path: file.path, line: $0, reason: "do it, or open an issue")
                }
            })
    }

    @Test("No path of one machine is written down")
    func machinePaths() {
        let pattern = Pattern(#"(^|[^A-Za-z0-9_.])/(work|root|home|Users)/"#)
        let reason = "a path of one machine"
        expectNone(
            SourceTree.sources.flatMap { file in
                pattern.lines(in: file.text).map {
                    Finding(path: file.path, line: $0, reason: reason)
                }
            } + SourceTree.documents.flatMap { $0.findings(pattern, reason) })
    }

    /// Whether a documentation comment stands right above a declaration and its attributes. An
    /// endpoint's sentence may stand in its description instead, where clients read it as well.
    private func isDocumented(_ line: Int, in file: SwiftFile) -> Bool {
        let lines = file.lines
        if lines[line..<min(line + 3, lines.count)].contains(where: {
            $0.contains("OperationDescription(")
        }) {
            return true
        }
        var above = line - 2
        while above >= 0 {
            let text = lines[above].drop { $0 == " " }
            if text.hasPrefix("///") { return true }
            guard text.hasPrefix("@") || text.hasPrefix("#if") || text.hasPrefix("//") else {
                return false
            }
            above -= 1
        }
        return false
    }
}
