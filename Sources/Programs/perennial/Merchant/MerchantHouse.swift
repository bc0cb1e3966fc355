import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import Logging
import Merchant
import MerchantHTTP
import MerchantPages
import ServiceLifecycle
import Storage
import StoragePostgres
import StorageSQLite
import SubscriptionRules
import TimeAndChance

/// A merchant, alone or beside a store: its database, its tokens and its server.
struct MerchantHouse: Sendable {
    let merchant: Merchant
    let keys: MerchantKeys
    private let database: any Database
    private let log: Logger

    /// Opens a merchant in a data directory.
    ///
    /// - Parameters:
    ///   - databaseURL: PostgreSQL in place of a file in the directory.
    ///   - means: who carries the messages of campaigns.
    ///   - time: what the clock shows by which access ends.
    static func open(
        in directory: DataDirectory, databaseURL: String? = nil, apps: [AppSetup],
        means: CampaignMeans,
        time: @escaping @Sendable () async throws -> Instant, log: Logger
    ) async throws -> MerchantHouse {
        let keys = try MerchantKeys(in: directory, of: apps.map(\.bundleID))
        let database = try database(in: directory, databaseURL)
        do {
            return try await open(
                database, keys, apps: apps, means: means, time: time, log: log)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Opens a merchant on a database, with its tokens in a data directory.
    ///
    /// - Throws: where it cannot be opened; the caller closes the database then.
    static func open(
        on database: any Database, in directory: DataDirectory, apps: [AppSetup],
        means: CampaignMeans,
        time: @escaping @Sendable () async throws -> Instant, log: Logger
    ) async throws -> MerchantHouse {
        try await open(
            database, MerchantKeys(in: directory, of: apps.map(\.bundleID)), apps: apps,
            means: means, time: time, log: log)
    }

    private static func open(
        _ database: any Database, _ keys: MerchantKeys, apps: [AppSetup], means: CampaignMeans,
        time: @escaping @Sendable () async throws -> Instant, log: Logger
    ) async throws -> MerchantHouse {
        let merchant = try await Merchant(database: database, apps: apps, time: time, log: log)
        merchant.use(means)
        return MerchantHouse(merchant: merchant, keys: keys, database: database, log: log)
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
        let tokens = keys.tokens
        return MerchantReady(
            url: url, operatorToken: tokens.theOperator,
            database: (database as? SQLiteDatabase)?.path,
            apps: merchant.bundleIDs.compactMap { bundleID in
                tokens.apps[bundleID].map {
                    .init(bundleID: bundleID, appToken: $0.app, serverToken: $0.server)
                }
            })
    }

    /// Serves these apps from now on; one that is new gets its tokens first.
    func serve(_ apps: [AppSetup]) async throws {
        try keys.refresh(for: apps.map(\.bundleID))
        try await merchant.serve(apps)
    }

    /// Writes each token that was replaced while it runs to the audit log. The old ones open
    /// nothing any more, also where the log cannot be written yet.
    func auditRotations() async throws {
        while let rotation = keys.takeRotation() {
            let act = AuditedAct(
                at: SystemTime.now(), scope: TokenScope.theOperator.rawValue,
                bundleID: rotation.bundleID, route: "rotateToken",
                subject: rotation.scope.rawValue)
            do {
                _ = try await merchant.audited(act, code: { _ in "failed" }) { true }
            } catch {
                keys.putBack(rotation)
                throw error
            }
        }
    }

    /// Takes up tokens that were changed while it runs, as a service to be run.
    ///
    /// - Parameter onChange: is told of it, so that ready files follow.
    func tokenWatch(onChange: @escaping @Sendable () throws -> Void) -> any Service {
        TokenWatch(house: self, log: log, onChange: onChange)
    }

    /// Its server, as a service to be run.
    ///
    /// - Parameters:
    ///   - option: what chooses the port.
    ///   - processesFirst: whether a notification is answered once it is processed.
    ///   - demo: what it shows at `/`, and as its shop; nil for neither.
    ///   - onRunning: is told the port once the server answers.
    func service(
        host: String, port: Int, option: String, processesFirst: Bool,
        limits: RequestLimits = RequestLimits(), demo: Demo? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> any Service {
        var server = MerchantServer(
            merchant: merchant, tokens: keys.book, limits: limits,
            processesFirst: processesFirst, log: log)
        server.showConsole()
        if let demo { server.show(demo) }
        return Listener(
            application: server.application(host: host, port: port, onRunning: onRunning),
            address: "\(host):\(port)", option: option)
    }
}
