import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Storefront: price increases")
struct StorefrontIncreaseTests {
    private static let path = "/storefront/v1"

    /// Ada subscribes on 1 January for 9.99; from 15 January on it costs more. Her first renewal
    /// at the new price is that of 1 March, 27 days after she hears of it.
    private func announced(
        _ price: Int64, telling news: String,
        _ body: @escaping @Sendable (HTTPWorld, Client, String, String) async throws -> Void
    ) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            try await world.world.store.schedule(
                PriceOrder(
                    productID: "silver.monthly", storefront: .usa, price: price,
                    start: World.instant("2026-01-15T00:00:00Z"), existing: .apply),
                bundleID: World.bundleID)
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            try await world.world.advance(
                to: "2026-02-01T23:59:59Z",
                telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
            #expect(try await messages(client, token) == [])
            let answer = try await client.ours(
                .patch, "\(Self.path)/subscriptions/\(id)", #"{"priceIncrease":"agree"}"#,
                as: .bearer(token))
            #expect(answer.complaint == "noPriceIncrease")
            try await world.world.advance(
                to: "2026-02-02T00:00:00Z",
                telling: ["2026-02-02 \(news) 1 silver.monthly 9.99 until 2026-03-01"])
            try await body(world, client, token, id)
        }
    }

    private func messages(_ client: Client, _ token: String) async throws -> [JSONValue] {
        let reply = try await client.ours(.get, "\(Self.path)/messages", as: .bearer(token))
        #expect(reply.status == 200)
        return try #require(reply["messages"]?.array)
    }

    private func message(_ id: String, newPrice: Int64, needsConsent: Bool) -> JSONValue {
        .object([
            "type": .string("priceIncrease"), "originalTransactionId": .string(id),
            "productId": .string("silver.monthly"), "oldPrice": .integer(9_990),
            "newPrice": .integer(newPrice), "currency": .string("USD"),
            "renewal": .string("2026-03-01T00:00:00Z"), "needsConsent": .bool(needsConsent),
        ])
    }

    private func answer(
        _ client: Client, _ id: String, _ token: String, _ body: String
    ) async throws -> Reply {
        try await client.ours(
            .patch, "\(Self.path)/subscriptions/\(id)", body, as: .bearer(token))
    }

    @Test("Who agrees renews at the new price")
    func agrees() async throws {
        try await announced(19_990, telling: "PRICE_INCREASE/PENDING") { world, client, token, id in
            #expect(
                try await messages(client, token)
                    == [message(id, newPrice: 19_990, needsConsent: true)])
            for news in [["PRICE_INCREASE/ACCEPTED"], []] {
                let reply = try await answer(client, id, token, #"{"priceIncrease":"agree"}"#)
                #expect(reply.status == 200)
                let renewal = try await client.verifier().verifyRenewalInfo(
                    try #require(reply["signedRenewalInfo"]?.string))
                #expect(renewal.priceIncreaseStatus == .accepted)
                #expect(renewal.renewalPrice == 19_990)
                try await world.world.settle(expecting: news)
            }
            #expect(try await messages(client, token) == [])
            try await world.world.advance(
                to: "2026-03-01T00:00:00Z",
                telling: ["2026-03-01 DID_RENEW 1 silver.monthly 19.99 until 2026-04-01"])
        }
    }

    @Test("Who declines is not renewed, until the mind is changed")
    func declines() async throws {
        try await announced(19_990, telling: "PRICE_INCREASE/PENDING") { world, client, token, id in
            let no = try await answer(
                client, id, token, #"{"autoRenew":false,"priceIncrease":"decline"}"#)
            #expect(no["autoRenew"] == .bool(false))
            try await world.world.settle(
                expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
            #expect(try await messages(client, token) == [])
            let yes = try await answer(client, id, token, #"{"priceIncrease":"agree"}"#)
            #expect(yes["autoRenew"] == .bool(true))
            try await world.world.settle(
                expecting: [
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "PRICE_INCREASE/ACCEPTED",
                ])
            _ = try await answer(client, id, token, #"{"priceIncrease":"decline"}"#)
            try await world.world.settle(
                expecting: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
            try await world.world.advance(
                to: "2026-03-01T00:00:00Z",
                telling: ["2026-03-01 EXPIRED/VOLUNTARY 2 silver.monthly 9.99 until 2026-03-01"])
        }
    }

    @Test("Who does not answer loses the subscription at the first renewal that costs more")
    func silent() async throws {
        try await announced(19_990, telling: "PRICE_INCREASE/PENDING") { world, client, token, id in
            try await world.world.advance(
                to: "2026-03-01T00:00:00Z",
                telling: [
                    "2026-03-01 EXPIRED/PRICE_INCREASE 2 silver.monthly 9.99 until 2026-03-01"
                ])
            #expect(try await messages(client, token) == [])
            let late = try await answer(client, id, token, #"{"priceIncrease":"agree"}"#)
            #expect(late.status == 409)
            #expect(late.complaint == "noPriceIncrease")
        }
    }

    @Test("A small increase is only told, and agreeing to it changes nothing")
    func notice() async throws {
        try await announced(10_990, telling: "PRICE_INCREASE/ACCEPTED") {
            world, client, token, id in
            #expect(
                try await messages(client, token)
                    == [message(id, newPrice: 10_990, needsConsent: false)])
            let reply = try await answer(client, id, token, #"{"priceIncrease":"agree"}"#)
            #expect(reply.status == 200)
            try await world.world.advance(
                to: "2026-03-01T00:00:00Z",
                telling: ["2026-03-01 DID_RENEW 1 silver.monthly 10.99 until 2026-04-01"])
            #expect(try await messages(client, token) == [])
        }
    }

    @Test("An answer and another plan in one request: both or none")
    func together() async throws {
        try await announced(19_990, telling: "PRICE_INCREASE/PENDING") { world, client, token, id in
            let before = try await world.everything()
            let wrong = try await answer(
                client, id, token, #"{"priceIncrease":"agree","productId":"news.monthly"}"#)
            #expect(wrong.complaint == "wrongGroup")
            #expect(try await world.everything() == before)
            let right = try await answer(
                client, id, token, #"{"priceIncrease":"agree","productId":"gold.monthly"}"#)
            #expect(right["productId"] == .string("gold.monthly"))
            try await world.world.settle(
                expecting: ["PRICE_INCREASE/ACCEPTED", "DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        }
    }

    @Test("Messages are the customer's own")
    func own() async throws {
        try await announced(19_990, telling: "PRICE_INCREASE/PENDING") { _, client, _, id in
            let bob = try await client.signIn("bob")
            #expect(try await messages(client, bob) == [])
            let reply = try await answer(client, id, bob, #"{"priceIncrease":"agree"}"#)
            #expect(reply.complaint == "unknownSubscription")
        }
    }
}
