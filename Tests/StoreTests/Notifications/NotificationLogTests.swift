import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Notifications: the log")
struct NotificationLogTests {
    private func names(
        _ world: World, _ filter: NotificationLogFilter
    ) async throws -> [String] {
        try await world.store.notificationLog(filter, in: .production, before: nil, limit: 10)
            .map(\.type.rawValue)
    }

    @Test("The log is narrowed by type, subtype and failure", arguments: Backend.available)
    func filtered(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        world.listener.answer([.timedOut])
        try await world.buy("silver.monthly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        _ = try await world.store.requestTestNotification(
            bundleID: World.bundleID, in: .production)
        try await world.settle(expecting: ["TEST"])
        // Not tried yet, so that it has not failed.
        _ = try await world.store.requestTestNotification(
            bundleID: World.bundleID, in: .production)

        #expect(try await names(world, .init()) == ["TEST", "TEST", "SUBSCRIBED"])
        #expect(try await names(world, .init(type: .test)) == ["TEST", "TEST"])
        #expect(try await names(world, .init(subtype: .initialBuy)) == ["SUBSCRIBED"])
        #expect(try await names(world, .init(type: .subscribed, subtype: .resubscribe)) == [])
        #expect(try await names(world, .init(onlyFailures: true)) == ["SUBSCRIBED"])
        #expect(try await names(world, .init(type: .test, onlyFailures: true)) == [])
        await #expect(throws: StoreError.self) {
            try await names(world, .init(type: .subscribed, subtype: .voluntary))
        }
    }
}
