import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("On demand: running until a notification")
struct RunUntilTests {
    @Test(
        "Time passes until the notification is there, and no further", arguments: Backend.available)
    func found(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.gracePeriod = .threeDays }
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: World.instant("2026-03-10"), left: nil))
        let failed = try await world.run(.didFailToRenew)
        #expect(failed.line == "2026-02-01 DID_FAIL_TO_RENEW/GRACE_PERIOD at 2026-02-01")
        #expect(failed.notification.subscription == id)
        #expect(failed.notification.isDelivered)
        #expect(!failed.notification.isProvoked)
        #expect(world.listener.takeArrivals().map(\.name) == ["DID_FAIL_TO_RENEW/GRACE_PERIOD"])
        let recovered = try await world.run(.didRenew, .billingRecovery)
        #expect(recovered.line == "2026-03-10 DID_RENEW/BILLING_RECOVERY at 2026-03-10")
        #expect(
            world.listener.takeArrivals().map(\.line) == [
                "2026-02-04 GRACE_PERIOD_EXPIRED 3 silver.monthly 9.99 until 2026-02-01",
                """
                2026-03-10 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 until 2026-04-10
                """,
            ])
        // Without a subtype any will do, and what is there already does not count.
        let next = try await world.run(.didRenew)
        #expect(next.line == "2026-04-10 DID_RENEW at 2026-04-10")
        #expect(next.changes == 1)
    }

    @Test("It counts whether or not it could be delivered", arguments: Backend.available)
    func undelivered(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        world.listener.answer([.timedOut])
        let one = try await world.run(.didRenew)
        #expect(one.line == "2026-02-01 DID_RENEW at 2026-02-01")
        #expect(!one.notification.isDelivered)
        #expect(one.notification.attempts.map(\.sendAttemptResult) == [.timedOut])
        #expect(one.notification.nextAttempt == World.instant("2026-02-01T01:00:00Z"))
    }

    @Test("It can be about one subscription only", arguments: Backend.available)
    func oneSubscription(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let bea = try await world.device("bea")
        _ = try await world.subscribe("bronze.weekly", by: ada)
        let id = try await world.subscribe("silver.monthly", by: bea)
        let one = try await world.run(.didRenew, about: id)
        #expect(one.line == "2026-02-01 DID_RENEW at 2026-02-01")
        #expect(one.changes == 5)
    }

    @Test(
        "What is due already counts, and then the clock does not move",
        arguments: Backend.available)
    func dueAlready(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(backend, mode: .running, machine: machine)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        machine.set(World.instant("2026-02-02"))
        let one = try await world.run(.didRenew)
        #expect(one.line == "2026-02-01 DID_RENEW at 2026-02-02")
    }

    @Test(
        "The limit ends it, since subscriptions renew for ever", arguments: Backend.available)
    func limits(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        for (limit, end) in [
            (TimeLimit.step(CalendarStep(iso8601: "P45D")!), "2026-02-15"),
            (.moment(World.instant("2026-03-20")), "2026-03-20"), (.usual, "2028-03-20"),
        ] {
            await #expect(throws: StoreError.clock(.limitReached(World.instant(end)))) {
                try await world.run(.expired, limit: limit)
            }
            #expect(try await world.store.now() == World.instant(end))
        }
        #expect(world.listener.takeArrivals().count == 26)
    }

    @Test("An event at the limit still counts", arguments: Backend.available)
    func atLimit(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let one = try await world.run(.didRenew, limit: .moment(World.instant("2026-02-01")))
        #expect(one.line == "2026-02-01 DID_RENEW at 2026-02-01")
    }

    @Test("Nothing ahead ends it where the last event was", arguments: Backend.available)
    func nothingAhead(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        await #expect(throws: StoreError.clock(.nothingAhead(World.instant("2026-02-01")))) {
            try await world.run(.didRenew)
        }
        #expect(
            world.listener.takeArrivals().map(\.name) == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
            ])
    }

    @Test("What cannot come is refused before the clock moves", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        let sandboxed = try await world.subscribe("silver.monthly", by: ada)
        let before = try await Tables(world.database)
        let now = World.instant("2026-01-01")
        for (wanted, limit, error) in [
            (
                NotificationWanted(.didRenew, .voluntary), TimeLimit.usual,
                StoreError.setting(
                    .invalid(
                        "subtype", reason: "DID_RENEW has none, BILLING_RECOVERY"))
            ),
            (
                NotificationWanted(.test, .voluntary), .usual,
                .setting(.invalid("subtype", reason: "TEST has none"))
            ),
            (
                NotificationWanted(.didRenew, nil, subscription: 7), .usual,
                .unknown(.originalTransaction, "7")
            ),
            (
                NotificationWanted(.didRenew, nil, subscription: sandboxed), .usual,
                .unknown(.originalTransaction, "\(sandboxed)")
            ),
            (
                NotificationWanted(.didRenew, nil), .moment(now - .seconds(1)),
                .clock(.wouldGoBack(now))
            ),
            (
                NotificationWanted(.didRenew, nil), .moment(.latest), .clock(.outOfRange(.latest))
            ),
        ] {
            await #expect(throws: error) {
                try await world.store.runUntil(wanted, in: .production, limit: limit)
            }
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("Where nobody listens no notification comes into being", arguments: Backend.available)
    func nobodyListens(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.configure(bundleID: World.bundleID) {
            $0.sandboxNotificationURL = "http://developer.example/sandbox"
        }
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.setting(.noNotificationURL)) {
            try await world.run(.didRenew)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("A system clock is not run", arguments: Backend.available)
    func system(_ backend: Backend) async throws {
        let world = try await World(backend, mode: .system)
        await #expect(throws: StoreError.clock(.isSystem)) { try await world.run(.didRenew) }
    }

    @Test("Who stops waiting stops the clock", arguments: Backend.available)
    func cancelled(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let begin = Gate()
        let waiting = Task {
            await begin.wait()
            return try await world.run(.expired)
        }
        world.listener.onArrival { arrival in
            if arrival.notification.signedDate >= World.instant("2026-06-01").milliseconds {
                waiting.cancel()
            }
        }
        begin.open()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await world.store.now() == World.instant("2026-06-01"))
        // Nobody is kept waiting for the turn.
        #expect(try await world.store.step().now == World.instant("2026-07-01"))
    }
}

extension World {
    /// Runs until a notification in Production.
    @discardableResult
    fileprivate func run(
        _ type: NotificationTypeV2, _ subtype: Subtype? = nil, about subscription: Int64? = nil,
        limit: TimeLimit = .usual
    ) async throws -> Occurrence {
        try await store.runUntil(
            NotificationWanted(type, subtype, subscription: subscription), in: .production,
            limit: limit)
    }
}

extension Occurrence {
    /// `2026-02-01 DID_RENEW at 2026-02-01`: when it came into being, and what the clock shows.
    fileprivate var line: String {
        let subtype = notification.subtype.map { "/\($0)" } ?? ""
        return "\(World.text(notification.created)) \(notification.type)\(subtype) at "
            + World.text(now)
    }
}
