import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A database that fails at any one point of an outage campaign, after which another process goes
/// on: everybody is extended once, and every call is accounted for.
@Suite("Merchant: outages and crashes", .timeLimit(.minutes(30)))
struct OutageCrashTests {
    private struct Outcome: Sendable {
        let lines: [String]
        let subscribers: [String]
        let extended: [Int64]
        let counts: (statements: Int, changes: Int)
    }

    /// A store in which a campaign begins, and what it has sent until then.
    private struct Stage: Sendable {
        let world: World
        let api: ServerAPI
        let definition: CampaignDefinition
        let payloads: [String]
    }

    /// Four subscribers, of whom some are left out of the call for all; one is in billing retry.
    private func makeWorld() async throws -> World {
        let world = try await World(.sqlite, at: "2026-01-15")
        var ids: [Int64] = []
        for account in ["ada", "bea", "cleo", "dora"] {
            let device = try await world.device(account)
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: device)
            let known = try await world.store.subscriptions(for: device)
            ids += known.map(\.originalTransactionID)
        }
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "dora", in: .production)
        // Those below it fail: the first of them.
        let failing = Int((ids.map { $0 % 100 }.min() ?? 0) + 1)
        try await world.store.configure(bundleID: World.bundleID) { settings in
            settings.failingExtensions = failing
        }
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        return world
    }

    private func merchant(in database: any Database, on stage: Stage) async throws -> Merchant {
        let merchant = try await MerchantWorld.merchant(
            in: database, of: stage.world, asking: stage.api)
        try await database.write { session in try session.execute("DELETE FROM claim") }
        merchant.use(CampaignMeans(read: { _, _ in stage.definition }))
        return merchant
    }

    /// The claims of a process that died end by themselves, after a time that no test waits for.
    private static func forgetClaims(in database: FaultyDatabase) async throws {
        guard database.hasFailed else { return }
        try await database.write { session in try session.execute("DELETE FROM claim") }
    }

    private func run(
        _ backend: Backend, failingAt fault: FaultyDatabase.Fault?, on stage: Stage
    ) async throws -> Outcome {
        let store = stage.world.store
        let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let first = try await merchant(in: database, on: stage)
        for payload in stage.payloads { _ = try await first.receive(payload, for: World.bundleID) }
        try await first.settle()
        let life = MerchantLife(first) { try await self.merchant(in: database, on: stage) }
        database.arm(fault)
        try await life.live { merchant in
            _ = try await merchant.startOutage(
                stage.definition, file: "outage", attachments: [:])
        }
        for _ in 0..<3 {
            try await Self.forgetClaims(in: database)
            try await life.live { try await $0.settleOutages(waiting: { _ in }) }
            try await store.settle()
            for one in stage.world.listener.takeArrivals() {
                try await life.live {
                    _ = try await $0.receive(one.signedPayload, for: World.bundleID)
                }
            }
        }
        try await Self.forgetClaims(in: database)
        try await life.live { try await $0.settleOutages(waiting: { _ in }) }
        // How many commits there are depends on which writes went together: the last places
        // may not come in each run.
        let counts = database.counts
        database.arm(nil)
        // What failed last may be what only tidies up: whoever comes next does the rest.
        let last = try await merchant(in: database, on: stage)
        try await last.settleOutages(waiting: { _ in })
        let report = try await last.outageReport("outage-2026-02", of: World.bundleID)
        let all = try await last.outageSubscribers("outage-2026-02", of: World.bundleID, limit: 100)
        return Outcome(
            lines: report.lines,
            subscribers: all.map {
                "\($0.originalTransactionID) \($0.outcome) \($0.reason) \($0.calls) "
                    + "\($0.failure ?? "-") \($0.end?.iso8601 ?? "-")"
            },
            extended: try await OutageWorld.extended(stage.world), counts: counts)
    }

    /// A merchant that dies where its database fails, and another one that goes on.
    private actor MerchantLife {
        private var merchant: Merchant
        private let next: @Sendable () async throws -> Merchant

        init(_ merchant: Merchant, next: @escaping @Sendable () async throws -> Merchant) {
            self.merchant = merchant
            self.next = next
        }

        func live(_ step: @Sendable (Merchant) async throws -> Void) async throws {
            do {
                try await step(merchant)
            } catch let error as StorageError where error.code == .connectionLost {
                merchant = try await next()
                try await step(merchant)
            }
        }
    }

    private func tell(
        _ backend: Backend, entitlement: String?,
        _ faults: @escaping @Sendable (_ statements: Int, _ changes: Int) -> [FaultyDatabase.Fault]
    ) async throws {
        let definition = OutageWorld.definition(["silver.monthly"], entitlement: entitlement)
        let world = try await makeWorld()
        let payloads = world.listener.takeArrivals().map(\.signedPayload)
        try await world.store.snapshot("before")
        try await ServedStore.run(world) { api in
            let stage = Stage(world: world, api: api, definition: definition, payloads: payloads)
            let undisturbed = try await run(backend, failingAt: nil, on: stage)
            #expect(undisturbed.extended == [3, 0])
            #expect(undisturbed.lines.last == "notEligible inBillingRetry 1")
            let counts = undisturbed.counts
            for fault in faults(counts.statements, counts.changes) {
                try await world.store.rewind(to: "before")
                let outcome = try await run(backend, failingAt: fault, on: stage)
                #expect(outcome.lines == undisturbed.lines, "\(fault)")
                #expect(outcome.subscribers == undisturbed.subscribers, "\(fault)")
                #expect(outcome.extended == undisturbed.extended, "\(fault)")
            }
        }
    }

    @Test(
        "A failure at any statement extends nobody twice", arguments: Backend.available,
        [nil, "club"])
    func statements(_ backend: Backend, entitlement: String?) async throws {
        // What fails before a commit is undone by the database alone, so it is one of some. A
        // schema takes long on PostgreSQL, and a campaign for one entitlement differs only in how
        // it finds subscribers.
        let step = backend == .postgres ? 17 : entitlement == nil ? 3 : 7
        try await tell(backend, entitlement: entitlement) { statements, _ in
            stride(from: 1, through: statements, by: step).map(FaultyDatabase.Fault.statement)
        }
    }

    @Test(
        "A commit whose outcome is not known extends nobody twice", arguments: Backend.available,
        [nil, "club"])
    func commits(_ backend: Backend, entitlement: String?) async throws {
        let step = backend == .postgres ? 5 : 1
        try await tell(backend, entitlement: entitlement) { _, changes in
            stride(from: 1, through: changes, by: step).map {
                $0.isMultiple(of: 2)
                    ? FaultyDatabase.Fault.beforeCommit($0) : .afterCommit($0)
            }
        }
    }
}
