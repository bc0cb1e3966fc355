import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Notifications: sent again")
struct ResendTests {
    private static let bought = "SUBSCRIBED/INITIAL_BUY"

    private func newest(
        _ world: World, in environment: StoreEnvironment = .production
    ) async throws -> NotificationLogEntry {
        try #require(
            try await world.store.notificationLog(in: environment, before: nil, limit: 1).first)
    }

    /// Sends the newest one again.
    private func resend(
        _ world: World, in environment: StoreEnvironment = .production
    ) async throws {
        let id = String(try await newest(world, in: environment).id)
        _ = try await world.store.resendNotification(id, in: environment)
    }

    @Test(
        "What was delivered goes out again as it was, and stays delivered whatever comes of it",
        arguments: Backend.available)
    func delivered(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.buy(
            "silver.yearly", by: try await world.device(), expecting: [Self.bought])
        try await resend(world)
        try await world.settle(expecting: [Self.bought])
        world.listener.answer([.socketIssue])
        try await resend(world)
        try await world.settle(expecting: [Self.bought])
        let one = try await newest(world)
        #expect(one.attempts.map(\.sendAttemptResult) == [.success, .success, .socketIssue])
        #expect(one.isDelivered)
        #expect(one.nextAttempt == nil)
        #expect(Set(world.listener.arrivals.map(\.signedPayload)).count == 1)
        try await world.advance(to: "2026-03-01", expecting: [])
        try await world.check()
    }

    @Test("What failed is retried as after any other attempt", arguments: Backend.available)
    func failed(_ backend: Backend) async throws {
        let world = try await World(backend)
        world.listener.answer([.timedOut, .timedOut])
        try await world.buy(
            "silver.yearly", by: try await world.device(), expecting: [Self.bought])
        try await resend(world)
        try await world.settle(expecting: [Self.bought])
        let one = try await newest(world)
        #expect(one.attempts.map(\.sendAttemptResult) == [.timedOut, .timedOut])
        #expect(one.nextAttempt == World.instant("2026-01-01T12:00:00Z"))
        try await world.advance(to: "2026-01-02", expecting: [Self.bought])
        #expect(try await newest(world).isDelivered)
    }

    @Test("What was given up can arrive after all", arguments: Backend.available)
    func givenUp(_ backend: Backend) async throws {
        let world = try await World(backend)
        world.listener.answer([.noResponse])
        let ada = try await world.device("ada", in: .sandbox)
        try await world.buy("silver.yearly", by: ada, expecting: [Self.bought])
        #expect(try await newest(world, in: .sandbox).nextAttempt == nil)
        try await resend(world, in: .sandbox)
        try await world.settle(expecting: [Self.bought])
        let one = try await newest(world, in: .sandbox)
        #expect(one.attempts.map(\.sendAttemptResult) == [.noResponse, .success])
        #expect(one.isDelivered)
    }

    @Test("What is due already goes out once", arguments: Backend.available)
    func due(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.yearly"), by: ada)
        try await resend(world)
        try await world.settle(expecting: [Self.bought])
        #expect(try await newest(world).attempts.count == 1)
    }

    @Test("Without a URL, or of another environment, nothing is sent again")
    func refused() async throws {
        let world = try await World(.sqlite)
        try await world.buy(
            "silver.yearly", by: try await world.device(), expecting: [Self.bought])
        let id = String(try await newest(world).id)
        await #expect(throws: StoreError.unknown(.notification, id)) {
            _ = try await world.store.resendNotification(id, in: .sandbox)
        }
        try await world.store.configure(bundleID: World.bundleID) { $0.notificationURL = nil }
        await #expect(throws: StoreError.setting(.noNotificationURL)) {
            _ = try await world.store.resendNotification(id, in: .production)
        }
        try await world.settle(expecting: [])
    }
}
