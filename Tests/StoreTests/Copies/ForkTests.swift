import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Forks")
struct ForkTests {
    /// Forks a world and opens the copy, at the same machine's moment or another one.
    private func fork(
        _ world: World, _ name: String = "trial", delivers: Bool = false,
        machine: ManualClock? = nil, bank: (any Bank)? = nil
    ) async throws -> World {
        let made = try await world.store.fork(name, delivers: delivers)
        #expect(made.isDelivering == delivers)
        return try await World(
            database: try await world.store.openFork(name), machine: machine, bank: bank)
    }

    @Test(
        "A year on a fork leaves the original's rows as they were, and gives the same rows there",
        arguments: Backend.available)
    func apart(_ backend: Backend) async throws {
        let world = try await World(backend)
        let device = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: device)
        let before = try await Tables(world.database)
        let fork = try await fork(world, delivers: true)
        _ = try await fork.store.advance(to: World.instant("2027-01-01"))
        // The same customer, signed in as before.
        _ = try await fork.store.purchase(PurchaseRequest(productID: "coins"), by: device)
        #expect(try await fork.history("\(id)").count == 14)
        #expect(try await Tables(world.database) == before)
        #expect(world.listener.takeArrivals().isEmpty)
        let renewals = fork.listener.takeArrivals().count { $0.name == "DID_RENEW" }
        #expect(renewals == 12)
        _ = try await world.store.advance(to: World.instant("2027-01-01"))
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: device)
        let differences = try await Tables(world.database).differences(
            from: Tables(fork.database), besides: ["world"])
        #expect(differences.isEmpty)
        try await fork.check()
        await fork.database.close()
    }

    @Test(
        "A fork posts nothing and loses nothing: all is in its log, and goes out once it may",
        arguments: Backend.available)
    func silent(_ backend: Backend) async throws {
        let world = try await World(backend)
        _ = try await world.subscribe("silver.monthly", by: world.device())
        let fork = try await fork(world)
        #expect(try await standing(fork) == "delivers false, fork true")
        _ = try await fork.store.advance(to: World.instant("2026-04-15"))
        #expect(fork.listener.takeArrivals().isEmpty)
        // It stands at what happens next, and not at what cannot go out.
        #expect(try await fork.store.clockReading().nextEvent == World.instant("2026-05-01"))
        let waiting = try await Tables(fork.database).counts["notification"]
        #expect(try await Tables(fork.database).counts["notification_attempt"] == 1)
        try await fork.store.settle()
        #expect(fork.listener.takeArrivals().isEmpty)

        try await fork.store.setDelivering(true)
        try await fork.settle(expecting: ["DID_RENEW", "DID_RENEW", "DID_RENEW"])
        #expect(try await Tables(fork.database).counts["notification"] == waiting)
        try await fork.store.setDelivering(false)
        try await fork.advance(to: "2026-05-15", expecting: [])
        #expect(world.listener.takeArrivals().isEmpty)
        #expect(try await standing(world) == "delivers true, fork false")
        await fork.database.close()
    }

    @Test(
        "Deliveries can be switched off and on in a world that is no fork",
        arguments: Backend.available)
    func switched(_ backend: Backend) async throws {
        let world = try await World(backend)
        let device = try await world.device()
        try await world.store.setDelivering(false)
        try await world.buy("silver.monthly", by: device, expecting: [])
        try await world.advance(to: "2026-03-15", expecting: [])
        try await world.store.setDelivering(true)
        try await world.settle(
            expecting: ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_RENEW"])
        try await world.check()
    }

    @Test("The clock of a fork of a system world can be moved", arguments: Backend.available)
    func movable(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-15"))
        let world = try await World(backend, mode: .system, machine: machine)
        _ = try await world.subscribe("silver.monthly", by: world.device())
        machine.set(World.instant("2026-01-20"))
        let fork = try await fork(world, machine: machine)
        var reading = try await fork.store.clockReading()
        #expect(reading.mode == .running)
        #expect(reading.now == World.instant("2026-01-20"))
        try await fork.advance(to: "2026-06-01", expecting: [])
        // It goes on with the machine, from where it is.
        machine.set(World.instant("2026-01-21"))
        reading = try await fork.store.clockReading()
        #expect(reading.now == World.instant("2026-06-02"))
        let original = try await world.store.clockReading()
        #expect((original.mode, original.now) == (.system, World.instant("2026-01-21")))
        await #expect(throws: StoreError.clock(.isSystem)) {
            _ = try await world.store.advance(to: World.instant("2026-06-01"))
        }
        await fork.database.close()
    }

    @Test("A running or frozen clock goes on as it is", arguments: Backend.available)
    func otherClocks(_ backend: Backend) async throws {
        for mode in [StoreClock.Mode.running, .frozen] {
            let machine = ManualClock(World.instant("2026-01-15"))
            let world = try await World(
                backend, at: "2030-01-01", mode: mode, machine: machine)
            let fork = try await fork(world, machine: machine)
            let (one, other) = (
                try await world.store.clockReading(), try await fork.store.clockReading()
            )
            #expect((one.mode, one.now) == (other.mode, other.now))
            await fork.database.close()
        }
    }

    @Test("A fork of a fork is a world of its own", arguments: Backend.available)
    func nested(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = try await world.subscribe("silver.monthly", by: world.device())
        let outer = try await fork(world)
        try await outer.advance(to: "2026-02-15", expecting: [])
        let inner = try await fork(outer)
        try await inner.advance(to: "2026-03-15", expecting: [])
        #expect(try await world.history("\(id)").count == 1)
        #expect(try await outer.history("\(id)").count == 2)
        #expect(try await inner.history("\(id)").count == 3)
        #expect(try await world.store.forks().map(\.name) == ["trial"])
        #expect(try await outer.store.forks().map(\.copied) == [World.instant("2026-02-15")])
        for each in [inner, outer] {
            try await each.check()
            await each.database.close()
        }
        // What was made within goes with it.
        try await world.store.removeFork("trial")
        #expect(try await world.store.forks().isEmpty)
        await #expect(throws: StoreError.unknown(.fork, "trial")) {
            _ = try await world.store.openFork("trial")
        }
        let again = try await fork(world)
        #expect(try await again.store.forks().isEmpty)
        await again.database.close()
    }

    @Test(
        "A price increase and a mass extension are tried on a fork of what is live",
        arguments: Backend.available)
    func campaign(_ backend: Backend) async throws {
        let world = try await World(backend)
        for number in 1...5 {
            _ = try await world.subscribe("silver.monthly", by: world.device("customer\(number)"))
        }
        let before = try await Tables(world.database)
        let fork = try await fork(world)
        try await fork.store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly", storefronts: nil,
                request: try ExtensionRequest(days: 10, reasonCode: 3),
                requestIdentifier: "11111111-1111-4111-8111-111111111111"), for: fork.caller())
        _ = try await fork.store.advance(to: World.instant("2026-01-02"))
        let ends = try await fork.database.read { session in
            try session.rows("SELECT DISTINCT term_end FROM subscription").map { try $0.integer(0) }
        }
        #expect(ends == [World.instant("2026-02-11").milliseconds])
        #expect(try await Tables(world.database) == before)
        try await fork.check()
        await fork.database.close()
    }

    @Test("A fork never asks a bank outside of the store", arguments: Backend.available)
    func noBank(_ backend: Backend) async throws {
        let live = try await BankWorld(backend)
        _ = try await live.world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: live.ada())
        let asked = live.bank.requests.count
        #expect(asked > 0)
        // Told of the bank by mistake, and with its deliveries on.
        let fork = try await fork(
            live.world, delivers: true, machine: live.machine, bank: live.bank.client)
        _ = try await fork.store.purchase(
            PurchaseRequest(productID: "coins"), by: live.ada())
        live.machine.set(World.instant("2026-06-15"))
        _ = try await fork.store.settle()
        #expect(live.bank.requests.count == asked)
        await fork.database.close()
    }
}

/// What a world is, in words.
func standing(_ world: World) async throws -> String {
    let reading = try await world.store.worldReading()
    return "delivers \(reading.isDelivering), fork \(reading.isFork)"
}
