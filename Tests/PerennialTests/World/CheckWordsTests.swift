import Foundation
import Store
import Testing

@testable import perennial

@Suite("What `perennial world check` says")
struct CheckWordsTests {
    @Test("What was read is broken into lines that fit, with every table in its place")
    func lines() {
        var report = CheckReport()
        report.rows = (1...20).map { ("table_number_\($0)", $0) }
        let words = report.words
        #expect(words.first == "read")
        #expect(words.last == "nothing is wrong")
        let read = words.dropFirst().dropLast()
        #expect(read.count > 3)
        #expect(read.allSatisfy { $0.hasPrefix("  ") && $0.count <= 80 })
        let all = read.flatMap { $0.dropFirst(2).split(separator: ", ").map(String.init) }
        #expect(
            all.map { $0.filter { $0 != "," } }
                == (1...20).map { "\($0) row\($0 == 1 ? "" : "s") of table_number_\($0)" })
    }

    @Test("Where nothing could be read, nothing is said to have been")
    func nothingRead() {
        var report = CheckReport()
        report.findings = [CheckFinding(place: "the database", what: "it is malformed")]
        #expect(report.words.first == "the database: it is malformed")
        #expect(report.words.count == 2)
    }

    @Test("What is told twice is named once, in the order in which it was found")
    func repetitions() {
        func finding(_ place: String) -> CheckFinding { CheckFinding(place: place, what: "bad") }
        var report = CheckReport()
        report.findings = [finding("b"), finding("a"), finding("b"), finding("c"), finding("a")]
        report.putFirst([finding("c"), finding("c")])
        #expect(report.findings.map(\.place) == ["c", "b", "a"])
        #expect(report.words.last?.hasPrefix("3 findings") == true)
    }

    @Test("A file that is no database is said to be none")
    func malformed() async throws {
        try await withDirectory { directory in
            let data = "\(directory)/data"
            _ = try Identity(in: try DataDirectory(data))
            try String(repeating: "no database ", count: 1000).write(
                toFile: "\(data)/store.sqlite", atomically: false, encoding: .utf8)
            let outcome = try await Program().run("world", "check", "--data", data)
            #expect(outcome.code == 1)
            let said = outcome.output + outcome.complaint
            #expect(said.contains("database"), "\(said)")
            #expect(!said.contains("read\n"), "\(said)")
        }
    }
}
