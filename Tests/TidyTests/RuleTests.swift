import Testing

/// The rules themselves: each of their tools sees what it is for.
struct RuleTests {
    @Test(
        "Comments and literals are told from code",
        arguments: [
            ("a // b", "a", "a"),
            ("a /* b /* c */ d */ e", "a                   e", "a                   e"),
            (#"f("x // y")"#, #"f("      ")"#, #"f("x // y")"#),
            (#"f("\(g("x"))")"#, #"f("  g(" "))")"#, #"f("\(g("x"))")"#),
            (##"f(#"a"b\(c)"#)"##, ##"f(#"       "#)"##, ##"f(#"a"b\(c)"#)"##),
            ("\"\"\"\n{ \"x\"\n\"\"\" }", "\"\"\"\n     \n\"\"\" }", "\"\"\"\n{ \"x\"\n\"\"\" }"),
        ])
    func scanner(text: String, code: String, codeAndLiterals: String) {
        let file = SwiftFile(path: "Sources/Some/File.swift", text: text)
        #expect(trimmed(file.code) == code)
        #expect(trimmed(file.codeAndLiterals) == codeAndLiterals)
    }

    @Test("A function is measured from its keyword to its brace")
    func functionLengths() {
        let code = """
            protocol P {
                func noBody() throws
                var alsoNone: Int { get }
                init(x: Int)
            }
            struct S {
                var stored = 1
                init() {
                    self.init(x: 2)
                }
                func f(
                    _ body: () -> Void = { }
                ) -> Int {
                    if true { 1 } else { 2 }
                }
            }
            """
        #expect(
            Function.all(in: code).map { [$0.line, $0.length] } == [[3, 1], [8, 3], [11, 5]])
    }

    @Test("The manifest's arrows are read")
    func manifest() {
        let manifest = Manifest(
            """
            extension Target.Dependency {
                static let crypto = product(name: "Crypto", package: "swift-crypto")
            }
            .target(name: "A", swiftSettings: strict),
            // In between.
            .target(
                name: "B", dependencies: ["A", .crypto],
                swiftSettings: strict),
            .executableTarget(name: "C", dependencies: ["B"]),
            """)
        #expect(manifest.targets.map(\.name) == ["A", "B", "C"])
        #expect(manifest.targets.map(\.isExecutable) == [false, false, true])
        #expect(manifest.targets.map(\.line) == [4, 6, 9])
        #expect(manifest.targets.map(\.dependencies) == [[], ["A", "Crypto"], ["B"]])
    }

    private func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
