import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Get Transaction History")
struct ServerAPIHistoryTests {
    /// A customer with 45 transactions of every type: 40 periods of a subscription, two purchases
    /// of a consumable of which one is finished, two other products and another subscription.
    private struct Shopper {
        let world: HTTPWorld
        let device: DeviceSession
        /// In the order of purchase.
        var transactions: [JWSTransactionDecodedPayload] = []

        init() async throws {
            world = try await HTTPWorld(at: "2024-01-01T00:00:00Z", isListening: false)
            device = try await world.world.device()
            try await buy("silver.monthly")
            try await world.world.advance(by: "P39M", expecting: [])
            for product in ["coins", "coins", "lifetime", "season", "news.monthly"] {
                try await world.world.advance(by: "PT1H", expecting: [])
                try await buy(product)
            }
            let finished = try #require(transactions.first { $0.productId == "coins" })
            try await world.world.store.finish(
                transaction: Int64(finished.transactionId)!, by: device)
            transactions = try await world.world.history(transactions[0].transactionId)
        }

        private mutating func buy(_ product: String) async throws {
            transactions.append(
                try #require(try await world.world.buy(product, by: device, expecting: [])))
        }
    }

    /// All pages of a history, each verified; and how large each was.
    private func pages(
        _ client: Client, _ path: String, _ query: [String] = []
    ) async throws -> (all: [JWSTransactionDecodedPayload], sizes: [Int]) {
        let verifier = try client.verifier()
        var all: [JWSTransactionDecodedPayload] = []
        var sizes: [Int] = []
        var revision: String?
        while true {
            let parts = query + (revision.map { ["revision=\($0)"] } ?? [])
            let reply = try await client.api(.get, path + "?" + parts.joined(separator: "&"))
            #expect(reply.status == 200, "\(reply.text)")
            let signed = try #require(reply["signedTransactions"]?.array).compactMap(\.string)
            for jws in signed { all.append(try await verifier.verifyTransaction(jws)) }
            sizes.append(signed.count)
            let next = try #require(reply["revision"]?.string)
            #expect(next.utf8.allSatisfy { $0 != 0x2B && $0 != 0x20 && $0 != 0x25 })
            guard reply["hasMore"] == .bool(true) else { return (all, sizes) }
            revision = next
        }
    }

    @Test("Forty-five transactions come in three pages, each once, oldest change first")
    func paging() async throws {
        let shopper = try await Shopper()
        let id = shopper.transactions[0].transactionId
        try await shopper.world.with { client in
            for version in ["v1", "v2"] {
                let (all, sizes) = try await pages(client, "/\(version)/history/\(id)")
                let left = version == "v1" ? 44 : 45
                #expect(sizes == [20, 20, left - 40])
                #expect(Set(all.map(\.transactionId)).count == left)
            }
            let (ascending, _) = try await pages(
                client, "/v2/history/\(id)", ["sort=ASCENDING"])
            let (descending, _) = try await pages(
                client, "/v2/history/\(id)", ["sort=DESCENDING"])
            #expect(ascending.map(\.transactionId) == shopper.transactions.map(\.transactionId))
            #expect(descending.map(\.transactionId) == ascending.reversed().map(\.transactionId))
        }
    }

    @Test("Every filter takes its own, and different filters are joined")
    func filters() async throws {
        let shopper = try await Shopper()
        let id = shopper.transactions[0].transactionId
        let tenth = shopper.transactions[9].purchaseDate
        try await shopper.world.with { client in
            let counts: [([String], Int)] = [
                (["productId=coins"], 2), (["productId=coins", "productId=lifetime"], 3),
                (["productId=nothing"], 0), (["productType=AUTO_RENEWABLE"], 41),
                (["productType=NON_RENEWABLE", "productType=CONSUMABLE"], 3),
                (["productType=NON_CONSUMABLE"], 1),
                (["productType=CONSUMABLE", "productId=lifetime"], 0),
                (["inAppOwnershipType=PURCHASED"], 45), (["inAppOwnershipType=FAMILY_SHARED"], 0),
                (["inAppOwnershipType=ASSIGNED"], 0), (["subscriptionGroupIdentifier=news"], 1),
                (["subscriptionGroupIdentifier=news", "subscriptionGroupIdentifier=club"], 41),
                (["startDate=\(tenth)"], 36), (["endDate=\(tenth)"], 9),
                (["startDate=\(tenth)", "endDate=\(tenth + 1)"], 1),
                (["endDate=4102444800000"], 45), (["revoked=True"], 0), (["revoked=False"], 45),
                (["revoked=false", "excludeRevoked=true"], 45), (["excludeRevoked=TRUE"], 45),
                (["excludeRevoked=false"], 45), (["unknown=key"], 45),
            ]
            for (query, count) in counts {
                let (all, _) = try await pages(client, "/v2/history/\(id)", query)
                #expect(all.count == count, "\(query)")
            }
        }
    }

