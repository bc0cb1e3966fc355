import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestSupport
import Testing

/// Campaigns and contacts over HTTP.
@Suite("Merchant over HTTP: campaigns", .timeLimit(.minutes(15)))
struct CampaignHTTPTests {
    private static let file = SampleCampaigns.spring(without: "bea")

    private static func body(_ file: String, _ attachments: [String: String] = [:]) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", file)
            json.array("attachments") { json in
                for (name, text) in attachments.sorted(by: { $0.key < $1.key }) {
                    json.elementObject { json in
                        json.field("name", name)
                        json.field("text", text)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func theOperator(
        _ client: Client, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> Reply {
        try await client.send(
            method, "/v1/operator/campaigns/\(path)", body,
            token: MerchantHTTPWorld.theOperator)
    }

    @Test(
        "A plan says of everybody what the campaign does, and is read in pages and samples",
        arguments: Backend.available)
    func plan(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            for account in ["ada", "bea"] {
                let signed = try #require(try await world.buy("silver.monthly", account))
                _ = try await client.post(signed, as: account)
            }
            let plan = try await theOperator(client, .post, "plan", Self.body(Self.file))
            #expect(plan.status == 200, "\(plan.text)")
            #expect(plan["campaign"] == .string("spring"))
            #expect(plan["kind"] == .string("price"))
            #expect(plan["audience"] == .integer(2))
            let counts = (plan["counts"]?.array ?? []).map { one in
                "\(one["decision"]?.string ?? "") \(one["reason"]?.string ?? "")"
            }
            #expect(counts == ["included notice", "leftOut excludedAccount"])
            #expect(plan["money"]?.array?.first?["newPrice"] == .integer(11_990))
            let id = try #require(plan["id"]?.integer)
            #expect(try await theOperator(client, .get, "plans/\(id)").text == plan.text)

            let page = try await theOperator(client, .get, "plans/\(id)/subscribers?limit=1")
            #expect(page["hasMore"] == .bool(true))
            let first = try #require(page["subscribers"]?.array?.first)
            #expect(first["account"] == .string("ada"))
            #expect(first["oldPrice"] == .integer(9_990))
            #expect(first["newPrice"] == .integer(11_990))
            #expect(first["reasons"]?.array?.isEmpty == false)
            #expect(first["messages"]?.array?.first?["at"]?.string != nil)
            let last = try #require(first["id"]?.integer)
            let next = try await theOperator(
                client, .get, "plans/\(id)/subscribers?after=\(last)")
            #expect(next["hasMore"] == .bool(false))
            let left = try await theOperator(
                client, .get, "plans/\(id)/subscribers?decision=leftOut&reason=excludedAccount")
            #expect(left["subscribers"]?.array?.map { $0["account"] } == [.string("bea")])
            let drawn = try await theOperator(client, .get, "plans/\(id)/sample?count=2&seed=5")
            #expect(drawn["subscribers"]?.array?.count == 2)
        }
    }

    @Test(
        "A campaign that is wrong, of another app, or a plan that there is not, is refused",
        arguments: [
            ("kind: gift\n", "400 invalidCampaign", "price or outage"),
            ("apps: [\n", "400 invalidCampaign", "no YAML"),
            (
                CampaignHTTPTests.file + "\nsilent: keepAsking\n", "400 invalidCampaign",
                "merchantManaged"
            ),
            (
                CampaignHTTPTests.file.replacing(World.bundleID, with: "com.example.none"),
                "404 unknownApp", "serves no app"
            ),
            (
                """
                campaign: o
                app: \(World.bundleID)
                kind: outage
                outage: {from: 2026-01-01, to: 2026-01-02}
                products: [silver.monthly]
                days: 1
                accounts: /etc/passwd
                """, "400 invalidCampaign", "send the file"
            ),
        ] as [(String, String, String)])
    func refused(_ file: String, _ summary: String, _ reason: String) async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            let reply = try await theOperator(client, .post, "plan", Self.body(file))
            #expect(reply.summary == summary)
            #expect(reply.text.contains(reason), "\(reply.text)")
            for path in ["plans/7", "plans/7/subscribers", "plans/7/sample"] {
                #expect(try await theOperator(client, .get, path).summary == "404 unknownPlan")
            }
            #expect(
                try await theOperator(client, .get, "plans/7/sample?count=0").summary
                    == "400 invalidMember")
            let developer = try await client.send(
                .post, "/v1/operator/campaigns/plan", Self.body(file),
                token: MerchantHTTPWorld.developer)
            #expect(developer.status == 403)
        }
    }

    @Test("The files that a campaign names are sent with it", arguments: Backend.available)
    func attachments(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            for account in ["ada", "bea"] {
                let signed = try #require(try await world.buy("silver.monthly", account))
                _ = try await client.post(signed, as: account)
            }
            let plan = try await theOperator(
                client, .post, "plan", Self.body(SampleCampaigns.closed, ["who.txt": "ada\n"]))
            #expect(plan["days"] == .integer(3), "\(plan.text)")
            let counts = (plan["counts"]?.array ?? []).map { $0["reason"]?.string }
            #expect(counts == ["extended", "otherAccount"])
        }
    }

    @Test("An app sets how its customer is reached, and is told what is wrong with that")
    func contact() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            func set(_ body: String, token: String = MerchantHTTPWorld.app) async throws -> Reply {
                try await client.send(
                    .put, "\(Client.path)/accounts/ada/contact", body, token: token)
            }
            let token = String(repeating: "0f", count: 32)
            let kept = try await set(
                #"{"email":"ada@example.com","locale":"de","pushTokens":"#
                    + #"[{"token":"\#(token)","environment":"production"}]}"#)
            #expect(kept.status == 200, "\(kept.text)")
            #expect(kept["email"] == .string("ada@example.com"))
            #expect(kept["pushTokens"]?.array?.first?["token"] == .string(token))
            let export = try await client.send(
                .get, "\(Client.path)/accounts/ada/export", token: MerchantHTTPWorld.developer)
            #expect(
                export["contacts"]?.array?.first?["locale"] == .string("de"), "\(export.text)")
            #expect(try await set(#"{"email":"ada"}"#).summary == "400 invalidContact")
            #expect(
                try await set(#"{"pushTokens":[{"token":"x","environment":"production"}]}"#)
                    .summary == "400 invalidContact")
            #expect(
                try await set(#"{"pushTokens":[{"token":"x","environment":"live"}]}"#).summary
                    == "400 invalidMember")
            #expect(try await set(#"{"phone":"1"}"#).status == 400)
            #expect(
                try await set("{}", token: MerchantHTTPWorld.otherApp).summary == "403 otherApp")
            let emptied = try await set("{}", token: MerchantHTTPWorld.developer)
            #expect(emptied["email"] == nil)
            #expect(emptied["pushTokens"]?.array?.isEmpty == true)
        }
    }
}
