import AppStoreWire
public import ArgumentParser
import FoundationEssentials
public import MerchantHTTP
import Timeline

/// What concerns a merchant's tokens.
struct MerchantTokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Show a merchant's tokens, or replace one.",
        discussion: """
            They are in merchant.json of the merchant's data directory. Each app has a token for \
            customers' devices and one for your servers, which open that app alone; the operator's \
            opens everything. Copy the file where several processes share one database.

              perennial merchant tokens
              perennial merchant tokens rotate com.example.garden app
            """,
        subcommands: [MerchantTokensListCommand.self, MerchantTokensRotateCommand.self],
        defaultSubcommand: MerchantTokensListCommand.self)
}

/// Where a merchant's tokens are.
struct TokenPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The merchant's data directory. (default: that of its ready file)",
            valueName: "directory"),
        completion: .directory)
    var data: String?

    /// The file that is meant: of the directory that was named, else beside the ready file.
    ///
    /// - Throws: `Failure` where there is none.
    func file(_ ready: String?) throws -> MerchantTokenFile {
        if let data { return MerchantTokenFile(path: "\(data)/\(MerchantTokenFile.name)") }
        for readyFile in [StoreAddress.readyFile(ready), MerchantReady.usualReadyFile] {
            let folder = URL(filePath: readyFile).deletingLastPathComponent()
            let path = folder.appending(path: MerchantTokenFile.name)
                .path(percentEncoded: false)
            if FileManager.default.fileExists(atPath: path) {
                return MerchantTokenFile(path: path)
            }
        }
        throw Failure.refused(
            "No merchant's tokens are here: name its data directory with --data.")
    }
}

/// Shows all tokens.
struct MerchantTokensListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show a merchant's tokens.",
        discussion: """
              perennial merchant tokens list
              perennial merchant tokens list --data /srv/merchant --json
            """)

    @OptionGroup var place: TokenPlace

    @OptionGroup var store: StoreOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let file = try place.file(store.ready)
        guard let tokens = try file.read() else {
            throw Failure.refused(
                "There is no \(file.path): name the merchant's data directory with --data.")
        }
        let apps = tokens.apps.sorted { $0.key < $1.key }
        guard !store.json else {
            let list = apps.map { bundleID, app in
                JSONValue.object([
                    "bundleId": .string(bundleID), "appToken": .string(app.app),
                    "serverToken": .string(app.server),
                ])
            }
            return Output.line(
                PrettyJSON.text(
                    of: .object([
                        "file": .string(file.path),
                        "operatorToken": .string(tokens.theOperator), "apps": .array(list),
                    ])))
        }
        var table = Columns([("app", .left), ("opens", .left), ("token", .left)])
        table.add(["", "operator", tokens.theOperator])
        for (bundleID, app) in apps {
            table.add([bundleID, "app", app.app])
            table.add(["", "server", app.server])
        }
        for line in table.lines(Output.style()) { Output.line(line) }
    }
}

/// Replaces a token.
struct MerchantTokensRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Put a new token in the place of one, which opens nothing any more.",
        discussion: """
            A merchant that runs takes it up within a second or two and writes its ready files \
            again.

              perennial merchant tokens rotate com.example.garden app
              perennial merchant tokens rotate com.example.garden server
              perennial merchant tokens rotate operator
            """)

    @Argument(help: "The app; `operator` alone for the operator's token.")
    var app: String

    @Argument(help: "Which of its tokens: app, server or operator.")
    var scope: TokenScope?

    @OptionGroup var place: TokenPlace

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard scope != nil || app == TokenScope.theOperator.rawValue else {
            throw ValidationError("Say which token of \(app): app, server or operator.")
        }
        try store.checkNoEnvironment()
    }

    func run() async throws {
        let scope = scope ?? .theOperator
        let bundleID = scope == .theOperator ? nil : app
        let file = try place.file(store.ready)
        let token = try file.rotate(scope, of: bundleID)
        guard !store.json else {
            var members: [String: JSONValue] = [
                "scope": .string(scope.rawValue), "token": .string(token),
                "file": .string(file.path),
            ]
            if let bundleID { members["bundleId"] = .string(bundleID) }
            return Output.line(PrettyJSON.text(of: .object(members)))
        }
        let whose = bundleID.map { "The \(scope.rawValue) token of \($0)" } ?? "The operator token"
        Output.line("\(whose) is \(token) now; a merchant that runs takes it up in a moment.")
    }
}

extension TokenScope: ExpressibleByArgument {}
