import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Logging
import Merchant
import MerchantHTTP
import ServiceLifecycle
import Storage
import StoragePostgres
import StorageSQLite
import SubscriptionRules
import TimeAndChance

/// A merchant, alone or beside a store: its database, its tokens and its server.
struct MerchantHouse: Sendable {
    let merchant: Merchant
    let tokens: MerchantTokens
    private let database: any Database
    private let log: Logger

    /// Opens a merchant in a data directory.
    ///
    /// - Parameters:
    ///   - databaseURL: PostgreSQL in place of a file in the directory.
    ///   - time: what the clock shows by which access ends.
    static func open(
        in directory: DataDirectory, databaseURL: String? = nil, apps: [AppSetup],
        time: @escaping @Sendable () async throws -> Instant, log: Logger
    ) async throws -> MerchantHouse {
        let tokens = try MerchantTokens.saved(in: directory)
        let database = try database(in: directory, databaseURL)
        do {
            let merchant = try await Merchant(
                database: database, apps: apps, time: time, log: log)
            return MerchantHouse(
                merchant: merchant, tokens: tokens, database: database, log: log)
        } catch {
            await database.close()
            throw error
        }
    }

    private static func database(
        in directory: DataDirectory, _ url: String?
    ) throws -> any Database {
        if let url { return try PostgresDatabase(url: url) }
        if directory.isTemporary { return try SQLiteDatabase.ephemeral() }
        return try SQLiteDatabase(path: directory.file("merchant.sqlite"))
    }

    func close() async { await database.close() }

    /// What the ready file says of it.
    func ready(url: String) -> MerchantReady {
        MerchantReady(
            url: url, operatorToken: tokens.theOperator,
            apps: merchant.bundleIDs.map {
                .init(bundleID: $0, appToken: tokens.app, serverToken: tokens.server)
            })
    }

    /// Its server, as a service to be run.
    ///
    /// - Parameters:
    ///   - option: what chooses the port.
    ///   - processesFirst: whether a notification is answered once it is processed.
    ///   - onRunning: is told the port once the server answers.
    func service(
        host: String, port: Int, option: String, processesFirst: Bool,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> any Service {
        let server = MerchantServer(
            merchant: merchant,
            tokens: .init(
                app: tokens.app, server: tokens.server, theOperator: tokens.theOperator),
            processesFirst: processesFirst, log: log)
        return Listener(
            application: server.application(host: host, port: port, onRunning: onRunning),
            address: "\(host):\(port)", option: option)
    }
}

/// A merchant's secrets, made once in a data directory and the same ever after.
struct MerchantTokens: Hashable, Sendable {
    var app: String
    var server: String
    var theOperator: String

    private static let fileName = "merchant.json"

    /// - Throws: `Failure` where the file is damaged, open to others or cannot be written.
    static func saved(in directory: DataDirectory) throws -> MerchantTokens {
        let path = directory.file(fileName)
        guard directory.exists(path) else { return try make(at: path) }
        try directory.checkAccess(of: path, isSecret: true)
        guard let data = FileManager.default.contents(atPath: path),
            let value = try? JSONValue(parsing: Array(data)),
            let app = value["appToken"]?.string, !app.isEmpty,
            let server = value["serverToken"]?.string, !server.isEmpty,
            let theOperator = value["operatorToken"]?.string, !theOperator.isEmpty
        else {
            throw Failure.refused(
                "\(path) is damaged; put it back from a backup, or remove it to get new tokens.")
        }
        return MerchantTokens(app: app, server: server, theOperator: theOperator)
    }

    private static func make(at path: String) throws -> MerchantTokens {
        let tokens = MerchantTokens(
            app: Randomness.token("app_"), server: Randomness.token("server_"),
            theOperator: Randomness.token("operator_"))
        var json = JSONWriter()
        json.object { json in
            json.field("appToken", tokens.app)
            json.field("serverToken", tokens.server)
            json.field("operatorToken", tokens.theOperator)
        }
        do {
            try AtomicFile.write(json.bytes + [UInt8(ascii: "\n")], to: path, mode: 0o600)
        } catch {
            throw Failure.refused("The merchant's tokens cannot be written: \(error).")
        }
        return tokens
    }
}
