import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestSupport
import Testing

/// What operators list and add up: notifications, campaigns with their texts, and figures.
@Suite("Merchant over HTTP: operators' lists and figures", .timeLimit(.minutes(15)))
struct OperatorListTests {
    private func ask(_ client: Client, _ path: String) async throws -> Reply {
        try await client.send(.get, "/v1/\(path)", token: MerchantHTTPWorld.theOperator)
    }

    @Test(
        "Notifications are listed by state, type and purchase, a page at a time",
        arguments: Backend.available)
    func notifications(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            _ = try await client.post(signed)
            try await client.deliver()
            try await client.advance(to: "2026-02-02T00:00:00Z")
            func types(_ query: String) async throws -> [String] {
                let reply = try await ask(client, "operator/notifications\(query)")
                #expect(reply.status == 200, "\(reply.text)")
                return (reply["notifications"]?.array ?? []).compactMap { $0["type"]?.string }
            }
            #expect(try await types("") == ["DID_RENEW", "SUBSCRIBED"])
            #expect(try await types("?type=SUBSCRIBED") == ["SUBSCRIBED"])
            #expect(try await types("?state=processed") == ["DID_RENEW", "SUBSCRIBED"])
            #expect(try await types("?state=dead") == [])
            #expect(try await types("?purchase=1") == [])
            let page = try await ask(client, "operator/notifications?limit=1")
            #expect(page["hasMore"] == .bool(true))
            let first = try #require(page["notifications"]?.array?.first)
            #expect(first["bundleId"] == .string(World.bundleID))
            #expect(first["environment"] == .string("Production"))
            let purchase = try #require(first["originalTransactionId"]?.string)
            #expect(
                try await types("?purchase=\(purchase)&type=DID_RENEW") == ["DID_RENEW"])
            let id = try #require(first["id"]?.integer)
            #expect(try await types("?before=\(id)") == ["SUBSCRIBED"])
        }
    }

    @Test(
        "Figures count what runs and add up each day's prices; each opens to its transactions",
        arguments: Backend.available)
    func figures(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            for account in ["ada", "bea"] {
                let signed = try #require(try await world.buy("silver.monthly", account))
                _ = try await client.post(signed, as: account)
            }
            let path = "operator/apps/\(World.bundleID)"
            let figures = try await ask(client, "\(path)/figures")
            #expect(figures["active"] == .integer(2), "\(figures.text)")
            #expect(figures["trials"] == .integer(0))
            let days = try #require(figures["days"]?.array)
            #expect(days.count == 1)
            #expect(days.first?["day"] == .string("2026-01-01"))
            #expect(days.first?["currency"] == .string("USD"))
            #expect(days.first?["transactions"] == .integer(2))
            #expect(days.first?["revenue"] == .integer(19_980))
            #expect(days.first?["refunded"] == .integer(0))
            let sandbox = try await ask(client, "\(path)/figures?environment=Sandbox")
            #expect(sandbox["active"] == .integer(0))
            #expect(sandbox["days"]?.array?.isEmpty == true)

            let list = "\(path)/transactions?day=2026-01-01&currency=USD"
            let page = try await ask(client, "\(list)&limit=1")
            #expect(page["hasMore"] == .bool(true))
            let first = try #require(page["transactions"]?.array?.first)
            #expect(first["account"] == .string("ada"))
            #expect(first["price"] == .integer(9_990))
            let next = try await ask(
                client, "\(list)&after=\(try #require(first["id"]?.string))")
            #expect(next["transactions"]?.array?.map { $0["account"] } == [.string("bea")])
            #expect(next["hasMore"] == .bool(false))
            let other = try await ask(client, "\(path)/transactions?day=2026-01-02")
            #expect(other["transactions"]?.array?.isEmpty == true)
        }
    }

    @Test(
        "Campaigns and plans are listed, with what each says", arguments: Backend.available)
    func campaigns(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            var json = JSONWriter()
            json.object { json in json.field("file", SampleCampaigns.spring()) }
            let body = String(decoding: json.bytes, as: UTF8.self)
            let planned = try await client.send(
                .post, "/v1/operator/campaigns/plan", body, token: MerchantHTTPWorld.theOperator)
            #expect(planned.status == 200, "\(planned.text)")
            #expect(try await ask(client, "operator/campaigns")["campaigns"] == .array([]))
            let plans = try await ask(client, "operator/campaigns/plans?campaign=spring")
            #expect(plans["plans"]?.array?.map { $0["id"] } == [planned["id"]])
            var go = JSONWriter()
            go.object { json in
                json.field("file", SampleCampaigns.spring())
                json.field("go", true)
            }
            _ = try await client.send(
                .post, "/v1/operator/campaigns/run", String(decoding: go.bytes, as: UTF8.self),
                token: MerchantHTTPWorld.theOperator)
            let started = try await ask(client, "operator/campaigns?kind=price")
            #expect(
                started["campaigns"]?.array?.map { $0["campaign"] } == [.string("spring")])
            let outages = try await ask(client, "operator/campaigns?kind=outage")
            #expect(outages["campaigns"] == .array([]))
            let texts = try await ask(
                client, "apps/\(World.bundleID)/campaigns/spring/texts")
            #expect(texts.status == 200, "\(texts.text)")
            #expect(texts["texts"] == .array([]))
        }
    }

    @Test(
        "What is asked wrongly is refused",
        arguments: [
            ("operator/notifications?state=lost", "400 invalidMember"),
            ("operator/notifications?before=x", "400 invalidMember"),
            ("operator/apps/com.example.none/figures", "404 unknownApp"),
            ("operator/apps/\(World.bundleID)/figures?days=0", "400 invalidMember"),
            ("operator/apps/\(World.bundleID)/figures?days=367", "400 invalidMember"),
            ("operator/apps/\(World.bundleID)/transactions?after=1:2", "400 invalidMember"),
            ("operator/apps/\(World.bundleID)/transactions?day=soon", "400 invalidMember"),
            ("operator/campaigns?kind=gift", "400 invalidMember"),
            ("operator/campaigns?app=com.example.none", "404 unknownApp"),
            ("apps/\(World.bundleID)/campaigns/none/texts", "404 unknownCampaign"),
        ] as [(String, String)])
    func refused(path: String, summary: String) async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            #expect(try await ask(client, path).summary == summary)
            let app = try await client.send(.get, "/v1/\(path)", token: MerchantHTTPWorld.app)
            #expect(app.summary == "403 forbidden")
        }
    }
}
