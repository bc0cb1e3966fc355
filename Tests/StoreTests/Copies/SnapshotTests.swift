import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Snapshots")
struct SnapshotTests {
    @Test(
        "A snapshot is listed with its moment and its size, until it is removed",
        arguments: Backend.available)
    func listed(_ backend: Backend) async throws {
        let world = try await World(backend)
        #expect(try await world.store.snapshots().isEmpty)
        let made = try await world.store.snapshot("b-one")
        #expect(made.name == "b-one")
        #expect(made.copied == World.instant("2026-01-01"))
        #expect(made.size > 0)
        try await world.advance(to: "2026-03-01", expecting: [])
        try await world.store.snapshot("a-two")
        let all = try await world.store.snapshots()
        #expect(all.map(\.name) == ["a-two", "b-one"])
        #expect(all.map(\.copied) == [World.instant("2026-03-01"), World.instant("2026-01-01")])
        #expect(world.store.copyUnderWay == nil)
        try await world.store.removeSnapshot("b-one")
        #expect(try await world.store.snapshots().map(\.name) == ["a-two"])
        #expect(try await world.store.forks().isEmpty)
    }

    @Test(
        "What is no name is refused, and nothing is made", arguments: Backend.available,
        ["", "A", "1a", "a b", "../a", "a.b", "a_b", String(repeating: "a", count: 33), "ä"])
    func badName(_ backend: Backend, _ name: String) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        for make in [
            { _ = try await world.store.snapshot(name) }, { _ = try await world.store.fork(name) },
        ] as [@Sendable () async throws -> Void] {
            await #expect {
                try await make()
            } throws: { error in
                guard case StoreError.setting(.invalid("name", _)) = error else { return false }
                return true
            }
        }
        await #expect(throws: StoreError.unknown(.snapshot, name)) {
            try await world.store.removeSnapshot(name)
        }
        await #expect(throws: StoreError.unknown(.snapshot, name)) {
            try await world.store.rewind(to: name)
        }
        await #expect(throws: StoreError.unknown(.fork, name)) {
            try await world.store.removeFork(name)
        }
        #expect(try await world.store.snapshots().isEmpty)
        #expect(try await world.store.forks().isEmpty)
        #expect(try await Tables(world.database) == before)
    }

    @Test("A name that is taken stays whose it is", arguments: Backend.available)
    func taken(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.store.snapshot("one")
        try await world.store.fork("one")
        try await world.advance(to: "2026-03-01", expecting: [])
        await #expect(throws: StoreError.copy(.exists(.snapshot, "one"))) {
            try await world.store.snapshot("one")
        }
        await #expect(throws: StoreError.copy(.exists(.fork, "one"))) {
            try await world.store.fork("one")
        }
        #expect(try await world.store.snapshots().map(\.copied) == [World.instant("2026-01-01")])
        // Of several at once one is made.
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<5 {
                group.addTask { (try? await world.store.snapshot("two")) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(outcomes == 1)
    }

    @Test("Copying changes nothing but the copies", arguments: Backend.available)
    func untouched(_ backend: Backend) async throws {
        let world = try await World(backend)
        _ = try await world.subscribe("silver.monthly", by: world.device())
        let before = try await Tables(world.database)
        try await world.store.snapshot("one")
        try await world.store.fork("two")
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "A copy made while sixteen buy and the year goes by has nothing wrong",
        arguments: Backend.available)
    func whileBusy(_ backend: Backend) async throws {
        let world = try await World(
            database: try await backend.makeDatabase(connections: 6), isListening: false)
        let devices = try await withThrowingTaskGroup(of: DeviceSession.self) { group in
            for number in 0..<16 { group.addTask { try await world.device("customer\(number)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    while !Task.isCancelled {
                        _ = try? await world.store.purchase(
                            PurchaseRequest(productID: "silver.monthly"), by: device)
                        _ = try? await world.store.purchase(
                            PurchaseRequest(productID: "coins"), by: device)
                    }
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    _ = try? await world.store.advance(by: CalendarStep(iso8601: "P1M")!)
                    await Task.yield()
                }
            }
            for number in 0..<5 { try await world.store.fork("fork\(number)") }
            group.cancelAll()
        }
        for number in 0..<5 {
            let fork = try await World(database: try await world.store.openFork("fork\(number)"))
            try await fork.check()
            await fork.database.close()
        }
        try await world.check()
    }
}
