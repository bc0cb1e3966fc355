/// The page of what the documents say that the product is built from: a table for each document,
/// each statement with its status and, where the store does it, the file and the test that shows
/// it.
struct MissionBook {
    struct Statement {
        /// Such as `EXTD-12`: a family for each document, and a count.
        let identifier: String
        /// From 1.
        let line: Int
        let sentence: String
        let status: String
        /// The cells as they stand: empty, or a link to the file, and one to the test's with its
        /// name.
        let held: String
        let shown: String

        var family: Substring { identifier.prefix { $0 != "-" } }
        var count: Int? { Int(identifier.drop { $0 != "-" }.dropFirst()) }
    }

    /// A table with its heading.
    struct Document {
        let title: String
        /// From 1.
        let line: Int
        let statements: [Statement]
    }

    static let path = "docs/mission.md"

    /// What the store does, and so has a file and a test.
    private static let done: Set = ["held", "otherwise"]
    /// What others do.
    private static let left: Set = ["page", "merchant"]
    private static let toCome = Pattern(#"^to come: [A-Z]?[a-z][A-Za-z -]*$"#)

    let documents: [Document]

    private var statements: [Statement] { documents.flatMap(\.statements) }

    init(_ text: String) {
        let row = Pattern(
            #"^\| ([A-Z][A-Z0-9]+-\d+) \|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|$"#)
        let statements = row.matches(in: text).map { line, groups in
            let cells = groups.map(MissionBook.trimmed)
            return Statement(
                identifier: cells[1], line: line, sentence: cells[2], status: cells[3],
                held: cells[4], shown: cells[5])
        }
        let headings = Pattern(#"^## (.*)$"#).matches(in: text)
        documents = headings.indices.map { place in
            let (line, groups) = headings[place]
            let end = place + 1 < headings.count ? headings[place + 1].line : Int.max
            return Document(
                title: groups[1], line: line,
                statements: statements.filter { line < $0.line && $0.line < end })
        }
    }

    /// Rows that look like a statement and are none.
    static func brokenRows(in text: String) -> [Finding] {
        let read = Set(MissionBook(text).statements.map(\.line))
        return Pattern(#"^\|\s*[A-Z][A-Z0-9]+-\d+"#).lines(in: text).filter { !read.contains($0) }
            .map {
                Finding(
                    path: path, line: $0,
                    reason: "a statement is `| id | sentence | status | [file](../…) | "
                        + "[test](../…): its name |`, below the heading of its document")
            }
    }

    /// Documents without a statement, and identifiers that do not count from 1 within theirs.
    func disorder() -> [Finding] {
        var families: Set<Substring> = []
        return documents.flatMap { document -> [Finding] in
            guard let family = document.statements.first?.family else {
                return [Finding(document.line, "there is no statement of “\(document.title)”")]
            }
            let isNew = families.insert(family).inserted
            let taken = isNew ? [] : [Finding(document.line, "\(family) is another document's")]
            return taken
                + document.statements.enumerated().filter { place, statement in
                    statement.family != family || statement.count != place + 1
                }.map { place, statement in
                    Finding(
                        statement.line,
                        "\(statement.identifier) stands where \(family)-\(place + 1) "
                            + "belongs")
                }
        }
    }

    /// Statements that say nothing, whose status is none, or whose file or test is not there.
    ///
    /// - Parameter text: the text of a file, nil where there is none.
    func looseStatements(text: (String) -> String?) -> [Finding] {
        statements.flatMap { statement in
            problems(of: statement, text: text).map {
                Finding(statement.line, "\(statement.identifier): \($0)")
            }
        }
    }

    private func problems(of statement: Statement, text: (String) -> String?) -> [String] {
        var problems = statement.sentence.isEmpty ? ["what does it say?"] : []
        if Self.done.contains(statement.status) {
            return problems + Self.missingFile(statement, text) + Self.missingTest(statement, text)
        }
        let isToCome = !Self.toCome.lines(in: statement.status).isEmpty
        if !isToCome && !Self.left.contains(statement.status) {
            problems.append("“\(statement.status)” is no status")
        }
        if !(statement.held + statement.shown).isEmpty {
            problems.append("what is not done by the store has neither file nor test")
        }
        return problems
    }

    private static func missingFile(
        _ statement: Statement, _ text: (String) -> String?
    ) -> [String] {
        let link = Pattern(#"^\[[^\]]+\]\(\.\./(Sources/[^)]+)\)$"#)
        guard let file = link.matches(in: statement.held).first?.groups[1] else {
            return ["“\(statement.held)” is no file in Sources"]
        }
        return text(file) == nil ? ["there is no \(file)"] : []
    }

    private static func missingTest(
        _ statement: Statement, _ text: (String) -> String?
    ) -> [String] {
        let link = Pattern(
            #"^\[[^\]]+\]\(\.\./((?:Tests|Browser|Conformance)/[^)]+)\): (.+)$"#)
        guard let groups = link.matches(in: statement.shown).first?.groups else {
            return ["“\(statement.shown)” is no test with its name"]
        }
        guard let shown = text(groups[1]) else { return ["there is no \(groups[1])"] }
        // What people see is looked at in browsers, by tests in Python.
        let isPython = groups[1].hasSuffix(".py")
        let start = isPython ? "def \(groups[2])(" : "\"\(groups[2])"
        return shown.contains(start) ? [] : ["\(groups[1]) has no test “\(groups[2])”"]
    }

    /// Identifiers of these documents that others cite and that are not there.
    func openEnds(in files: [TextFile]) -> [Finding] {
        let known = Set(statements.map(\.identifier))
        let families = Set(statements.map(\.family)).sorted().joined(separator: "|")
        guard !families.isEmpty else { return [] }
        let citation = Pattern("\\b(?:\(families))-\\d+\\b")
        return files.flatMap { file in
            citation.matches(in: file.text).filter { !known.contains($0.groups[0]) }.map {
                Finding(
                    path: file.path, line: $0.line,
                    reason: "\(MissionBook.path) has no statement \($0.groups[0])")
            }
        }
    }

    private static func trimmed(_ cell: String) -> String {
        var cell = Substring(cell)
        while cell.first == " " { cell.removeFirst() }
        while cell.last == " " { cell.removeLast() }
        return String(cell)
    }
}

extension Finding {
    /// A place of the page.
    fileprivate init(_ line: Int, _ reason: String) {
        self.init(path: MissionBook.path, line: line, reason: reason)
    }
}
