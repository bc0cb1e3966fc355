import AppStoreWire
import Storage
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing
import TimeAndChance

@Suite("Putting a world back")
struct RewindTests {
    @Test(
        "A world that was put back has its rows of then, and its clock",
        arguments: Backend.available)
    func back(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = try await world.subscribe("silver.monthly", by: world.device())
        let before = try await Tables(world.database)
        try await world.store.snapshot("before")
        _ = try await world.store.advance(to: World.instant("2026-06-15"))
        _ = try await world.subscribe("silver.monthly", by: world.device("bob"))
        _ = world.listener.takeArrivals()
        try await world.store.rewind(to: "before")
        #expect(try await world.store.now() == World.instant("2026-01-01"))
        let after = try await Tables(world.database)
        #expect(after.differences(from: before, besides: ["world"]).isEmpty)
        #expect(try await world.history("\(id)").count == 1)
        await #expect(throws: StoreError.unknown(.account, "bob")) {
            _ = try await world.store.customer(account: "bob", in: .production)
        }
        // The same half year again.
        try await world.advance(to: "2026-02-15", expecting: ["DID_RENEW"])
        try await world.check()
        // And again, since the snapshot stays.
        try await world.store.rewind(to: "before")
        #expect(try await world.store.now() == World.instant("2026-01-01"))
        try await world.check()
    }

    @Test("What was given out once is never given out again", arguments: Backend.available)
    func numbers(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.store.snapshot("before")
        var transactions: Set<String> = []
        var notifications: Set<String> = []
        for round in 1...3 {
            let device = try await world.device()
            for product in ["silver.monthly", "coins", "coins"] {
                let signed = try await world.store.purchase(
                    PurchaseRequest(productID: product), by: device)
                let transaction: JWSTransactionDecodedPayload = try JWSText.decode(
                    try #require(signed))
                transactions.insert(transaction.transactionId)
            }
            _ = try await world.store.advance(to: World.instant("2026-03-15"))
            for arrival in world.listener.takeArrivals() {
                notifications.insert(arrival.notification.notificationUUID)
                if let transaction = arrival.transaction {
                    transactions.insert(transaction.transactionId)
                }
            }
            #expect(transactions.count == 5 * round)
            #expect(notifications.count == 5 * round)
            try await world.store.rewind(to: "before")
        }
    }

    @Test("What was remembered of the other world is forgotten", arguments: Backend.available)
    func caches(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.smallBusiness = true }
        let device = try await world.device()
        try await world.store.snapshot("before")
        try await world.store.configure(bundleID: World.bundleID) { $0.name = "Renamed" }
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: device)
        #expect(try await world.store.smallBusinessStanding().proceedsThisYear > 0)
        #expect(try await world.store.app(bundleID: World.bundleID).settings.name == "Renamed")
        try await world.store.rewind(to: "before")
        #expect(try await world.store.app(bundleID: World.bundleID).settings.name == "App")
        #expect(try await world.store.smallBusinessStanding().proceedsThisYear == 0)
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: device)
        #expect(try await world.store.smallBusinessStanding().proceedsThisYear > 0)
    }

    @Test("Another process sees it with its next look")
    func otherProcess() async throws {
        guard Backend.available.contains(.postgres) else { return }
        let (url, database) = try await Backend.makeServed()
        let world = try await World(database: database, isListening: false) {
            $0.smallBusiness = true
        }
        let other = try await World.join(try Backend.join(url), as: "other")
        try await other.beat()
        let device = try await world.device()
        try await world.store.snapshot("before")
        _ = try await other.purchase(PurchaseRequest(productID: "coins"), by: device)
        #expect(try await other.smallBusinessStanding().proceedsThisYear > 0)
        try await other.configure(bundleID: World.bundleID) { $0.name = "Renamed" }
        try await world.store.rewind(to: "before")
        #expect(try await other.app(bundleID: World.bundleID).settings.name == "App")
        #expect(try await other.smallBusinessStanding().proceedsThisYear == 0)
        _ = try await other.purchase(PurchaseRequest(productID: "coins"), by: device)
        // Who serves the world is none of what comes back.
        #expect(try await world.store.processes().map(\.name) == ["other"])
        try await world.check()
    }

    @Test("A running clock goes on from the moment of the snapshot", arguments: Backend.available)
    func running(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-15"))
        let world = try await World(backend, at: "2030-01-01", mode: .running, machine: machine)
        try await world.store.snapshot("before")
        _ = try await world.store.advance(to: World.instant("2031-01-01"))
        machine.set(World.instant("2026-02-15"))
        try await world.store.rewind(to: "before")
        #expect(try await world.store.now() == World.instant("2030-01-01"))
        machine.set(World.instant("2026-02-16"))
        #expect(try await world.store.now() == World.instant("2030-01-02"))
    }

    @Test(
        "A system clock does not go back: what was due meanwhile happens",
        arguments: Backend.available)
    func system(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-15"))
        let world = try await World(backend, mode: .system, machine: machine)
        let id = try await world.subscribe("silver.monthly", by: world.device())
        try await world.store.snapshot("before")
        machine.set(World.instant("2026-03-20"))
        try await world.settle(expecting: ["DID_RENEW", "DID_RENEW"])
        try await world.store.rewind(to: "before")
        #expect(try await world.store.now() == World.instant("2026-03-20"))
        #expect(try await world.history("\(id)").count == 1)
        try await world.settle(expecting: ["DID_RENEW", "DID_RENEW"])
        try await world.check()
    }

    @Test("What is said of the world itself stays", arguments: Backend.available)
    func itself(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.store.snapshot("loud")
        try await world.store.setDelivering(false)
        try await world.store.rewind(to: "loud")
        #expect(try await standing(world) == "delivers false, fork false")
        try await world.store.fork("trial")
        let fork = try await World(database: try await world.store.openFork("trial"))
        try await fork.store.snapshot("here")
        _ = try await fork.store.advance(to: World.instant("2026-06-15"))
        try await fork.store.rewind(to: "here")
        #expect(try await standing(fork) == "delivers false, fork true")
        #expect(try await world.store.forks().map(\.copied) == [World.instant("2026-01-01")])
        await fork.database.close()
    }

    @Test("What cannot be put back is refused, and nothing changes", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let live = try await BankWorld(backend)
        try await live.world.store.snapshot("before")
        _ = try await live.world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: live.ada())
        let before = try await Tables(live.world.database)
        await #expect(throws: StoreError.copy(.hasOutsideBank)) {
            try await live.world.store.rewind(to: "before")
        }
        #expect(try await Tables(live.world.database) == before)

        let world = try await World(backend)
        try await world.store.fork("only-a-fork")
        let rows = try await Tables(world.database)
        await #expect(throws: StoreError.unknown(.snapshot, "only-a-fork")) {
            try await world.store.rewind(to: "only-a-fork")
        }
        #expect(try await Tables(world.database) == rows)
    }

    @Test(
        "A snapshot of a later version is refused, and nothing changes",
        arguments: Backend.available)
    func later(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.store.snapshot("before")
        let copy = try await world.database.copies.open(CopyPlace(.snapshot, "before")!)
        try await copy.write {
            try $0.execute(
                "INSERT INTO migration (name, applied_order) VALUES ('9999 later', 9999)")
        }
        await copy.close()
        _ = try await world.store.advance(to: World.instant("2026-06-15"))
        let before = try await Tables(world.database)
        await #expect {
            try await world.store.rewind(to: "before")
        } throws: { ($0 as? StorageError)?.code == .newerSchema }
        #expect(try await Tables(world.database) == before)
    }

    @Test("What another process is delivering is waited for", arguments: Backend.available)
    func delivering(_ backend: Backend) async throws {
        let world = try await World(backend)
        let other = try await World(
            database: world.database, processName: "other", claimTime: .minutes(10))
        try await world.store.snapshot("before")
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins"), by: world.device())
        let gate = Gate()
        other.listener.onArrival { _ in await gate.wait() }
        let delivering = Task { try await other.store.settle() }
        await other.listener.waitForArrivals(1)
        try await world.store.beat()
        let isBack = Mutex(false)
        let rewinding = Task {
            try await world.store.rewind(to: "before")
            isBack.withLock { $0 = true }
        }
        while !isBack.withLock({ $0 }) {
            if try await world.store.processes().contains(where: \.movesClock) { break }
            await Task.yield()
        }
        await SystemTime.wait(.milliseconds(500))
        #expect(!isBack.withLock { $0 })
        gate.open()
        _ = try await delivering.value
        try await rewinding.value
        #expect(world.listener.arrivals.isEmpty)
        try await world.check()
    }

    @Test("Sixteen who buy meanwhile buy in one world or the other", arguments: Backend.available)
    func busy(_ backend: Backend) async throws {
        let world = try await World(
            database: try await backend.makeDatabase(connections: 6), isListening: true)
        let devices = try await withThrowingTaskGroup(of: DeviceSession.self) { group in
            for number in 0..<16 { group.addTask { try await world.device("customer\(number)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await world.store.snapshot("before")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    while !Task.isCancelled {
                        _ = try await world.store.purchase(
                            PurchaseRequest(productID: "coins"), by: device)
                    }
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    try await world.store.settle()
                    await Task.yield()
                }
            }
            for _ in 0..<2 { try await world.store.rewind(to: "before") }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
        try await world.check()
        let uuids = world.listener.takeArrivals().map(\.notification.notificationUUID)
        #expect(Set(uuids).count == uuids.count)
    }
}
