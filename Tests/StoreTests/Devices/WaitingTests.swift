import AppStoreWire
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing
import TimeAndChance

@testable import Store

private typealias World = TestSupport.World

@Suite("Waiting for what changes", .timeLimit(.minutes(15)))
struct WaitingTests {
    /// Waits until so many sleep, however long that takes.
    private static func untilAsleep(_ store: Store, _ count: Int = 1) async {
        while store.updateWatch.sleepers < count { await Task.yield() }
    }

    /// Time that never passes.
    @Sendable private static func forever(_: Duration) async {
        await withTaskCancellationHandler {
            while !Task.isCancelled { await Task.yield() }
        } onCancel: {
        }
    }

    /// Begins to wait behind everything that there is.
    private static func wait(
        _ world: World, _ device: DeviceSession, most: Int = 100,
        time: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) async throws -> (cursor: String, waiting: Task<DeviceUpdates, any Error>) {
        let cursor = try await world.store.updates(for: device, after: nil).cursor
        let waiting = Task {
            try await world.store.updates(
                for: device, after: cursor, waiting: .seconds(600), most: most, wait: time)
        }
        return (cursor, waiting)
    }

    @Test("Who waits is told once something changes", arguments: Backend.available)
    func told(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let tablet = try await world.device(named: "tablet")
        let (cursor, waiting) = try await Self.wait(world, phone)
        await Self.untilAsleep(world.store)
        // Nothing changed, and then somebody else did something.
        try await world.store.wakeWaiting()
        _ = try await world.buyOnce("coins", by: world.device("bob"))
        try await world.store.wakeWaiting()
        #expect(world.store.updateWatch.sleepers == 1)
        let id = try await world.buyOnce("lifetime", by: tablet)
        try await world.store.wakeWaiting()
        let updates = try await waiting.value
        #expect(updates.transactions.map(\.id) == [id])
        #expect(updates.cursor != cursor)
        #expect(world.store.updateWatch.count == 0)
    }

    @Test("What changed before is answered at once", arguments: Backend.available)
    func atOnce(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        _ = try await world.buyOnce("lifetime", by: ada)
        let updates = try await world.store.updates(
            for: ada, after: nil, waiting: .seconds(600), most: 1)
        #expect(updates.transactions.count == 1)
        #expect(world.store.updateWatch.count == 0)
    }

    @Test(
        "When the time is over the answer is empty, with the same cursor",
        arguments: Backend.available)
    func over(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        let (cursor, waiting) = try await Self.wait(world, ada) { patience in
            #expect(patience == .seconds(600))
        }
        let updates = try await waiting.value
        #expect(updates.isEmpty && updates.cursor == cursor)
        #expect(world.store.updateWatch.count == 0)
    }

    @Test("Who goes away leaves nothing behind", arguments: Backend.available)
    func gone(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        let (cursor, waiting) = try await Self.wait(world, ada)
        await Self.untilAsleep(world.store)
        waiting.cancel()
        let updates = try await waiting.value
        #expect(updates.isEmpty && updates.cursor == cursor)
        #expect(world.store.updateWatch.count == 0)
        // One that is gone before it slept as well.
        let (_, early) = try await Self.wait(world, ada, time: Self.forever)
        early.cancel()
        _ = try? await early.value
        #expect(world.store.updateWatch.count == 0)
    }

