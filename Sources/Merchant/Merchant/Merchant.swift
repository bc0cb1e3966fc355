public import Logging
public import Storage
public import SubscriptionRules
import TimeAndChance

/// The developer's side: takes what was signed, keeps the newest of it, and says who has access
/// and why. It knows Apple's published formats alone, and no store.
public final class Merchant: Sendable {
    let database: any Database
    let apps: [String: ServedApp]
    let log: Logger
    private let time: @Sendable () async throws -> Instant
    /// One at a time does what waits, so that what is of one purchase is done in order.
    let turn = AsyncTurn()

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
        self.apps = try await database.write { session in
            var served: [String: ServedApp] = [:]
            for setup in apps {
                try session.execute(
                    """
                    INSERT INTO app (bundle_id) VALUES (\(setup.bundleID))
                    ON CONFLICT (bundle_id) DO NOTHING
                    """)
                let row = try session.row("SELECT id FROM app WHERE bundle_id = \(setup.bundleID)")
                if let row {
                    served[setup.bundleID] = ServedApp(id: try row.integer(0), setup: setup)
                }
            }
            return served
        }
    }

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
