import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

/// What a rehearsal sees of one subscription, on `/connect`; each reply is held against the
/// description.
@Suite("Requests, pending changes and the next bill, over HTTP")
struct OutlookHTTPTests {
    private typealias Make = MerchantHTTP

    private func path(_ id: String, _ rest: String) -> String {
        "/connect/v1/subscriptions/\(id)/\(rest)"
    }

    @Test("A merchant's subscription tells its requests a page at a time, and what waits")
    func items() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let change = try await client.call(
                .changePrice, id,
                #"{\#(Make.info(2)),"currency":"USD","items":[{"SKU":"chess","price":19990,"#
                    + #""dependentSKUs":[]},{"SKU":"news","price":8990}]}"#)
            #expect(change.status == 200, "\(change.text)")
            let refused = try await client.call(
                .changePrice, id,
                #"{\#(Make.info(3)),"currency":"USD","items":[{"SKU":"golf","price":4990}]}"#)
            #expect(refused.status == 404 || refused.status == 400)

            let first = try await client.ours(.get, path(id, "requests?limit=1"))
            #expect(first["hasMore"]?.bool == true)
            let made = try #require(first["requests"]?.array?.first)
            #expect(made["operation"]?.string == "createSubscription")
            #expect(made["inApp"]?.bool == true && made["outcome"]?.string == "done")
            #expect(made["requestReferenceId"]?.string == Make.reference(1))
            #expect(made["charged"]?.integer == 12_980 && made["currency"]?.string == "USD")
            #expect(made["refunded"] == nil && made["namedTransactionId"] == nil)
            let sequence = try #require(made["sequence"]?.integer)
            let rest = try await client.ours(.get, path(id, "requests?after=\(sequence)"))
            #expect(rest["hasMore"]?.bool == false)
            let priced = try #require(rest["requests"]?.array?.first)
            #expect(rest["requests"]?.array?.count == 1, "what was refused is not listed")
            #expect(priced["operation"]?.string == "changePrice")
            #expect(priced["namedTransactionId"]?.string == id)
            #expect(priced["charged"] == nil)
            let changes = priced["changes"]?.array ?? []
            #expect(changes.map { $0["change"]?.string } == ["repriced", "repriced"])
            #expect(changes.compactMap { $0["sku"]?.string }.sorted() == ["chess", "news"])

            let pending = try await client.ours(.get, path(id, "pending-changes"))
            #expect(pending["currency"]?.string == "USD")
            let waits = pending["changes"]?.array ?? []
            #expect(waits.compactMap { $0["sku"]?.string } == ["news", "chess"])
            #expect(waits.map { $0["price"]?.integer } == [8_990, 19_990])
            #expect(waits.map { $0["formerPrice"]?.integer } == [9_990, 2_990])
            #expect(waits.map { $0["status"]?.string } == ["accepted", "planned"])
            #expect(waits.map { $0["path"]?.string } == [nil, "consent"])

            let timeline = try await client.ours(.get, path(id, "timeline"))
            let bought = timeline["entries"]?.array?.first?["items"]?.array ?? []
            #expect(
                bought.map { $0["change"]?.string } == ["added", "added", "paid", "paid"])
            #expect(bought.compactMap { $0["amount"]?.integer } == [9_990, 2_990])
        }
    }

    @Test("The next bill has a line an item, and says what is another price than now")
    func nextBill() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let change = try await client.call(
                .changePrice, id,
                #"{\#(Make.info(2)),"currency":"USD","items":[{"SKU":"news","price":8990}]}"#)
            #expect(change.status == 200, "\(change.text)")
            let bill = try await client.ours(.get, path(id, "next-bill"))
            #expect(bill["outcome"]?.string == "charge" && bill["purpose"]?.string == "renewal")
            #expect(bill["at"]?.string == "2026-02-01T00:00:00Z")
            #expect(bill["periodStart"]?.string == "2026-02-01T00:00:00Z")
            #expect(bill["periodEnd"]?.string == "2026-03-01T00:00:00Z")
            #expect(bill["productId"]?.string == Make.generic && bill["period"]?.string == "P1M")
            #expect(bill["amount"]?.integer == 11_980 && bill["currency"]?.string == "USD")
            let lines = bill["lines"]?.array ?? []
            #expect(lines.map { $0["sku"]?.string } == ["news", "chess"])
            #expect(lines.map { $0["displayName"]?.string } == ["The news", "The chess"])
            #expect(lines.map { $0["amount"]?.integer } == [8_990, 2_990])
            #expect(lines.map { $0["formerPrice"]?.integer } == [9_990, nil])
            let cancelled = try await client.call(.cancel, id, "{\(Make.info(3))}")
            #expect(cancelled.status == 200, "\(cancelled.text)")
            let end = try await client.ours(.get, path(id, "next-bill"))
            #expect(end["outcome"]?.string == "end" && end["expirationIntent"]?.integer == 1)
            #expect(end["at"]?.string == "2026-02-01T00:00:00Z")
            #expect(end["lines"]?.array?.isEmpty == true && end["amount"] == nil)
            let waits = try await client.ours(.get, path(id, "pending-changes"))
            #expect(waits["changes"]?.array?.first?["change"]?.string == "ends")
        }
    }

    @Test("An ordinary subscription has one line, no requests, and what it waits for")
    func ordinary() async throws {
        let world = try await HTTPWorld()
        let (first, second) = try await world.with { client -> (String, String) in
            func buy(_ product: String, _ account: String) async throws -> String {
                let token = try await client.signIn(account)
                let reply = try await client.ours(
                    .post, "/storefront/v1/purchases", #"{"productId":"\#(product)"}"#,
                    as: .bearer(token))
                let signed = try #require(reply["signedTransactionInfo"]?.string)
                return try await client.verifier().verifyTransaction(signed).transactionId
            }
            return (try await buy("gold.monthly", "ada"), try await buy("silver.intro", "bob"))
        }
        try await world.with { client in
            let requests = try await client.ours(.get, path(first, "requests"))
            #expect(requests["requests"]?.array?.isEmpty == true)
            #expect(requests["hasMore"]?.bool == false)
            let token = try await client.signIn("ada")
            let chosen = try await client.ours(
                .patch, "/storefront/v1/subscriptions/\(first)",
                #"{"productId":"bronze.monthly"}"#, as: .bearer(token))
            #expect(chosen.status < 300, "\(chosen.text)")
            let waits = try await client.ours(.get, path(first, "pending-changes"))
            let plan = try #require(waits["changes"]?.array?.first)
            #expect(plan["change"]?.string == "plan")
            #expect(plan["value"]?.string == "bronze.monthly")
            #expect(plan["price"]?.integer == 4_990 && plan["formerPrice"]?.integer == 19_990)
            #expect(plan["from"]?.string == "2026-02-01T00:00:00Z")
            let bill = try await client.ours(.get, path(first, "next-bill"))
            #expect(bill["productId"]?.string == "bronze.monthly")
            #expect(bill["lines"]?.array?.count == 1)
            #expect(bill["lines"]?.array?.first?["formerPrice"] == nil)
            // An offer that is paid period by period goes on.
            let offer = try await client.ours(.get, path(second, "next-bill"))
            let line = try #require(offer["lines"]?.array?.first)
            #expect(line["price"]?.integer == 9_990 && line["amount"]?.integer == 1_990)
            #expect(line["offerMode"]?.string == "PAY_AS_YOU_GO")
            #expect(line["offerPeriodsLeft"]?.integer == 1)
            let ended = try await client.ours(.post, path(second, "expire"))
            #expect(ended.status == 204)
            let over = try await client.ours(.get, path(second, "next-bill"))
            #expect(over["outcome"]?.string == "over" && over["at"] == nil)
        }
    }

    @Test("What is not there, or is in the other environment, is told so")
    func unknown() async throws {
        let world = try await Make.world()
        let id = try await world.with { client in try await client.bundle() }
        let nothing = try await world.world.store.timeline(
            subscription: Int64(id) ?? 0, after: 0, limit: 9)
        try await world.with(.sandbox) { client in
            for rest in ["requests", "pending-changes", "next-bill"] {
                let other = try await client.ours(.get, path(id, rest))
                #expect(other.status == 404 && other.complaint == "unknownSubscription")
                let none = try await client.ours(.get, path("7", rest))
                #expect(none.status == 404 && none.complaint == "unknownSubscription")
                let anyone = try await client.ours(.get, path(id, rest), as: .nothing)
                #expect(anyone.status == 401)
            }
        }
        try await world.with { client in
            let wrong = try await client.ours(.get, path(id, "requests?limit=0"))
            #expect(wrong.status == 400)
        }
        let after = try await world.world.store.timeline(
            subscription: Int64(id) ?? 0, after: 0, limit: 9)
        #expect(after == nothing, "looking changes nothing")
    }

    @Test("An item that is asked about may end alone, and the subscription says so")
    func asked() async throws {
        let world = try await Make.world()
        let id = try await world.with { client in
            let id = try await client.bundle()
            let reply = try await client.call(
                .changePrice, id,
                #"{\#(Make.info(2)),"currency":"USD","items":[{"SKU":"chess","price":19990}]}"#)
            #expect(reply.status == 200)
            return id
        }
        // Consent is asked for 27 days before the renewal.
        _ = try await world.world.store.advance(to: World.instant("2026-01-20"))
        try await world.with { client in
            let one = try await client.ours(.get, "/connect/v1/subscriptions/\(id)")
            #expect(one["priceIncrease"]?["phase"]?.string == "asked")
            #expect(one["priceIncrease"]?["endsSubscription"]?.bool == false)
            let bill = try await client.ours(.get, path(id, "next-bill"))
            let skus = bill["lines"]?.array?.compactMap { $0["sku"]?.string }
            #expect(skus == ["news"], "nobody has agreed: \(bill.text)")
        }
    }
}
