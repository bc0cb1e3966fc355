import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

/// Nobody waits for what does not concern them: three monthly subscribers since 15 January on a
/// clock that runs while nobody sweeps, and jobs that take up one subscription at a time.
@Suite("Unconcerned customers")
struct UnconcernedTests {
    private struct Scene {
        let world: World
        let machine: ManualClock
        var devices: [DeviceSession] = []
        var ids: [Int64] = []

        init(_ backend: Backend) async throws {
            machine = ManualClock(World.instant("2026-01-15"))
            world = try await World(
                backend, at: "2026-01-15", isListening: false, mode: .running, machine: machine,
                batchSize: 1)
            for account in ["ada", "bob", "eve"] {
                let device = try await world.device(account)
                devices.append(device)
                ids.append(try await world.subscribe("silver.monthly", by: device))
            }
        }

        func wait(until moment: String) { machine.set(World.instant(moment)) }

        func sweep() async throws {
            _ = try await world.store.sweep(to: machine.now)
        }

        /// What each subscriber pays for a period once no offer runs.
        func prices() async throws -> [Int64] {
            try await all { $0.plan.price.milliunits }
        }

        func renewals() async throws -> [Int] { try await all(\.renewalCount) }

        func ends() async throws -> [String] { try await all { World.text($0.newestPeriod.end) } }

        private func all<Value>(_ value: (Subscription) -> Value) async throws -> [Value] {
            var values: [Value] = []
            for id in ids { values.append(value(try await world.store.subscription(id).1)) }
            return values
        }

        func changes() async throws -> [ScheduledPrice] {
            try await world.store.scheduledPrices(
                product: "silver.monthly", limit: 10, bundleID: World.bundleID)
        }

