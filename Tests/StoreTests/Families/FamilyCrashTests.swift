import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A database that fails at any one point of a family's life, after which the command is given
/// again: what the purchaser has and what the members have is never apart.
@Suite("Crashes of families")
struct FamilyCrashTests {
    private struct People: Sendable {
        let world: World
        let ada: DeviceSession
        let bea: DeviceSession
    }

    private static let steps: [@Sendable (People) async throws -> Void] = [
        { people in
            _ = try await people.world.store.purchase(
                PurchaseRequest(productID: "family.monthly", idempotencyKey: "first"),
                by: people.ada)
        },
        { people in
            _ = try await people.world.store.advance(to: World.instant("2026-02-10"))
        },
        { people in
            let id = try #require(
                try await people.world.store.subscriptions(for: people.ada).first
            ).originalTransactionID
            try await people.world.store.change(
                subscription: id, [.product("family.plus")], by: people.ada)
        },
        { people in try await people.world.store.leaveFamily(by: people.bea) },
    ]

    private func tell(
        _ backend: Backend, failingAt fault: FaultyDatabase.Fault?
    ) async throws -> (tables: Tables, counts: (statements: Int, changes: Int)) {
        let database = FaultyDatabase(try await backend.borrowDatabase())
        let world = try await World(
            database: database, catalogue: FamilyCatalogue.all, isListening: false)
        let people = People(
            world: world, ada: try await world.device("ada"), bea: try await world.device("bea"))
        _ = try await world.device("carl")
        try await world.store.createFamily(
            organiser: "carl", with: ["ada", "bea"], in: .production)
        database.arm(fault)
        for step in Self.steps {
            do {
                try await step(people)
            } catch let error as StorageError where error.code == .connectionLost {
                try await step(people)
            }
        }
        #expect(fault == nil || database.hasFailed, "\(String(describing: fault)) never came")
        let counts = database.counts
        database.arm(nil)
        try await world.check()
        return (try await Tables.comparable(database), counts)
    }

    @Test("A failure at any statement or commit leaves no trace", arguments: Backend.available)
    func anywhere(_ backend: Backend) async throws {
        let undisturbed = try await tell(backend, failingAt: nil)
        // A schema takes long on PostgreSQL, so there it is every eleventh one.
        let step = backend == .postgres ? 11 : 2
        let statements = stride(from: 1, through: undisturbed.counts.statements, by: step)
            .map(FaultyDatabase.Fault.statement)
        let commits = (1...undisturbed.counts.changes).map(FaultyDatabase.Fault.beforeCommit)
        for fault in statements + commits {
            let outcome = try await tell(backend, failingAt: fault)
            #expect(outcome.tables.differences(from: undisturbed.tables) == [], "\(fault)")
        }
    }
}
