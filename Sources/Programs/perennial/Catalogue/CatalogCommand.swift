import AppStoreWire
import ArgumentParser
import StoreKitFile
import Timeline

/// What concerns catalogues without a store.
struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Check .storekit files; needs no store.",
        discussion: "  perennial catalog check Garden.storekit",
        subcommands: [CatalogCheckCommand.self])
}

/// Says what files would sell, what was assumed, and what stands in the way.
struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Show the products of .storekit files, and their errors.",
        discussion: """
            Exits with 1 if a file has errors; `serve` imports nothing of such a file. Warnings \
            say what was assumed.

              perennial catalog check Garden.storekit
              perennial catalog check --json */*.storekit
            """)

    @Argument(help: "Files that Xcode wrote, or folders of that name.", completion: .file())
    var files: [String]

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let report = CatalogueReport(
            files: files.map { CatalogueReport.File(path: $0).named($0) })
        if json {
            Output.line(try PrettyJSON.text(of: report.jsonBytes()))
        } else {
            let style = Output.style()
            Output.write(Self.words(report, style))
        }
        // The report has said everything.
        if report.hasErrors { throw Failure.refused("") }
    }

    /// The report; the products stand two columns in, and have been fitted already.
    static func words(_ report: CatalogueReport, _ style: Style) -> String {
        report.text(colours: style.hasColours) { table($0, style) }
            .split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { line in
                line.hasPrefix("  ") && line.dropFirst(2).contains("  ")
                    ? [String(line)] : Folding.lines(of: String(line), width: style.lineWidth)
            }.joined(separator: "\n")
    }

    private static func table(_ rows: [[String]], _ style: Style) -> [String] {
        var table = Columns(
            rows[0].map { ($0, .left) }, first: rows[0].filter(["id", "price"].contains))
        for row in rows.dropFirst() { table.add(row) }
        var inner = Style(columns: nil)
        if style.lineWidth < .max { inner.lineWidth = style.lineWidth - 2 }
        return table.lines(inner)
    }
}
