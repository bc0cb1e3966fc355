import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Get All Subscription Statuses")
struct ServerAPIStatusTests {
    @Test("Each group has its subscription with transaction and renewal info, signed")
    func statuses() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let club = try #require(try await world.world.buy("silver.monthly", by: ada, expecting: []))
        let news = try #require(try await world.world.buy("news.monthly", by: ada, expecting: []))
        try await world.world.store.end(subscription: Int64(news.transactionId)!)
        try await world.with { client in
            let verifier = try client.verifier()
            let reply = try await client.api(.get, "/v1/subscriptions/\(club.transactionId)")
            #expect(reply.status == 200)
            #expect(reply["environment"] == .string("Production"))
            #expect(reply["bundleId"] == .string(World.bundleID))
            #expect(reply["appAppleId"] == .integer(World.appleID))
            let data = try #require(reply["data"]?.array)
            #expect(
                data.compactMap { $0["subscriptionGroupIdentifier"]?.string } == ["club", "news"])
            let items = data.compactMap { $0["lastTransactions"]?.array?.first }
            #expect(items.compactMap { $0["status"]?.integer } == [1, 2])
            for item in items {
                let transaction = try await verifier.verifyTransaction(
                    try #require(item["signedTransactionInfo"]?.string))
                let renewal = try await verifier.verifyRenewalInfo(
                    try #require(item["signedRenewalInfo"]?.string))
                #expect(item["originalTransactionId"]?.string == transaction.originalTransactionId)
                #expect(renewal.originalTransactionId == transaction.originalTransactionId)
            }
        }
    }

    @Test("A filter of statuses takes any of them")
    func filter() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let club = try #require(try await world.world.buy("silver.monthly", by: ada, expecting: []))
        let news = try #require(try await world.world.buy("news.monthly", by: ada, expecting: []))
        try await world.world.store.end(subscription: Int64(news.transactionId)!)
        try await world.with { client in
            let counts = [
                "": 2, "?": 2, "?status=1": 1, "?status=2": 1, "?status=3": 0,
                "?status=1&status=2": 2, "?status=1&status=5": 1, "?status=2&status=2": 1,
            ]
            for (query, count) in counts {
                let reply = try await client.api(
                    .get, "/v1/subscriptions/\(club.transactionId)\(query)")
                #expect(reply["data"]?.array?.count == count, "\(query)")
            }
        }
    }

    @Test("What is no status is refused", arguments: ["0", "6", "", "one", "1,2", "01", "-1"])
    func invalid(status: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        let bought = try #require(
            try await world.world.buy("coins", by: try await world.world.device(), expecting: []))
        try await world.with { client in
            let path = "/v1/subscriptions/\(bought.transactionId)?status=1&status=\(status)"
            expect(try await client.api(.get, path), .invalidStatus)
            expect(
                try await client.api(.get, "/v1/subscriptions/x\(status)?status=1"),
                .invalidTransactionId)
            expect(try await client.api(.get, "/v1/subscriptions/77"), .transactionIdNotFound)
        }
    }

    @Test("A customer who never subscribed has an empty list")
    func nothing() async throws {
        let world = try await HTTPWorld(isListening: false)
        let bought = try #require(
            try await world.world.buy("coins", by: try await world.world.device(), expecting: []))
        try await world.with { client in
            let reply = try await client.api(.get, "/v1/subscriptions/\(bought.transactionId)")
            #expect(reply.status == 200)
            #expect(reply["data"] == .array([]))
        }
    }
}
