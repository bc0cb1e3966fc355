import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Merchant
import MerchantHTTP
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A merchant's days over HTTP: what each customer must see is said before each step.
@Suite("Merchant over HTTP: days", .timeLimit(.minutes(15)))
struct MerchantDayTests {
    private func transaction(_ signed: String) throws -> JWSTransactionDecodedPayload {
        try JWSText.decode(signed)
    }

    @Test(
        "From the purchase to the refund and its reversal, with a transfer",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            #expect(try await client.customer()["version"] == .integer(0))
            // The app's purchase is answered with what it unlocks, before any notification.
            let signed = try #require(try await world.buy("silver.monthly"))
            let bought = try await client.post(signed)
            #expect(bought.status == 200, "\(bought.text)")
            #expect(bought.entitlements == ["club active until 2026-02-01T00:00:00Z"])
            #expect(try await client.deliver() == ["200 kept"])
            // A renewal.
            try await client.advance(to: "2026-02-02")
            #expect(
                try await client.customer().entitlements == [
                    "club active until 2026-03-01T00:00:00Z"
                ])
            // An upgrade, of which the merchant hears from the store alone.
            let upgrade = try transaction(try #require(try await world.buy("gold.monthly")))
            try await client.deliver()
            let upgraded = try await client.customer()
            #expect(upgraded.entitlements == ["club active until 2026-03-02T00:00:00Z"])
            let first = upgraded["entitlements"]?.array?.first
            #expect(first?["productId"] == .string("gold.monthly"))
            #expect(first?["transactionId"] == .string(upgrade.transactionId))
            #expect(first?["granted"] == .bool(true))
            // A refund takes it, the reversal gives it back.
            try await client.advance(to: "2026-02-10")
            let id = try #require(Int64(upgrade.transactionId))
            try await world.world.store.refund(
                transaction: id, .full, reason: .other, in: .production)
            try await client.deliver()
            let refunded = try await client.customer()
            #expect(refunded.entitlements == ["club refunded until 2026-02-10T00:00:00Z"])
            #expect(refunded["entitlements"]?.array?.first?["granted"] == .bool(false))
            try await client.advance(to: "2026-02-11")
            try await world.world.store.reverseRefund(transaction: id, in: .production)
            try await client.deliver()
            #expect(
                try await client.customer().entitlements == [
                    "club active until 2026-03-02T00:00:00Z"
                ])
            // Another account gets it only by restoring.
            #expect(try await client.post(signed, as: "bea").summary == "409 ownedByAnother")
            #expect(try await client.customer("bea").entitlements == [])
            let restored = try await client.post(signed, as: "bea", restoring: true)
            #expect(restored.entitlements == ["club active until 2026-03-02T00:00:00Z"])
            #expect(try await client.customer().entitlements == [])
        }
    }

    @Test(
        "Versions only grow, and an answer that is still good is 304", arguments: Backend.available)
    func tags(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            let posted = try #require(try await client.post(signed)["version"]?.integer)
            let first = try await client.customer()
            #expect(try #require(first["version"]?.integer) >= posted)
            let tag = try #require(first.fields[.eTag])
            let same = try await client.customer(unless: tag)
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(same.fields[.eTag] == tag)
            for known in ["W/\(tag)", "\"other\", \(tag)", "*"] {
                #expect(try await client.customer(unless: known).status == 304, "\(known)")
            }
            for other in ["\"other\"", String(tag.dropLast()), "W/"] {
                #expect(try await client.customer(unless: other).status == 200, "\(other)")
            }
            // The period has ended, and nobody has said so.
            _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
            let ended = try await client.customer(unless: tag)
            #expect(ended.status == 200)
            #expect(ended.entitlements == ["club expired until 2026-02-01T00:00:00Z"])
            let endedTag = try #require(ended.fields[.eTag])
            #expect(endedTag != tag)
            try await client.deliver()
            let renewed = try await client.customer(unless: endedTag)
            #expect(renewed.entitlements == ["club active until 2026-03-01T00:00:00Z"])
            #expect(try #require(renewed["version"]?.integer) > posted)
            // Another configuration unlocks something else, which is no event.
            let renewedTag = try #require(renewed.fields[.eTag])
            #expect(try await client.customer(unless: renewedTag).status == 304)
            var setup = try AppSetup(
                bundleID: World.bundleID, appAppleID: World.appleID,
                rootDER: [World.chain.rootDER])
            setup.grants = ["silver.monthly": ["silver"]]
            try await world.server.merchant.serve([setup])
            let renamed = try await client.customer(unless: renewedTag)
            #expect(renamed.entitlements == ["silver active until 2026-03-01T00:00:00Z"])
            #expect(renamed["version"] == renewed["version"])
        }
    }

    @Test(
        "A customer's subscriptions and the number of each consumable product are said",
        arguments: Backend.available)
    func subscriptions(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            #expect(try await client.customer()["subscriptions"] == .array([]))
            #expect(try await client.customer()["balances"] == .object([:]))
            let signed = try #require(try await world.buy("silver.monthly"))
            for text in [signed, try await world.buy("coins"), try await world.buy("lifetime")] {
                _ = try await client.post(try #require(text))
            }
            try await client.deliver()
            let customer = try await client.customer()
            #expect(customer["balances"] == .object(["coins": .integer(1)]))
            #expect(customer["purchases"]?.array?.count == 3)
            let bought = try transaction(signed)
            #expect(
                customer["subscriptions"]
                    == .array([
                        .object([
                            "originalTransactionId": .string(bought.originalTransactionId),
                            "productId": .string("silver.monthly"),
                            "environment": .string("Production"), "ownership": .string("purchased"),
                            "status": .string("active"), "until": .string("2026-02-01T00:00:00Z"),
                            "willRenew": .bool(true), "nextProductId": .string("silver.monthly"),
                            "price": .integer(9_990), "nextPrice": .integer(9_990),
                            "currency": .string("USD"),
                            "entitlements": .array([.string("club")]),
                        ])
                    ]), "\(customer.text)")
        }
    }

    @Test(
        "What the next period costs is said while one follows, and what was paid always",
        arguments: Backend.available)
    func prices(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            _ = try await client.post(signed)
            // What the app has sent says nothing of the next period.
            let bought = try await client.customer()["subscriptions"]?.array?.first
            #expect(bought?["price"] == .integer(9_990))
            #expect(bought?["nextPrice"] == nil)
            #expect(bought?["currency"] == .string("USD"))
            try await client.deliver()
            let renewing = try await client.customer()["subscriptions"]?.array?.first
            #expect(renewing?["nextPrice"] == .integer(9_990))
            let id = try #require(Int64(try transaction(signed).originalTransactionId))
            try await world.world.store.change(
                subscription: id, [.renewal(isOn: false)], by: try await world.world.device("ada"))
            try await client.deliver()
            let ending = try await client.customer()["subscriptions"]?.array?.first
            #expect(ending?["price"] == .integer(9_990))
            #expect(ending?["nextPrice"] == nil)
            #expect(ending?["currency"] == .string("USD"))
        }
    }

    @Test("An answer says why, by which notifications", arguments: Backend.available)
    func why(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            for product in ["silver.monthly", "lifetime"] {
                _ = try await client.post(try #require(try await world.buy(product)))
            }
            try await client.deliver()
            try await client.advance(to: "2026-02-02")
            let path = "\(Client.path)/accounts/ada/why"
            let all = try await client.send(.get, path, token: MerchantHTTPWorld.developer)
            #expect(all["purchases"]?.array?.count == 2, "\(all.text)")
            let reply = try await client.send(
                .get, "\(path)?entitlement=club", token: MerchantHTTPWorld.developer)
            let purchases = try #require(reply["purchases"]?.array)
            #expect(purchases.compactMap { $0["reason"]?.string } == ["active"])
            let notifications = try #require(purchases.first?["notifications"]?.array)
            #expect(
                notifications.compactMap { $0["type"]?.string } == ["SUBSCRIBED", "DID_RENEW"])
            #expect(notifications.allSatisfy { $0["state"] == .string("processed") })
            let renewal = try #require(notifications.last?["notificationUUID"])
            #expect(purchases.first?["sources"]?.array?.contains(renewal) == true)
        }
    }

    @Test(
        "What waits is answered 200 at once and processed afterwards", arguments: Backend.available)
    func waiting(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, processesFirst: false)
        try await world.with { client in
            _ = try await client.post(try #require(try await world.buy("silver.monthly")))
            _ = try await client.deliver()
            _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
            #expect(try await client.deliver() == ["200 kept"])
            #expect(
                try await client.customer().entitlements == [
                    "club expired until 2026-02-01T00:00:00Z"
                ])
            let settled = try await client.send(
                .post, "/v1/operator/settle", token: MerchantHTTPWorld.theOperator)
            #expect(settled.status == 204)
            #expect(
                try await client.customer().entitlements == [
                    "club active until 2026-03-01T00:00:00Z"
                ])
        }
    }

    @Test(
        "Without its database it answers 503, and what was not answered is sent again",
        arguments: Backend.available)
    func outage(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            _ = try await client.post(try #require(try await world.buy("silver.monthly")))
            try await world.world.store.settle()
            let payload = try #require(world.world.listener.takeArrivals().first?.signedPayload)
            let before = try await world.tables()
            world.database.arm(.beforeCommit(1))
            let refused = try await client.notify(payload)
            #expect(refused.summary == "503 databaseUnavailable")
            #expect(refused.fields[.retryAfter] == "5")
            #expect(try await world.tables() == before)
            // It was kept, and nobody was told.
            world.database.arm(.afterCommit(1))
            #expect(try await client.notify(payload).status == 503)
            #expect(try await client.notify(payload).summary == "200 repeated")
            let why = try await client.send(
                .get, "\(Client.path)/accounts/ada/why", token: MerchantHTTPWorld.developer)
            let notifications = why["purchases"]?.array?.first?["notifications"]?.array
            #expect(notifications?.compactMap { $0["state"]?.string } == ["processed"])
        }
    }
}
