import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// Whoever moves the clock waits for what is due, and not for what others bring about meanwhile.
@Suite("The clock while others go on", .timeLimit(.minutes(15)))
struct BusyClockTests {
    private static let renewal = World.instant("2026-01-08")

    /// A world with a weekly subscription, in which somebody buys at every notification.
    private func world(
        _ backend: Backend, mode: StoreClock.Mode = .frozen, machine: ManualClock? = nil
    ) async throws -> World {
        let world = try await World(backend, mode: mode, machine: machine)
        let ada = try await world.device()
        try await world.buy("bronze.weekly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let bob = try await world.device("bob")
        world.listener.onArrival { _ in
            if let machine { machine.set(machine.now + .seconds(1)) }
            _ = try? await world.store.purchase(PurchaseRequest(productID: "coins"), by: bob)
        }
        return world
    }

    @Test("An advance ends although somebody always buys", arguments: Backend.available)
    func advance(_ backend: Backend) async throws {
        let world = try await world(backend)
        let target = Self.renewal + .hours(6)
        let advance = try await world.store.advance(to: target)
        #expect(advance.now == target)
        #expect(advance.changes == 1)
        let names = world.listener.takeArrivals().map(\.name)
        #expect(names.first == "DID_RENEW")
        #expect(names.dropFirst().allSatisfy { $0 == "ONE_TIME_CHARGE" })
        // What is left is told to whoever asks next.
        let left = try await world.store.clockReading().nextEvent
        #expect(left.map { $0 <= target } == true)
        world.listener.onArrival { _ in }
        try await world.settle(expecting: ["ONE_TIME_CHARGE"])
    }

    @Test("Settling ends although somebody always buys", arguments: Backend.available)
    func settle(_ backend: Backend) async throws {
        let world = try await world(backend)
        let cleo = try await world.device("cleo")
        _ = try await world.store.purchase(PurchaseRequest(productID: "bronze.weekly"), by: cleo)
        #expect(try await world.store.settle() == 0)
        #expect(world.listener.takeArrivals().first?.name == "SUBSCRIBED/INITIAL_BUY")
    }

    @Test(
        "A clock that goes on by itself keeps neither for ever", arguments: Backend.available)
    func running(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2030-05-05"))
        let world = try await world(backend, mode: .running, machine: machine)
        let cleo = try await world.device("cleo")
        _ = try await world.store.purchase(PurchaseRequest(productID: "bronze.weekly"), by: cleo)
        try await world.store.settle()
        let advance = try await world.store.advance(to: Self.renewal + .hours(6))
        #expect(advance.changes == 2)
        #expect(advance.now >= Self.renewal + .hours(6))
    }

    @Test("Every step moves the clock, whatever is bought meanwhile", arguments: Backend.available)
    func step(_ backend: Backend) async throws {
        let world = try await world(backend)
        let steps = try await world.store.step(3)
        #expect(steps.count == 3)
        #expect(steps.changes == 3)
        #expect(steps.now == World.instant("2026-01-22"))
    }

    @Test("Running until a notification ends at its limit", arguments: Backend.available)
    func runUntil(_ backend: Backend) async throws {
        let world = try await world(backend)
        let limit = World.instant("2026-01-16")
        await #expect(throws: StoreError.clock(.limitReached(limit))) {
            try await world.store.runUntil(
                NotificationWanted(.expired, nil), in: .production, limit: .moment(limit))
        }
        #expect(try await world.store.now() == limit)
    }

    @Test(
        "What a server buys on a notification is told at that moment, and renews on the way",
        arguments: Backend.available)
    func reaction(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.buy("bronze.weekly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let bob = try await world.device("bob")
        let seen = Mutex<[String]>([])
        world.listener.onArrival { arrival in
            let now = try? await world.store.now()
            seen.withLock { $0.append("\(now?.iso8601.prefix(10) ?? "") \(arrival.name)") }
            guard arrival.name == "DID_RENEW" else { return }
            // Refused from the second time on: bob is subscribed.
            _ = try? await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"), by: bob)
        }
        _ = try await world.store.advance(to: World.instant("2026-01-20"))
        #expect(
            seen.withLock { $0 } == [
                "2026-01-08 DID_RENEW", "2026-01-08 SUBSCRIBED/INITIAL_BUY",
                "2026-01-15 DID_RENEW", "2026-01-15 DID_RENEW",
            ])
    }

    @Test(
        "What was left of a step does not come behind what the next one tells of the same",
        arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("bronze.weekly", by: ada)
        let bob = try await world.device("bob")
        let isFirst = Mutex(true)
        world.listener.onArrival { _ in
            guard isFirst.withLock({ ($0, $0 = false).0 }) else { return }
            for _ in 0..<110 {
                _ = try? await world.store.purchase(PurchaseRequest(productID: "coins"), by: bob)
            }
            for renews in [false, true] {
                _ = try? await world.store.change(
                    subscription: id, [.renewal(isOn: renews)], by: ada)
            }
        }
        _ = try await world.store.advance(to: World.instant("2026-01-16"))
        let names = world.listener.takeArrivals().map(\.name).filter { $0 != "ONE_TIME_CHARGE" }
        #expect(
            names == [
                "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_RENEW",
            ])
    }

    @Test("Attempts that were put off are still made on the way", arguments: Backend.available)
    func retries(_ backend: Backend) async throws {
        let world = try await world(backend)
        world.listener.answer([.timedOut])
        _ = try await world.store.advance(to: Self.renewal + .hours(6))
        let arrivals = world.listener.takeArrivals()
        let renewals = arrivals.filter { $0.name == "DID_RENEW" }
        #expect(renewals.count == 2)
        #expect(Set(renewals.map(\.signedPayload)).count == 1)
    }

    @Test(
        "What is bought on the way stops the clock a hundred times more, and not for ever",
        arguments: Backend.available)
    func stops(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2030-05-05"))
        let world = try await World(backend, mode: .running, machine: machine)
        let ada = try await world.device(in: .sandbox)
        _ = try await world.store.purchase(PurchaseRequest(productID: "bronze.weekly"), by: ada)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let buyers = Mutex(0)
        world.listener.onArrival { _ in
            // Everybody who buys has moments of their own.
            machine.set(machine.now + .seconds(1))
            let number = buyers.withLock { count -> Int in
                count += 1
                return count
            }
            guard number <= 40 else { return }
            _ = try? await world.store.purchase(
                PurchaseRequest(productID: "bronze.weekly"),
                by: world.device("buyer\(number)", in: .sandbox))
        }
        let stops = Mutex<Set<Instant>>([])
        let target = try await world.store.now() + .hours(6)
        let advance = try await world.store.advance(to: target) { step in
            stops.withLock { _ = $0.insert(step.now) }
        }
        #expect(advance.now >= target)
        // Twelve renewals and an end each, at nearly as many moments.
        #expect(advance.changes > 400)
        #expect(stops.withLock { $0.count } < 200)
    }
}
