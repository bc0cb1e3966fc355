import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestSupport
import Testing

/// What stands before a campaign begins.
@Suite("Merchant over HTTP: campaigns that are drafted", .timeLimit(.minutes(15)))
struct CampaignDraftHTTPTests {
    private func ask(
        _ client: Client, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> Reply {
        try await client.send(
            method, "/v1/operator/\(path)", body, token: MerchantHTTPWorld.theOperator)
    }

    private static func body(_ file: String, _ accounts: String? = nil) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", file)
            guard let accounts else { return }
            json.array("attachments") { json in
                json.elementObject { json in
                    json.field("name", "who.txt")
                    json.field("text", accounts)
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("A check says what a file is, or each thing that is wrong, and which files it names")
    func check() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            let good = try await ask(
                client, .post, "campaigns/check", Self.body(SampleCampaigns.spring()))
            #expect(good.status == 200, "\(good.text)")
            #expect(good["campaign"] == .string("spring"))
            #expect(good["kind"] == .string("price"))
            #expect(good["problems"]?.array?.isEmpty == true)
            #expect(good["files"]?.array?.isEmpty == true)

            let bad = try await ask(
                client, .post, "campaigns/check",
                Self.body(SampleCampaigns.spring(at: "11.999")))
            #expect(bad.status == 200)
            #expect(bad["campaign"] == nil)
            let problem = try #require(bad["problems"]?.array?.first)
            #expect(problem["line"] == .integer(9), "\(bad.text)")
            #expect(problem["message"]?.string?.isEmpty == false)

            let lacking = try await ask(
                client, .post, "campaigns/check", Self.body(SampleCampaigns.closed))
            #expect(lacking["problems"]?.array?.count == 1, "\(lacking.text)")
            #expect(lacking["files"]?.array?.first?["name"] == .string("who.txt"))
            #expect(lacking["files"]?.array?.first?["given"] == .bool(false))
            let whole = try await ask(
                client, .post, "campaigns/check", Self.body(SampleCampaigns.closed, "ada\n"))
            #expect(whole["problems"]?.array?.isEmpty == true, "\(whole.text)")
            #expect(whole["files"]?.array?.first?["given"] == .bool(true))

            // It changes nothing, so the log has nothing of it.
            let audit = try await ask(client, .get, "audit")
            #expect(audit["entries"]?.array?.isEmpty == true, "\(audit.text)")
        }
    }

    @Test(
        "A plan's file comes back as it was sent, with what goes out within a day",
        arguments: Backend.available)
    func planFile(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly", "ada"))
            _ = try await client.post(signed, as: "ada")
            let spring = try await ask(
                client, .post, "campaigns/plan", Self.body(SampleCampaigns.spring()))
            let price = try #require(spring["id"]?.integer)
            let file = try await ask(client, .get, "campaigns/plans/\(price)/file")
            #expect(file["file"] == .string(SampleCampaigns.spring()), "\(file.text)")
            #expect(file["attachments"]?.array?.isEmpty == true)
            let today = try await ask(client, .get, "campaigns/plans/\(price)/today")
            #expect(today["mails"] == .integer(0), "\(today.text)")

            let closed = try await ask(
                client, .post, "campaigns/plan", Self.body(SampleCampaigns.closed, "ada\n"))
            let outage = try #require(closed["id"]?.integer)
            let kept = try await ask(client, .get, "campaigns/plans/\(outage)/file")
            #expect(kept["attachments"]?.array?.first?["text"] == .string("ada\n"))
            #expect(
                try await ask(client, .get, "campaigns/plans/\(outage)/today").summary
                    == "409 otherCampaignKind")
        }
    }

    @Test("Files of plans are the operator's, and of plans that there are")
    func refused() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            for path in ["campaigns/plans/7/file", "campaigns/plans/7/today"] {
                #expect(try await ask(client, .get, path).summary == "404 unknownPlan")
                let developer = try await client.send(
                    .get, "/v1/operator/\(path)", token: MerchantHTTPWorld.developer)
                #expect(developer.status == 403)
            }
            let developer = try await client.send(
                .post, "/v1/operator/campaigns/check", Self.body(SampleCampaigns.spring()),
                token: MerchantHTTPWorld.developer)
            #expect(developer.status == 403)
            #expect(try await ask(client, .post, "campaigns/check", "{}").status == 400)
        }
    }
}
