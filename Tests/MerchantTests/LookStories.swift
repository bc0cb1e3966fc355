import AppStoreWire
import Merchant
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// When what is looked at, by whom, and what a crash leaves behind.
@Suite("Merchant: looks for gaps", .timeLimit(.minutes(15)))
struct LookStories {
    @Test(
        "Hourly what could not be delivered is read, at the start and daily everything",
        arguments: Backend.available)
    func plan(_ backend: Backend) async throws {
        let (world, _) = try await GapStories.ada(backend)
        try await GapStories.served(world) {
            let moments: [(String, [GapReport.Kind])] = [
                ("2026-01-01T01:00:00Z", [.failures, .statuses]),
                // Somebody has looked half an hour ago.
                ("2026-01-01T01:30:00Z", []),
                ("2026-01-01T02:00:00Z", [.failures, .statuses]),
                ("2026-01-02T02:00:00Z", [.history, .statuses]),
                ("2026-01-02T03:00:00Z", [.failures, .statuses]),
            ]
            let first = try await world.merchant.lookWhereDue(isStart: true)
            #expect(first.map(\.kind) == [.history, .statuses])
            for (moment, kinds) in moments {
                _ = try await world.world.store.advance(to: World.instant(moment))
                let reports = try await world.merchant.lookWhereDue()
                #expect(reports.map(\.kind) == kinds, "\(moment)")
                #expect(reports.allSatisfy { $0.state == .done })
            }
        }
    }

