public import Logging
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
    private let time: @Sendable () async throws -> Instant
    /// One at a time does what waits, so that what is of one purchase is done in order.
    let turn = AsyncTurn()
    /// What came in, for metrics.
    let intake = IntakeCounts()

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
        ring()
    }

    /// The apps that are served, by their identifiers.
    var apps: [String: ServedApp] { served.withLock { $0 } }

    /// Lets the keeper know that something waits to be processed.
    func ring() { bell.withLock { _ = $0?.yield() } }

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
