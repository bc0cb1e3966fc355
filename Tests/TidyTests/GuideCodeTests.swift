import Testing

/// Code that guides show stands in a file that is compiled.
struct GuideCodeTests {
    @Test("Swift that a guide takes from a file stands in that file")
    func swift() throws {
        let path = "docs/guides/swift-testing.md"
        let guide = try #require(SourceTree.text(path))
        let parts = guide.split(separator: "<!-- ").dropFirst()
        #expect(parts.count > 2)
        for part in parts {
            let name = String(try #require(part.split(separator: " -->").first))
            let file = try #require(SourceTree.text(name), "\(path) names \(name)")
            let code = try #require(part.split(separator: "```swift\n").dropFirst().first)
            let block = String(try #require(code.split(separator: "```").first))
            #expect(file.contains(block), "\(name) does not have what \(path) shows")
        }
    }
}
