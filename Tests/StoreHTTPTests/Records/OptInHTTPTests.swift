import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Sharing with the publisher over HTTP")
struct OptInHTTPTests {
    private let app = "/connect/v1/apps/com.example.app"

    private func terms(_ client: Client, bonus: String = "P1M") async throws {
        let reply = try await client.ours(
            .put, "\(app)/opt-in",
            """
            {"names":[{"locale":"en-US","name":"House & Garden"}],"bonus":"\(bonus)"}
            """)
        #expect(reply.status == 200 && reply["asks"] == .bool(true), "\(reply.text)")
    }

    @Test("An app asks, a customer says yes, the publisher reads it, the customer revokes")
    func life() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            #expect(try await client.ours(.get, "\(app)/opt-in")["asks"] == .bool(false))
            try await terms(client)
            #expect(try await client.ours(.get, "\(app)/opt-in")["bonus"] == .string("P1M"))
            let ada = try await client.signIn()
            let bought = try await client.buy("silver.monthly", as: ada)
            let id = bought.originalTransactionId
            func asked() async throws -> JSONValue? {
                try await client.ours(.get, "/storefront/v1/opt-ins", as: .bearer(ada))["optIns"]?
                    .array?.first
            }
            func answer(_ body: String) async throws -> Reply {
                try await client.ours(
                    .put, "/storefront/v1/opt-ins/\(id)", body, as: .bearer(ada))
            }
            let question = try #require(try await asked())
            #expect(question["asks"] == .bool(true) && question["bonus"] == .string("P1M"))
            #expect(question["text"]?.string?.hasPrefix("May House & Garden have") == true)
            for (body, code) in [
                (#"{}"#, "missingMember"), (#"{"shares":true}"#, "invalidSetting"),
                (#"{"shares":"yes"}"#, "invalidMember"),
                (#"{"shares":true,"name":"A","email":"nowhere"}"#, "invalidSetting"),
                (#"{"shares":true,"name":"A","email":"a@b.example","age":7}"#, "unknownMember"),
            ] {
                #expect(try await answer(body).complaint == code, "\(body)")
            }
            let yes = try await answer(
                #"{"shares":true,"name":"=Ada, \"A\"","email":"ada@example.com"}"#)
            #expect(yes["shares"] == .bool(true) && yes["bonus"] == nil, "\(yes.text)")
            let report = try await client.ours(.get, "\(app)/opt-ins?limit=1")
            let line = report["optIns"]?.array?.first
            #expect(line?["name"] == .string(#"=Ada, "A""#) && line?["bonus"] == .string("P1M"))
            #expect(line?["account"] == nil)
            let csv = try await client.ours(.get, "\(app)/opt-ins?format=csv")
            #expect(csv.fields[.contentType] == "text/csv; charset=utf-8; header=present")
            #expect(
                csv.text == """
                    shared,name,email,postalCode,storefront,product,subscription\r
                    2026-01-01T00:00:00Z,"'=Ada, ""A""\",ada@example.com,,USA,silver.monthly,\
                    \(id)\r

                    """)
            let later = "\(app)/opt-ins?from=2026-01-02T00:00:00Z"
            #expect(try await client.ours(.get, later)["optIns"]?.array?.isEmpty == true)
            #expect(
                try await client.ours(.get, later + "&to=2026-01-01T00:00:00Z").complaint
                    == "endBeforeStart")
            let path = "/storefront/v1/opt-ins/\(id)"
            #expect(try await client.ours(.delete, path, as: .bearer(ada)).status == 204)
            #expect(
                try await client.ours(.get, "\(app)/opt-ins")["optIns"]?.array?.isEmpty == true)
            let bob = try await client.signIn("bob")
            #expect(
                try await client.ours(.delete, path, as: .bearer(bob)).complaint
                    == "unknownSubscription")
        }
    }

    @Test(
        "A field that a spreadsheet would take for a formula is a text",
        arguments: [
            ("Ada", "Ada"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
            ("=1+1", "\"'=1+1\""), ("+49", "\"'+49\""), ("-x", "\"'-x\""), ("@a", "\"'@a\""),
            (" =1", "\"' =1\""), ("\t=1", "\"'\t=1\""), ("\rx", "\"'\rx\""),
            ("\u{FF1D}1", "\"'\u{FF1D}1\""), ("\u{2212}1", "\"'\u{2212}1\""),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""), ("a=1", "a=1"),
        ])
    func formulas(text: String, field: String) {
        #expect(CSVText.foreign(text) == field)
    }

    @Test("The report is read in pages, and as CSV in one piece")
    func pages() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            try await terms(client)
            for number in 1...5 {
                let token = try await client.signIn("customer\(number)")
                let id = try await client.buy("silver.monthly", as: token).originalTransactionId
                let reply = try await client.ours(
                    .put, "/storefront/v1/opt-ins/\(id)",
                    #"{"shares":true,"name":"N\#(number)","email":"n\#(number)@example.com"}"#,
                    as: .bearer(token))
                #expect(reply.status == 200, "\(reply.text)")
            }
            var names: [String] = []
            var path = "\(app)/opt-ins?limit=2"
            while true {
                let page = try await client.ours(.get, path)
                let found = page["optIns"]?.array ?? []
                names += found.compactMap { $0["name"]?.string }
                guard page["hasMore"] == .bool(true), let last = found.last?["id"]?.string else {
                    break
                }
                path = "\(app)/opt-ins?limit=2&after=\(last)"
            }
            #expect(names == (1...5).map { "N\($0)" })
            let reports = try await client.world.world.store.optInReport(
                bundleID: World.bundleID, in: .production, limit: 10)
            let csv = try await OptInTable.csv { after, limit in
                Array(reports.filter { $0.id > after ?? 0 }.prefix(limit))
            }
            #expect(csv.split(separator: "\r\n").count == 6)
        }
    }
}
