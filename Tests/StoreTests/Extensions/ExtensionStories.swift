import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: renewal dates extended")
struct ExtensionStories {
    private static func request(_ days: Int) throws -> ExtensionRequest {
        try ExtensionRequest(days: days, reasonCode: 3)
    }

    private static func extend(
        _ world: World, _ id: Int64, _ days: Int, _ identifier: String
    ) async throws -> String {
        let extended = try await world.store.extend(
            originalTransaction: id, try request(days), requestIdentifier: identifier,
            for: world.caller())
        return World.text(extended.effective)
    }

    private static func refusal(
        _ world: World, _ id: Int64, _ identifier: String
    ) async throws -> ExtensionRefusal? {
        do {
            _ = try await extend(world, id, 1, identifier)
            return nil
        } catch StoreError.refused(.notExtended(let refusal)) {
            return refusal
        }
    }

    @Test("The end moves, and later renewals follow its day", arguments: Backend.available)
    func single(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.advance(
            to: "2026-02-16",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
        #expect(try await Self.extend(world, id, 30, "outage-1") == "2026-04-14")
        try await world.settle(
            telling: ["2026-02-16 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-04-14"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-14 9.99"])
        try await world.advance(
            to: "2026-05-14",
            telling: [
                "2026-04-14 DID_RENEW 1 silver.monthly 9.99 until 2026-05-14",
                "2026-05-14 DID_RENEW 1 silver.monthly 9.99 until 2026-06-14",
            ])
        #expect(
            try await world.historyLines(id) == [
                "silver.monthly 9.99 until 2026-02-15", "silver.monthly 9.99 until 2026-04-14",
                "silver.monthly 9.99 until 2026-05-14", "silver.monthly 9.99 until 2026-06-14",
            ])
    }

    @Test(
        "Days of an extension count to no year of paid service (EXT-7, COM-3)",
        arguments: Backend.available)
    func commission(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend, at: "2025-01-15")
        #expect(try await Self.extend(world, id, 90, "outage") == "2025-05-16")
        _ = try await world.store.advance(to: World.instant("2026-04-16"))
        let charges = try await world.books()
        #expect(charges.count == 13)
        // The reduced commission holds from the thirteenth charge on, a day of 16 April 2026.
        #expect(charges.dropLast().allSatisfy { $0.hasSuffix("charge -9.990 +6.993 +2.997") })
        #expect(charges.last == "2026-04-16 charge -9.990 +8.492 +1.498")
    }

    @Test("The same request again does nothing new", arguments: Backend.available)
    func repeated(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        #expect(try await Self.extend(world, id, 10, "a") == "2026-02-25")
        try await world.settle(expecting: ["RENEWAL_EXTENDED"])
        #expect(try await Self.extend(world, id, 10, "a") == "2026-02-25")
        #expect(try await Self.extend(world, id, 90, "a") == "2026-02-25")
        try await world.settle(expecting: [])
        #expect(try await Self.extend(world, id, 10, "b") == "2026-03-07")
        try await world.settle(expecting: ["RENEWAL_EXTENDED"])
        #expect(try await Self.extend(world, id, 10, "a") == "2026-02-25")
    }

    @Test("An identifier names one request for each subscription", arguments: Backend.available)
    func identifierOfTwo(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        let other = try await world.subscribe("silver.monthly", by: world.device("bea"))
        #expect(try await Self.extend(world, id, 10, "outage") == "2026-02-25")
        #expect(try await Self.extend(world, other, 20, "outage") == "2026-03-07")
        try await world.settle(
            expecting: ["RENEWAL_EXTENDED", "RENEWAL_EXTENDED"])
    }

    @Test("Two extensions within 365 days, and no third", arguments: Backend.available)
    func limit(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend, at: "2025-03-01")
        _ = try await Self.extend(world, id, 1, "first")
        #expect(try await world.store.extendable(id) == nil)
        _ = try await world.store.advance(to: World.instant("2025-09-01"))
        _ = try await Self.extend(world, id, 1, "second")
        _ = try await world.store.advance(to: World.instant("2026-02-28"))
        #expect(try await Self.refusal(world, id, "third") == .limitReached)
        #expect(try await world.store.extendable(id) == World.instant("2026-03-01"))
        _ = try await world.store.advance(to: World.instant("2026-03-02"))
        #expect(try await Self.refusal(world, id, "third") == nil)
    }

    @Test("What is not active, or was never paid, is not extended", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        let (world, ada, trial) = try await PriceIncreaseStories.subscribed(
            backend, to: "silver.trial")
        let before = try await Tables(world.database)
        #expect(try await Self.refusal(world, trial, "1") == .inFreeOffer)
        await #expect(throws: StoreError.unknown(.originalTransaction, "1")) {
            _ = try await Self.extend(world, 1, 1, "1")
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        try await world.store.change(subscription: trial, [.renewal(isOn: false)], by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-22"))
        #expect(try await Self.refusal(world, trial, "2") == .expired)
        let bob = try await world.device("bob")
        let paid = try await world.subscribe("silver.monthly", by: bob)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "bob", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        #expect(try await Self.refusal(world, paid, "3") == .inBillingRetry)
        let coins = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: ada)
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(try #require(coins))
        await #expect(throws: StoreError.subscription(.notASubscription("coins"))) {
            _ = try await Self.extend(world, Int64(bought.transactionId)!, 1, "4")
        }
    }

    @Test(
        "An announced increase moves with its renewal and is not announced again",
        arguments: Backend.available)
    func withIncrease(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(
            to: "2026-04-01",
            expecting: ["DID_RENEW", "DID_RENEW", "PRICE_INCREASE/PENDING"])
        #expect(try await Self.extend(world, id, 10, "outage") == "2026-04-25")
        try await world.settle(expecting: ["RENEWAL_EXTENDED"])
        try await world.advance(to: "2026-04-24", expecting: [])
        try await world.change(
            id, .priceIncrease(agrees: true), by: ada,
            telling: ["2026-04-24 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-04-25"])
        try await world.advance(
            to: "2026-04-25",
            telling: ["2026-04-25 DID_RENEW 1 silver.monthly 19.99 until 2026-05-25"])
    }

    @Test(
        "What was not announced yet is announced so much later (ACC-11)",
        arguments: Backend.available)
    func beforeAnnouncement(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-01-16")
        try await world.advance(to: "2026-01-17", expecting: [])
        // It would be told 27 days before 15 February, on 19 January.
        #expect(try await Self.extend(world, id, 5, "outage") == "2026-02-20")
        try await world.settle(expecting: ["RENEWAL_EXTENDED"])
        try await world.advance(to: "2026-01-23T23:59:59Z", expecting: [])
        try await world.advance(
            to: "2026-02-20",
            telling: [
                "2026-01-24 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-02-20",
                "2026-02-20 DID_RENEW 1 silver.monthly 10.99 until 2026-03-20",
            ])
    }
}