        func order() async throws -> MassExtension {
            try #require(
                try await world.store.massExtensions(before: nil, limit: 1, in: .production).first
            ).0
        }
    }

    @Test(
        "A purchase is at the new price while others still wait for it",
        arguments: Backend.available)
    func price(_ backend: Backend) async throws {
        let scene = try await Scene(backend)
        try await scene.world.schedule("silver.monthly", 7_990, live: "2026-01-20")
        scene.wait(until: "2026-01-21")
        let zoe = try await scene.world.device("zoe")
        let id = try await scene.world.store.buy(
            PurchaseRequest(productID: "silver.monthly"), by: zoe)
        #expect(id.signedTransaction != nil)
        #expect(try await scene.prices() == [9_990, 9_990, 9_990])
        try await scene.sweep()
        // Bob is second, and changes something before his turn.
        try await scene.world.store.change(
            subscription: scene.ids[1], [.renewal(isOn: false)], by: scene.devices[1])
        #expect(try await scene.prices() == [7_990, 7_990, 9_990])
        #expect(try await scene.changes().map(\.state) == [.going])
        try await scene.world.store.settle()
        #expect(try await scene.prices() == [7_990, 7_990, 7_990])
        #expect(try await scene.changes().map(\.subscribers) == [3])
        #expect(
            try await scene.world.store.priceCohorts(
                product: "silver.monthly", bundleID: World.bundleID
            ).map { [$0.price, $0.subscribers] } == [[7_990, 4]])
    }

    @Test(
        "Who subscribes or changes plans once a price is live is not reached by it",
        arguments: Backend.available)
    func after(_ backend: Backend) async throws {
        let scene = try await Scene(backend)
        try await scene.world.schedule("gold.monthly", 29_990, live: "2026-01-20", .apply)
        scene.wait(until: "2026-01-21")
        try await scene.sweep()
        // At the price of today, and at once: an increase has nothing to ask of it.
        _ = try await scene.world.store.purchase(
            PurchaseRequest(productID: "gold.monthly"), by: scene.devices[2])
        try await scene.world.store.settle()
        let eve = try await scene.world.store.subscription(scene.ids[2]).1
        #expect(eve.plan.price.milliunits == 29_990)
        #expect(eve.increases.isEmpty)
    }

    @Test(
        "A mass extension extends who is in a hurry first, and everybody once",
        arguments: Backend.available)
    func massExtension(_ backend: Backend) async throws {
        let scene = try await Scene(backend)
        let store = scene.world.store
        scene.wait(until: "2026-02-10")
        try await store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly",
                request: try ExtensionRequest(days: 10, reasonCode: 3), requestIdentifier: nil),
            for: scene.world.caller())
        scene.wait(until: "2026-03-01")
        _ = try await store.purchase(
            PurchaseRequest(productID: "coins"), by: scene.devices[1])
        // The extension comes first, then the renewal on its new day.
        #expect(try await scene.ends() == ["2026-02-15", "2026-03-25", "2026-02-15"])
        #expect([try await scene.order().succeeded, try await scene.order().candidates] == [1, 3])
        try await store.settle()
        #expect(try await scene.ends() == ["2026-03-25", "2026-03-25", "2026-03-25"])
        #expect(try await scene.order().succeeded == 3)
        #expect(try await scene.order().completed != nil)
    }

    @Test(
        "A refund that a policy is to decide holds up nobody but its customer's own",
        arguments: Backend.available)
    func refund(_ backend: Backend) async throws {
        let scene = try await Scene(backend)
        let store = scene.world.store
        scene.wait(until: "2026-02-14T18:00:00Z")
        try await store.requestRefund(
            transaction: scene.ids[0], .other, by: scene.devices[0])
        scene.wait(until: "2026-02-20")
        _ = try await store.purchase(PurchaseRequest(productID: "coins"), by: scene.devices[0])
        // Renewal went off with the request, so the period was over when it was decided.
        let decided = try await store.refundRequests(
            .granted, before: nil, limit: 10, in: .production)
        #expect(decided.map { $0.request.decided } == [World.instant("2026-02-15T06:00:00Z")])
        #expect(try await scene.renewals() == [0, 0, 0])
        try await store.settle()
        #expect(try await scene.renewals() == [0, 1, 1])
    }

    @Test(
        "The operator schedules the next price while one is on its way",
        arguments: Backend.available)
    func operatorGoesOn(_ backend: Backend) async throws {
        let scene = try await Scene(backend)
        try await scene.world.schedule("silver.monthly", 7_990, live: "2026-01-20")
        scene.wait(until: "2026-01-21")
        try await scene.world.schedule("silver.monthly", 6_990, live: "2026-01-21")
        #expect(try await scene.changes().map(\.state) == [.scheduled, .going])
        try await scene.world.store.settle()
        #expect(try await scene.prices() == [6_990, 6_990, 6_990])
        #expect(try await scene.changes().map(\.subscribers) == [3, 3])
    }

    @Test(
        "A refused command brings nobody ahead of a job", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let scene = try await Scene(backend)
        try await scene.world.schedule("silver.monthly", 7_990, live: "2026-01-20")
        scene.wait(until: "2026-01-21")
        try await scene.sweep()
        let before = try await Tables(scene.world.database)
        await #expect(throws: StoreError.refused(.alreadySubscribed)) {
            _ = try await scene.world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: scene.devices[2])
        }
        #expect(try await Tables(scene.world.database).differences(from: before) == [])
    }

    @Test(
        "Jobs, and customers ahead of them, find their subscriptions by an index",
        arguments: [Backend.sqlite])
    func indexes(_ backend: Backend) async throws {
        let plans = Plans(try await backend.makeDatabase())
        let world = try await World(database: plans, at: "2026-01-15", batchSize: 1)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        plans.watch()
        try await world.schedule("silver.monthly", 7_990, live: "2026-01-15")
        try await world.store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly",
                request: try ExtensionRequest(days: 10, reasonCode: 3), requestIdentifier: nil),
            for: world.caller())
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        try await world.store.settle()
        #expect(plans.scans == [])
    }
}
