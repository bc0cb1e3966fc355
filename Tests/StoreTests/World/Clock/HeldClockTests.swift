import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("A machine's clock that goes wrong")
struct HeldClockTests {
    @Test(
        "The world holds until the machine's clock has caught up, and forgets nothing",
        arguments: Backend.available, [StoreClock.Mode.system, .running])
    func setBack(_ backend: Backend, _ mode: StoreClock.Mode) async throws {
        let machine = ManualClock(World.instant("2026-05-05"))
        let world = try await World(
            backend, at: "2026-05-05", mode: mode, machine: machine)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        #expect(try await world.store.clockReading().hold == nil)
        machine.set(World.instant("2025-05-05"))
        for account in ["bob", "eve"] {
            let held = try await world.store.clockReading()
            #expect(held.now == World.instant("2026-05-05"))
            #expect(held.hold == .machineIsBehind(.days(365)))
            #expect(try await world.store.now() == World.instant("2026-05-05"))
            // What is bought meanwhile is not older than what was bought before.
            let device = try await world.device(account)
            let id = try await world.subscribe("silver.monthly", by: device)
            #expect(try await world.store.subscription(id).1.newestPeriod.start == held.now)
        }
        _ = world.listener.takeArrivals()
        try await world.settle(telling: [])
        // Another process on the same database holds as well.
        let again = try await World(database: world.database, mode: mode, machine: machine)
        #expect(try await again.store.now() == World.instant("2026-05-05"))
        machine.set(World.instant("2026-05-13"))
        #expect(try await world.store.clockReading().hold == nil)
        try await world.settle(
            telling: ["2026-05-12 DID_RENEW 1 bronze.weekly 0.99 until 2026-05-19"])
    }

    @Test(
        "A held clock that can be moved is moved from where it stands",
        arguments: Backend.available)
    func movesOn(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-05-05"))
        let world = try await World(
            backend, at: "2026-05-05", mode: .running, machine: machine)
        _ = try await world.subscribe("bronze.weekly", by: try await world.device())
        machine.set(World.instant("2020-01-01"))
        await #expect(throws: StoreError.clock(.wouldGoBack(World.instant("2026-05-05")))) {
            try await world.store.advance(to: World.instant("2026-05-04"))
        }
        _ = world.listener.takeArrivals()
        try await world.advance(
            to: "2026-05-13",
            telling: ["2026-05-12 DID_RENEW 1 bronze.weekly 0.99 until 2026-05-19"])
        machine.set(World.instant("2020-01-02"))
        #expect(try await world.store.now() == World.instant("2026-05-14"))
    }

    @Test(
        "Beyond 2000 to 2099 the clock holds at the limit, and everything answers",
        arguments: Backend.available, [StoreClock.Mode.system, .running])
    func limits(_ backend: Backend, _ mode: StoreClock.Mode) async throws {
        let machine = ManualClock(World.instant("1999-12-31T23:59:00Z"))
        let world = try await World(
            backend, at: "1999-12-31T23:59:00Z", mode: mode, machine: machine)
        #expect(try await world.store.now() == .earliest)
        #expect(try await world.store.clockReading().hold == .machineIsBehind(.minutes(1)))
        let ada = try await world.device()
        let id = try await world.subscribe("silver.yearly", by: ada)
        #expect(try await world.store.subscription(id).1.newestPeriod.start == .earliest)
        machine.set(World.instant("2226-01-01"))
        let last = Instant.latest - Span(milliseconds: 1)
        let reading = try await world.store.clockReading()
        #expect(reading.now == last)
        #expect(reading.hold == .rangeHasEnded)
        try await world.store.settle()
        #expect(try await world.store.subscription(id).1.newestPeriod.end > last)
        _ = try await world.subscribe("silver.monthly", by: try await world.device("bob"))
        #expect(try await world.store.clockReading().nextEvent == nil)
    }

    @Test("A new frozen world begins within the limits, whatever the machine's clock shows")
    func frozen() async throws {
        let machine = World.instant("1970-01-01")
        let clock = StoreClock(.frozen, showing: nil, machine: machine)
        #expect(clock == StoreClock(.frozen, showing: .earliest, machine: machine))
    }
}
