import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

@Suite("A bank outside: who asks it")
struct TellerTests {
    @Test(
        "Several processes on one database ask once and charge once", arguments: Backend.available)
    func several(_ backend: Backend) async throws {
        let it = try await BankWorld(backend, patience: .zero)
        for product in ["coins", "coins", "coins", "silver.monthly"] {
            _ = try await it.ask(product)
        }
        let one = it.world.store
        try await it.restart()
        let two = it.world.store
        async let first = one.settle()
        async let second = two.settle()
        _ = try await (first, second)
        #expect(it.bank.requests.count { $0.hasPrefix("POST") } == 4)
        #expect(it.bank.collected.count == 4)
        try await it.checkBooks()
    }

    @Test(
        "A request that has waited long enough is answered that the payment is pending",
        .timeLimit(.minutes(15)), arguments: Backend.available)
    func patience(_ backend: Backend) async throws {
        let bank = SlowBank()
        let world = try await World(
            database: try await backend.borrowDatabase(), bank: bank,
            bankPatience: .milliseconds(1))
        let ada = try await world.device()
        try await world.store.setBankMethod("pm_1", account: "ada")
        let bought = try await world.store.buy(PurchaseRequest(productID: "coins"), by: ada)
        let bill = try #require(bought.pendingBill)
        #expect(try await world.store.bill(bill, in: .production).bill.state == .sent)
        // Nobody broke the call off, and its answer is taken when it comes.
        bank.answer()
        while try await world.store.bill(bill, in: .production).bill.state != .paid {
            await Task.yield()
        }
        #expect(bank.asked == 1)
        try await world.settle(expecting: ["ONE_TIME_CHARGE"])
    }

    @Test("Without a bank there are no errands", arguments: Backend.available)
    func builtIn(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = try await world.subscribe("silver.monthly", by: world.device())
        try await world.store.setBankMethod("pm_1", account: "ada")
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await world.store.reverseRefund(transaction: id, in: .production)
        #expect(try await Tables(world.database).counts["errand"] == 0)
    }
}

/// A bank that pays everything, but not before it is told to.
private final class SlowBank: Bank {
    private struct State {
        var isOpen = false
        var asked = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    let traits = BankTraits()

    var asked: Int { state.withLock { $0.asked } }

    func answer() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func create(_ order: PaymentOrder) async -> PaymentReport? {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.asked += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
        return .paid(order.amount)
    }

    func lookUp(bill: Int64) async -> PaymentReport? { nil }
    func void(bill: Int64) async -> PaymentReport? { nil }
    func refund(_ order: RefundOrder) async -> RefundReport? { nil }
    func lookUpRefund(_ id: Int64) async -> RefundReport? { nil }

    func receive(
        _ body: [UInt8], headers: [(name: String, value: String)]
    ) async throws(BankMessageRefused) -> [BankReference] {
        throw BankMessageRefused()
    }
}
