/// The page of rules: each number with what it says, the file that holds it and the test that
/// shows it, a row of a table each.
struct RuleBook {
    struct Rule {
        /// Such as `CHG-2`, or `TAB-2.3`.
        let number: String
        /// From 1.
        let line: Int
        let sentence: String
        /// The file that holds it, relative to the root.
        let file: String
        /// The file of the test that shows it, relative to the root.
        let test: String
        /// How the test is called, up to its own citations.
        let testName: String
    }

    static let path = "docs/rules.md"

    /// A number of a rule; hyphens of other kinds are not meant, nor statements of the mission's
    /// documents, which `MissionBook` looks after.
    static let citation = Pattern(
        #"\b(?!(?:UTF|SHA|SSH|NOW|HIG|UDC)-)[A-Z]{3}-\d+(?:\.\d+)?\b"#)

    /// A section or table that somebody else has numbered. Only RFCs are everybody's.
    private static let section = Pattern(
        #"(?i)(RFC \d+(?:\s|///?)+)?\b(?:sections?|tables?)(?:\s|///?)+\d+(?:\.\d+)*"#
            + #"|(?<=\()\d{1,2}\.\d(?=\)|, [A-Z]{3}-)|(?<=[A-Z]{3}-\d, )\d{1,2}\.\d(?=\))"#)

    let rules: [Rule]

    init(_ text: String) {
        let row = Pattern(
            #"^\| ([A-Z]{3}-\d+(?:\.\d+)?) \| ([^|]*) \| \[[^\]|]*\]\(\.\./([^)|]*)\) "#
                + #"\| \[[^\]|]*\]\(\.\./([^)|]*)\): ([^|]*) \|$"#)
        rules = row.matches(in: text).map { line, groups in
            Rule(
                number: groups[1], line: line, sentence: groups[2], file: groups[3],
                test: groups[4], testName: groups[5])
        }
    }

    /// Rows that look like a rule's and are none: their rule would count as missing.
    static func brokenRows(in text: String) -> [Finding] {
        let read = Set(RuleBook(text).rules.map(\.line))
        return Pattern(#"^\| [A-Z]{3}-\d+"#).lines(in: text).filter { !read.contains($0) }.map {
            Finding(
                path: path, line: $0,
                reason: "a rule is `| number | sentence | [file](../…) | [test](../…): its name |`")
        }
    }

    /// Citations that lead nowhere: without a rule, or to somebody's section.
    func openEnds(in files: [TextFile]) -> [Finding] {
        let numbers = Set(rules.map(\.number))
        return files.flatMap { file in
            RuleBook.citation.matches(in: file.text).filter { !numbers.contains($0.groups[0]) }.map
            {
                Finding(
                    path: file.path, line: $0.line,
                    reason: "\(RuleBook.path) has no rule \($0.groups[0])")
            }
                + RuleBook.section.matches(in: file.text).filter { $0.groups[1].isEmpty }.map {
                    Finding(
                        path: file.path, line: $0.line,
                        reason: "“\($0.groups[0])” leads nowhere: cite a rule of \(RuleBook.path)")
                }
        }
    }

    /// Rules of the book that are twice there, that their file does not cite, or that no test
    /// shows.
    ///
    /// - Parameter text: the text of a file, nil where there is none.
    func looseRules(text: (String) -> String?) -> [Finding] {
        var seen: Set<String> = []
        return rules.flatMap { rule -> [String] in
            var reasons: [String] = []
            if !seen.insert(rule.number).inserted { reasons.append("it is there twice") }
            if rule.sentence.isEmpty { reasons.append("what does it say?") }
            if let held = text(rule.file) {
                let cited = RuleBook.citation.matches(in: held).map { $0.groups[0] }
                if !cited.contains(rule.number) {
                    reasons.append("\(rule.file) does not cite it")
                }
            } else {
                reasons.append("there is no \(rule.file)")
            }
            if let shown = text(rule.test) {
                if rule.testName.isEmpty || !shown.contains("\"\(rule.testName)") {
                    reasons.append("\(rule.test) has no test “\(rule.testName)”")
                }
            } else {
                reasons.append("there is no \(rule.test)")
            }
            return reasons.map { "\(rule.number): \($0)" }
        }.map { reason in
            let number = reason.prefix { $0 != ":" }
            return Finding(
                path: RuleBook.path, line: rules.last { $0.number == number }?.line ?? 1,
                reason: reason)
        }
    }
}
