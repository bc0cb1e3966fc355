import AppStoreWire
import Dispatch
import Storage
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@Suite(
    "On demand, beside others",
    .enabled(if: Backend.available.contains(.postgres), "there is no PostgreSQL server"),
    .timeLimit(.minutes(15)))
struct RunUntilBesideTests {
    @Test("A notification of a command that was held up before its commit is not missed")
    func heldUp() async throws {
        let databases = try await Backend.makeShared(3)
        let world = try await World(database: databases[0])
        let held = HeldDatabase(databases[1])
        let other = try await World.join(held, as: "other")
        let bea = try await world.device("bea")
        // It waits to be delivered when the run begins, so that the test hears of that.
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: world.device())
        let buying = Mutex<Task<String?, any Error>?>(nil)
        world.listener.onArrival { _ in
            guard !held.hasBegun else { return }
            held.hold()
            let task = Task {
                try await other.purchase(PurchaseRequest(productID: "bronze.weekly"), by: bea)
            }
            buying.withLock { $0 = task }
            await held.reached.wait()
        }
        async let found = world.store.runUntil(
            NotificationWanted(.subscribed, nil), in: .production,
            limit: .moment(World.instant("2026-01-20")))
        await held.reached.wait()
        // The run waits for whoever is under way.
        while try await !Self.somebodyWaits(databases[2]) { await Task.yield() }
        held.release()
        _ = try await buying.withLock { $0 }?.value
        let occurrence = try await found
        #expect(occurrence.notification.account == "bea")
        #expect(occurrence.now == World.instant("2026-01-01"))
        #expect(occurrence.changes == 0)
    }

    /// Whether a change of this world waits to go alone.
    private static func somebodyWaits(_ database: any Database) async throws -> Bool {
        try await database.read { session in
            try session.exists(
                """
                SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    AND classid = 722337203
                    AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid
                """)
        }
    }
}

/// A database of which one change is held up between its last statement and its end.
private final class HeldDatabase: Database {
    /// Opens once the change has come so far.
    let reached = Gate()
    private let base: any Database
    private let isHeld = Mutex((begun: false, next: false))
    private let released = DispatchSemaphore(value: 0)

    init(_ base: any Database) { self.base = base }

    var dialect: Dialect { base.dialect }
    var load: DatabaseLoad { base.load }
    var copies: any DatabaseCopies { base.copies }
    var hasBegun: Bool { isHeld.withLock { $0.begun } }

    /// Holds the next change up.
    func hold() { isHeld.withLock { $0 = (true, true) } }

    func release() { released.signal() }

    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company) { [self] session in
            let result = try body(session)
            let isIt = isHeld.withLock { state in
                defer { state.next = false }
                return state.next
            }
            if isIt {
                reached.open()
                released.wait()
            }
            return result
        }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read(body)
    }

    func migrate(_ migrations: [Migration]) async throws { try await base.migrate(migrations) }
    func check() async throws { try await base.check() }
    func close() async { await base.close() }
}
