import Merchant
import Storage
import Store
import Synchronization
import TestFloor
import TestSupport
import Testing

/// A process that verifies slowly, beside another one that takes over what it is held up with.
@Suite("Merchant: two slow processes", .timeLimit(.minutes(15)))
struct TakenClaimStories {
    @Test(
        "Where many notifications take longer than the claim lasts, fewer are taken at a time",
        arguments: Backend.available.filter { $0 == .postgres })
    func halved(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let ada = try await world.world.device()
        for _ in 1...30 {
            _ = try await world.world.store.purchase(
                PurchaseRequest(productID: "coins"), by: ada)
        }
        try await world.world.store.settle()
        let database = ContestedDatabase(try await backend.borrowDatabase(for: .merchant), most: 10)
        let merchant = try await MerchantWorld.merchant(in: database, of: world.world)
        for arrival in world.world.listener.takeArrivals() {
            _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
        }
        try await merchant.settle()
        // 100, 50, 25 and 12 at most are taken over by the other process.
        #expect(database.sizes == [30, 30, 25, 12, 6, 6, 6, 6, 6, 0])
        #expect(try await merchant.unownedCount(UnownedFilter()).count == 30)
        #expect(try await merchant.deadLetters(limit: 1).isEmpty)
    }
}

/// A database in which another process has taken the claim whenever a batch was large.
private final class ContestedDatabase: Database {
    private let base: any Database
    private let most: Int
    private let state = Mutex<(sizes: [Int], isTaken: Bool)>(([], false))

    /// - Parameter most: how many notifications are verified in time.
    init(_ base: any Database, most: Int) {
        self.base = base
        self.most = most
    }

    /// How many notifications were read at a time.
    var sizes: [Int] { state.withLock { $0.sizes } }

    var dialect: Dialect { base.dialect }

    func write<T: Sendable>(
        _ company: Company, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.write(company) { [self] session in
            try body(ContestedSession(base: session, database: self))
        }
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T {
        try await base.read { [self] session in
            try body(ContestedSession(base: session, database: self))
        }
    }

    func migrate(_ migrations: [Migration]) async throws { try await base.migrate(migrations) }

    func check() async throws { try await base.check() }

    var load: DatabaseLoad { base.load }

    var copies: any DatabaseCopies { base.copies }

    func close() async { await base.close() }

    fileprivate func note(_ count: Int) {
        state.withLock { state in
            state.sizes.append(count)
            state.isTaken = count > most
        }
    }

    /// Whether the other process has it now.
    fileprivate var isTaken: Bool { state.withLock { $0.isTaken } }

    /// The other process lets go of it.
    fileprivate func letGo() { state.withLock { $0.isTaken = false } }
}

/// A session in which a claim may be another process's.
private struct ContestedSession: Session {
    let base: any Session
    let database: ContestedDatabase

    var dialect: Dialect { base.dialect }

    func execute(_ sql: SQL) throws(StorageError) -> Int {
        if sql.text.hasPrefix("INSERT INTO claim"), database.isTaken { return 0 }
        return try base.execute(sql)
    }

    func rows(_ sql: SQL) throws(StorageError) -> [Row] {
        let rows = try base.rows(sql)
        if sql.text.hasPrefix("SELECT i.id, a.bundle_id, i.environment, i.uuid, i.body") {
            database.note(rows.count)
        }
        if sql.text.hasPrefix("SELECT 1 FROM inbox") { database.letGo() }
        return rows
    }

    func forEachRow(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try base.forEachRow(sql, body)
    }

    func executeMany(_ text: String, _ rows: [[SQLValue]]) throws(StorageError) -> Int {
        try base.executeMany(text, rows)
    }

    func liftLimits() throws(StorageError) { try base.liftLimits() }
}
