import AppStoreWire
import HTTPTypes
import TestFloor
import TestSupport
import Testing

@Suite("Connect: a price increase explained for anyone")
struct ExplainForAnyoneTests {
    private static let path = "/connect/v1/price-increases/explain"
    private static let usual = [
        "oldPrice": "9990", "newPrice": "14990", "storefront": #""USA""#,
        "renews": #""2026-04-15""#, "live": #""2026-03-10""#,
    ]

    private static func body(_ changes: [String: String?]) -> String {
        var members = usual.mapValues { Optional($0) }
        members.merge(changes) { $1 }
        let all = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.sorted()
        return "{\(all.joined(separator: ","))}"
    }

    @Test(
        "It says what the rules decide",
        arguments: [
            ([:], "notice"), (["newPrice": "15990"], "consent"),
            (["storefront": #""IND""#, "newPrice": "10990"], "notice"),
            (["lastIncrease": #""2026-01-01""#], "consent"),
            (["period": #""P1Y""#, "newPrice": "99990"], "consent"),
            (["offerMode": #""FREE_TRIAL""#, "offerPeriod": #""P1M""#], "notice"),
        ] as [([String: String], String)])
    func decides(changes: [String: String], path: String) async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let reply = try await client.ours(.post, Self.path, Self.body(changes))
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["path"]?.string == path, "\(reply.text)")
            #expect(reply["reasons"]?.array?.isEmpty == false)
            #expect(reply["messages"]?.array?.isEmpty == false)
        }
    }

    @Test("It goes by the thresholds of this store")
    func thresholds() async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let set = try await client.ours(
                .patch, "/connect/v1/consent-thresholds/USA", #"{"alwaysConsent":true}"#)
            #expect(set.status == 200)
            let reply = try await client.ours(.post, Self.path, Self.body([:]))
            #expect(reply["path"]?.string == "consent")
        }
    }

    @Test(
        "What cannot be is refused with what is wrong, and changes nothing",
        arguments: [
            (["since": #""2026-04-15""#], "impossibleSubscriber", "since"),
            (["since": #""2026-03-15""#], "impossibleSubscriber", "live"),
            (["since": #""2026-01-14""#], "impossibleSubscriber", "renews"),
            (["lastIncrease": #""2026-05-01""#], "impossibleSubscriber", "lastIncrease"),
            (["paysByUPIAutoPay": "true"], "impossibleSubscriber", "paysByUPIAutoPay"),
            (
                ["offerMode": #""FREE_TRIAL""#, "offerPeriodsLeft": "1"], "impossibleSubscriber",
                "offerPeriodsLeft"
            ),
            (["renews": #""2100-01-01""#], "clockOutOfRange", nil),
            (["live": #""1999-12-31""#], "clockOutOfRange", nil),
            (["renews": nil], "missingMember", "renews"),
            (["period": #""P7D""#], "invalidMember", "period"),
            (["storefront": #""ZZZ""#], "invalidMember", "storefront"),
            (["oldPrice": "-1"], "invalidMember", "oldPrice"),
            (["more": "1"], "unknownMember", "more"),
        ] as [([String: String?], String, String?)])
    func refuses(changes: [String: String?], code: String, field: String?) async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let reply = try await client.ours(.post, Self.path, Self.body(changes))
            #expect(reply.status == 400, "\(reply.text)")
            #expect(reply.complaint == code, "\(reply.text)")
            #expect(reply["field"]?.string == field, "\(reply.text)")
        }
    }
}
