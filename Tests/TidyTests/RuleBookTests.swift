import Testing

/// Every number that is cited leads to its rule, and every rule to its file and its test.
struct RuleBookTests {
    private static let held = "Sources/Rules/SubscriptionRules/PlanChange/Proration.swift"
    private static let shown = "Tests/SubscriptionRulesTests/MoneyTests.swift"

    /// A book of one rule.
    private static func page(
        _ number: String = "CHG-2", sentence: String = "The unused share goes back.",
        file: String = held, test: String = shown, name: String = "An upgrade gives back"
    ) -> String {
        """
        ## Sources/Rules/SubscriptionRules/PlanChange

        | Rule | What it says | Held by | Shown by |
        |---|---|---|---|
        | \(number) | \(sentence) | [Proration](../\(file)) | [MoneyTests](../\(test)): \(name) |
        """
    }

    /// Files that go with that book.
    private static func text(_ path: String) -> String? {
        switch path {
        case held: "/// The unused share (CHG-2)."
        case shown: "@Test(\"An upgrade gives back the unused share (CHG-2)\")"
        default: nil
        }
    }

    @Test("Every citation of the project has its rule, and no section is left")
    func citations() throws {
        let book = RuleBook(try #require(SourceTree.text(RuleBook.path)))
        #expect(book.rules.count > 150)
        expectNone(book.openEnds(in: SourceTree.citing))
    }

    @Test("Every rule of the book is cited by its file and shown by its test")
    func rules() throws {
        let page = try #require(SourceTree.text(RuleBook.path))
        expectNone(RuleBook.brokenRows(in: page))
        expectNone(RuleBook(page).looseRules(text: SourceTree.text))
    }

    @Test("A rule that stands, is cited and shown is in order")
    func inOrder() {
        let book = RuleBook(Self.page())
        #expect(book.rules.map(\.number) == ["CHG-2"])
        #expect(RuleBook.brokenRows(in: Self.page()).isEmpty)
        #expect(book.looseRules(text: Self.text).isEmpty)
        #expect(book.openEnds(in: [TextFile(path: "A.swift", text: "// See CHG-2.")]).isEmpty)
    }

    @Test(
        "A citation without a rule, and a section, are refused",
        arguments: [
            ("/// Rounded (CHG-3).", "CHG-3"), ("@Test(\"… (CHG-2, ABC-1)\")", "ABC-1"),
            ("| CHG-22 rounding | half up |", "CHG-22"), ("(CHG-2.1)", "CHG-2.1"),
            ("// As section 2.3 has it.", "section 2.3"),
            ("(signed-data.md section 3)", "section 3"),
            ("// Of tables 2.2 and 2.3.", "tables 2.2"), ("(2.3)", "2.3"),
            ("(2.3, CHG-2)", "2.3"), ("(CHG-2, 2.3)", "2.3"), ("/// … of section\n/// 5.1.", "5.1"),
        ])
    func openEnds(text: String, named: String) throws {
        let found = RuleBook(Self.page()).openEnds(in: [TextFile(path: "A.swift", text: text)])
        #expect(found.map(\.line) == [1])
        #expect(try #require(found.first).reason.contains(named))
    }

    @Test(
        "What only looks like a citation is left alone",
        arguments: [
            "UTF-8, SHA-256 and SSH-2.0", "RFC 7515 section 7.1", "/// (RFC 8259\n/// section 7)",
            "Swift (6.2 or later)", "a table of 3 rows", "(0.02)", "PRC-X", "ECMA-262", "HIG-12",
            "UDC-7",
        ])
    func otherText(text: String) {
        #expect(RuleBook(Self.page()).openEnds(in: [TextFile(path: "A.md", text: text)]).isEmpty)
    }

    @Test(
        "A rule whose file or test is gone, or says nothing of it, is refused",
        arguments: [
            (page(file: "Sources/Gone.swift"), "there is no Sources/Gone.swift"),
            (page(test: "Tests/Gone.swift"), "there is no Tests/Gone.swift"),
            (page(name: "A downgrade waits"), "has no test “A downgrade waits”"),
            (page("CHG-3"), "\(held) does not cite it"),
            (page("CHG-22"), "\(held) does not cite it"),
            (page(sentence: ""), "what does it say?"),
        ])
    func looseRules(page: String, reason: String) throws {
        let found = RuleBook(page).looseRules(text: Self.text)
        #expect(found.map(\.line) == [5])
        #expect(try #require(found.first).reason.contains(reason))
    }

    @Test("A rule that is there twice is refused at its second place")
    func twice() {
        let row = Self.page().split(separator: "\n").last ?? ""
        let found = RuleBook(Self.page() + "\n" + row).looseRules(text: Self.text)
        #expect(found.map(\.reason) == ["CHG-2: it is there twice"])
        #expect(found.map(\.line) == [6])
    }

    @Test("A row that cannot be read as a rule is refused")
    func brokenRow() {
        let page = Self.page() + "\n| CHG-3 | Half up. | Proration | MoneyTests |\n"
        #expect(RuleBook.brokenRows(in: page).map(\.line) == [6])
    }
}
