import AppStoreWire
import ArgumentParser
import StoreKitFile

/// What concerns catalogues without a store.
struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Look at .storekit files without a store.",
        subcommands: [CatalogCheckCommand.self])
}

/// Says what files would sell, what was assumed, and what stands in the way.
struct CatalogCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what .storekit files sell, and what is wrong with them.",
        discussion: """
            Exit code 1 when a file has errors; `serve` would import nothing of it. Warnings say \
            what was assumed.

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
            Output.write(report.text(colours: Output.style().hasColours))
        }
        // The report has said everything.
        if report.hasErrors { throw Failure.refused("") }
    }
}
