import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A database that fails at any one point of a story, after which the command is given again.
@Suite("Crashes")
struct CrashTests {
    private typealias Step = @Sendable (World, DeviceSession) async throws -> Void

    private static let steps: [Step] = [
        // A trial, whose first payment is declined and recovered a day later.
        { try await buy("silver.trial", "first", $0, $1) },
        { world, _ in _ = try await world.store.advance(to: World.instant("2026-01-20")) },
        { try await buy("gold.monthly", "second", $0, $1) },
        { try await buy("coins", "third", $0, $1) },
        { world, ada in
            let queue = try await world.store.transactions(
                for: ada, unfinishedOnly: true, after: 0, limit: 10)
            for one in queue { try await world.store.finish(transaction: one.id, by: ada) }
        },
        { world, _ in _ = try await world.store.advance(to: World.instant("2026-02-21")) },
    ]

    private static func buy(
        _ product: String, _ key: String, _ world: World, _ device: DeviceSession
    ) async throws {
        _ = try await world.store.purchase(
            PurchaseRequest(productID: product, idempotencyKey: key), by: device)
    }

    /// What a story has left.
    private struct Outcome {
        let tables: Tables
        let world: World
        let counts: (statements: Int, changes: Int)
    }

    private func tell(
        _ backend: Backend, failingAt fault: FaultyDatabase.Fault?
    ) async throws -> Outcome {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database) { $0.gracePeriod = .sixteenDays }
        let ada = try await world.device()
        try await world.pays(.declines(until: World.instant("2026-01-08T12:00:00Z"), left: nil))
        database.arm(fault)
        for step in Self.steps {
            do {
                try await step(world, ada)
            } catch let error as StorageError where error.code == .connectionLost {
                try await step(world, ada)
            }
        }
        #expect(fault == nil || database.hasFailed, "\(String(describing: fault)) never came")
        let counts = database.counts
        database.arm(nil)
        return Outcome(tables: try await Tables.comparable(database), world: world, counts: counts)
    }

    /// Tells the story once with each of the faults, each of which must leave the same rows.
    private func tell(
        _ backend: Backend, _ faults: (_ statements: Int, _ changes: Int) -> [FaultyDatabase.Fault]
    ) async throws {
        let undisturbed = try await tell(backend, failingAt: nil)
        #expect(
            undisturbed.world.listener.arrivals.map(\.line) == [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.trial 0.00 FREE_TRIAL until 2026-01-08",
                """
                2026-01-08 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 silver.trial 0.00 FREE_TRIAL \
                until 2026-01-08
                """,
                "2026-01-09 DID_RENEW/BILLING_RECOVERY 1 silver.trial 9.99 until 2026-02-08",
                "2026-01-20 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 until 2026-02-20",
                "2026-01-20 ONE_TIME_CHARGE coins 0.99",
                "2026-02-20 DID_RENEW 1 gold.monthly 19.99 until 2026-03-20",
            ])
        let counts = undisturbed.counts
        for fault in faults(counts.statements, counts.changes) {
            let outcome = try await tell(backend, failingAt: fault)
            #expect(outcome.tables.differences(from: undisturbed.tables) == [], "\(fault)")
            // A notification may come twice, but then it is the same one; what was answered
            // meanwhile is kept, or lost, together.
            let came = outcome.world.listener.arrivals
            let wanted = undisturbed.world.listener.arrivals
            let times = Dictionary(grouping: came, by: \.notification.notificationUUID)
            #expect(times.count == wanted.count, "\(fault)")
            #expect(times.values.allSatisfy { $0.count <= 2 }, "\(fault)")
            #expect(Set(came.map(\.line)) == Set(wanted.map(\.line)), "\(fault)")
        }
    }

    @Test("A failure at any statement leaves no trace", arguments: Backend.available)
    func statements(_ backend: Backend) async throws {
        // A schema takes long on PostgreSQL, so there it is one of some; the other tests here try
        // each commit.
        let step = backend == .postgres ? 17 : 1
        try await tell(backend) { statements, _ in
            stride(from: 1, through: statements, by: step).map(FaultyDatabase.Fault.statement)
        }
    }

    @Test("A failure at any commit leaves no trace", arguments: Backend.available)
    func beforeCommit(_ backend: Backend) async throws {
        try await tell(backend) { _, changes in
            (1...changes).map(FaultyDatabase.Fault.beforeCommit)
        }
    }

    @Test("A commit whose outcome is not known is not done twice", arguments: Backend.available)
    func afterCommit(_ backend: Backend) async throws {
        try await tell(backend) { _, changes in
            (1...changes).map(FaultyDatabase.Fault.afterCommit)
        }
    }

    @Test(
        "What is sent again after a crash has the same bytes as before",
        arguments: Backend.available)
    func sentAgain(_ backend: Backend) async throws {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(database: database)
        let ada = try await world.device()
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        // The fourth change records the attempt, after the developer's server has answered.
        database.arm(.beforeCommit(4))
        await #expect(throws: StorageError.self) { try await world.store.settle() }
        try await world.store.settle()
        let arrivals = world.listener.arrivals
        #expect(arrivals.map(\.name) == ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE"])
        #expect(Set(arrivals.map(\.notification.notificationUUID)).count == 1)
        #expect(Set(arrivals.map(\.signedPayload)).count == 1)
    }
}
