import AppStoreWire
import HTTPTypes
import TestFloor
import TestSupport
import Testing

@Suite("Connect: prices of several items explained for anyone")
struct ExplainBundleTests {
    private static let path = "/connect/v1/price-increases/explain-bundle"

    private static func body(_ items: String, _ more: String = "") -> String {
        #"{"items":[\#(items)],"storefront":"USA","renews":"2026-03-15","#
            + #""live":"2026-02-15"\#(more)}"#
    }

    private static let news = #"{"sku":"news","oldPrice":9990,"newPrice":10990}"#
    private static let sport =
        #"{"sku":"sport","oldPrice":4990,"newPrice":10990,"dependentSKUs":["replay"]}"#
    private static let replay = #"{"sku":"replay","oldPrice":2990,"newPrice":2990}"#

    @Test("It says what the rules decide of each item and of all (ACC-4, ACS-3)")
    func decides() async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let reply = try await client.ours(
                .post, Self.path,
                Self.body([Self.news, Self.sport, Self.replay].joined(separator: ",")))
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["path"]?.string == "consent")
            #expect(reply["route"]?.string == "storeManaged")
            #expect(
                reply["items"]?.array?.map { $0["path"]?.string } == ["notice", "consent", "none"])
            let bill = try #require(reply["bills"]?.array?.first)
            #expect(bill["ifAgreed"]?.integer == 24_970)
            #expect(bill["ifUnanswered"]?.integer == 10_990)
            #expect(bill["lapsed"]?.array?.compactMap(\.string) == ["sport", "replay"])
        }
    }

    @Test("The edition is chosen, and the thresholds are this store's")
    func edition() async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let set = try await client.ours(
                .patch, "/connect/v1/consent-thresholds/USA", #"{"alwaysConsent":true}"#)
            #expect(set.status == 200)
            let reply = try await client.ours(
                .post, Self.path, Self.body(Self.news, #","route":"merchantManaged""#))
            #expect(reply["path"]?.string == "consent")
            #expect(reply["requests"]?.array?.map { $0["needsConsent"]?.bool } == [true])
            #expect(reply["bills"]?.array?.map { $0["ifUnanswered"]?.integer } == [9_990])
        }
    }

    @Test(
        "What can be no bundle is refused with what is wrong",
        arguments: [
            (sport, "", "impossibleBundle"), (news + "," + news, "", "impossibleBundle"),
            (
                #"{"sku":"news","oldPrice":9990,"newPrice":1,"lastIncrease":"2026-05-01"}"#, "",
                "impossibleSubscriber"
            ),
            (news, #","since":"2026-04-15""#, "impossibleSubscriber"),
            (news, #","route":"appStoreConnect""#, "invalidMember"), ("", "", "invalidMember"),
            (news, #","surprise":1"#, "unknownMember"),
        ] as [(String, String, String)])
    func refused(_ items: String, _ more: String, _ code: String) async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let reply = try await client.ours(.post, Self.path, Self.body(items, more))
            #expect(reply.status == 400, "\(reply.text)")
            #expect(reply.complaint == code, "\(reply.text)")
        }
    }

    @Test("The timetable is data")
    func timetable() async throws {
        try await HTTPWorld(.sqlite, isListening: false).with { client in
            let reply = try await client.ours(.get, "/connect/v1/price-increases/timetable")
            let timetables = try #require(reply["timetables"]?.array)
            #expect(Set(timetables.compactMap { $0["period"]?.string }).count == 6)
            let rows = timetables.compactMap { $0["timetable"]?.array }.flatMap(\.self)
            #expect(rows.count == 54)
            #expect(rows.allSatisfy { $0["withdrawnBy"]?.array?.isEmpty == false })
        }
    }
}