    @Test(
        "A fifth on one device is refused, and others where there are too many",
        arguments: Backend.available)
    func tooMany(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        var waiting: [Task<DeviceUpdates, any Error>] = []
        for count in 1...4 {
            waiting.append(try await Self.wait(world, ada).waiting)
            await Self.untilAsleep(world.store, count)
        }
        await #expect(throws: StoreError.request(.tooManyWaiting)) {
            try await Self.wait(world, ada).waiting.value
        }
        let bob = try await world.device("bob")
        let busy = await #expect(throws: StorageError.self) {
            try await Self.wait(world, bob, most: 4).waiting.value
        }
        #expect(busy?.code == .busy)
        // Who asks without waiting is not in the way, nor is the other environment.
        #expect(
            try await world.store.updates(
                for: ada, after: nil, waiting: .zero, most: 1
            ).isEmpty)
        let sandbox = try await world.device("bob", in: .sandbox)
        waiting.append(try await Self.wait(world, sandbox, most: 1).waiting)
        await Self.untilAsleep(world.store, 5)
        for task in waiting { task.cancel() }
        for task in waiting { _ = try await task.value }
        #expect(world.store.updateWatch.count == 0)
    }

    @Test("A device that was removed while it waited is told so", arguments: Backend.available)
    func removed(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let phone = try await world.device(named: "phone")
        let (_, waiting) = try await Self.wait(world, phone)
        await Self.untilAsleep(world.store)
        try await world.store.remove(
            device: world.numbers()["phone"]!, of: "ada", in: .production)
        _ = try await world.buyOnce("lifetime", by: world.device(named: "tablet"))
        try await world.store.wakeWaiting()
        await #expect(throws: StoreError.request(.signedOut)) { try await waiting.value }
    }

    @Test(
        "A thousand who wait cost one question a look, and one more when something changes",
        arguments: Backend.available)
    func thousand(_ backend: Backend) async throws {
        let log = StatementLog(try await backend.makeDatabase())
        let world = try await World(database: log, isListening: false)
        // Nobody waits, nobody asks.
        log.clear()
        try await world.store.wakeWaiting()
        #expect(log.reads == 0)
        var waiting: [Task<DeviceUpdates, any Error>] = []
        var devices: [DeviceSession] = []
        for number in 0..<250 { devices.append(try await world.device("customer\(number)")) }
        for device in devices {
            let cursor = try await world.store.updates(for: device, after: nil).cursor
            for _ in 1...4 {
                waiting.append(
                    Task {
                        try await world.store.updates(
                            for: device, after: cursor, waiting: .seconds(600), most: 1000)
                    })
            }
        }
        await Self.untilAsleep(world.store, 1000)
        try await world.store.wakeWaiting()
        log.clear()
        for _ in 1...10 { try await world.store.wakeWaiting() }
        // What other databases of the same server do looks like a change to PostgreSQL.
        #expect(backend == .sqlite ? log.reads == 10 : (10...20).contains(log.reads))
        _ = try await world.buyOnce("coins", by: devices[7])
        log.clear()
        try await world.store.wakeWaiting()
        #expect(log.reads <= 2 + 4)
        for place in 28..<32 {
            #expect(try await waiting[place].value.transactions.count == 1)
        }
        #expect(world.store.updateWatch.count == 996)
        for task in waiting { task.cancel() }
        for task in waiting { _ = try await task.value }
        #expect(world.store.updateWatch.count == 0)
    }

    @Test(
        "What another process does wakes those who wait here",
        .enabled(if: Backend.available.contains(.postgres), "there is no PostgreSQL server"))
    func otherProcess() async throws {
        let databases = try await Backend.makeShared(2)
        let here = try await World(database: databases[0], isListening: false)
        let there = try await World(
            database: databases[1], isListening: false, processName: "there")
        let ada = try await here.device()
        let (_, waiting) = try await Self.wait(here, ada)
        await Self.untilAsleep(here.store)
        try await here.store.wakeWaiting()
        let id = try await there.buyOnce("lifetime", by: ada)
        try await here.store.wakeWaiting()
        #expect(try await waiting.value.transactions.map(\.id) == [id])
    }

    @Test(
        "Who waits and asks in turn while sixteen buy sees each purchase once, in order",
        arguments: Backend.available)
    func once(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        let all = 16 * 10
        let looking = Task {
            while !Task.isCancelled {
                try await world.store.wakeWaiting()
                await Task.yield()
            }
        }
        async let buying: Void = withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<10 { _ = try await world.buyOnce("coins", by: ada) }
                }
            }
            try await group.waitForAll()
        }
        var seen: [Int64] = []
        var cursor: String?
        while seen.count < all {
            let updates = try await world.store.updates(
                for: ada, after: cursor, waiting: .seconds(600), most: 1)
            seen += updates.transactions.map(\.id)
            cursor = updates.cursor
        }
        try await buying
        looking.cancel()
        _ = try? await looking.value
        #expect(seen.count == all && Set(seen).count == all)
        #expect(try await world.store.updates(for: ada, after: cursor).isEmpty)
    }
}
