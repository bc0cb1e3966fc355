import StoreKitFile
import Testing
import Timeline

@testable import perennial

@Suite("Lines that heed the terminal's width")
struct FoldingTests {
    private let table: Columns = {
        var table = Columns(
            [("n", .right), ("who", .left), ("why", .left), ("state", .left), ("", .left)],
            first: ["n", "state"])
        table.add(["1", "anna", "it was bought by mistake", "open", "asked twice"])
        table.add(["20", "benjamin", "", "granted 2026-01-31 00:00", ""])
        return table
    }()

    @Test("A table that has room stands as it is")
    func wide() {
        #expect(
            table.lines(Style(columns: 100)) == [
                " n  who       why                       state",
                " 1  anna      it was bought by mistake  open                      asked twice",
                "20  benjamin                            granted 2026-01-31 00:00",
            ])
    }

    @Test("What matters least leaves a narrow table for a line below its row, nothing is lost")
    func narrow() {
        #expect(
            table.lines(Style(columns: 40)) == [
                " n  who       state",
                " 1  anna      open",
                "    why it was bought by mistake",
                "    asked twice",
                "20  benjamin  granted 2026-01-31 00:00",
            ])
    }

    @Test("The first column stays where there is room for nothing")
    func narrowest() {
        #expect(
            table.lines(Style(columns: 10)).filter { !$0.hasPrefix("    ") } == [" n", " 1", "20"])
    }

    @Test(
        "A line breaks between words, and goes on where its words begin",
        arguments: [
            ("one two three", 13, ["one two three"]),
            ("one two three", 9, ["one two", "three"]),
            ("  one two three", 9, ["  one two", "  three"]),
            ("  -v  one two three", 15, ["  -v  one two", "      three"]),
            // Behind a long label is no room.
            ("  --option  one two three", 20, ["  --option", "      one two three"]),
            ("          one two three", 20, ["      one two three"]),
            ("extraordinarily long", 6, ["extraordinarily", "long"]),
            ("", 6, [""]),
        ] as [(String, Int, [String])])
    func folded(line: String, width: Int, lines: [String]) {
        #expect(Folding.lines(of: line, width: width) == lines)
    }

    @Test("What is in quotes is not broken")
    func quotes() {
        let line = "  perennial ac x --item \"a:Two words:And more\" --item \"b:Two\" c"
        #expect(
            Folding.command(line, width: 40) == [
                "  perennial ac x \\", "      --item \"a:Two words:And more\" \\",
                "      --item \"b:Two\" c",
            ])
    }

    @Test("A command line that is broken is still one for the shell")
    func command() {
        let help = "See:\n\n  perennial buy x \\\n      --account anna --quantity 3\n\nUSAGE: x"
        #expect(
            HelpText.folded(help, width: 30) == """
                See:

                  perennial buy x \\
                      --account anna \\
                      --quantity 3

                USAGE: x
                """)
        #expect(
            HelpText.folded(help, width: 60).contains(
                "\n  perennial buy x --account anna --quantity 3\n"))
    }

    @Test("What a catalogue sells, and what is wrong with it, heed the width", arguments: [50, 80])
    func catalogue(width: Int) throws {
        let example = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let report = CatalogueReport(paths: ["/\(example)/Examples/Garden.storekit"])
        let text = CatalogCheckCommand.words(report, Style(columns: width))
        for line in text.split(separator: "\n") {
            // The path of a place in the file is one word, however long.
            let isOneWord = !line.drop { $0 == " " }.contains(" ")
            #expect(line.count <= width || isOneWord, "\(line)")
        }
        #expect(text.contains("com.example.garden.estate.monthly"))
    }

    @Test("Wide and joined characters push no column out of line")
    func wideCharacters() {
        var table = Columns([("name", .left), ("who", .right), ("state", .left)])
        table.add(["いちご定期便", "花子", "open"])
        table.add(["👨‍👩‍👧 family", "👍🏽", "open"])
        table.add(["cafe\u{301}", "anna", "open"])
        #expect(
            table.lines(Style()) == [
                "name           who  state",
                "いちご定期便  花子  open",
                "👨‍👩‍👧 family       👍🏽  open",
                "cafe\u{301}          anna  open",
            ])
        // 25 columns are too many for 24 of a terminal, and what matters least goes below.
        #expect(table.lines(Style(columns: 25)).count == 4)
        #expect(table.lines(Style(columns: 24)).contains("    state open"))
    }

    @Test("What a catalogue of a Japanese app sells stands in columns")
    func japaneseCatalogue() throws {
        func plan(_ id: String) -> String {
            #"""
            {"productID":"\#(id)","displayPrice":"980","recurringSubscriptionPeriod":"P1M",
            "introductoryOffer":{"displayPrice":"0","paymentMode":"free",
            "subscriptionPeriod":"P1W","numberOfPeriods":1}}
            """#
        }
        let bytes = Array(
            """
            {"settings":{"_storefront":"JPN"},"subscriptionGroups":[
            {"id":"1","name":"会員プラン","subscriptions":[\(plan("plus.monthly"))]},
            {"id":"2","name":"News","subscriptions":[\(plan("news.monthly"))]}]}
            """.utf8)
        let file = try StoreKitFile.read(bytes: bytes, name: "Japan.storekit")
        let report = CatalogueReport(files: [.init(name: "Japan.storekit", file)])
        let text = CatalogCheckCommand.words(report, Style())
        #expect(text.contains("  会員プラン  introductory free P1W\n"), "\(text)")
        #expect(text.contains("  News        introductory free P1W\n"), "\(text)")
    }

    @Test("A line breaks where the terminal ends, however many characters that are")
    func wideWords() {
        let line = "  名前  いちご 定期便 花"
        #expect(Folding.lines(of: line, width: 24) == [line])
        #expect(
            Folding.lines(of: line, width: 23) == ["  名前  いちご 定期便", "        花"])
        #expect(
            Folding.sentence("いちご 定期便", width: 12) == ["いちご", "定期便"])
        #expect(Folding.sentence("いちご 定期便", width: 13) == ["いちご 定期便"])
    }
}
