import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("The clock")
struct ClockTests {
    private static let start = World.instant("2026-01-01")

    @Test("A frozen clock stands still until it is moved", arguments: Backend.available)
    func frozen(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2030-05-05"))
        let world = try await World(backend, mode: .frozen, machine: machine)
        machine.set(World.instant("2031-05-05"))
        #expect(try await world.store.clockReading().now == Self.start)
        try await world.advance(to: "2026-02-01", telling: [])
        let reading = try await world.store.clockReading()
        #expect(reading.now == World.instant("2026-02-01"))
        #expect(reading.mode == .frozen)
        #expect(reading.nextEvent == nil)
    }

    @Test("A running clock goes on by itself and can be moved ahead", arguments: Backend.available)
    func running(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2030-05-05"))
        let world = try await World(backend, mode: .running, machine: machine)
        #expect(try await world.store.clockReading().now == Self.start)
        machine.set(World.instant("2030-05-06"))
        #expect(try await world.store.clockReading().now == World.instant("2026-01-02"))
        let ada = try await world.device()
        try await world.buy(
            "bronze.weekly", by: ada,
            telling: ["2026-01-02 SUBSCRIBED/INITIAL_BUY 1 bronze.weekly 0.99 until 2026-01-09"])
        try await world.advance(
            to: "2026-01-10",
            telling: ["2026-01-09 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-16"])
        machine.set(World.instant("2030-05-07"))
        let reading = try await world.store.clockReading()
        #expect(reading.now == World.instant("2026-01-11"))
        #expect(reading.nextEvent == World.instant("2026-01-16"))
    }

    @Test("A system clock is the machine's and cannot be moved", arguments: Backend.available)
    func system(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-05-05"))
        let world = try await World(backend, mode: .system, machine: machine)
        #expect(try await world.store.clockReading().now == machine.now)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.clock(.isSystem)) {
            try await world.store.advance(to: World.instant("2027-01-01"))
        }
        #expect(try await Tables(world.database) == before)
        machine.set(World.instant("2026-05-20"))
        try await world.settle(
            telling: [
                "2026-05-12 DID_RENEW 1 bronze.weekly 0.99 until 2026-05-19",
                "2026-05-19 DID_RENEW 1 bronze.weekly 0.99 until 2026-05-26",
            ])
    }

    @Test("The clock never goes back, and not beyond 2100", arguments: Backend.available)
    func limits(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        let yesterday = Self.start - Span(milliseconds: 1)
        await #expect(throws: StoreError.clock(.wouldGoBack(Self.start))) {
            try await world.store.advance(to: yesterday)
        }
        for target in [Instant.latest, Instant.latest + .days(365), Instant(milliseconds: .max)] {
            await #expect(throws: StoreError.clock(.outOfRange(target))) {
                try await world.store.advance(to: target)
            }
        }
        #expect(try await Tables(world.database) == before)
        #expect(try await world.store.advance(to: Self.start).changes == 0)
        let last = Instant(milliseconds: Instant.latest.milliseconds - 1)
        #expect(try await world.store.advance(to: last).now == last)
    }

    @Test(
        "Many small steps leave the same rows as one large step", arguments: Backend.available,
        [true, false])
    func smallSteps(_ backend: Backend, _ isListening: Bool) async throws {
        func life(stepping hours: Int) async throws -> Tables {
            let world = try await World(backend, isListening: isListening) {
                $0.gracePeriod = .threeDays
            }
            for (number, product) in ["bronze.weekly", "silver.trial", "silver.monthly"]
                .enumerated()
            {
                let device = try await world.device("customer\(number)")
                _ = try await world.subscribe(product, by: device)
                try await world.pays(
                    .declines(until: nil, left: 2 + number), account: "customer\(number)")
                _ = try await world.store.advance(to: Self.start + .hours(7 * (number + 1)))
                _ = world.listener.takeArrivals()
            }
            world.listener.answer([.timedOut, .timedOut])
            var now = try await world.store.clockReading().now
            let end = World.instant("2026-02-20")
            while now < end {
                now = min(end, now + .hours(hours))
                _ = try await world.store.advance(to: now)
            }
            return try await Tables.comparable(world.database)
        }
        let large = try await life(stepping: 24 * 365)
        let small = try await life(stepping: 11)
        #expect(small.differences(from: large) == [])
        #expect(small.counts == large.counts)
        #expect(large.counts["store_transaction"]! > 8)
    }

    @Test("Advances that come together take turns", arguments: Backend.available)
    func concurrentAdvances(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        let target = World.instant("2026-03-01")
        let changes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...10 {
                group.addTask { try await world.store.advance(to: target).changes }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Eight weeks, in whoever's turn came first.
        #expect(changes.sorted() == Array(repeating: 0, count: 9) + [8])
        #expect(
            world.listener.takeArrivals().map(\.name) == Array(repeating: "DID_RENEW", count: 8))
    }

    @Test("An advance reports what happened on the way", arguments: Backend.available)
    func progress(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        let target = World.instant("2026-02-01")
        let advance = try await world.store.advance(to: target)
        #expect(advance.now == target)
        #expect(advance.changes == 4)
    }

    @Test("A world that is opened again goes on with its own clock", arguments: Backend.available)
    func reopened(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-07"))
        let again = try await World(database: world.database, at: "2028-01-01", mode: .running)
        let reading = try await again.store.clockReading()
        #expect(reading.now == World.instant("2026-01-07"))
        #expect(reading.mode == .frozen)
        #expect(reading.nextEvent == World.instant("2026-01-08"))
        try await again.advance(
            to: "2026-01-08",
            telling: ["2026-01-08 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-15"])
    }
}
