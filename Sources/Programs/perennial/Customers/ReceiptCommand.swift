import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Timeline

/// Shows a customer's app receipt.
struct ReceiptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Show a customer's app receipt, decoded or as servers send it to Apple.",
        discussion: """
            A receipt lists every purchase in the app except finished consumables. With \
            --raw it is printed in Base64, to be sent to verifyReceipt.

              perennial customer receipt anna
              perennial customer receipt anna --device phone --json
              perennial customer receipt anna --raw
            """)

    @Argument(help: "The account.", transform: Reading.account)
    var account: String

    @Option(
        help: ArgumentHelp(
            "The device that it is on. (default: the first one that signed in)",
            valueName: "name"))
    var device: String?

    @Flag(help: "Print the receipt in Base64 and nothing else.")
    var raw = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.get(
            StorePath("connect", "v1", "customers", account, "receipt")
                .with("bundleId", app).with("device", device))
        if raw { return Output.line(try answer.text("receipt")) }
        try store.show(answer, of: which) { style in
            Self.table(try answer.object("decoded")).lines(style)
        }
    }

    /// The attributes of a receipt, those of transactions behind them.
    private static func table(_ decoded: Answer) -> Columns {
        var table = Columns(
            [("number", .right), ("attribute", .left), ("value", .left)],
            first: ["attribute", "value"])
        for attribute in decoded.value["attributes"]?.array ?? [] { add(attribute, to: &table) }
        return table
    }

    private static func add(_ attribute: JSONValue, to table: inout Columns) {
        let answer = Answer(value: attribute, source: "a receipt")
        let value = answer.optionalText("value") ?? answer.optionalText("hex") ?? ""
        table.add([
            answer.optionalText("type") ?? "", answer.optionalText("name") ?? "", value,
        ])
        for inner in attribute["attributes"]?.array ?? [] { add(inner, to: &table) }
    }
}

/// Shows and changes the secrets that servers show with receipts.
struct SharedSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shared-secret",
        abstract: "Show the shared secret for verifyReceipt, or create a new one.",
        discussion: """
            Each app has its own secret; the primary secret is valid for all apps. The store \
            creates a secret when you first ask for it. Both environments share it.

              perennial app shared-secret
              perennial app shared-secret --primary
              perennial app shared-secret --new
            """)

    @Flag(help: "The primary secret, which is valid for all apps.")
    var primary = false

    @Flag(help: "Create a new secret; the old one becomes invalid.")
    var new = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard !primary || which.bundleID == nil else {
            throw ValidationError("--primary and --bundle-id exclude each other.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let path =
            primary
            ? StorePath("connect", "v1", "shared-secret")
            : StorePath(
                "connect", "v1", "apps", try await client.app(selling: nil), "shared-secret")
        let answer = new ? try await client.send(.POST, path) : try await client.get(path)
        try store.show(answer, of: which) { _ in [try answer.text("sharedSecret")] }
    }
}
