import Merchant
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What whoever runs a merchant looks at.
@Suite("Merchant: operators", .timeLimit(.minutes(15)))
struct OperatorStories {
    /// Ada and Bea have a plan, Carl has bought something for good.
    private func customers(_ backend: Backend) async throws -> MerchantWorld {
        let world = try await MerchantWorld(backend)
        for (account, product) in [
            ("bea", "gold.monthly"), ("carl", "lifetime"), ("ada", "gold.monthly"),
        ] {
            let signed = try #require(
                try await world.world.store.purchase(
                    PurchaseRequest(productID: product),
                    by: try await world.world.device(account)))
            _ = try await world.merchant.take(
                transaction: signed, from: account, of: World.bundleID)
        }
        return world
    }

    private func names(
        _ world: MerchantWorld, _ filter: CustomerFilter = CustomerFilter()
    ) async throws -> [String] {
        try await world.merchant.customers(where: filter, limit: 50).customers
            .map(\.customer.account)
    }

    @Test(
        "Customers are listed by name, narrowed by its beginning and by what they have",
        arguments: Backend.available)
    func list(_ backend: Backend) async throws {
        let world = try await customers(backend)
        #expect(try await names(world) == ["ada", "bea", "carl"])
        #expect(try await names(world, CustomerFilter(prefix: "b")) == ["bea"])
        #expect(try await names(world, CustomerFilter(prefix: "B")) == [])
        #expect(try await names(world, CustomerFilter(prefix: "x")) == [])
        #expect(try await names(world, CustomerFilter(entitlement: "club")) == ["ada", "bea"])
        #expect(try await names(world, CustomerFilter(entitlement: "lifetime")) == ["carl"])
        #expect(try await names(world, CustomerFilter(isActive: false)) == [])
        // Their periods end without a word.
        _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
        #expect(try await names(world, CustomerFilter(isActive: false)) == ["ada", "bea"])
        #expect(try await names(world, CustomerFilter(isActive: true)) == ["carl"])
        let gone = CustomerFilter(bundleID: World.bundleID, entitlement: "club", isActive: true)
        #expect(try await names(world, gone) == [])
    }

    @Test("Two accounts that became one are listed as one", arguments: Backend.available)
    func merged(_ backend: Backend) async throws {
        let world = try await customers(backend)
        _ = try await world.merchant.alias("bea", to: "ada", of: World.bundleID)
        _ = try await world.merchant.alias("carla", to: "carl", of: World.bundleID)
        #expect(try await names(world) == ["ada", "carl"])
        #expect(try await names(world, CustomerFilter(isActive: true)) == ["ada", "carl"])
    }

    @Test("Their pages join without a gap", arguments: Backend.available)
    func pages(_ backend: Backend) async throws {
        let world = try await customers(backend)
        var found: [String] = []
        var cursor: CustomerCursor?
        repeat {
            let page = try await world.merchant.customers(after: cursor, limit: 1)
            found += page.customers.map(\.customer.account)
            cursor = page.next.flatMap { CustomerCursor($0.text) }
        } while cursor != nil
        #expect(found == ["ada", "bea", "carl"])
        #expect(CustomerCursor("ada") == nil)
        do {
            _ = try await world.merchant.customers(
                where: CustomerFilter(bundleID: "com.example.other"), limit: 1)
            Issue.record("an unknown app has no customers")
        } catch let error as MerchantError {
            #expect(error == .unknownApp("com.example.other"))
        }
    }

    @Test("It says what waits, and what nobody has claimed", arguments: Backend.available)
    func overview(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let empty = try await world.merchant.overview()
        #expect(empty.inbox.waiting == 0)
        #expect(empty.inbox.oldestWaiting == nil)
        #expect(empty.sources.map(\.environment) == [.production, .sandbox])
        #expect(empty.sources.allSatisfy { $0.lastNotification == nil })
        #expect(empty.sources.allSatisfy { $0.trustEnds != nil })
        _ = try await world.world.store.purchase(
            PurchaseRequest(productID: "gold.monthly"), by: try await world.world.device())
        try await world.world.store.settle()
        for arrival in world.world.listener.takeArrivals() { try await world.receive(arrival) }
        let waiting = try await world.merchant.overview()
        #expect(waiting.inbox.waiting == 1)
        #expect(waiting.inbox.oldestWaiting == waiting.asOf)
        #expect(waiting.sources.map(\.lastNotification) == [waiting.asOf, nil])
        #expect(waiting.inbox.unownedPurchases.count == 0)
        try await world.merchant.settle()
        let settled = try await world.merchant.overview()
        #expect(settled.inbox.waiting == 0)
        #expect(settled.inbox.unownedPurchases.count == 1)
        #expect(settled.inbox.deadLetters == 0)
    }

    @Test("What nobody has claimed is counted up to a limit", arguments: Backend.available)
    func capped(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        func add(_ numbers: ClosedRange<Int64>) async throws {
            try await world.database.write { session in
                let app = try session.row("SELECT id FROM app")?.integer(0) ?? 0
                try session.executeMany(
                    """
                    INSERT INTO purchase (app, environment, original_transaction_id)
                    VALUES ($1, $2, $3)
                    """, numbers.map { [app.sqlValue, Int64(1).sqlValue, "\($0)".sqlValue] })
            }
        }
        try await add(1...CappedCount.limit)
        let all = try await world.merchant.unownedCount(UnownedFilter())
        #expect(all.count == CappedCount.limit)
        #expect(all.isExact)
        try await add(CappedCount.limit + 1...CappedCount.limit + 1)
        let more = try await world.merchant.overview().inbox.unownedPurchases
        #expect(more.count == CappedCount.limit)
        #expect(!more.isExact)
    }

    @Test("What came in is counted by type and by what came of it", arguments: Backend.available)
    func counts(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        _ = try await world.world.store.purchase(
            PurchaseRequest(productID: "gold.monthly"), by: try await world.world.device())
        try await world.world.store.settle()
        let arrival = try #require(world.world.listener.takeArrivals().first)
        try await world.receive(arrival)
        try await world.receive(arrival)
        do {
            _ = try await world.merchant.receive("a.b.c", for: World.bundleID)
            Issue.record("what proves nothing is refused")
        } catch is MerchantError {}
        #expect(
            world.merchant.intakeCounts.map { "\($0.type) \($0.outcome) \($0.count)" } == [
                "SUBSCRIBED kept 1", "SUBSCRIBED repeated 1", "unknown refused 1",
            ])
    }

    @Test("An act is written with what came of it, and narrowed", arguments: Backend.available)
    func audit(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let now = World.instant("2026-01-01")
        let replay = AuditedAct(
            at: now, scope: "operator", bundleID: nil, route: "replayDeadLetter", subject: "7")
        do {
            _ = try await world.merchant.audited(replay, code: { _ in "unknownDeadLetter" }) {
                () async throws -> Int in
                throw MerchantError.unknownDeadLetter(7)
            }
            Issue.record("it was refused")
        } catch let error as MerchantError {
            #expect(error == .unknownDeadLetter(7))
        }
        let claim = AuditedAct(
            at: now, scope: "server", bundleID: World.bundleID, route: "claim", subject: "ada")
        let answer = try await world.merchant.audited(claim, code: { _ in "failed" }) { 3 }
        #expect(answer == 3)
        let all = try await world.merchant.audit(limit: 10)
        #expect(all.map(\.act) == [claim, replay])
        #expect(all.map(\.result) == ["done", "unknownDeadLetter"])
        #expect(try await world.merchant.audit(before: all[0].id, limit: 10) == [all[1]])
        let cases: [(AuditFilter, [AuditEntry])] = [
            (AuditFilter(scope: "server"), [all[0]]),
            (AuditFilter(bundleID: World.bundleID), [all[0]]),
            (AuditFilter(route: "replayDeadLetter"), [all[1]]),
            (AuditFilter(subject: "7"), [all[1]]), (AuditFilter(subject: "bea"), []),
        ]
        for (filter, expected) in cases {
            #expect(try await world.merchant.audit(where: filter, limit: 10) == expected)
        }
    }
}
