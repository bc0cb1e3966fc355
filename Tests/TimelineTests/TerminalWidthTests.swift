import SubscriptionRules
import Testing

@testable import Timeline

@Suite("How wide a text is in a terminal")
struct TerminalWidthTests {
    @Test(
        "A character has the columns that a terminal gives it",
        arguments: [
            ("", 0), ("anna", 4), ("日本語プラン", 12), ("ﾊﾝｶｸ", 4), ("한국", 4), ("a日b", 4),
            // An accent that is a scalar of its own, or with its letter.
            ("cafe\u{301}", 4), ("caf\u{E9}", 4),
            // Pictures that are joined to one: a family, a thumb of some skin, a flag.
            ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇯🇵", 2), ("👍👍", 4),
            ("█▒░", 3), ("1.99 €", 6),
        ] as [(String, Int)])
    func width(text: String, columns: Int) {
        #expect(text.terminalWidth == columns)
        #expect(text[...].terminalWidth == columns)
        let rest = String(repeating: " ", count: 14 - columns)
        #expect(text.filled(to: 14) == text + rest)
        #expect(text.pushed(to: 14) == rest + text)
    }

    @Test("What is wider than its column is not cut off")
    func wider() {
        #expect("日本語".filled(to: 5) == "日本語")
        #expect("日本語".pushed(to: 6) == "日本語")
    }

    @Test("Many measure at once")
    func atOnce() async {
        let widths = await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { "日本語プラン é 👨‍👩‍👧‍👦".terminalWidth } }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(widths == [17])
    }

    @Test("Parts in a row go to the next line where the terminal ends")
    func passage() {
        let parts = ["花子", "年額プラン", "cafe\u{301}"].map { Passage.Part($0) }
        #expect(
            Passage.lines(parts, separator: ", ", width: 16, style: Style())
                == ["花子, 年額プラン", "cafe\u{301}"])
        #expect(
            Passage.lines(parts, separator: ", ", width: 15, style: Style())
                == ["花子", "年額プラン", "cafe\u{301}"])
    }

    @Test("Amounts and notices in the drawing of a life stand under one another")
    func chronicle() {
        let flowers = "com.example.garden.花.月額"
        var life = Lives.life(
            [
                Lives.entry(
                    "2026-01-31", "chosePlan", opens: Lives.moment("2026-02-28"), amount: 9990,
                    notices: ["SUBSCRIBED/INITIAL_BUY"]),
                Lives.entry(
                    "2026-02-28", "chosePlan", opens: Lives.moment("2026-03-28"), amount: 4990,
                    product: flowers, notices: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"]),
            ], expires: Lives.moment("2026-03-28"), now: Lives.moment("2026-03-01"))
        life.productID = flowers
        let lines = TimelineDrawing.lines(of: life, style: Style(columns: 100))
        let places = lines.compactMap { line in
            line.firstRange(of: "9 USD  ").map { line[..<$0.lowerBound].terminalWidth }
        }
        #expect(places.count == 2)
        #expect(Set(places).count == 1, "\(lines)")
        #expect(lines.contains { $0.contains("花.月額 ") }, "\(lines)")
    }
}
