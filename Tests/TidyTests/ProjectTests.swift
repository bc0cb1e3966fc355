import Foundation
import Testing

/// Golden files, decisions, and the documents that people follow by hand.
struct ProjectTests {
    @Test("Golden files are JSON")
    func goldenFiles() throws {
        let paths = SourceTree.paths(in: "Tests", endingWith: ".json").filter {
            $0.contains("/Golden/")
        }
        #expect(!paths.isEmpty)
        for path in paths {
            let data = try SourceTree.data(path)
            if (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) == nil {
                expectNone([Finding(path: path, line: 1, reason: "this is not JSON")])
            }
        }
    }

    @Test("Decisions have a number each and stand in their list")
    func decisions() {
        let list = SourceTree.text("docs/decisions/README.md")
        var names: [Substring: String] = [:]
        for path in SourceTree.paths(in: "docs/decisions", endingWith: ".md") {
            let name = String(path.dropFirst("docs/decisions/".count))
            guard name != "README.md" else { continue }
            let number = name.prefix(4)
            if number.count < 4 || !number.allSatisfy(\.isNumber)
                || !name.dropFirst(4).hasPrefix("-")
            {
                expectNone([Finding(path: path, line: 1, reason: "the name is NNNN-title.md")])
            }
            if let other = names.updateValue(name, forKey: number) {
                expectNone([Finding(path: path, line: 1, reason: "\(other) has the same number")])
            }
            if let list, !list.contains("(\(name))") {
                expectNone([
                    Finding(
                        path: path, line: 1, reason: "docs/decisions/README.md has no link to it")
                ])
            }
        }
    }

    @Test("The changelog says what is new")
    func changelog() throws {
        let text = try #require(SourceTree.text("CHANGELOG.md"))
        let headings = Pattern(#"^## \[(Unreleased|\d+\.\d+\.\d+)\]"#).lines(in: text)
        #expect(!headings.isEmpty, "CHANGELOG.md has neither an Unreleased nor a version heading")
    }

    @Test("Commands that documents tell people to type exist")
    func commands() throws {
        let makefile = try #require(SourceTree.text("Makefile"))
        let targets = Set(
            Pattern(#"^([a-z][a-z-]*):"#).matches(in: makefile).map { $0.groups[1] })
        #expect(targets.isSuperset(of: ["run", "test", "conformance", "format", "lint"]))
        expectNone(SourceTree.documents.flatMap { unknownCommands(in: $0, targets) })
    }

    @Test("Links between documents lead somewhere")
    func links() {
        let link = Pattern(#"\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)]*)?\)"#)
        for document in SourceTree.documents {
            let folder = SourceTree.root.appendingPathComponent(document.path)
                .deletingLastPathComponent()
            for (line, groups) in link.matches(in: document.text) {
                let target = folder.appendingPathComponent(groups[1]).path
                if !FileManager.default.fileExists(atPath: target) {
                    expectNone([
                        Finding(
                            path: document.path, line: line, reason: "there is no \(groups[1])")
                    ])
                }
            }
        }
    }

    private func unknownCommands(in document: TextFile, _ targets: Set<String>) -> [Finding] {
        let fence = Pattern(#"^```(?:sh|shell|bash|console)[ \t]*\n((?:(?!```).*\n)*?)```"#)
        let make = Pattern(#"^[ \t]*(?:\$ )?make[ \t]+([^\n#|&;>]+)"#)
        let script = Pattern(#"^[ \t]*(?:\$ )?((?:scripts|\.ci)/[\w.-]+)"#)
        return fence.matches(in: document.text).flatMap { fenced -> [Finding] in
            let unknownTargets = make.matches(in: fenced.groups[1]).flatMap { match in
                match.groups[1].split(separator: " ").filter {
                    !$0.contains("=") && !$0.hasPrefix("-") && !targets.contains(String($0))
                }.map { (match.line, "there is no `make \($0)`") }
            }
            let missingScripts = script.matches(in: fenced.groups[1]).filter {
                SourceTree.text($0.groups[1]) == nil
            }.map { ($0.line, "there is no \($0.groups[1])") }
            return (unknownTargets + missingScripts).map { line, reason in
                Finding(path: document.path, line: fenced.line + line, reason: reason)
            }
        }
    }

    @Test("The README shows Python that stands in the example, which conformance runs")
    func readmeExample() throws {
        let readme = try #require(SourceTree.text("README.md"))
        let example = try #require(SourceTree.text("Examples/python/a_year.py"))
        let shown = readme.split(separator: "```python\n").dropFirst().compactMap {
            $0.split(separator: "```").first
        }
        #expect(!shown.isEmpty)
        for block in shown { #expect(example.contains(block), "\(block)") }
    }
}
