import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("On demand: stepping")
struct StepTests {
    private static let bought =
        "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"

    @Test("A step goes to the next event and no further", arguments: Backend.available)
    func steps(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        try await world.buy("silver.monthly", by: ada, telling: [Self.bought])
        try await world.buy(
            "bronze.weekly", by: bea,
            telling: ["2026-01-01 SUBSCRIBED/INITIAL_BUY 1 bronze.weekly 0.99 until 2026-01-08"])
        for (now, told) in [
            ("2026-01-08", "2026-01-08 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-15"),
            ("2026-01-15", "2026-01-15 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-22"),
            ("2026-01-22", "2026-01-22 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-29"),
            ("2026-01-29", "2026-01-29 DID_RENEW 1 bronze.weekly 0.99 until 2026-02-05"),
            ("2026-02-01", "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"),
        ] {
            #expect(
                try await world.store.step().line
                    == "\(now): 1, 1")
            #expect(world.listener.takeArrivals().map(\.line) == [told])
        }
        #expect(
            try await world.ledger() == ["2026-01-01 +9.99", "2026-02-01 +9.99"])
    }

    @Test("Several steps are as many single ones", arguments: Backend.available)
    func several(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.buy("silver.monthly", by: ada, telling: [Self.bought])
        let steps = try await world.store.step(12)
        #expect(
            steps.line
                == "2027-01-01: 12, 12")
        #expect(
            world.listener.takeArrivals().map(\.name) == Array(repeating: "DID_RENEW", count: 12))
    }

    @Test(
        "What is due at the same moment is one step, and so is a retry of a notification",
        arguments: Backend.available)
    func moments(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        world.listener.answer([.timedOut])
        try await world.buy("silver.monthly", by: ada, telling: [Self.bought])
        try await world.buy("silver.monthly", by: bea, telling: [Self.bought])
        #expect(
            try await world.store.step().line
                == "2026-01-01 01:00: 1, 0")
        #expect(world.listener.takeArrivals().map(\.line) == [Self.bought])
        #expect(
            try await world.store.step().line
                == "2026-02-01: 1, 2")
        #expect(world.listener.takeArrivals().map(\.name) == ["DID_RENEW", "DID_RENEW"])
    }

    @Test(
        "What is due already happens before the first step, and is none",
        arguments: Backend.available)
    func overdue(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        // Nobody has carried the notification out yet.
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        #expect(
            try await world.store.step().line
                == "2026-02-01: 1, 1")
        #expect(
            world.listener.takeArrivals().map(\.line) == [
                Self.bought, "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01",
            ])
    }

    @Test("It ends where nothing is ahead any more", arguments: Backend.available)
    func ends(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.change(
            id, .renewal(isOn: false), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED \
                1 silver.monthly 9.99 until 2026-02-01
                """
            ])
        #expect(
            try await world.store.step(5).line
                == "2026-02-01: 1, 1")
        #expect(world.listener.takeArrivals().map(\.name) == ["EXPIRED/VOLUNTARY"])
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.clock(.nothingAhead(World.instant("2026-02-01")))) {
            try await world.store.step()
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("Without a listener a step does the same to the store", arguments: Backend.available)
    func unheard(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        #expect(
            try await world.store.step(2).line
                == "2026-03-01: 2, 2")
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-01 9.99"])
    }

    @Test("A system clock is not stepped", arguments: Backend.available)
    func system(_ backend: Backend) async throws {
        let world = try await World(backend, mode: .system)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.clock(.isSystem)) { try await world.store.step() }
        #expect(try await Tables(world.database) == before)
    }

    @Test("A running clock is stepped, and runs on from there", arguments: Backend.available)
    func running(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2025-06-01"))
        let world = try await World(backend, mode: .running, machine: machine)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        #expect(try await world.store.step().now == World.instant("2026-02-01"))
        machine.set(World.instant("2025-06-02"))
        #expect(try await world.store.clockReading().now == World.instant("2026-02-02"))
    }

    @Test("The end of the clock's range is no step", arguments: Backend.available)
    func lastYear(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2099-06-01T00:00:00Z")
        let ada = try await world.device()
        _ = try await world.subscribe("silver.yearly", by: ada)
        await #expect(throws: StoreError.clock(.nothingAhead(World.instant("2099-06-01")))) {
            try await world.store.step()
        }
    }
}

extension Steps {
    /// `2026-01-08: 1, 2`: what the clock shows, how many steps and how many changes there were.
    fileprivate var line: String { "\(World.text(now)): \(count), \(changes)" }
}
