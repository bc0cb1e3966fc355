import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Connect: what happened, and what falls due")
struct ConnectJournalTests {
    private static let path = "/connect/v1"

    /// The entries of a page, as `account event`.
    private func names(_ reply: Reply) -> [String] {
        (reply["entries"]?.array ?? []).map { one in
            "\(one["account"]?.string ?? "") \(one["entry"]?["event"]?.string ?? "")"
        }
    }

    private func counts(_ reply: Reply) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: (reply["counts"]?.array ?? []).map {
                ($0["kind"]?.string ?? "", $0["count"]?.integer ?? 0)
            })
    }

    @Test(
        "What happened in an environment is listed newest first, page by page",
        arguments: Backend.available)
    func journal(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with(.sandbox) { client in
            _ = try await client.buy("silver.monthly", as: try await client.signIn("sandy"))
        }
        try await world.with { client in
            let none = try await client.ours(.get, "\(Self.path)/journal")
            #expect(names(none).isEmpty)
            #expect(none["hasMore"] == .bool(false))
            let bought = try await client.buy(
                "silver.monthly", as: try await client.signIn("ada"))
            try await client.buy("coins", as: try await client.signIn("bob"))
            _ = try await world.world.store.advance(to: World.instant("2026-02-01"))
            let all = try await client.ours(.get, "\(Self.path)/journal")
            #expect(names(all).first == "ada becameDue")
            #expect(names(all).contains { $0.hasPrefix("bob ") })
            #expect(names(all).last?.hasPrefix("ada ") == true)
            #expect(!names(all).contains { $0.hasPrefix("sandy") })
            #expect(
                all["entries"]?.array?.first?["originalTransactionId"]?.string
                    == bought.originalTransactionId)
            let sequences = (all["entries"]?.array ?? []).compactMap {
                $0["entry"]?["sequence"]?.integer
            }
            #expect(sequences == sequences.sorted(by: >))
            var paged: [String] = []
            var cursor = ""
            while true {
                let page = try await client.ours(
                    .get, "\(Self.path)/journal?limit=1\(cursor)")
                paged += names(page)
                let last = page["entries"]?.array?.last?["entry"]?["sequence"]?.integer
                cursor = "&before=\(last ?? 0)"
                if page["hasMore"] == .bool(false) { break }
            }
            #expect(paged == names(all))
        }
    }

    @Test("A page of the journal that there is not is refused", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        try await HTTPWorld(backend, isListening: false).with { client in
            for query in [
                "?limit=0", "?limit=201", "?before=x", "?after=1", "?limit=1&limit=2", "?before=-5",
            ] {
                let reply = try await client.ours(.get, "\(Self.path)/journal\(query)")
                #expect(reply.status == 400, "\(query)")
            }
            for path in ["journal", "journal/counts", "clock/due"] {
                let reply = try await client.ours(.get, "\(Self.path)/\(path)", as: .nothing)
                #expect(reply.status == 401)
            }
        }
    }

    @Test(
        "What happened since an entry is counted by kind, of both environments",
        arguments: Backend.available)
    func counted(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with(.sandbox) { client in
            _ = try await client.buy("silver.monthly", as: try await client.signIn("sandy"))
        }
        try await world.with { client in
            for account in ["ada", "bob"] {
                try await client.buy("silver.monthly", as: try await client.signIn(account))
            }
            let path = "\(Self.path)/journal/counts"
            let start = try await client.ours(.get, path)
            let newest = try #require(start["newest"]?.integer)
            #expect(counts(start).isEmpty)
            let all = try await client.ours(.get, "\(path)?after=0")
            #expect(counts(all)["chosePlan"] == 3)
            _ = try await world.world.store.advance(to: World.instant("2026-02-01"))
            let since = try await client.ours(.get, "\(path)?after=\(newest)")
            #expect(since["newest"]?.integer ?? 0 > newest)
            #expect(counts(since)["chosePlan"] == nil)
            #expect(counts(since)["renewed"] ?? 0 >= 2)
            #expect(counts(since)["becameDue"] == nil)
            let order = (since["counts"]?.array ?? []).compactMap { $0["count"]?.integer }
            #expect(order == order.sorted(by: >))
            let none = try await client.ours(
                .get, "\(path)?after=\(since["newest"]?.integer ?? 0)")
            #expect(counts(none).isEmpty)
            #expect(none["newest"] == since["newest"])
            for query in ["?after=x", "?before=1", "?after=1&after=2"] {
                #expect(try await client.ours(.get, "\(path)\(query)").status == 400)
            }
        }
    }

    @Test("What fell due is counted by what came of it", arguments: Backend.available)
    func outcomes(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            for account in ["ada", "bob", "cy"] {
                let token = try await client.signIn(account)
                let bought = try await client.buy("silver.monthly", as: token)
                guard account == "cy" else { continue }
                _ = try await client.send(
                    .patch, "/storefront/v1/subscriptions/\(bought.originalTransactionId)",
                    #"{"autoRenew":false}"#, as: .bearer(token))
            }
            _ = try await client.ours(
                .put, "/connect/v1/customers/bob/payment-method", #"{"behaviour":"decline"}"#)
            let path = "\(Self.path)/journal/counts"
            let newest = try #require(try await client.ours(.get, path)["newest"]?.integer)
            _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
            let told = counts(try await client.ours(.get, "\(path)?after=\(newest)"))
            #expect(told["renewed"] == 1)
            #expect(told["expired"] == 1)
            #expect(told["paymentDeclined"] ?? 0 >= 1)
            #expect(told["becameDue"] == nil)
        }
    }

    @Test("What happened to apps is counted, and listed for nobody", arguments: Backend.available)
    func apps(_ backend: Backend) async throws {
        try await HTTPWorld(backend, isListening: false).with { client in
            let reply = try await client.ours(.get, "\(Self.path)/journal/counts?after=0")
            #expect(counts(reply)["addedApp"] == 1)
            #expect(counts(reply)["importedCatalogue"] == 1)
            let list = try await client.ours(.get, "\(Self.path)/journal")
            #expect(names(list).isEmpty)
        }
    }

    @Test(
        "What falls due until a moment is counted by kind, each subscription once",
        arguments: Backend.available)
    func due(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            let path = "\(Self.path)/clock/due"
            #expect(counts(try await client.ours(.get, path)).isEmpty)
            for account in ["ada", "bob", "cy"] {
                let token = try await client.signIn(account)
                let bought = try await client.buy("silver.monthly", as: token)
                guard account == "bob" else { continue }
                let off = try await client.send(
                    .patch, "/storefront/v1/subscriptions/\(bought.originalTransactionId)",
                    #"{"autoRenew":false}"#, as: .bearer(token))
                #expect(off.status == 200)
            }
            let pending = try await client.signIn("dora")
            for (method, uri, body): (HTTPRequest.Method, String, String) in [
                (.put, "customers/cy/payment-method", #"{"behaviour":"decline"}"#),
                (.put, "customers/dora/payment-method", #"{"behaviour":"later"}"#),
                (
                    .put, "apps/com.example.app/products/coins/price-changes/USA",
                    #"{"price":1990,"start":"2026-01-20T00:00:00Z"}"#
                ),
            ] {
                let reply = try await client.ours(method, "\(Self.path)/\(uri)", body)
                #expect(reply.status < 300, "\(reply.text)")
            }
            let asked = try await client.send(
                .post, "/storefront/v1/purchases", #"{"productId":"gold.monthly"}"#,
                as: .bearer(pending))
            #expect(asked.status == 200, "\(asked.text)")
            let day = try await client.ours(.get, "\(path)?until=PT1S")
            #expect(day["until"] == .string("2026-01-01T00:00:01Z"))
            #expect(counts(day).isEmpty)
            let month = try await client.ours(.get, "\(path)?until=P1M")
            #expect(month["until"] == .string("2026-02-01T00:00:00Z"))
            #expect(counts(month)["renewal"] == 2)
            #expect(counts(month)["ending"] == 1)
            #expect(counts(month)["price"] == 1)
            #expect(counts(month)["answer"] == 1)
            let decade = try await client.ours(.get, "\(path)?until=2036-01-01T00:00:00Z")
            #expect(counts(decade)["renewal"] == 2)
            _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
            let later = try await client.ours(.get, "\(path)?until=P3M")
            #expect(counts(later)["retry"] == 1)
            #expect(counts(later)["ending"] == nil)
            #expect(counts(later)["price"] == nil)
        }
    }

    @Test(
        "A moment that the clock cannot be moved to is refused as by the move",
        arguments: [
            ("?until=2025-12-31T23:59:59Z", 409, "clockWouldGoBack"),
            ("?until=2026-01-01T00:00:00Z", 200, nil), ("?until=P100Y", 400, "clockOutOfRange"),
            ("?until=2150-01-01T00:00:00Z", 400, "clockOutOfRange"),
            ("?until=x1", 400, "invalidMember"),
            ("?until=-P1M", 400, "invalidMember"), ("?until=", 400, "invalidMember"),
            ("?by=P1M", 400, "unknownParameter"), ("", 200, nil),
        ] as [(String, Int, String?)])
    func limits(query: String, status: Int, code: String?) async throws {
        let world = try await HTTPWorld(isListening: false)
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(.get, "\(Self.path)/clock/due\(query)")
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.complaint == code)
        }
        #expect(try await world.everything() == before)
    }
}
