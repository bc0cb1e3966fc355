import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A world whose bank is behind HTTP, and which can be killed and opened again.
final class BankWorld {
    let bank: FakeBank
    let machine: ManualClock
    private(set) var world: World
    private let client: HTTPBank
    private let database: any Database
    private let patience: Duration

    /// Ada on 15 January, with a method at the bank.
    ///
    /// - Parameters:
    ///   - patience: how long requests wait for the bank.
    ///   - adapt: changes what the store is told of the bank.
    init(
        _ backend: Backend, patience: Duration = .seconds(60), method: String? = "pm_1",
        adapt: (inout HTTPBank) -> Void = { _ in },
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws {
        bank = try FakeBank()
        var client = bank.client
        adapt(&client)
        self.client = client
        self.patience = patience
        machine = ManualClock(World.instant("2026-01-15"))
        database = try await backend.borrowDatabase()
        world = try await World(
            database: database, at: "2026-01-15", machine: machine, bank: client,
            bankPatience: patience, configure: configure)
        _ = try await ada()
        if let method { try await world.store.setBankMethod(method, account: "ada") }
    }

    deinit { bank.close() }

    func ada() async throws -> DeviceSession { try await world.device() }

    /// The store is killed and started again, on the same database.
    func restart(through database: (any Database)? = nil) async throws {
        world = try await World(
            database: database ?? self.database, machine: machine, bank: client,
            bankPatience: patience)
    }

    /// A store on the same database that fails where a test wants.
    func restart(failing fault: FaultyDatabase.Fault) async throws -> FaultyDatabase {
        let faulty = FaultyDatabase(database)
        try await restart(through: faulty)
        faulty.arm(fault)
        return faulty
    }

    /// So much real time goes by, and whatever is due is done.
    func wait(_ span: Span) async throws {
        machine.set(machine.now + span)
        try await world.store.settle()
    }

    func buy(_ product: String, key: String? = nil) async throws -> Bought {
        try await world.store.buy(
            PurchaseRequest(productID: product, idempotencyKey: key), by: try await ada())
    }

    /// Buys what the bank pays at once.
    func own(_ product: String) async throws -> Int64 {
        try await world.subscribe(product, by: try await ada())
    }

    /// Asks for what the bank does not pay at once.
    func ask(_ product: String) async throws -> Int64 {
        try #require(try await buy(product).pendingBill)
    }

    /// A bill that the bank has declined and not yet let go of.
    func declinedAndNotVoided() async throws -> Int64 {
        bank.decide(.declined(.soft))
        bank.goWrong(.losesReply)
        let bill = try await ask("coins")
        bank.goWrong(.nothing, .losesRequest, .losesRequest)
        try await wait(.minutes(5))
        #expect(try await state(bill) == .declined)
        #expect(bank.payments[bill]?.status == "declined")
        return bill
    }

    func state(_ bill: Int64) async throws -> BillState {
        try await world.store.bill(bill, in: .production).bill.state
    }

    /// What somebody should look into.
    func troubles() async throws -> [String] {
        try await world.store.bankTroubles(in: .production, limit: 50).map(\.what)
    }

    func told() -> [String] { world.listener.takeArrivals().map(\.name) }

    /// Moves the store's clock, and the machine's with it.
    func advance(to moment: String) async throws {
        machine.set(max(machine.now, World.instant(moment)))
        _ = try await world.store.advance(to: World.instant(moment))
    }

    /// A message about a payment or a refund arrives.
    @discardableResult
    func message(_ name: String, secret: String = FakeBank.secret) async throws -> Int {
        try await world.store.receive(Array(name.utf8), headers: [("signature", secret)])
    }

    /// A message arrives, and what follows from it is done.
    func hear(_ name: String) async throws {
        try await message(name)
        try await world.store.settle()
    }

    /// What each payment has brought by the store's ledger, without what has come to nothing.
    func ledger() async throws -> [Int64: Int64] {
        var sums: [Int64: Int64] = [:]
        try await database.read { session in
            try session.rows("SELECT transaction_id, customer FROM ledger").map {
                (try $0.integer(0), try $0.integer(1))
            }
        }.forEach { sums[$0.0, default: 0] -= $0.1 }
        return sums.filter { $0.value != 0 }
    }

    /// Nobody was charged twice, and the bank's books say what the store's say.
    func checkBooks(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(bank.collected.values.allSatisfy { $0 == 1 }, sourceLocation: sourceLocation)
        #expect(try await ledger() == bank.money, sourceLocation: sourceLocation)
        let report = try await WorldCheck(database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.isEmpty, "\(report.findings)", sourceLocation: sourceLocation)
    }
}
