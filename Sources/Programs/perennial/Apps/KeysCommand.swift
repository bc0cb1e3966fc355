import AppStoreSigning
import AppStoreWire
import ArgumentParser
import ConnectAnswers
import FoundationEssentials
import NIOHTTP1
import SubscriptionRules
import TimeAndChance
import Timeline

/// In-App Purchase keys of an app.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List, add and revoke keys that sign requests and offers for an app.",
        discussion: """
            The key with which the store was started is valid for every app. These keys are valid \
            for one app, in both environments.

              perennial app keys
              perennial app keys add --name "web server"
              perennial app keys add --public-key web.pem
              perennial app keys revoke 9XKQ2M4T7A
            """,
        subcommands: [
            KeysListCommand.self, KeysAddCommand.self, KeysRevokeCommand.self,
        ], defaultSubcommand: KeysListCommand.self)
}

/// Lists keys.
struct KeysListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the keys of an app, revoked ones too, newest first.",
        discussion: """
              perennial app keys list
              perennial app keys list --limit 5 --json
            """)

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.pages(
            Keys.path(app), list: "keys", limit: limit
        ) { path, last in path.with("before", try last?.text("id")) }
        try store.show(answer, of: which) { style in try Keys.table(answer, style) }
    }
}

/// Adds a key.
struct KeysAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a key to an app: a new one, or a public key from a file.",
        discussion: """
            The command creates a new key itself. It writes the private half to \
            SubscriptionKey_ID.p8, which only you can read. The store gets only the public half.

              perennial app keys add --name "web server"
              perennial app keys add --to secrets
              perennial app keys add --public-key web.pem --key-id 9XKQ2M4T7A
            """)

    @Option(help: ArgumentHelp("What to call it.", valueName: "text"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Add this public key: P-256 in PEM. The private half stays where it is.",
            valueName: "file"), completion: .file())
    var publicKey: String?

    @Option(
        help: ArgumentHelp(
            "Its identifier: ten capital letters and digits. (default: made up)", valueName: "id"))
    var keyID: String?

    @Option(
        help: ArgumentHelp(
            "The directory for the private half. (default: .)",
            valueName: "directory"), completion: .directory)
    var to: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard to == nil || publicKey == nil else {
            throw ValidationError("--to and --public-key exclude each other: nothing is written.")
        }
        guard keyID.map(APIKey.isKeyID) ?? true else {
            throw ValidationError("--key-id is ten capital letters and digits.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        guard let publicKey else {
            let (answer, file) = try await make(in: app, client)
            let told = answer.with(["privateKeyFile": .string(file)])
            return try store.show(told, of: which) { _ in
                [
                    try Keys.words(answer),
                    "\(file) has the private half: it is nowhere else, and whoever has it can sign",
                ]
            }
        }
        let answer = try await send(try Keys.publicKey(in: publicKey), keyID, to: app, client)
        try store.show(answer, of: which) { _ in [try Keys.words(answer)] }
    }

    /// Makes a key and writes its private half before the store hears of the other one, so that
    /// none is good whose private half is lost.
    private func make(
        in app: String, _ client: StoreClient
    ) async throws -> (answer: Answer, file: String) {
        var chance = MachineGenerator()
        let key = APIKey.generate(using: &chance)
        let id = keyID ?? key.keyID
        let file = (to.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? "") + "SubscriptionKey_\(id).p8"
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Failure.refused("\(file) is there already.")
        }
        do {
            try AtomicFile.write(Array(key.privateKeyPEM.utf8) + [10], to: file, mode: 0o600)
        } catch {
            throw Failure.refused("The private key cannot be written: \(error).")
        }
        do {
            return (try await send(key.publicKeyPEM, id, to: app, client), file)
        } catch {
            try? FileManager.default.removeItem(atPath: file)
            throw error
        }
    }

    private func send(
        _ publicKey: String, _ id: String?, to app: String, _ client: StoreClient
    ) async throws -> Answer {
        try await client.send(.POST, Keys.path(app)) { json in
            json.field("name", name)
            json.field("keyId", id)
            json.field("publicKey", publicKey)
        }
    }
}

/// Revokes a key.
struct KeysRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a key; everything that it signed becomes invalid.",
        discussion: """
              perennial app keys revoke 9XKQ2M4T7A
            """)

    @Argument(help: "The key's identifier.")
    var key: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.send(.POST, Keys.path(app, key, "revoke"))
        try store.show(answer, of: which) { _ in [try Keys.words(answer)] }
    }
}

/// Keys in words.
enum Keys {
    static func path(_ app: String, _ rest: String...) -> StorePath {
        StorePath(parts: ["connect", "v1", "apps", app, "keys"] + rest)
    }

    /// The public key in a file; what the file says is told to nobody.
    static func publicKey(in file: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Failure.refused("\(file) cannot be read.")
        }
        guard data.count <= 1024,
            let key = try? VerificationKey(publicKeyPEM: String(decoding: data, as: UTF8.self))
        else {
            throw Failure.refused(
                "\(file) has no P-256 public key in PEM: give the public half alone.")
        }
        return key.publicKeyPEM
    }

    static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        let all = try answer.list("keys")
        guard !all.isEmpty else {
            return ["the app has no key of its own; `perennial app keys add` gives it one"]
        }
        var table = Columns(
            [("key", .left), ("name", .left), ("added", .left), ("revoked", .left)],
            first: ["key", "name"])
        for key in all {
            table.add([
                try key.text("keyId"), key.optionalText("name") ?? "", try key.text("added"),
                key.optionalText("revoked") ?? "",
            ])
        }
        return table.lines(style)
    }

    /// A key in a line: `9XKQ2M4T7A, web server, of issuer 6…, added …`.
    static func words(_ key: Answer) throws -> String {
        let state =
            try key.optionalText("revoked").map { "revoked \($0)" }
            ?? "added \(key.text("added"))"
        return [
            try key.text("keyId"), key.optionalText("name"), "issuer \(try key.text("issuerId"))",
            state,
        ].compactMap(\.self).joined(separator: ", ")
    }
}
