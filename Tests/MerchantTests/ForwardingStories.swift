import AppStoreWire
import Merchant
import Outbox
import Storage
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing
import TimeAndChance

/// Another server, which takes what goes on to it.
private final class Receiver: Post {
    private let state = Mutex<(bodies: [String: [[UInt8]]], away: Set<String>)>(([:], []))

    func post(_ body: [UInt8], to url: String) async -> PostOutcome {
        state.withLock { state in
            guard !state.away.contains(url) else { return .answered(status: 500) }
            state.bodies[url, default: []].append(body)
            return .answered(status: 204)
        }
    }

    func bodies(at url: String) -> [[UInt8]] { state.withLock { $0.bodies[url] ?? [] } }

    /// From now on these servers fail.
    func fail(at urls: Set<String>) { state.withLock { $0.away = urls } }
}

/// What goes on to others, and what is kept for how long.
@Suite("Merchant: forwarding and retention", .timeLimit(.minutes(15)))
struct ForwardingStories {
    private static let first = "https://one.example/apple"
    private static let second = "https://two.example/apple"

    private func opened(_ backend: Backend) async throws -> (MerchantWorld, [[UInt8]]) {
        let world = try await MerchantWorld.takingReceipts(backend) {
            $0.forward = [Self.first, Self.second]
            $0.retention = .days(30)
        }
        try await world.buy("gold.monthly")
        _ = try await world.world.store.advance(to: World.instant("2026-03-02"))
        try await world.world.store.settle()
        var bodies: [[UInt8]] = []
        for arrival in world.world.listener.takeArrivals() {
            // A space more than anybody would write.
            let body = Array(#"{ "signedPayload":"\#(arrival.signedPayload)"}"#.utf8)
            bodies.append(body)
            _ = try await world.merchant.receive(
                arrival.signedPayload, as: body, for: World.bundleID)
            _ = try await world.merchant.receive(
                arrival.signedPayload, as: body, for: World.bundleID)
        }
        return (world, bodies)
    }

    @Test(
        "Each server gets each body once, byte for byte and in order (IN-8)",
        arguments: Backend.available)
    func inOrder(_ backend: Backend) async throws {
        let (world, bodies) = try await opened(backend)
        #expect(bodies.count == 3)
        let receiver = Receiver()
        let now = SystemTime.now()
        receiver.fail(at: [Self.first])
        try await world.merchant.forward(by: receiver, at: { now + .seconds(1) })
        // One that is away holds up no other.
        #expect(receiver.bodies(at: Self.second) == bodies)
        let waiting = try await world.merchant.forwarded(limit: 10)
        #expect(waiting.count == 3)
        #expect(waiting.map(\.attempts) == [0, 0, 1])
        #expect(waiting.last?.problem == "answered 500")
        receiver.fail(at: [])
        // It is not yet time.
        try await world.merchant.forward(by: receiver, at: { now + .seconds(2) })
        #expect(receiver.bodies(at: Self.first).isEmpty)
        try await world.merchant.forward(by: receiver, at: { now + .minutes(1) })
        #expect(receiver.bodies(at: Self.first) == bodies)
        #expect(receiver.bodies(at: Self.second) == bodies)
        #expect(try await world.merchant.forwarded(limit: 10).isEmpty)
    }

    @Test(
        "What could not be sent in three days is given up, and can be seen",
        arguments: Backend.available)
    func givenUp(_ backend: Backend) async throws {
        let (world, bodies) = try await opened(backend)
        let receiver = Receiver()
        receiver.fail(at: [Self.first, Self.second])
        let now = SystemTime.now()
        try await world.merchant.forward(by: receiver, at: { now + .days(4) })
        let given = try await world.merchant.forwarded(.givenUp, limit: 10)
        #expect(given.count == 2 * bodies.count)
        #expect(given.allSatisfy { $0.nextAttempt == nil })
        #expect(try await world.merchant.forwarded(.waiting, limit: 10).isEmpty)
        #expect(try await world.merchant.forwarded(before: given[1].id, limit: 10).count == 4)
        try await world.merchant.forward(by: receiver, at: { now + .days(40) })
        #expect(try await world.merchant.forwarded(limit: 10).isEmpty)
    }

    @Test(
        "The keeper forwards without being asked", arguments: Backend.available)
    func keeper(_ backend: Backend) async throws {
        let (world, bodies) = try await opened(backend)
        let receiver = Receiver()
        let keeper = Task { try await MerchantKeeper(world.merchant, post: receiver).run() }
        while receiver.bodies(at: Self.second).count < bodies.count
            || receiver.bodies(at: Self.first).count < bodies.count
        {
            await Task.yield()
        }
        keeper.cancel()
        _ = await keeper.result
        #expect(receiver.bodies(at: Self.first) == bodies)
    }

    @Test(
        "Bodies are removed after the retention; what they said stays", arguments: Backend.available
    )
    func retention(_ backend: Backend) async throws {
        let (world, bodies) = try await opened(backend)
        #expect(try await world.merchant.removeOldBodies() == 0)
        _ = try await world.world.store.advance(to: World.instant("2026-04-10"))
        // What waits still is kept however old it is.
        #expect(try await world.merchant.removeOldBodies() == 0)
        try await world.merchant.settle()
        // What could not be processed is kept as well: it can be replayed.
        try await world.database.write { session in
            try session.execute(
                "UPDATE inbox SET state = 2 WHERE id = (SELECT MIN(id) FROM inbox)")
        }
        #expect(try await world.merchant.removeOldBodies() == bodies.count - 1)
        let dead = try #require(try await world.merchant.deadLetters(limit: 1).first)
        #expect(try await world.merchant.replay(dead.id).state == .processed)
        #expect(try await world.merchant.removeOldBodies() == 1)
        #expect(try await world.merchant.removeOldBodies() == 0)
        try await world.sendReceipt()
        let customer = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(customer.lines == ["club active until 2026-05-01 renews"])
    }
}
