import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Silver, a month for 9.99 USD, bought on 15 January 2026, and prices that come and go.
@Suite("Stories: sales and second thoughts")
struct SaleStories {
    @Test(
        "A price that rises and falls back before anybody is told is noticed by nobody",
        arguments: Backend.available)
    func secondThoughts(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 19_990, live: "2026-02-20")
        try await world.advance(
            to: "2026-02-21",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
        // It would be asked about on 19 March, 27 days before the renewal of 15 April.
        try await world.schedule("silver.monthly", 9_990, live: "2026-03-01")
        try await world.advance(
            to: "2026-04-15",
            telling: [
                "2026-03-15 DID_RENEW 1 silver.monthly 9.99 until 2026-04-15",
                "2026-04-15 DID_RENEW 1 silver.monthly 9.99 until 2026-05-15",
            ])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-05-15 9.99"])
    }

    @Test(
        "A sale on a day of its own is had by subscribers too; after it the price is told again",
        arguments: Backend.available)
    func sale(_ backend: Backend) async throws {
        let (world, ada, id) = try await PriceIncreaseStories.subscribed(backend)
        let bob = try await world.device("bob")
        try await world.schedule("silver.monthly", 4_990, live: "2026-02-14")
        try await world.advance(to: "2026-02-13", telling: [])
        #expect(
            try await world.store.products(["silver.monthly"], for: bob).products
                .map(\.price.milliunits) == [9_990])
        try await world.advance(
            to: "2026-02-16",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 4.99 until 2026-03-15"])
        #expect(
            try await world.store.products(["silver.monthly"], for: bob).products
                .map(\.price.milliunits) == [4_990])
        try await world.schedule("silver.monthly", 9_990, live: "2026-02-28")
        // Five dollars more are no more than five: a notice is enough, 27 days before 15 April.
        try await world.advance(
            to: "2026-03-18",
            telling: ["2026-03-15 DID_RENEW 1 silver.monthly 4.99 until 2026-04-15"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        try await world.advance(
            to: "2026-03-19",
            telling: ["2026-03-19 PRICE_INCREASE/ACCEPTED 1 silver.monthly 4.99 until 2026-04-15"])
        let message = try #require(try await world.store.priceIncreaseMessages(for: ada).first)
        #expect([message.change.old, message.change.new] == [4_990, 9_990])
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 DID_RENEW 1 silver.monthly 9.99 until 2026-05-15"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-05-15 9.99"])
    }
}
