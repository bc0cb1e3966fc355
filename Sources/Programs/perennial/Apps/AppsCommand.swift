import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import StoreHTTP
import StoreKitFile
import SubscriptionRules
import Timeline

/// Lists the apps.
struct AppsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the apps of a store.",
        discussion: """
              perennial app list
              perennial app list --json
            """)

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client()
        let answer = try await client.get(StorePath("connect", "v1", "apps"))
        let usual = client.address.bundleID
        try store.show(answer) { style in try Self.words(answer, usual: usual, style) }
    }

    /// - Parameter usual: the app that is meant where none is named.
    static func words(_ answer: Answer, usual: String?, _ style: Style) throws -> [String] {
        let apps = try answer.list("apps").map { try $0.read(AppForm.app, into: AppSheet()) }
        guard !apps.isEmpty else {
            return ["the store has no app; `perennial app add FILE --bundle-id ID` adds one"]
        }
        var table = Columns(
            [
                ("app", .left), ("Apple id", .right), ("storefront", .left), ("products", .right),
                ("", .left),
            ], first: ["app", "products"])
        for app in apps {
            let isUsual = apps.count > 1 && app.bundleID == usual
            table.add([
                app.bundleID, String(app.appleID), app.settings.storefront.code,
                String(app.productCount), isUsual ? "meant without --bundle-id" : "",
            ])
        }
        return table.lines(style)
    }
}

/// Adds an app to a running store.
struct AppsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an app with the products of a .storekit file to a running store.",
        discussion: """
              perennial app add Garden.storekit --bundle-id com.example.garden
              perennial app add Garden.storekit --bundle-id com.example.garden \\
                  --app-apple-id 1000000007
            """)

    @Argument(help: "The file that Xcode wrote.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The bundle identifier of the new app.", valueName: "id"))
    var bundleID: String

    @Option(
        help: ArgumentHelp(
            "Its Apple id. (default: the one after the highest there is)", valueName: "n"),
        transform: Reading.number(1...Int64.max))
    var appAppleID: Int64?

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard App.isBundleID(bundleID) else {
            throw ValidationError(
                "--bundle-id must be 1 to 155 letters, digits, dots and hyphens.")
        }
    }

    func run() async throws {
        let client = try store.client()
        // Before anything is made: an app without products would be left behind.
        let bytes = try CatalogueUpload.checked(file)
        _ = try await client.send(.POST, StorePath("connect", "v1", "apps")) { json in
            json.field("bundleId", bundleID)
            json.field("appAppleId", appAppleID)
        }
        _ = try await client.ask(
            .PUT, StorePath("connect", "v1", "apps", bundleID, "catalogue"), bytes,
            token: client.address.operatorToken)
        let answer = try await client.get(StorePath("connect", "v1", "apps", bundleID))
        let app = try answer.read(AppForm.app, into: AppSheet())
        try store.show(answer) { _ in
            let products = counted(app.productCount, "product")
            return [
                "\(bundleID), Apple id \(app.appleID), \(products): `perennial buy PRODUCT "
                    + "--account ACCOUNT --bundle-id \(word: bundleID)` buys there"
            ]
        }
    }
}

/// A catalogue on its way to a running store.
enum CatalogueUpload {
    /// The bytes of a file that the store will take.
    static func checked(_ path: String) throws -> [UInt8] {
        do throws(StoreKitFileError) {
            return try StoreKitFile.bytes(path: path)
        } catch {
            // A problem names the path itself.
            throw Failure.refused(
                "Cannot be imported: "
                    + error.problems.map(\.description).joined(separator: " "))
        }
    }
}
