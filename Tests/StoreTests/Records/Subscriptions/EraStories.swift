import AppStoreWire
import Journal
import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// An app that lives by the ways of 2012, as session 308 tells them (TAB-19).
@Suite("Stories: the ways of 2012")
struct EraStories {
    private static let anna = "anna@example.com"

    private func world(_ backend: Backend) async throws -> World {
        let world = try await World(backend, at: "2026-01-15", mailroom: .lines())
        try await world.store.configure(bundleID: World.bundleID) { $0.era = .session2012 }
        return world
    }

    @Test(
        "A higher price turns renewal off ten days before the end; a mail has both prices",
        arguments: Backend.available)
    func price(_ backend: Backend) async throws {
        let world = try await world(backend)
        let anna = try await world.device(Self.anna)
        let hers = try await world.subscribe("silver.monthly", by: anna)
        let bob = try await world.subscribe("silver.monthly", by: world.device("bob@example.com"))
        try await world.schedule("silver.monthly", 10_990, live: "2026-01-20")
        _ = try await world.store.advance(to: World.instant("2026-02-06"))
        let asked = try await world.store.subscription(hers).1
        #expect(!asked.renewsAutomatically)
        let letter = "mail agree? silver.monthly 9990 to 10990 on 2026-02-15"
        #expect(
            try await world.letters(.priceIncreaseConsent) == [
                "2026-02-05 anna \(letter)", "2026-02-05 bob \(letter)",
            ])
        try await world.store.change(
            subscription: hers, [.priceIncrease(agrees: true)], by: anna)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        let renewed = try await world.store.subscription(hers).1
        #expect(renewed.newestPeriod.price == 10_990 && renewed.renewsAutomatically)
        let ended = try await world.store.subscription(bob).1
        #expect(ended.state == .expired(.priceIncrease, at: World.instant("2026-02-15")))
        try await world.check()
    }

    @Test(
        "A renewal that cannot be paid is given up a day after its end, and a mail says so",
        arguments: Backend.available)
    func givingUp(_ backend: Backend) async throws {
        let world = try await world(backend)
        let anna = try await world.device(Self.anna)
        let hers = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: Self.anna, in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-17"))
        let subscription = try await world.store.subscription(hers).1
        #expect(subscription.state == .expired(.billingError, at: World.instant("2026-02-16")))
        try await world.check()
    }

    @Test(
        "Only customer support gives money back, and the store gives no season out again",
        arguments: Backend.available)
    func support(_ backend: Backend) async throws {
        let world = try await world(backend)
        let anna = try await world.device(Self.anna)
        let hers = try await world.subscribe("silver.monthly", by: anna)
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.self) {
            try await world.store.requestRefund(transaction: hers, .other, by: anna)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        let bought = try await world.buy("season", by: anna, expecting: ["ONE_TIME_CHARGE"])
        let season = try #require(bought)
        let id = try #require(Int64(season.transactionId))
        #expect(try await world.store.entitlements(for: anna).map(\.id).contains(id))
        try await world.store.finish(transaction: id, by: anna)
        #expect(try await world.store.entitlements(for: anna).map(\.id) == [hers])
        try await world.store.configure(bundleID: World.bundleID) { $0.era = .today }
        #expect(try await world.store.entitlements(for: anna).map(\.id).contains(id))
        try await world.store.requestRefund(transaction: hers, .other, by: anna)
        try await world.check()
    }
}