    @Test(
        "What the store could not deliver is found within the hour, what was lost here in a day",
        arguments: Backend.available)
    func kinds(_ backend: Backend) async throws {
        let (world, ada) = try await GapStories.ada(backend)
        let store = world.world.store
        let id = try #require(
            try await store.subscriptions(for: ada).first?.originalTransactionID)
        try await GapStories.served(world) {
            _ = try await world.merchant.lookWhereDue(isStart: true)
            // One is taken and lost, one is not taken.
            try await store.change(subscription: id, [.renewal(isOn: false)], by: ada)
            try await store.settle()
            world.world.listener.answer([.failed])
            _ = try await store.advance(to: World.instant("2026-01-01T00:10:00Z"))
            try await store.change(subscription: id, [.renewal(isOn: true)], by: ada)
            try await store.settle()
            #expect(world.world.listener.takeArrivals().count == 2)
            _ = try await store.advance(to: World.instant("2026-01-01T00:58:00Z"))
            let hourly = try await world.merchant.lookWhereDue()
            #expect(hourly.map(\.kind) == [.failures, .statuses])
            #expect(hourly.map(\.read) == [1, 0])
            #expect(hourly.map(\.healed) == [1, 0])
            _ = try await store.advance(to: World.instant("2026-01-02T01:00:00Z"))
            let daily = try await world.merchant.lookWhereDue()
            #expect(daily.map(\.kind) == [.history, .statuses])
            #expect(daily.map(\.healed) == [1, 0])
            #expect(try await world.access() == ["club active until 2026-02-01 renews"])
        }
    }

    @Test(
        "A look that a crash has cut off goes on from its last page", arguments: Backend.available)
    func crash(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let ada = try await world.world.device()
        for _ in 1...30 {
            _ = try await world.world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        }
        try await world.world.store.settle()
        _ = world.world.listener.takeArrivals()
        _ = try await world.world.store.advance(to: World.instant("2026-01-01T01:00:00Z"))
        let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let first = try await MerchantWorld.merchant(in: database, of: world.world)
        let second = try await MerchantWorld.merchant(in: database, of: world.world)
        try await GapStories.served(world, others: [first, second]) {
            // The claim, the look, a page of 20, and the page after it.
            database.arm(.beforeCommit(4))
            do {
                _ = try await first.heal()
                Issue.record("nothing has failed")
            } catch let error as StorageError {
                #expect(error.code == .connectionLost)
            }
            database.arm(nil)
            let left = try await second.gaps()
            #expect(left.map(\.state) == [.interrupted])
            #expect(left.map(\.read) == [20])
            #expect(left.map(\.healed) == [20])
            let reports = try await second.heal()
            // It ends, and what came since is looked at.
            #expect(reports.map(\.kind) == [.history, .history, .statuses])
            #expect(reports.map(\.read) == [30, 30, 0])
            #expect(reports.map(\.healed) == [30, 0, 0])
            #expect(try await second.gaps().map(\.state) == [.done, .done])
        }
    }

    @Test(
        "A page of which the database refuses a part is read again after a crash",
        arguments: Backend.available.filter { $0 == .postgres })
    func crashInPage(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let ada = try await world.world.device()
        // The plan is in the first page, and there is a second one.
        let products = ["gold.monthly"] + Array(repeating: "coins", count: 30) + ["lifetime"]
        for product in products {
            _ = try await world.world.store.purchase(PurchaseRequest(productID: product), by: ada)
        }
        try await world.world.store.settle()
        _ = world.world.listener.takeArrivals()
        _ = try await world.world.store.advance(to: World.instant("2026-01-01T01:00:00Z"))
        let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let first = try await MerchantWorld.merchant(in: database, of: world.world)
        let second = try await MerchantWorld.merchant(in: database, of: world.world)
        try await database.write { session in
            try session.execute(
                "ALTER TABLE inbox ADD CONSTRAINT unwanted CHECK (type <> 'SUBSCRIBED')")
        }
        try await GapStories.served(world, others: [first, second]) {
            // The claim, the look, and some of what is taken one by one or as a page.
            database.arm(.beforeCommit(5))
            do {
                _ = try await first.heal()
            } catch let error as StorageError {
                #expect(error.code == .connectionLost)
            }
            database.arm(nil)
            _ = try await second.heal()
            let rows = try await database.read { session in
                try session.rows("SELECT type, COUNT(*) FROM inbox GROUP BY type").map { row in
                    "\(try row.text(0)) \(try row.integer(1))"
                }
            }
            #expect(rows == ["ONE_TIME_CHARGE 31"])
        }
    }

    @Test("One of several processes looks at a time", arguments: Backend.available)
    func severalProcesses(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let database = try await backend.borrowDatabase(for: .merchant)
        let first = try await MerchantWorld.merchant(in: database, of: world.world)
        let second = try await MerchantWorld.merchant(in: database, of: world.world)
        try await GapStories.served(world, others: [first, second]) {
            let reports = try await first.test { _ in
                do {
                    // The first one waits for the store's result.
                    #expect(try await second.lookWhereDue(isStart: true).isEmpty)
                    #expect(try await second.gaps().map(\.state) == [.running])
                    try await world.world.store.settle()
                } catch {
                    Issue.record(error)
                }
            }
            #expect(reports.map(\.state) == [.done])
            let kinds = try await second.lookWhereDue(isStart: true).map(\.kind)
            #expect(kinds == [.history, .statuses])
        }
    }

    /// What becomes of a test notification.
    enum Fate: CaseIterable {
        case arrives, isLost, fails
    }

    @Test(
        "A test notification says whether it arrives here, and what the store says",
        arguments: Backend.available, Fate.allCases)
    func test(_ backend: Backend, _ fate: Fate) async throws {
        let world = try await MerchantWorld(backend)
        if fate == .fails { world.world.listener.answer([.failed]) }
        if fate == .arrives {
            world.world.listener.onArrival { arrival in
                _ = try? await world.receive(arrival)
            }
        }
        try await GapStories.served(world) {
            let reports = try await world.merchant.test { _ in
                _ = try? await world.world.store.settle()
            }
            #expect(reports.map(\.kind) == [.test])
            #expect(reports.map(\.arrived) == [fate == .arrives])
            let said = fate == .fails ? "UNSUCCESSFUL_HTTP_RESPONSE_CODE" : "SUCCESS"
            #expect(reports.first?.sendAttempts == [said])
            let problem = reports.first?.problem
            switch fate {
            case .arrives: #expect(problem == nil)
            case .isLost: #expect(problem?.contains("did not arrive here") == true)
            case .fails: #expect(problem?.contains("could not deliver it") == true)
            }
            #expect(try await world.merchant.gaps() == reports)
        }
    }

    @Test(
        "A test whose token the store does not know is asked for anew",
        arguments: Backend.available)
    func foreignToken(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await GapStories.served(world) {
            func test() async throws -> GapReport? {
                try await world.merchant.test { _ in
                    _ = try? await world.world.store.settle()
                }.first
            }
            #expect(try await test()?.state == .done)
            try await world.database.write { session in
                try session.execute(
                    """
                    UPDATE gap_look SET place = 'of-another-store', ended_at = NULL
                    WHERE kind = 'test'
                    """)
            }
            let refused = try await test()
            #expect(refused?.state == .interrupted)
            #expect(refused?.problem?.contains("4000020") == true)
            #expect(try await test()?.state == .done)
        }
    }

    @Test(
        "Test notifications are asked for as often as the configuration says",
        arguments: Backend.available)
    func timedTest(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await GapStories.served(world, testing: .days(1)) {
            // One that cannot be asked for is tried again within the hour.
            try await world.world.store.configure(bundleID: World.bundleID) { settings in
                settings.notificationURL = nil
            }
            let first = try await world.merchant.lookWhereDue(isStart: true)
            #expect(first.map(\.kind) == [.history, .statuses, .test])
            #expect(first.last?.state == .interrupted)
            #expect(first.last?.problem?.contains("4040007") == true)
            _ = try await world.world.store.advance(to: World.instant("2026-01-01T01:00:00Z"))
            let second = try await world.merchant.lookWhereDue()
            #expect(second.map(\.kind) == [.failures, .statuses, .test])
        }
    }
}
