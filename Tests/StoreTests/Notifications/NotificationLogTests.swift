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

    @Test(
        "One notification is decoded, before its first attempt as after it",
        arguments: Backend.available)
    func decoded(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        let waiting = try #require(
            try await world.store.notificationLog(in: .production, before: nil, limit: 1).first)
        #expect(waiting.payload == nil)
        let early = try await world.store.notification(String(waiting.id), in: .production)
        #expect(early.signedPayload == nil)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        let one = try await world.store.notification(waiting.uuid.uppercased(), in: .production)
        #expect(one.id == waiting.id)
        #expect(one.signedPayload != nil)
        #expect(one.payload == early.payload)
        let payload = try #require(one.payload)
        #expect(payload["notificationUUID"] == .string(waiting.uuid))
        let data = try #require(payload["data"])
        #expect(data["signedTransactionInfo"] == nil)
        #expect(data["transactionInfo"]?["productId"] == .string("silver.monthly"))
        #expect(data["renewalInfo"]?["autoRenewStatus"] == .integer(1))
        for name in ["0", "x", "", "\(waiting.id + 1)"] {
            await #expect(throws: StoreError.unknown(.notification, name)) {
                _ = try await world.store.notification(name, in: .production)
            }
        }
        await #expect(throws: StoreError.self) {
            _ = try await world.store.notification(waiting.uuid, in: .sandbox)
        }
    }
}
