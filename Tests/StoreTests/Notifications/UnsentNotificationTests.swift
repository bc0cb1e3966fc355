import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Notifications without a URL stay in the log, as many as the app says.
@Suite("Notifications: kept without a URL")
struct UnsentNotificationTests {
    private func world(_ backend: Backend, most: Int) async throws -> World {
        try await World(backend, isListening: false) { $0.unsentNotifications = most }
    }

    private func log(_ world: World) async throws -> [NotificationLogEntry] {
        try await world.store.notificationLog(in: .production, before: nil, limit: 100).reversed()
    }

    @Test("They are kept and never tried, also once there is a URL", arguments: Backend.available)
    func kept(_ backend: Backend) async throws {
        let world = try await world(backend, most: 100)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        try await world.advance(to: "2026-02-15", expecting: [])
        let log = try await log(world)
        #expect(log.map(\.type) == [.subscribed, .oneTimeCharge, .didRenew])
        #expect(log.allSatisfy { $0.nextAttempt == nil && $0.attempts.isEmpty })
        // Nothing stands in the way of the clock.
        #expect(try await world.store.clockReading().nextEvent == World.instant("2026-03-01"))
        try await world.store.configure(bundleID: World.bundleID) {
            $0.notificationURL = "http://developer.example/production"
        }
        try await world.advance(to: "2026-03-15", expecting: ["DID_RENEW"])
    }

    @Test(
        "The log takes as many as the app says, and goes on from there",
        arguments: Backend.available)
    func bounded(_ backend: Backend) async throws {
        let world = try await world(backend, most: 3)
        let ada = try await world.device()
        for _ in 0..<5 {
            _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        }
        #expect(try await log(world).count == 3)
        // Another environment has a log of its own.
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins"), by: world.device(in: .sandbox))
        #expect(
            try await world.store.notificationLog(in: .sandbox, before: nil, limit: 10).count == 1)
        // After a restart it is counted anew.
        let again = try await World(database: world.database)
        _ = try await again.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        #expect(try await log(again).count == 3)
        try await again.store.configure(bundleID: World.bundleID) { $0.unsentNotifications = 4 }
        for _ in 0..<2 {
            _ = try await again.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        }
        #expect(try await log(again).count == 4)
    }

    @Test("With 0 none is kept, but on a fork all are", arguments: Backend.available)
    func fork(_ backend: Backend) async throws {
        let world = try await world(backend, most: 0)
        _ = try await world.subscribe("silver.monthly", by: world.device())
        #expect(try await log(world).isEmpty)
        _ = try await world.store.fork("trial", delivers: false)
        let fork = try await World(database: try await world.store.openFork("trial"))
        let found = try await fork.store.runUntil(
            NotificationWanted(.didRenew, nil), in: .production)
        #expect(found.now == World.instant("2026-02-01"))
        try await fork.advance(to: "2026-04-15", expecting: [])
        #expect(try await log(fork).map(\.type) == [.didRenew, .didRenew, .didRenew])
        #expect(try await log(world).isEmpty)
        try await fork.check()
        await fork.database.close()
    }

    @Test("What an app keeps has limits", arguments: [-1, 1_000_001])
    func limits(most: Int) async throws {
        let world = try await World(.sqlite)
        await #expect(
            throws: StoreError.setting(
                .invalid("unsentNotifications", reason: "it must be 0 to 1000000"))
        ) {
            try await world.store.configure(bundleID: World.bundleID) {
                $0.unsentNotifications = most
            }
        }
    }
}
