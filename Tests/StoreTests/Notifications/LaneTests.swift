import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// Notifications of one app in one environment go out side by side, and wait for no other lane.
@Suite("Notifications: lanes", .timeLimit(.minutes(15)))
struct LaneTests {
    private static let sandboxURL = "http://developer.example/sandbox"
    private static let otherURL = "http://other.example/"

    /// A world in which so many customers have bought and nobody was told yet.
    private func world(
        _ backend: Backend, customers: Int, atOnce: Int = Store.usualDeliveriesAtOnce
    ) async throws -> World {
        let world = try await World(backend, deliveriesAtOnce: atOnce)
        try await buy(world, customers)
        return world
    }

    private func buy(
        _ world: World, _ customers: Int, in environment: StoreEnvironment = .production
    ) async throws {
        for number in 0..<customers {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"),
                by: world.device("customer\(number)", in: environment))
        }
    }

    /// The identifiers of notifications in the order in which they came into being.
    private func log(_ world: World) async throws -> [NotificationLogEntry] {
        try await world.store.notificationLog(in: .production, before: nil, limit: 1000).reversed()
    }

    @Test(
        "As many are under way at once as was said, and no more", arguments: Backend.available,
        [1, 2, 32])
    func atOnce(_ backend: Backend, _ count: Int) async throws {
        let world = try await world(backend, customers: 40, atOnce: count)
        let underWay = Counter()
        let gate = Gate()
        world.listener.onArrival { _ in
            // Fewer would wait here for ever.
            if underWay.enter() == count { gate.open() }
            await gate.wait()
            await Task.yield()
            underWay.leave()
        }
        try await world.store.settle()
        #expect(world.listener.arrivals.count == 40)
        #expect(underWay.most == count)
    }

    @Test("One at once keeps the order of all", arguments: Backend.available)
    func one(_ backend: Backend) async throws {
        let world = try await world(backend, customers: 30, atOnce: 1)
        try await world.store.settle()
        #expect(
            world.listener.arrivals.map(\.notification.notificationUUID)
                == (try await log(world)).map(\.uuid))
    }

    @Test(
        "What one subscription is about comes in order, however long the server takes",
        arguments: Backend.available, [2, 7, 32])
    func order(_ backend: Backend, _ atOnce: Int) async throws {
        let world = try await world(backend, customers: 8, atOnce: atOnce)
        for turn in 0..<10 {
            for number in 0..<8 {
                let device = try await world.device("customer\(number)")
                let id = try #require(
                    try await world.store.subscriptions(for: device).first
                ).originalTransactionID
                try await world.store.change(
                    subscription: id, [.renewal(isOn: turn % 2 == 1)], by: device)
            }
        }
        let random = Mutex(SeededGenerator(seed: UInt64(atOnce)))
        let busy = Mutex<Set<String>>([])
        let collisions = Counter()
        world.listener.onArrival { arrival in
            let subject = arrival.transaction?.originalTransactionId ?? ""
            if !busy.withLock({ $0.insert(subject).inserted }) { _ = collisions.enter() }
            for _ in 0..<(random.withLock { $0.next() } % 200) { await Task.yield() }
            busy.withLock { _ = $0.remove(subject) }
        }
        // Some fail, which holds up none of those behind them.
        world.listener.answer([.taken, .timedOut, .taken, .timedOut, .socketIssue])
        try await world.store.settle()
        #expect(collisions.most == 0)
        let log = try await log(world)
        #expect(log.count == 88)
        let wanted = Dictionary(grouping: log) { $0.subscription.map(String.init) ?? "" }
            .mapValues { $0.map(\.uuid) }
        let came = Dictionary(grouping: world.listener.arrivals) {
            $0.transaction?.originalTransactionId ?? ""
        }.mapValues { $0.map(\.notification.notificationUUID) }
        #expect(came == wanted)
    }

    @Test(
        "A server that never answers costs its own lane and no other", arguments: Backend.available)
    func deadServer(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(
            backend, mode: .running, machine: machine,
            deliveriesAtOnce: Store.usualDeliveriesAtOnce)
        try await world.store.addApp(
            bundleID: "com.example.other", appleID: 2_000_000_002,
            settings: App.Settings(name: "Other"))
        try await world.store.configure(bundleID: "com.example.other") {
            $0.notificationURL = Self.otherURL
        }
        let gate = Gate()
        let others = Tally()
        world.listener.onArrival { arrival in
            if arrival.url == Self.sandboxURL || arrival.url == Self.otherURL {
                await others.add()
            } else {
                await gate.wait()
            }
        }
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        // More than may be under way at once.
        try await buy(world, 40)
        await world.listener.waitForArrivals(32)
        for count in 1...20 {
            _ = try await world.store.requestTestNotification(
                bundleID: "com.example.other", in: .production)
            _ = try await world.store.requestTestNotification(
                bundleID: World.bundleID, in: .sandbox)
            await others.wait(for: 2 * count)
        }
        let dead = world.listener.arrivals.filter { $0.url.hasSuffix("production") }
        #expect(dead.count == 32)
        #expect(try await log(world).allSatisfy { !$0.isDelivered || $0.type == .test })
        gate.open()
        await world.listener.waitForArrivals(80)
        timekeeper.cancel()
        try await timekeeper.value
    }

    @Test(
        "While the server has one, another that comes due goes out beside it",
        arguments: Backend.available)
    func comesDueMeanwhile(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(
            backend, mode: .running, machine: machine,
            deliveriesAtOnce: Store.usualDeliveriesAtOnce)
        let gate = Gate()
        world.listener.onArrival { _ in await gate.wait() }
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        for number in 1...5 {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"), by: world.device("c\(number)"))
            await world.listener.waitForArrivals(number)
        }
        gate.open()
        timekeeper.cancel()
        try await timekeeper.value
    }

    @Test(
        "What a stop breaks off stays due, and goes out again as it was",
        arguments: Backend.available)
    func stopped(_ backend: Backend) async throws {
        let world = try await world(backend, customers: 12)
        let gate = Gate()
        world.listener.onArrival { arrival in
            if arrival.transaction?.originalTransactionId.hasSuffix("1") != true {
                await gate.wait()
            }
        }
        let settling = Task { try await world.store.settle() }
        await world.listener.waitForArrivals(12)
        settling.cancel()
        await #expect(throws: CancellationError.self) { try await settling.value }
        let first = world.listener.takeArrivals()
        for entry in try await log(world) where !entry.isDelivered {
            #expect(entry.attempts.isEmpty)
            #expect(entry.nextAttempt == World.instant("2026-01-01"))
        }
        let left = Set(try await log(world).filter { !$0.isDelivered }.map(\.uuid))
        #expect(left.count >= 10)
        gate.open()
        try await world.store.settle()
        let again = world.listener.takeArrivals()
        #expect(Set(again.map(\.notification.notificationUUID)) == left)
        #expect(
            Set(again.map(\.signedPayload))
                == Set(
                    first.filter { left.contains($0.notification.notificationUUID) }
                        .map(\.signedPayload)))
        #expect(try await log(world).allSatisfy { $0.isDelivered && $0.attempts.count == 1 })
    }

    @Test(
        "Who asks back during an advance sees the moment of the event, in every lane",
        arguments: Backend.available)
    func asksBack(_ backend: Backend) async throws {
        let world = try await World(
            backend, deliveriesAtOnce: Store.usualDeliveriesAtOnce)
        for environment in StoreEnvironment.allCases {
            try await buy(world, 3, in: environment)
        }
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        let wrong = Counter()
        world.listener.onArrival { arrival in
            let now = try? await world.store.clockReading().now
            if now?.milliseconds != arrival.notification.signedDate { _ = wrong.enter() }
        }
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        #expect(wrong.most == 0)
        let urls = Dictionary(grouping: world.listener.takeArrivals(), by: \.url)
        #expect(urls.mapValues(\.count)["http://developer.example/production"] == 12)
        #expect((urls[Self.sandboxURL]?.count ?? 0) >= 36)
    }

    @Test(
        "A command that one lane's server gives is told in another lane at that moment",
        arguments: Backend.available)
    func acrossLanes(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await buy(world, 1)
        let device = try await world.device("bea", in: .sandbox)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        world.listener.onArrival { arrival in
            guard arrival.name == "DID_RENEW", arrival.url != Self.sandboxURL else { return }
            _ = try? await world.store.purchase(
                PurchaseRequest(productID: "coins"), by: device)
        }
        try await world.advance(
            to: "2026-01-22",
            telling: ["08", "15", "22"].flatMap { day in
                let end = day == "22" ? "29" : day == "15" ? "22" : "15"
                return [
                    "2026-01-\(day) DID_RENEW 1 bronze.weekly 0.99 until 2026-01-\(end)",
                    "2026-01-\(day) ONE_TIME_CHARGE coins 0.99",
                ]
            })
    }
}

/// How many are inside, and how many were at most.
private final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func enter() -> Int {
        state.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
            return state.now
        }
    }

    func leave() { state.withLock { $0.now -= 1 } }
}

/// Counts, and lets somebody wait for a count.
private actor Tally {
    private var count = 0
    private var waiting: (count: Int, CheckedContinuation<Void, Never>)?

    func add() {
        count += 1
        guard let waiting, waiting.count <= count else { return }
        self.waiting = nil
        waiting.1.resume()
    }

    func wait(for wanted: Int) async {
        guard count < wanted else { return }
        await withCheckedContinuation { waiting = (wanted, $0) }
    }
}
