import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Connect: proceeds and ledger")
struct ConnectProceedsTests {
    private static let proceeds = "/connect/v1/apps/\(World.bundleID)/proceeds"

    /// In January Ada pays 9.99 USD and Kenji 1500 JPY, in February both again; Ada's second
    /// period is refunded on the 20th.
    private static func world() async throws -> HTTPWorld {
        let http = try await HTTPWorld(at: "2026-01-15T00:00:00Z", isListening: false)
        let store = http.world.store
        try await store.setPrice(
            1_500_000, product: "silver.monthly", storefront: Storefront(code: "JPN")!,
            bundleID: World.bundleID)
        let ada = try await http.world.subscribe("silver.monthly", by: http.world.device())
        _ = try await http.world.subscribe(
            "silver.monthly", by: http.world.device("kenji", storefront: "JPN"))
        _ = try await store.advance(to: World.instant("2026-02-20"))
        _ = try await store.cancel(subscription: ada, .full, reason: .other, in: .production)
        return http
    }

    @Test(
        "CSV comes where it is at least as welcome as JSON",
        arguments: [
            ("text/csv", true), ("text/csv;q=0", false), ("*/*", false),
            ("text/csv;q=0.1, application/json", false), ("application/json;q=0.5,text/csv", true),
            ("TEXT/CSV; q=0.5", true), ("text/csv;q=x", false),
        ])
    func accepted(accept: String, isCSV: Bool) async throws {
        let world = try await Self.world()
        try await world.with { client in
            let reply = try await client.send(
                .get, Self.proceeds, nil, as: .operatorToken, [.accept: accept])
            #expect(reply.text.hasPrefix("{") == !isCSV)
        }
    }

