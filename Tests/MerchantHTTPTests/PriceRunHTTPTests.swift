import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestSupport
import Testing

/// Price campaigns that run, over HTTP.
@Suite("Merchant over HTTP: price campaigns", .timeLimit(.minutes(15)))
struct PriceRunHTTPTests {
    private static func body(_ members: [String: JSONValue] = [:]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", SampleCampaigns.spring(without: "bea"))
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                json.field(named: name, value)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func ask(
        _ client: Client, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        token: String = MerchantHTTPWorld.theOperator
    ) async throws -> Reply {
        try await client.send(method, "/v1/\(path)", body, token: token)
    }

    @Test(
        "A campaign runs with `go` only, and says how far it is", arguments: Backend.available)
    func runs(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            for account in ["ada", "bea"] {
                let signed = try #require(try await world.buy("silver.monthly", account))
                _ = try await client.post(signed, as: account)
            }
            let path = "apps/\(World.bundleID)/campaigns/spring"
            let dry = try await ask(client, .post, "operator/campaigns/run", Self.body())
            #expect(dry.status == 200, "\(dry.text)")
            #expect(dry["plan"]?["audience"] == .integer(2))
            #expect(dry["today"]?["mails"] == .integer(0))
            #expect(try await ask(client, .get, path).summary == "404 unknownCampaign")

            let go = Self.body(["go": .bool(true)])
            let begun = try await ask(client, .post, "operator/campaigns/run", go)
            #expect(begun["run"]?["state"] == .string("running"), "\(begun.text)")
            #expect(begun["run"]?["audience"] == .integer(2))
            #expect(
                try await ask(client, .post, "operator/campaigns/run", go).summary
                    == "409 campaignExists")
            for (word, state) in [("pause", "paused"), ("resume", "running"), ("stop", "stopped")] {
                let moved = try await ask(client, .post, "\(path)/\(word)")
                #expect(moved["state"] == .string(state), "\(moved.text)")
            }
            #expect(try await ask(client, .post, "\(path)/resume").summary == "409 campaignState")

            let left = try await ask(client, .get, "\(path)/subscribers?outcome=leftOut")
            #expect(left["subscribers"]?.array?.map { $0["account"] } == [.string("bea")])
            let report = try await ask(client, .get, "\(path)/report")
            #expect(report["audience"] == .integer(2))
            #expect(report["rehearsed"] == .bool(false))
            let messages = try await ask(client, .get, "\(path)/messages?channel=mail")
            #expect(messages["messages"]?.array?.isEmpty == true)
            #expect(
                try await ask(client, .get, "\(path)/consents/1").summary
                    == "404 unknownPurchase")
            #expect(try await ask(client, .get, "operator/campaigns/next").status == 200)
        }
    }

    @Test("A rehearsal has the form of a report, and refuses shares of more than 100")
    func rehearses() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly", "ada"))
            _ = try await client.post(signed, as: "ada")
            let path = "operator/campaigns/rehearse"
            let report = try await ask(
                client, .post, path,
                Self.body(["agree": .integer(100), "decline": .integer(0), "cancel": .integer(0)]))
            #expect(report["rehearsed"] == .bool(true), "\(report.text)")
            #expect(report["audience"] == .integer(1))
            #expect(
                try await ask(client, .post, path, Self.body(["agree": .integer(95)])).summary
                    == "400 invalidShares")
        }
    }

    @Test("A sheet is described with what silence leads to, as one of three words")
    func silence() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            let described = try await client.send(.get, "/openapi.json")
            let path = "/v1/apps/{bundleId}/accounts/{account}/sheets"
            let operation = try #require(described["paths"]?[path]?["get"])
            let text = String(decoding: operation.jsonBytes(), as: UTF8.self)
            for word in ["withoutAnswer", "newPrice", "oldPrice", "ends"] {
                #expect(text.contains("\"\(word)\""), "\(word)")
            }
        }
    }

    @Test("The app sees its account's sheets, and none of anybody else")
    func sheets() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            let path = "apps/\(World.bundleID)/accounts/ada/sheets"
            let none = try await ask(client, .get, path, token: MerchantHTTPWorld.app)
            #expect(none["sheets"]?.array?.isEmpty == true, "\(none.text)")
            let action = #"{"action":"agree"}"#
            #expect(
                try await ask(
                    client, .post, "\(path)/1", action, token: MerchantHTTPWorld.app
                ).summary == "404 unknownSheet")
            #expect(
                try await ask(
                    client, .get, "apps/\(World.bundleID)/campaigns/spring",
                    token: MerchantHTTPWorld.app
                ).status == 403)
        }
    }
}
