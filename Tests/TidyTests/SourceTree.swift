import Foundation

/// The project's own files, as they lie on disk.
enum SourceTree {
    /// The folder that holds `Package.swift`.
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }()

    /// Swift files of the product, and of what its tests share.
    static let sources = swiftFiles(in: "Sources") + swiftFiles(in: SwiftFile.support)
    /// Swift files of the product, of its tests, and of examples that are built with them.
    static let all =
        sources + swiftFiles(in: "Tests").filter { !$0.path.hasPrefix(SwiftFile.support + "/") }
        + swiftFiles(in: "Examples")

    /// Paths of all files in a folder, relative to the root; none where there is no such folder.
    static func paths(in folder: String, endingWith ending: String) -> [String] {
        let base = root.appendingPathComponent(folder)
        let found = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
        return (found ?? []).filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    /// The text of a file; nil where there is none.
    static func text(_ path: String) -> String? {
        try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The bytes of a file that was listed.
    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: root.appendingPathComponent(path))
    }

    /// Documents for people: those at the root and those in `docs`.
    static var documents: [TextFile] {
        let atRoot = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        let paths =
            atRoot.filter { $0.hasSuffix(".md") }.sorted() + paths(in: "docs", endingWith: ".md")
        return paths.compactMap { path in text(path).map { TextFile(path: path, text: $0) } }
    }

    /// Whatever cites rules: code, tests, examples and documents, but the book of rules itself and
    /// the tests of its checker, which cite what there is not.
    static var citing: [TextFile] {
        let scripts = ["Conformance", "Examples"].flatMap { paths(in: $0, endingWith: ".py") }
        return all.filter { $0.path != "Tests/TidyTests/RuleBookTests.swift" }.map {
            TextFile(path: $0.path, text: $0.text)
        } + documents.filter { $0.path != RuleBook.path }
            + scripts.compactMap { path in text(path).map { TextFile(path: path, text: $0) } }
    }

    private static func swiftFiles(in folder: String) -> [SwiftFile] {
        paths(in: folder, endingWith: ".swift").compactMap { path in
            text(path).map { SwiftFile(path: path, text: $0) }
        }
    }
}

/// A file of text and its lines.
struct TextFile {
    /// Relative to the root.
    let path: String
    let text: String

    /// Where a pattern matches the text.
    func findings(_ pattern: Pattern, _ reason: String) -> [Finding] {
        pattern.lines(in: text).map { Finding(path: path, line: $0, reason: reason) }
    }
}