    @Test("Proceeds by month, storefront and product, as JSON")
    func json() async throws {
        let world = try await Self.world()
        try await world.with { client in
            let reply = try await client.ours(.get, Self.proceeds)
            let lines = try #require(reply["lines"]?.array)
            #expect(
                lines.map { "\($0["month"]?.string ?? "") \($0["storefront"]?.string ?? "")" } == [
                    "2026-01 JPN", "2026-01 USA", "2026-02 JPN", "2026-02 USA",
                ])
            let usa = lines[1]
            #expect(usa["charges"] == .integer(1))
            #expect(usa["paid"] == .integer(9_990))
            #expect(usa["commission"] == .integer(2_997))
            #expect(usa["proceeds"] == .integer(6_993))
            let refunded = lines[3]
            #expect(refunded["charges"] == .integer(1))
            #expect(refunded["refunds"] == .integer(1))
            #expect(refunded["refunded"] == .integer(9_990))
            #expect(refunded["proceeds"] == .integer(0))
            let february = try await client.ours(
                .get, "\(Self.proceeds)?from=2026-02-01&to=2026-02-16")
            #expect(february["lines"]?.array?.compactMap { $0["refunds"]?.integer } == [0, 0])
            let later = try await client.ours(.get, "\(Self.proceeds)?from=2026-03-01")
            #expect(later["lines"] == .array([]))
        }
        try await world.with(.sandbox) { client in
            let other = try await client.ours(.get, Self.proceeds)
            #expect(other["lines"] == .array([]))
        }
    }

    @Test("CSV is asked for by name or accepted; three decimals where money is divided")
    func csv() async throws {
        let world = try await Self.world()
        let expected = [
            "month,storefront,product,currency,charges,refunds,paid,refunded,commission,proceeds",
            "2026-01,JPN,silver.monthly,JPY,1,0,1500,0,450.000,1050.000",
            "2026-01,USA,silver.monthly,USD,1,0,9.99,0.00,2.997,6.993",
            "2026-02,JPN,silver.monthly,JPY,1,0,1500,0,450.000,1050.000",
            "2026-02,USA,silver.monthly,USD,1,1,9.99,9.99,0.000,0.000",
        ].map { $0 + "\r\n" }.joined()
        try await world.with { client in
            let named = try await client.ours(.get, "\(Self.proceeds)?format=csv")
            #expect(named.text == expected)
            #expect(named.fields[.contentType] == "text/csv; charset=utf-8; header=present")
            let accepted = try await client.ours(
                .get, Self.proceeds, nil, as: .operatorToken, [.accept: "text/csv, */*;q=0.1"])
            #expect(accepted.text == expected)
            let json = try await client.ours(
                .get, "\(Self.proceeds)?format=json", nil, as: .operatorToken,
                [.accept: "text/csv"])
            #expect(json.fields[.contentType] == "application/json")
        }
    }

    @Test(
        "Amounts are written exactly",
        arguments: [
            (9_990, 2, "9.99"), (0, 2, "0.00"), (1_500_000, 0, "1500"), (-2_997, 3, "-2.997"),
            (-10, 2, "-0.01"), (5, 2, "0.005"), (1_001, 0, "1.001"), (1_000, 3, "1.000"),
        ])
    func decimals(milliunits: Int64, decimals: Int, text: String) {
        #expect(ProceedsTable.decimal(milliunits, decimals) == text)
    }

    @Test("The ledger has three parties, who make nothing together, and comes in pages")
    func ledger() async throws {
        let world = try await Self.world()
        try await world.with { client in
            var entries: [JSONValue] = []
            var after = ""
            while true {
                let reply = try await client.ours(.get, "/connect/v1/ledger?limit=2\(after)")
                entries += try #require(reply["entries"]?.array)
                guard reply["hasMore"] == .bool(true) else { break }
                after = "&after=\(try #require(entries.last?["sequence"]?.integer))"
            }
            #expect(
                entries.compactMap { $0["kind"]?.string } == [
                    "charge", "charge", "charge", "charge", "refund",
                ])
            #expect(
                entries.compactMap { $0["customer"]?.integer } == [
                    -9_990, -1_500_000, -9_990, -1_500_000, 9_990,
                ])
            let newest = try await client.ours(
                .get, "/connect/v1/ledger?order=newestFirst&limit=2")
            #expect(newest["entries"]?.array == Array(entries.reversed().prefix(2)))
            let last = try #require(newest["entries"]?.array?.last?["sequence"]?.integer)
            let rest = try await client.ours(
                .get, "/connect/v1/ledger?order=newestFirst&after=\(last)")
            #expect(rest["entries"]?.array == Array(entries.reversed().dropFirst(2)))
            let account = try #require(entries.first?["account"]?.string)
            let own = try await client.ours(.get, "/connect/v1/ledger?account=\(account)")
            #expect(own["entries"]?.array == entries.filter { $0["account"]?.string == account })
            for entry in entries {
                #expect(entry["bundleId"]?.string == World.bundleID)
                let gains = ["customer", "developer", "store"].compactMap { entry[$0]?.integer }
                #expect(gains.count == 3)
                #expect(gains.reduce(0, +) == 0)
            }
        }
    }

    @Test("Questions that make no sense are refused")
    func refused() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for (query, code) in [
                ("from=2026-02-01&to=2026-02-01", "endBeforeStart"), ("from=soon", "invalidMember"),
                ("format=xml", "invalidMember"), ("month=2", "unknownParameter"),
            ] {
                let reply = try await client.ours(.get, "\(Self.proceeds)?\(query)")
                #expect(reply.status == 400)
                #expect(reply.complaint == code)
            }
            let nobody = try await client.ours(.get, "/connect/v1/apps/no/proceeds?format=csv")
            #expect(nobody.status == 404)
            #expect(nobody.complaint == "unknownApp")
            let stranger = try await client.ours(.get, "/connect/v1/ledger?account=nobody")
            #expect(stranger.complaint == "unknownAccount")
            let limit = try await client.ours(.get, "/connect/v1/ledger?limit=0")
            #expect(limit.complaint == "invalidMember")
            for path in [Self.proceeds, "/connect/v1/ledger"] {
                let stranger = try await client.ours(.get, path, nil, as: .nothing)
                #expect(stranger.status == 401)
            }
        }
    }
}
