import AppStoreSigning
import DueWork
public import Logging
import ServerAPIClient
public import Storage
public import SubscriptionRules
import Synchronization
import TimeAndChance

/// The developer's side: takes what was signed, keeps the newest of it, and says who has access
/// and why. It knows Apple's published formats alone, and no store.
public final class Merchant: Sendable {
    let database: any Database
    let log: Logger
    private let served = Mutex<[String: ServedApp]>([:])
    private let bell = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let lookBells = Mutex<[AsyncStream<Void>.Continuation]>([])
    private let time: @Sendable () async throws -> Instant
    /// One at a time does what waits, so that what is of one purchase is done in order.
    let turn = AsyncTurn()
    /// What came in, for metrics.
    let intake = IntakeCounts()
    /// What this process is called among those that share the database.
    let processName = Randomness.token("merchant_")
    /// Who reads campaigns, and who carries their messages.
    let campaignMeans = Mutex(CampaignMeans())
    /// One for each store that is asked, since each keeps to the store's limits for itself.
    private let clients = Mutex<[String: ServerAPIClient]>([:])

    /// An app with its number in the database.
    struct ServedApp: Sendable {
        let id: Int64
        let setup: AppSetup
    }

    /// Opens a merchant in a database, which is brought up to date.
    ///
    /// - Parameter time: what the clock shows by which access ends; a store's, where it follows
    ///   one.
    /// - Throws: `StorageError`.
    public init(
        database: any Database, apps: [AppSetup],
        time: @escaping @Sendable () async throws -> Instant, log: Logger
    ) async throws {
        try await database.migrate(MerchantSchema.migrations)
        self.database = database
        self.time = time
        self.log = log
        if !database.dialect.isShared {
            // Whoever had any is gone: a file has one process.
            try await database.write { session in try Claim.releaseAll(in: session) }
        }
        try await serve(apps)
    }

    /// Serves these apps from now on, in place of those before: access is computed, so what they
    /// say holds for everything that is kept. What is kept of an app that is no longer among them
    /// stays.
    ///
    /// - Throws: `StorageError`; then those before are served still.
    public func serve(_ setups: [AppSetup]) async throws {
        let known: [String: ServedApp] = try await database.write { session in
            var known: [String: ServedApp] = [:]
            for setup in setups {
                try session.execute(
                    """
                    INSERT INTO app (bundle_id) VALUES (\(setup.bundleID))
                    ON CONFLICT (bundle_id) DO NOTHING
                    """)
                let row = try session.row("SELECT id FROM app WHERE bundle_id = \(setup.bundleID)")
                if let row {
                    known[setup.bundleID] = ServedApp(id: try row.integer(0), setup: setup)
                }
            }
            return known
        }
        served.withLock { $0 = known }
        clients.withLock { $0 = [:] }
        ring()
    }

    /// The apps that are served, by their identifiers.
    var apps: [String: ServedApp] { served.withLock { $0 } }

    /// Who asks the store of a place.
    ///
    /// - Throws: `ServerAPIError` where the place cannot be asked.
    func client(of place: LookPlace) throws(ServerAPIError) -> ServerAPIClient {
        let name = "\(place.app.setup.bundleID) \(place.api.key.keyID) \(place.url)"
        if let known = clients.withLock({ $0[name] }) { return known }
        let client = try ServerAPIClient(
            baseURL: place.url, bundleID: place.app.setup.bundleID, key: place.api.key)
        clients.withLock { $0[name] = client }
        return client
    }

    /// Lets the keeper know that something waits to be processed.
    func ring() { bell.withLock { _ = $0?.yield() } }

    /// Lets the keeper know that the store is to be asked for something.
    func ringForLooks() {
        for bell in lookBells.withLock({ $0 }) { bell.yield() }
    }

    /// Rings these bells when the store is to be asked for something.
    func ringForLooks(with bells: [AsyncStream<Void>.Continuation]) {
        lookBells.withLock { $0 = bells }
    }

    /// Rings this bell from now on.
    func ring(with bell: AsyncStream<Void>.Continuation) { self.bell.withLock { $0 = bell } }

    /// What the clock shows by which access ends.
    public func now() async throws -> Instant { try await time() }

    /// Asks the database whether it is there.
    public func checkDatabase() async throws { try await database.check() }

    /// The identifiers of the apps, in order.
    public var bundleIDs: [String] { apps.keys.sorted() }

    /// - Throws: `MerchantError.unknownApp`.
    func app(_ bundleID: String) throws(MerchantError) -> ServedApp {
        guard let app = apps[bundleID] else { throw .unknownApp(bundleID) }
        return app
    }
}
