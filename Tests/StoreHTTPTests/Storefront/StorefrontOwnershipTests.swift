import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Storefront: what the customer owns")
struct StorefrontOwnershipTests {
    private static let path = "/storefront/v1"

    @Test("Transactions come in pages, the unfinished ones by themselves")
    func transactions() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            var ids: [String] = []
            for _ in 0..<5 { ids.append(try await client.buy("coins", as: token).transactionId) }
            let done = try await client.ours(
                .post, "\(Self.path)/transactions/\(ids[1])/finish", as: .bearer(token))
            #expect(done.status == 204)
            var found: [String] = []
            var after = ""
            while true {
                let reply = try await client.ours(
                    .get, "\(Self.path)/transactions?limit=2\(after)", as: .bearer(token))
                let page = try #require(reply["transactions"]?.array)
                for one in page {
                    let id = try #require(one["transactionId"]?.string)
                    #expect(one["finished"] == .bool(id == ids[1]))
                    #expect(one["orderId"] == .string(OrderID.text(Int64(id)!)))
                    found.append(id)
                }
                guard reply["hasMore"] == .bool(true) else { break }
                after = "&after=\(found.last!)"
            }
            #expect(found == ids)
            let open = try await client.ours(
                .get, "\(Self.path)/transactions?unfinished=true", as: .bearer(token))
            #expect(open["transactions"]?.array?.count == 4)
        }
    }

    @Test(
        "A parameter that cannot be right is refused by its name",
        arguments: [
            ("limit=0", "invalidMember", "limit"), ("limit=201", "invalidMember", "limit"),
            ("limit=x", "invalidMember", "limit"), ("limit=1&limit=2", "invalidMember", "limit"),
            ("after=x", "invalidMember", "after"), ("unfinished=1", "invalidMember", "unfinished"),
            ("finished=true", "unknownParameter", "finished"),
        ])
    func invalidParameters(query: String, code: String, field: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let reply = try await client.ours(
                .get, "\(Self.path)/transactions?\(query)", as: .bearer(token))
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            #expect(reply["field"] == .string(field))
        }
    }

    @Test("Nobody finishes what is not theirs")
    func finishOthers() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let bought = try await client.buy("coins", as: try await client.signIn("bob"))
            let ada = try await client.signIn("ada")
            let before = try await world.everything()
            for id in [bought.transactionId, "77", "x", "-1", "%00"] {
                let reply = try await client.ours(
                    .post, "\(Self.path)/transactions/\(id)/finish", as: .bearer(ada))
                #expect(reply.status == 404)
                #expect(reply.complaint == "unknownTransaction")
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("Entitlements are what the customer has access to now")
    func entitlements() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            for product in ["coins", "lifetime", "season", "silver.monthly"] {
                try await client.buy(product, as: token)
            }
            func owned() async throws -> [String] {
                let reply = try await client.ours(
                    .get, "\(Self.path)/entitlements", as: .bearer(token))
                return try #require(reply["entitlements"]?.array).compactMap {
                    $0["productId"]?.string
                }
            }
            #expect(try await owned() == ["lifetime", "season", "silver.monthly"])
            let list = try await client.ours(
                .get, "\(Self.path)/subscriptions", as: .bearer(token))
            let id = try #require(
                list["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            let ended = try await client.ours(.post, "/connect/v1/subscriptions/\(id)/expire")
            #expect(ended.status == 204)
            #expect(try await owned() == ["lifetime", "season"])
        }
    }

    @Test("A subscription is changed on the manage-subscriptions screen")
    func change() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let bought = try await client.buy("gold.monthly", as: token)
            let path = "\(Self.path)/subscriptions/\(bought.transactionId)"
            let off = try await client.ours(
                .patch, path, #"{"autoRenew":false}"#, as: .bearer(token))
            #expect(off.status == 200)
            #expect(off["autoRenew"] == .bool(false))
            #expect(off["entitled"] == .bool(true))
            #expect(off["status"] == .integer(1))
            #expect(off["expires"] == .string("2026-02-01T00:00:00Z"))
            let verifier = try client.verifier()
            let renewal = try await verifier.verifyRenewalInfo(
                try #require(off["signedRenewalInfo"]?.string))
            #expect(renewal.autoRenewStatus == .off)
            let both = try await client.ours(
                .patch, path, #"{"autoRenew":true,"productId":"bronze.monthly"}"#,
                as: .bearer(token))
            #expect(both["autoRenew"] == .bool(true))
            #expect(both["productId"] == .string("gold.monthly"))
            #expect(both["autoRenewProductId"] == .string("bronze.monthly"))
        }
    }

    @Test(
        "A change that cannot be made changes nothing",
        arguments: [
            (#"{}"#, 400, "nothingToChange"), (#"{"autoRenew":"false"}"#, 400, "invalidMember"),
            (#"{"autorenew":false}"#, 400, "unknownMember"),
            (#"{"priceIncrease":"agree"}"#, 409, "noPriceIncrease"),
            (#"{"priceIncrease":"decline"}"#, 409, "noPriceIncrease"),
            (#"{"priceIncrease":"perhaps"}"#, 400, "invalidMember"),
            (#"{"productId":"nothing"}"#, 404, "unknownProduct"),
            (#"{"productId":"coins"}"#, 409, "notASubscription"),
            (#"{"productId":"news.monthly"}"#, 409, "wrongGroup"),
            (#"{"autoRenew":false,"productId":"news.monthly"}"#, 409, "wrongGroup"),
        ] as [(String, Int, String)])
    func refusedChange(body: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("gold.monthly", as: token).transactionId
            let before = try await world.everything()
            let reply = try await client.ours(
                .patch, "\(Self.path)/subscriptions/\(id)", body, as: .bearer(token))
            #expect(reply.status == status)
            #expect(reply.complaint == code)
            #expect(try await world.everything() == before)
        }
    }

    @Test("A subscription of somebody else does not exist")
    func othersSubscription() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let id = try await client.buy("gold.monthly", as: try await client.signIn("bob"))
                .transactionId
            let ada = try await client.signIn("ada")
            for id in [id, "77", "x"] {
                let reply = try await client.ours(
                    .patch, "\(Self.path)/subscriptions/\(id)", #"{"autoRenew":false}"#,
                    as: .bearer(ada))
                #expect(reply.status == 404)
                #expect(reply.complaint == "unknownSubscription")
            }
        }
    }

    @Test("A subscription that is over is bought again, not switched on")
    func over() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("gold.monthly", as: token).transactionId
            try await world.world.store.end(subscription: Int64(id)!)
            let reply = try await client.ours(
                .patch, "\(Self.path)/subscriptions/\(id)", #"{"autoRenew":true}"#,
                as: .bearer(token))
            #expect(reply.status == 409)
            #expect(reply.complaint == "notActive")
        }
    }
}