    @Test(
        "A filter that cannot be read has its own code",
        arguments: [
            ("startDate=yesterday", APIError.invalidStartDate), ("startDate=", .invalidStartDate),
            ("startDate=-1", .invalidStartDate), ("startDate=1.5", .invalidStartDate),
            ("startDate=1&startDate=2", .invalidStartDate), ("endDate=x", .invalidEndDate),
            ("startDate=2&endDate=2", .invalidEndDate), ("startDate=3&endDate=2", .invalidEndDate),
            ("sort=UP", .invalidSort), ("sort=ascending", .invalidSort), ("sort=", .invalidSort),
            ("sort=ASCENDING&sort=DESCENDING", .invalidSort),
            ("productType=Consumable", .invalidProductType), ("productType=", .invalidProductType),
            ("productType=CONSUMABLE&productType=x", .invalidProductType),
            ("productId=", .invalidProductId), ("productId=%00", .invalidProductId),
            ("subscriptionGroupIdentifier=", .invalidSubscriptionGroupIdentifier),
            ("inAppOwnershipType=MINE", .invalidInAppOwnershipType), ("revoked=1", .invalidRevoked),
            ("revoked=", .invalidRevoked), ("revoked=true&excludeRevoked=true", .invalidRevoked),
            ("excludeRevoked=perhaps", .invalidExcludeRevoked),
            ("revision=", .invalidRequestRevision), ("revision=abc", .invalidRequestRevision),
            ("revision=12_abc", .invalidRequestRevision),
            ("revision=-1_abc", .invalidRequestRevision),
            ("revision=a&revision=b", .invalidRequestRevision),
        ] as [(String, APIError)])
    func invalid(query: String, error: APIError) async throws {
        let world = try await HTTPWorld(isListening: false)
        let bought = try #require(
            try await world.world.buy("coins", by: try await world.world.device(), expecting: []))
        try await world.with { client in
            for version in ["v1", "v2"] {
                let path = "/\(version)/history/\(bought.transactionId)?\(query)"
                expect(try await client.api(.get, path), error)
            }
        }
    }

    @Test("A revision fits only the filters and the customer that it came with")
    func foreignRevision() async throws {
        let shopper = try await Shopper()
        let id = shopper.transactions[0].transactionId
        let other = try #require(
            try await shopper.world.world.buy(
                "coins", by: try await shopper.world.world.device("bob"), expecting: []))
        try await shopper.world.with { client in
            let path = "/v2/history/\(id)?productType=AUTO_RENEWABLE"
            let revision = try #require(try await client.api(.get, path)["revision"]?.string)
            #expect(try await client.api(.get, "\(path)&revision=\(revision)").status == 200)
            for wrong in [
                "/v2/history/\(id)?revision=\(revision)",
                "/v2/history/\(id)?productType=CONSUMABLE&revision=\(revision)",
                "\(path)&sort=DESCENDING&revision=\(revision)",
                "/v1/history/\(id)?productType=AUTO_RENEWABLE&revision=\(revision)",
                "/v2/history/\(other.transactionId)?productType=AUTO_RENEWABLE"
                    + "&revision=\(revision)",
            ] {
                expect(try await client.api(.get, wrong), .invalidRequestRevision)
            }
        }
    }

    @Test("The last revision of an ascending history brings what has changed since")
    func laterChanges() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let first = try #require(
            try await world.world.buy("silver.monthly", by: ada, expecting: []))
        let path = "/v2/history/\(first.transactionId)"
        try await world.with { client in
            let revision = try #require(try await client.api(.get, path)["revision"]?.string)
            let nothing = try await client.api(.get, "\(path)?revision=\(revision)")
            #expect(nothing["signedTransactions"] == .array([]))
            #expect(nothing["revision"] == .string(revision))
            try await world.world.advance(by: "P1M", expecting: [])
            try await world.world.buy("gold.monthly", by: ada, expecting: [])
            let reply = try await client.api(.get, "\(path)?revision=\(revision)")
            let payloads: [JWSTransactionDecodedPayload] = try #require(
                reply["signedTransactions"]?.array
            ).compactMap(\.string).map { try JWSText.decode($0) }
            // The renewal was upgraded a moment later, so it changed after the upgrade's purchase.
            #expect(Set(payloads.map(\.productId)) == ["silver.monthly", "gold.monthly"])
            #expect(payloads.contains { $0.isUpgraded == true })
        }
    }

    @Test("The envelope names app and environment; the Apple id is absent in Sandbox")
    func envelope() async throws {
        let world = try await HTTPWorld(isListening: false)
        for environment in StoreEnvironment.allCases {
            let bought = try #require(
                try await world.world.buy(
                    "coins", by: try await world.world.device(in: environment), expecting: []))
            let copy = try #require(bought.appTransactionId)
            try await world.with(environment) { client in
                for id in [bought.transactionId, copy] {
                    let reply = try await client.api(.get, "/v2/history/\(id)")
                    #expect(reply["environment"] == .string(environment.wire.rawValue))
                    #expect(reply["bundleId"] == .string(World.bundleID))
                    let apple: JSONValue? =
                        environment == .production ? .integer(World.appleID) : nil
                    #expect(reply["appAppleId"] == apple)
                }
            }
        }
    }
}
