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
        let example = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let report = CatalogueReport(paths: ["/\(example)/Examples/Garden.storekit"])
        let text = CatalogCheckCommand.words(report, Style(columns: width))
        for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
        #expect(text.contains("com.example.garden.estate.monthly"))
        #expect(CatalogCheckCommand.words(report, Style()) == report.text())
    }

    @Test(
        "No line of any help is wider than the terminal",
        arguments: CommandLineTests.commands, [50, 64, 80, 120])
    func help(command: [String], width: Int) throws {
        let ending = try #require(
            CommandLineTests().ending(of: command + ["--help"], style: Style(columns: width)))
        for line in ending.output.split(separator: "\n") {
            #expect(line.count <= width, "\(line)")
        }
    }
}
