import AppStoreWire
import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A database that fails at any one point of intake and processing, after which another process
/// goes on: what was answered is kept, and nothing is done twice.
@Suite("Merchant: crashes", .timeLimit(.minutes(30)))
struct MerchantCrashTests {
    private typealias Step = @Sendable (Merchant) async throws -> Void

    private static let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"

    /// A store, and what reaches a merchant of it: a plan, its renewal and its end, three
    /// consumables of which one is refunded, and something that nobody has claimed.
    private func record() async throws -> (World, [Step]) {
        let world = try await World(.sqlite)
        let ada = try await world.device()
        var news: [RandomLife.News] = []
        func deliver() async throws {
            try await world.store.settle()
            news += world.listener.takeArrivals().map(RandomLife.News.notification)
        }
        var ids: [Int64] = []
        for product in ["gold.monthly", "coins", "coins", "coins"] {
            let signed = try #require(
                try await world.store.purchase(
                    PurchaseRequest(productID: product, appAccountToken: Self.token), by: ada))
            let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
            ids.append(Int64(bought.transactionId)!)
            // The token says whose the last one is.
            if ids.count < 4 { news.append(.purchase(signed, account: "ada")) }
        }
        let bea = try await world.device("bea")
        _ = try await world.store.purchase(PurchaseRequest(productID: "lifetime"), by: bea)
        try await deliver()
        _ = try await world.store.advance(to: World.instant("2026-02-02"))
        try await world.store.refund(
            transaction: ids[1], .full, reason: .other, in: .production)
        try await deliver()
        try await world.store.change(subscription: ids[0], [.renewal(isOn: false)], by: ada)
        try await deliver()
        // Processed in between, and at the end.
        let half = news.count / 2
        let steps = news.map { one -> Step in { try await one.reach($0) } }
        let settle: Step = { try await $0.settle() }
        return (world, Array(steps[..<half]) + [settle] + Array(steps[half...]) + [settle])
    }

    /// What a merchant has in the end.
    private struct Outcome {
        let state: [String]
        let version: Int64
        let tables: Tables
        let counts: (statements: Int, changes: Int)
    }

    private func tell(
        _ backend: Backend, _ steps: [Step], of world: World,
        failingAt fault: FaultyDatabase.Fault?
    ) async throws -> Outcome {
        let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        var merchant = try await MerchantWorld.merchant(in: database, of: world)
        database.arm(fault)
        for step in steps {
            do {
                try await step(merchant)
            } catch let error as StorageError where error.code == .connectionLost {
                // Whoever had no answer sends it again, to the next process.
                merchant = try await MerchantWorld.merchant(in: database, of: world)
                try await step(merchant)
            }
        }
        #expect(fault == nil || database.hasFailed, "\(String(describing: fault)) never came")
        let counts = database.counts
        database.arm(nil)
        let customer = try await merchant.customer("ada", of: World.bundleID)
        return Outcome(
            state: customer.state, version: customer.version,
            tables: try await Tables(
                database, named: Array(Self.columns.keys), columns: Self.columns),
            counts: counts)
    }

    /// Everything but numbers, of which PostgreSQL gives none twice, and how often something came.
    private static let columns = [
        "inbox": "uuid, type, state, problem, original_transaction_id, transaction_id, body",
        "account": "name, version",
        "account_token": "token",
        "purchase": "original_transaction_id, environment",
        "transaction_register": "transaction_id, product_id, revoked_at, digest, source",
        "renewal_register": "next_product_id, renews, digest, source",
    ]

    private func tell(
        _ backend: Backend, _ faults: (_ statements: Int, _ changes: Int) -> [FaultyDatabase.Fault]
    ) async throws {
        let (world, steps) = try await record()
        let undisturbed = try await tell(backend, steps, of: world, failingAt: nil)
        #expect(undisturbed.state.first == "club active until 2026-03-01")
        #expect(undisturbed.state.last == "coins 2")
        let counts = undisturbed.counts
        for fault in faults(counts.statements, counts.changes) {
            let outcome = try await tell(backend, steps, of: world, failingAt: fault)
            #expect(outcome.state == undisturbed.state, "\(fault)")
            #expect(outcome.version == undisturbed.version, "\(fault)")
            #expect(outcome.tables.differences(from: undisturbed.tables) == [], "\(fault)")
        }
    }

    @Test("A failure at any statement leaves no trace", arguments: Backend.available)
    func statements(_ backend: Backend) async throws {
        // A schema takes long on PostgreSQL, so there it is one of some.
        let step = backend == .postgres ? 17 : 1
        try await tell(backend) { statements, _ in
            stride(from: 1, through: statements, by: step).map(FaultyDatabase.Fault.statement)
        }
    }

    @Test("A failure at any commit leaves no trace", arguments: Backend.available)
    func beforeCommit(_ backend: Backend) async throws {
        let step = backend == .postgres ? 5 : 1
        try await tell(backend) { _, changes in
            stride(from: 1, through: changes, by: step).map(FaultyDatabase.Fault.beforeCommit)
        }
    }

    @Test("A commit whose outcome is not known is not done twice", arguments: Backend.available)
    func afterCommit(_ backend: Backend) async throws {
        let step = backend == .postgres ? 5 : 1
        try await tell(backend) { _, changes in
            stride(from: 1, through: changes, by: step).map(FaultyDatabase.Fault.afterCommit)
        }
    }
}
