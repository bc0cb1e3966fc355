import AppStoreWire
import HTTPTypes
import MerchantHTTP
import TestFloor
import TestSupport
import Testing

/// Whose tokens open what, what is written of it, and what whoever runs a merchant sees.
@Suite("Merchant over HTTP: operators", .timeLimit(.minutes(15)))
struct OperatorHTTPTests {
    private static let theOperator = MerchantHTTPWorld.theOperator

    @Test(
        "The token of another app is refused, whoever serves that app", arguments: Backend.available
    )
    func otherApp(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            _ = try await client.post(try #require(try await world.buy("silver.monthly")))
            let before = try await world.tables()
            for token in [MerchantHTTPWorld.otherApp, MerchantHTTPWorld.otherDeveloper] {
                let reply = try await client.send(
                    .get, "\(Client.path)/accounts/ada", token: token)
                #expect(reply.summary == "403 otherApp")
                #expect(reply["field"] == .string("bundleId"))
                let posted = try await client.send(
                    .post, "\(Client.path)/transactions",
                    #"{"account":"ada","signedTransaction":"a.b.c"}"#, token: token)
                #expect(posted.summary == "403 otherApp")
            }
            // Its own app is not served, which only its own token hears.
            let own = "/v1/apps/com.example.another/accounts/ada"
            #expect(
                try await client.send(.get, own, token: MerchantHTTPWorld.otherApp).summary
                    == "404 unknownApp")
            #expect(
                try await client.send(.get, own, token: MerchantHTTPWorld.app).summary
                    == "403 otherApp")
            #expect(try await world.tables() == before)
        }
    }

    @Test("Tokens that were replaced open nothing any more", arguments: Backend.available)
    func replaced(_ backend: Backend) async throws {
        let book = TokenBook(
            MerchantServer.Tokens(
                theOperator: "operator-1",
                apps: [World.bundleID: .init(app: "app-1", server: "server-1")]))
        let world = try await MerchantHTTPWorld(backend, book: book)
        try await world.with { client in
            let path = "\(Client.path)/accounts/ada"
            let before = try await client.send(.get, path, token: "app-1")
            #expect(before.status == 200)
            book.replace(
                by: MerchantServer.Tokens(
                    theOperator: "operator-1",
                    apps: [World.bundleID: .init(app: "app-2", server: "server-1")]))
            #expect(
                try await client.send(.get, path, token: "app-1").summary
                    == "401 unauthenticated")
            for token in ["app-2", "server-1", "operator-1"] {
                #expect(try await client.send(.get, path, token: token).status == 200)
            }
        }
    }

    @Test(
        "What the operator and servers change is written, what apps do and what only looks is not",
        arguments: Backend.available)
    func audit(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            _ = try await client.post(signed)
            _ = try await client.send(
                .post, "\(Client.path)/transactions",
                #"{"account":"ada","signedTransaction":"\#(signed)"}"#,
                token: MerchantHTTPWorld.developer)
            for (path, status) in [
                ("dead-letters/7/replay", 404), ("settle", 204), ("gaps/heal", 200),
            ] {
                let reply = try await client.send(
                    .post, "/v1/operator/\(path)", token: Self.theOperator)
                #expect(reply.status == status, "\(path)")
            }
            // Who is not let in has done nothing.
            _ = try await client.send(
                .post, "/v1/operator/gaps/heal", token: MerchantHTTPWorld.app)
            func entries(_ query: String = "") async throws -> [String] {
                let reply = try await client.send(
                    .get, "/v1/operator/audit\(query)", token: Self.theOperator)
                return (reply["entries"]?.array ?? []).map { one in
                    ["scope", "operation", "subject", "result"].compactMap { one[$0]?.string }
                        .joined(separator: " ")
                }
            }
            let heal = "operator healGaps done"
            let replay = "operator replayDeadLetter 7 unknownDeadLetter"
            let post = "server takeTransaction ada done"
            #expect(try await entries() == [heal, replay, post])
            #expect(try await entries("?scope=server") == [post])
            #expect(try await entries("?subject=7") == [replay])
            #expect(try await entries("?operation=healGaps") == [heal])
            #expect(try await entries("?app=\(World.bundleID)") == [post])
            #expect(try await entries("?limit=1") == [heal])
        }
    }

    @Test("What the audit log cannot take is not done", arguments: Backend.available)
    func unwritten(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        let signed = try #require(try await world.buy("silver.monthly"))
        try await world.with { client in
            let before = try await world.tables()
            world.database.arm(.beforeCommit(1))
            let refused = try await client.send(
                .post, "\(Client.path)/transactions",
                #"{"account":"ada","signedTransaction":"\#(signed)"}"#,
                token: MerchantHTTPWorld.developer)
            #expect(refused.summary == "503 databaseUnavailable")
            #expect(try await world.tables() == before)
        }
    }

    @Test("Who sends more than the limit is told when to come again", arguments: Backend.available)
    func limits(_ backend: Backend) async throws {
        var limits = RequestLimits()
        limits.app = 1
        let world = try await MerchantHTTPWorld(backend, limits: limits)
        try await world.with { client in
            // So many do not fit into as many seconds.
            var refused: Reply?
            for _ in 1...200 where refused == nil {
                let reply = try await client.customer()
                if reply.status == 429 { refused = reply }
            }
            let reply = try #require(refused)
            #expect(reply.summary == "429 tooManyRequests")
            #expect(reply.fields[.retryAfter] == "1")
            for _ in 1...20 {
                let other = try await client.send(
                    .get, "\(Client.path)/accounts/ada", token: Self.theOperator)
                #expect(other.status == 200)
            }
        }
    }

    @Test("It shows how it fares, and measures it", arguments: Backend.available)
    func overview(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            _ = try await world.buy("silver.monthly")
            try await client.deliver()
            let reply = try await client.send(
                .get, "/v1/operator/overview", token: Self.theOperator)
            #expect(reply["waiting"] == .integer(0))
            #expect(reply["unownedPurchases"] == .integer(1))
            let sources = try #require(reply["sources"]?.array)
            #expect(
                sources.compactMap { $0["environment"]?.string } == ["Production", "Sandbox"])
            #expect(sources[0]["lastNotification"] == .string("2026-01-01T00:00:00Z"))
            #expect(sources[1]["lastNotification"] == nil)
            let metrics = try await client.send(.get, "/metrics").text
            for line in [
                "perennial_merchant_inbox_waiting 0", "perennial_merchant_dead_letters 0",
                "perennial_merchant_unowned_purchases 1",
                #"perennial_merchant_notifications_total{type="SUBSCRIBED",outcome="kept"} 1"#,
            ] {
                #expect(metrics.contains("\n\(line)\n"), "\(line)")
            }
        }
    }

    @Test("Without its database it measures what it counts itself", arguments: Backend.available)
    func away(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        await world.database.close()
        try await world.with { client in
            let metrics = try await client.send(.get, "/metrics")
            #expect(metrics.status == 200)
            #expect(metrics.text.contains("perennial_merchant_notifications_total"))
            #expect(!metrics.text.contains("perennial_merchant_inbox_waiting"))
        }
    }

    @Test(
        "Customers and events are listed, and wrong questions refused", arguments: Backend.available
    )
    func lists(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            _ = try await client.post(try #require(try await world.buy("silver.monthly")))
            try await client.deliver()
            try await client.advance(to: "2026-02-02")
            let customers = try await client.send(
                .get, "/v1/operator/customers?state=active&search=a", token: Self.theOperator)
            #expect(
                customers["customers"]?.array?.compactMap { $0["account"]?.string } == ["ada"])
            #expect(customers["next"] == nil)
            let events = try await client.send(
                .get, "\(Client.path)/accounts/ada/events", token: MerchantHTTPWorld.developer)
            let list = try #require(events["events"]?.array)
            #expect(
                list.compactMap { $0["event"]?.string } == ["willRenew", "renewed", "bought"])
            #expect(list.first?["isAhead"] == .bool(true))
            let told = list[1]["notifications"]?.array?.compactMap { $0["type"]?.string }
            #expect(told == ["DID_RENEW"])
            let why = try await client.send(
                .get, "\(Client.path)/accounts/ada/why", token: MerchantHTTPWorld.developer)
            let story = why["purchases"]?.array?.first?["story"]?.array
            #expect(
                story?.compactMap { $0["event"]?.string } == ["bought", "renewed", "willRenew"])
            for (path, expected) in [
                ("/v1/operator/customers?after=x", "400 invalidMember"),
                ("/v1/operator/customers?state=gone", "400 invalidMember"),
                ("/v1/operator/customers?app=com.example.other", "404 unknownApp"),
                ("\(Client.path)/accounts/ada/events?environment=moon", "400 invalidMember"),
                ("/v1/operator/audit?scope=app", "400 invalidMember"),
            ] {
                let reply = try await client.send(.get, path, token: Self.theOperator)
                #expect(reply.summary == expected, "\(path)")
            }
        }
    }
}
