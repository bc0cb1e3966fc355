import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("On demand: faults of notifications")
struct NotificationFaultTests {
    private static let bought =
        "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"

    @Test(
        "What is dropped never arrives, and is tried again as Apple does",
        arguments: Backend.available)
    func drop(_ backend: Backend) async throws {
        let world = try await World(backend)
        let rule = try await world.add(.drop, type: .didRenew, most: 2)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [Self.bought])
        let renewed = "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"
        // At 00:00 and 01:00 it is dropped; twelve hours later the rule is spent.
        try await world.advance(to: "2026-02-01T12:59:59Z", telling: [])
        try await world.advance(to: "2026-02-01T13:00:00Z", telling: [renewed])
        let one = try await world.newest()
        #expect(one.isDelivered)
        #expect(one.attempts.map(\.sendAttemptResult) == [.timedOut, .timedOut, .success])
        #expect(
            one.faults.map {
                "\($0.fault == rule.id) \($0.kind) \($0.attempt) \(World.text($0.at))"
            }
                == [
                    "true dropNotifications 1 2026-02-01",
                    "true dropNotifications 2 2026-02-01 01:00",
                ])
        let status = try #require(try await world.store.faults(in: .production).first)
        #expect((status.candidates, status.applied, status.isSpent) == (2, 2, true))
        try await world.advance(
            to: "2026-03-01",
            telling: ["2026-03-01 DID_RENEW 1 silver.monthly 9.99 until 2026-04-01"])
    }

    @Test(
        "A limit counts what a rule did, not what it might have done", arguments: Backend.available)
    func limit(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.lose, percent: 50, seed: "half", most: 3)
        let ada = try await world.device()
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        _ = try await world.store.advance(to: World.instant("2028-01-01"))
        let status = try #require(try await world.store.faults(in: .production).first)
        #expect(status.applied == 3)
        #expect(status.candidates > 3)
        #expect(status.isSpent)
    }

    @Test("In Sandbox what is dropped is gone", arguments: Backend.available)
    func dropInSandbox(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.drop, in: .sandbox)
        let sandy = try await world.device("sandy", in: .sandbox)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: sandy, telling: [])
        try await world.buy("silver.monthly", by: ada, telling: [Self.bought])
        let one = try await world.newest(in: .sandbox)
        #expect(!one.isDelivered)
        #expect(one.nextAttempt == nil)
        #expect(one.attempts.map(\.sendAttemptResult) == [.timedOut])
    }

    @Test(
        "What is lost never arrives and counts as delivered: only the history has it",
        arguments: Backend.available)
    func lose(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.lose, most: 1)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [])
        let one = try await world.newest()
        #expect(one.isDelivered)
        #expect(one.attempts.map(\.sendAttemptResult) == [.success])
        #expect(one.faults.map(\.kind) == [.loseNotifications])
        let history = try await world.store.notificationHistory(
            NotificationFilter(
                start: World.instant("2025-12-31"), end: World.instant("2026-01-02")),
            token: nil, for: world.caller())
        #expect(history.notificationHistory.map(\.signedPayload) == [one.signedPayload])
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
    }

    @Test(
        "What is repeated arrives again, the same text; what fails is not",
        arguments: Backend.available)
    func repeats(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.repeats(times: 2))
        let ada = try await world.device()
        try await world.buy(
            "silver.monthly", by: ada, telling: [Self.bought, Self.bought, Self.bought])
        #expect(Set(world.listener.arrivals.map(\.signedPayload)).count == 1)
        // What the copies are answered means nothing.
        world.listener.answer([.taken, .timedOut, .timedOut])
        let renewed = "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"
        try await world.advance(to: "2026-02-01", telling: [renewed, renewed, renewed])
        #expect(try await world.newest().attempts.map(\.sendAttemptResult) == [.success])
        world.listener.answer([.timedOut])
        let again = "2026-03-01 DID_RENEW 1 silver.monthly 9.99 until 2026-04-01"
        try await world.advance(to: "2026-03-01", telling: [again])
        try await world.advance(to: "2026-03-01T01:00:00Z", telling: [again, again, again])
    }

    @Test(
        "What is delayed comes later, once, and says when it happened",
        arguments: Backend.available)
    func delay(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.delay(.minutes(5)), type: .subscribed)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [])
        #expect(
            try await world.store.clockReading().nextEvent
                == World.instant("2026-01-01T00:05:00Z"))
        try await world.advance(to: "2026-01-01T00:04:59Z", telling: [])
        world.listener.answer([.timedOut])
        try await world.advance(to: "2026-01-01T00:05:00Z", telling: [Self.bought])
        // A retry is not delayed again.
        try await world.advance(to: "2026-01-01T01:04:59Z", telling: [])
        try await world.advance(to: "2026-01-01T01:05:00Z", telling: [Self.bought])
        let one = try await world.newest()
        #expect(one.isDelivered)
        #expect(
            one.faults.map { "\($0.kind) \($0.attempt) \(World.text($0.at))" }
                == ["delayNotifications 1 2026-01-01"])
    }

    @Test(
        "A delay alone lets a later event overtake", arguments: Backend.available)
    func overtaking(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.add(.delay(.days(30)), type: .didRenew, most: 1)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(
            to: "2026-04-01",
            telling: [
                "2026-03-01 DID_RENEW 1 silver.monthly 9.99 until 2026-04-01",
                "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01",
                "2026-04-01 DID_RENEW 1 silver.monthly 9.99 until 2026-05-01",
            ])
    }

    @Test(
        "The same seed reorders in the same way, another one in another",
        arguments: Backend.available)
    func reorder(_ backend: Backend) async throws {
        func order(seed: String) async throws -> [String] {
            let world = try await World(backend)
            try await world.add(.reorder(within: .minutes(10)), seed: seed)
            for (account, product) in [
                ("a", "silver.monthly"), ("b", "bronze.weekly"), ("c", "gold.monthly"),
                ("d", "coins"), ("e", "silver.yearly"),
            ] {
                let device = try await world.device(account)
                _ = try await world.store.purchase(PurchaseRequest(productID: product), by: device)
            }
            _ = try await world.store.advance(to: World.instant("2026-01-01T00:10:00Z"))
            let arrivals = world.listener.takeArrivals()
            #expect(
                arrivals.allSatisfy {
                    $0.notification.signedDate == World.instant("2026-01-01").milliseconds
                })
            return arrivals.map { $0.transaction?.productId ?? "" }
        }
        let first = try await order(seed: "one")
        #expect(
            first.sorted() == [
                "bronze.weekly", "coins", "gold.monthly", "silver.monthly", "silver.yearly",
            ])
        #expect(try await order(seed: "one") == first)
        #expect(
            first != ["silver.monthly", "bronze.weekly", "gold.monthly", "coins", "silver.yearly"])
        #expect(try await order(seed: "two") != first)
    }

    @Test(
        "A share of them is taken, by the seed and the number of the candidate",
        arguments: Backend.available)
    func percent(_ backend: Backend) async throws {
        func taken(seed: String?) async throws -> [Bool] {
            let world = try await World(backend)
            try await world.add(.lose, percent: 30, seed: seed)
            let ada = try await world.device()
            for _ in 0..<40 {
                _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
            }
            try await world.store.settle()
            let status = try #require(try await world.store.faults(in: .production).first)
            #expect(status.candidates == 40)
            let log = try await world.store.notificationLog(
                in: .production, before: nil, limit: 100)
            #expect(world.listener.arrivals.count == 40 - Int(status.applied))
            return log.map { !$0.faults.isEmpty }
        }
        let first = try await taken(seed: "seed")
        #expect((4...20).contains(first.count { $0 }))
        #expect(try await taken(seed: "seed") == first)
        #expect(try await taken(seed: "other") != first)
        // Without one it follows from the world's, which is the same in both.
        #expect(try await taken(seed: nil) == (try await taken(seed: nil)))
    }

    @Test(
        "Rules look at app, type and subtype; the first one that takes an attempt has it",
        arguments: Backend.available)
    func filters(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.store.addApp(
            bundleID: "com.example.other", appleID: 2, settings: App.Settings(name: "Other"))
        let other = try await world.add(.drop, bundleID: "com.example.other")
        let resubscribed = try await world.add(.drop, type: .subscribed, subtype: .resubscribe)
        let first = try await world.add(.lose, type: .subscribed, subtype: .initialBuy)
        let second = try await world.add(.repeats(times: 1))
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [])
        let coins = "2026-01-01 ONE_TIME_CHARGE coins 0.99"
        try await world.buy("coins", by: ada, telling: [coins, coins])
        let statuses = try await world.store.faults(in: .production)
        #expect(statuses.map(\.id) == [other.id, resubscribed.id, first.id, second.id])
        #expect(statuses.map(\.applied) == [0, 0, 1, 1])
        #expect(statuses.map(\.candidates) == [0, 0, 1, 1])
    }

    @Test(
        "Rules outlive the process, and what was decided stays decided",
        arguments: Backend.available)
    func restart(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        let world = try await World(database: database)
        let rule = try await world.add(.drop, percent: 50, seed: "s", most: 3)
        let ada = try await world.device()
        for _ in 0..<5 {
            _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        }
        try await world.store.settle()
        let before = try await world.store.faults(in: .production)
        let again = try await World(database: database)
        #expect(try await again.store.faults(in: .production) == before)
        #expect(before.map(\.rule) == [rule.rule])
    }

    @Test(
        "A crash between the decision and the attempt changes no choice",
        arguments: Backend.available)
    func crash(_ backend: Backend) async throws {
        func life(failing: Bool) async throws -> ([[FaultKind]], [FaultStatus]) {
            let database = FaultyDatabase(try await backend.borrowDatabase())
            let world = try await World(database: database)
            try await world.add(.drop, percent: 50, seed: "s")
            let ada = try await world.device()
            for _ in 0..<6 {
                _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
            }
            // After the transaction that takes the attempts up, before their outcomes are kept.
            database.arm(failing ? .beforeCommit(2) : nil)
            _ = try? await world.store.settle()
            #expect(database.hasFailed == failing)
            database.arm(nil)
            try await world.store.settle()
            let log = try await world.store.notificationLog(
                in: .production, before: nil, limit: 10)
            #expect(log.allSatisfy { $0.attempts.count == 1 })
            return (
                log.map { $0.faults.map(\.kind) }, try await world.store.faults(in: .production)
            )
        }
        let (straight, rules) = try await life(failing: false)
        let (crashed, rulesAfter) = try await life(failing: true)
        #expect(straight == crashed)
        #expect(rules == rulesAfter)
    }

    @Test(
        "A rule that is taken back applies no more; the log keeps it", arguments: Backend.available)
    func remove(_ backend: Backend) async throws {
        let world = try await World(backend)
        let rule = try await world.add(.lose)
        try await world.add(.repeats(times: 1), in: .sandbox)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [])
        await #expect(throws: StoreError.unknown(.fault, "\(rule.id)")) {
            try await world.store.removeFault(rule.id, in: .sandbox)
        }
        try await world.store.removeFault(rule.id, in: .production)
        #expect(try await world.store.faults(in: .production).isEmpty)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
        let log = try await world.store.notificationLog(in: .production, before: nil, limit: 5)
        #expect(log.map { $0.faults.map(\.kind) } == [[], [.loseNotifications]])
        #expect(try await world.store.clearFaults(in: .sandbox) == 1)
        let before = try await Tables(world.database)
        #expect(try await world.store.clearFaults(in: .sandbox) == 0)
        await #expect(throws: StoreError.unknown(.fault, "\(rule.id)")) {
            try await world.store.removeFault(rule.id, in: .production)
        }
        #expect(try await Tables(world.database) == before)
    }
}

extension World {
    /// Adds a rule about notifications.
    @discardableResult
    fileprivate func add(
        _ fault: NotificationFault, type: NotificationTypeV2? = nil, subtype: Subtype? = nil,
        bundleID: String? = nil, percent: Int = 100, seed: String? = nil, most: Int? = nil,
        in environment: StoreEnvironment = .production
    ) async throws -> FaultStatus {
        try await store.addFault(
            FaultRule(
                .notifications(fault, type: type, subtype: subtype), bundleID: bundleID,
                percent: percent, seed: seed, most: most), in: environment)
    }

    /// The newest notification.
    fileprivate func newest(
        in environment: StoreEnvironment = .production
    ) async throws -> NotificationLogEntry {
        try #require(try await store.notificationLog(in: environment, before: nil, limit: 1).first)
    }
}
