import Testing

/// Every statement of the documents has its status, and where the store does it, a file and a
/// test that are there.
struct MissionBookTests {
    private static let file = "Sources/Rules/SubscriptionRules/Extension/ExtensionRequest.swift"
    private static let test = "Tests/StoreTests/Extensions/ExtensionStories.swift"
    private static let held = "[ExtensionRequest](../\(file))"
    private static let shown = "[ExtensionStories](../\(test)): The end moves"
    private static let browser = "[test_shop](../Browser/test_shop.py): test_it"

    /// A page of two documents; the second row is the given one.
    private static func page(
        _ identifier: String = "EXTD-2", _ sentence: String = "At most 90 days.",
        _ status: String = "held", _ held: String = held, _ shown: String = shown
    ) -> String {
        """
        # What the documents say

        ## Extending

        | Id | What it says | Status | Done in | Shown by |
        |---|---|---|---|---|
        | EXTD-1 | It moves. | held | \(Self.held) | \(Self.shown) |
        | \(identifier) | \(sentence) | \(status) | \(held) | \(shown) |

        ## Guidelines

        | Id | What it says | Status | Done in | Shown by |
        |---|---|---|---|---|
        | HIG-1 | Names are short. | merchant | | |
        """
    }

    /// Files that go with that page.
    private static func text(_ path: String) -> String? {
        switch path {
        case file: "/// A developer's wish."
        case test: "@Test(\"The end moves, and later renewals follow its day\")"
        case "Browser/test_shop.py": "def test_it(tab):"
        default: nil
        }
    }

    @Test("Every statement of the page has its status, its file and its test, in order")
    func statements() throws {
        let page = try #require(SourceTree.text(MissionBook.path))
        expectNone(MissionBook.brokenRows(in: page))
        let book = MissionBook(page)
        #expect(book.documents.count >= 4)
        #expect(book.documents.flatMap(\.statements).count > 250)
        expectNone(book.disorder())
        expectNone(book.looseStatements(text: SourceTree.text))
    }

    @Test("Every statement that is cited is there")
    func citations() throws {
        let book = MissionBook(try #require(SourceTree.text(MissionBook.path)))
        let files = SourceTree.citing.filter {
            !["Tests/TidyTests/MissionBookTests.swift", MissionBook.path].contains($0.path)
        }
        expectNone(book.openEnds(in: files))
    }

    @Test(
        "A page that is right is in order",
        arguments: [
            page(), page("EXTD-2", "A mail.", "to come: mails", "", ""),
            page("EXTD-2", "A screen.", "page", "", ""),
            page("EXTD-2", "A screen.", "held", held, browser),
            page("EXTD-2", "A choice.", "otherwise"),
            page("EXTD-2", "Sharing.", "to come: Family Sharing", "", ""),
        ])
    func inOrder(page: String) {
        let book = MissionBook(page)
        #expect(book.documents.map(\.title) == ["Extending", "Guidelines"])
        #expect(book.documents.map(\.statements.count) == [2, 1])
        #expect(MissionBook.brokenRows(in: page).isEmpty)
        #expect(book.disorder().isEmpty)
        #expect(book.looseStatements(text: Self.text).isEmpty)
    }

    @Test(
        "A statement without a status, a file or a test that is there is refused",
        arguments: [
            (page("EXTD-2", ""), "what does it say?"),
            (page("EXTD-2", "It.", ""), "“” is no status"),
            (page("EXTD-2", "It.", "done"), "“done” is no status"),
            (page("EXTD-2", "It.", "to come", "", ""), "“to come” is no status"),
            (page("EXTD-2", "It.", "to come: ", "", ""), "“to come:” is no status"),
            (page("EXTD-2", "It.", "page", held, ""), "neither file nor test"),
            (page("EXTD-2", "It.", "to come: mails", "", shown), "neither file nor test"),
            (page("EXTD-2", "It.", "held", ""), "“” is no file in Sources"),
            (page("EXTD-2", "It.", "held", "[A](../Tests/A.swift)"), "is no file in Sources"),
            (page("EXTD-2", "It.", "held", "[A](../Sources/A.swift)"), "no Sources/A.swift"),
            (page("EXTD-2", "It.", "otherwise", held, ""), "“” is no test with its name"),
            (page("EXTD-2", "It.", "held", held, "[A](../Tests/A.swift): It"), "no Tests/A.swift"),
            (
                page("EXTD-2", "It.", "held", held, "\(shown) twice"),
                "no test “The end moves twice”"
            ),
            (page("EXTD-2", "It.", "held", held, "\(browser)_too"), "no test “test_it_too”"),
        ] as [(String, String)])
    func loose(page: String, reason: String) throws {
        let found = MissionBook(page).looseStatements(text: Self.text)
        #expect(found.map(\.line).allSatisfy { $0 == 8 })
        #expect(try #require(found.first).reason.contains(reason))
    }

    @Test(
        "Identifiers that are twice there, left out, or of another document are refused",
        arguments: ["EXTD-1", "EXTD-3", "HIG-2"])
    func disorder(identifier: String) {
        let found = MissionBook(Self.page(identifier)).disorder()
        #expect(found.map(\.reason) == ["\(identifier) stands where EXTD-2 belongs"])
        #expect(found.map(\.line) == [8])
    }

    @Test("A document without statements, and a family of two documents, are refused")
    func documents() {
        let empty = MissionBook(Self.page() + "\n\n## Session\n\nNothing.\n")
        #expect(empty.disorder().map(\.reason) == ["there is no statement of “Session”"])
        let twice = MissionBook(Self.page() + "\n\n## Session\n\n| HIG-1 | It. | page | | |\n")
        #expect(twice.disorder().map(\.reason) == ["HIG is another document's"])
    }

    @Test(
        "A row that cannot be read as a statement is refused",
        arguments: ["| EXTD-3 | It. | page | |", "| EXTD-3 | It. | page | | | |", "|EXTD-3 | It."])
    func brokenRow(row: String) {
        let page = Self.page() + "\n" + row
        #expect(MissionBook.brokenRows(in: page).map(\.line) == [15])
    }

    @Test("What is cited and is not there is refused, what only looks like it is left alone")
    func openEnds() {
        let book = MissionBook(Self.page())
        func found(_ text: String) -> [String] {
            book.openEnds(in: [TextFile(path: "A.swift", text: text)]).map(\.reason)
        }
        #expect(found("/// Names (HIG-1), dates (EXTD-2), CHG-2, S308-1.").isEmpty)
        #expect(found("/// Names (HIG-2).") == ["docs/mission.md has no statement HIG-2"])
    }
}
