import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Several processes serve one database: each of these stores stands for one.
@Suite("Processes on one database", .timeLimit(.minutes(15)))
struct ProcessTests {
    /// A second store in the database of a world, with a listener of its own.
    private func other(_ world: World, atOnce: Int = 1) async throws -> World {
        try await World(
            database: world.database, deliveriesAtOnce: atOnce, processName: "other",
            claimTime: Self.long)
    }

    /// Long enough for a test on a machine that does much else.
    private static let long = Span.minutes(10)

    private func world(_ backend: Backend, atOnce: Int = 1) async throws -> World {
        try await World(
            database: backend.makeDatabase(), deliveriesAtOnce: atOnce, claimTime: Self.long)
    }

    private func buy(_ world: World, customers: Int) async throws {
        for number in 0..<customers {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"),
                by: world.device("customer\(number)"))
        }
    }

    private func wait(for store: Store, _ condition: ([StoreProcess]) -> Bool) async throws {
        while try await !condition(store.processes()) { await Task.yield() }
    }

    @Test("What two have to deliver goes out once, in order", arguments: Backend.available)
    func once(_ backend: Backend) async throws {
        let one = try await world(backend, atOnce: 8)
        let two = try await other(one, atOnce: 8)
        try await buy(one, customers: 12)
        for turn in 0..<4 {
            for number in 0..<12 {
                let device = try await one.device("customer\(number)")
                let id = try #require(
                    try await one.store.subscriptions(for: device).first
                ).originalTransactionID
                try await one.store.change(
                    subscription: id, [.renewal(isOn: turn % 2 == 1)], by: device)
            }
        }
        async let first: Int = one.store.settle()
        async let second: Int = two.store.settle()
        _ = try await (first, second)
        // Whoever settles waits for what the other one delivers.
        let log = try await one.store.notificationLog(in: .production, before: nil, limit: 1000)
        #expect(log.count == 60)
        #expect(log.allSatisfy { $0.isDelivered })
        let came = (one.listener.arrivals + two.listener.arrivals)
            .map(\.notification.notificationUUID)
        #expect(came.count == 60)
        #expect(Set(came).count == 60)
    }

    @Test(
        "A lane in which one delivers is the other's when it is done", arguments: Backend.available)
    func elsewhere(_ backend: Backend) async throws {
        let one = try await world(backend)
        let two = try await other(one)
        try await buy(one, customers: 5)
        let gate = Gate()
        one.listener.onArrival { _ in await gate.wait() }
        let first = Task { try await one.store.settle() }
        await one.listener.waitForArrivals(1)
        try await one.store.beat()
        try await two.store.beat()
        // Which of two that began within a millisecond comes first is chance.
        let listed = try await one.store.processes()
        let mine = listed.sorted { $0.name < $1.name }
        #expect(mine.map(\.name) == ["other", "store"])
        #expect(listed.map(\.id) == (try await two.store.processes().map(\.id)))
        #expect(mine.map(\.lanes.count) == [0, 1])
        #expect(mine.last?.lanes.first?.bundleID == World.bundleID)
        #expect(mine.last?.lanes.first?.environment == .production)
        #expect(one.store.laneCount == 1)
        // Sandbox is another lane.
        _ = try await two.store.requestTestNotification(bundleID: World.bundleID, in: .sandbox)
        let second = Task { try await two.store.settle() }
        await two.listener.waitForArrivals(1)
        #expect(two.listener.arrivals.map(\.name) == ["TEST"])
        gate.open()
        _ = try await (first.value, second.value)
        #expect(one.listener.arrivals.count == 5)
        #expect(two.listener.arrivals.count == 1)
        #expect(try await one.store.processes().map(\.lanes.count) == [0, 0])
        // What comes now is anybody's.
        _ = try await one.store.requestTestNotification(bundleID: World.bundleID, in: .production)
        try await two.store.settle()
        #expect(two.listener.arrivals.count == 2)
    }

    @Test(
        "What one held that is not heard of is delivered by another, and by nobody else",
        arguments: Backend.available)
    func notHeardOf(_ backend: Backend) async throws {
        let stopwatch = ManualStopwatch()
        let database = try await backend.makeDatabase()
        let one = try await World(database: database, stopwatch: stopwatch)
        try await buy(one, customers: 5)
        let two = try await other(one)
        let gate = Gate()
        one.listener.onArrival { _ in await gate.wait() }
        let first = Task { try await one.store.settle() }
        await one.listener.waitForArrivals(1)
        // As after fifteen seconds in which the first one stood still.
        stopwatch.reading = .seconds(16)
        try await database.write { session in
            try session.execute("UPDATE claim SET held_until = 0")
        }
        try await two.store.settle()
        #expect(two.listener.arrivals.count == 5)
        // The same bytes as those that were on their way.
        #expect(
            two.listener.arrivals.first?.signedPayload == one.listener.arrivals.first?.signedPayload
        )
        gate.open()
        _ = try await first.value
        #expect(one.listener.arrivals.count == 1)
        let log = try await one.store.notificationLog(in: .production, before: nil, limit: 10)
        #expect(log.allSatisfy { $0.isDelivered })
    }

    @Test("Processes join, are heard of, leave and are forgotten", arguments: Backend.available)
    func comeAndGo(_ backend: Backend) async throws {
        let one = try await world(backend)
        let two = try await other(one)
        #expect(try await one.store.processes().isEmpty)
        try await one.store.beat()
        try await two.store.beat()
        let both = try await one.store.processes()
        #expect(both.map(\.name).sorted() == ["other", "store"])
        #expect(both.allSatisfy { $0.isAlive && $0.version == "1" && $0.seen >= $0.started })
        func age(_ name: String, by milliseconds: Int64) async throws {
            try await one.database.write { session in
                try session.execute(
                    "UPDATE process SET seen_at = seen_at - \(milliseconds) WHERE name = \(name)")
            }
        }
        try await age("other", by: 600_000)
        let alive = try await one.store.processes().filter(\.isAlive)
        #expect(alive.map(\.name) == ["store"])
        try await two.store.beat()
        #expect(try await one.store.processes().map(\.isAlive) == [true, true])
        try await age("other", by: 3_600_001)
        try await one.store.beat()
        #expect(try await one.store.processes().map(\.name) == ["store"])
        try await one.store.leave()
        #expect(try await two.store.processes().isEmpty)
    }

    @Test(
        "Those that start together on an empty database all come up", arguments: Backend.available)
    func startTogether(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let store = try await World.join(database, as: "\(number)")
                    try await store.beat()
                    return "\(number)"
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 4)
        let world = try await World(database: database)
        #expect(Set(try await world.store.processes().map(\.name)) == names)
        // One world, whoever made it.
        let worlds = try await database.read { session in
            try session.rows("SELECT id FROM world").count
        }
        #expect(worlds == 1)
    }

    @Test("The timekeeper is heard of by itself", arguments: Backend.available)
    func timekeeper(_ backend: Backend) async throws {
        let world = try await World(backend, mode: .running)
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        try await wait(for: world.store) { $0.map(\.isAlive) == [true] }
        try await buy(world, customers: 3)
        await world.listener.waitForArrivals(3)
        try await wait(for: world.store) { $0.first?.lanes.isEmpty == true }
        timekeeper.cancel()
        try await timekeeper.value
    }
}
