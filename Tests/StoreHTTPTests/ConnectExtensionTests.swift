import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Connect: extensions")
struct ConnectExtensionTests {
    private static let order = "/connect/v1/apps/\(World.bundleID)/mass-extensions"
    private static let list = "/connect/v1/mass-extensions"

    private static func subscribed(
        _ accounts: String...
    ) async throws -> (world: HTTPWorld, ids: [Int64]) {
        let world = try await HTTPWorld(at: "2026-01-15T00:00:00Z")
        var ids: [Int64] = []
        for account in accounts {
            ids.append(
                try await world.world.subscribe(
                    "silver.monthly", by: world.world.device(account)))
        }
        return (world, ids)
    }

    @Test("One subscription is extended, and the same request again changes nothing")
    func single() async throws {
        let (world, ids) = try await Self.subscribed("ada")
        let path = "/connect/v1/subscriptions/\(ids[0])/extend"
        let body = #"{"days":30,"reason":"serviceIssueOrOutage","requestIdentifier":"o-1"}"#
        try await world.with { client in
            for turn in 1...2 {
                let reply = try await client.ours(.post, path, body)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply["repeated"] == (turn == 2 ? .bool(true) : nil))
                #expect(reply["originalTransactionId"] == .string("\(ids[0])"))
                #expect(reply["expires"] == .string("2026-03-17T00:00:00Z"))
            }
            try await world.world.settle(
                telling: ["2026-01-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-17"])
            let second = try await client.ours(
                .post, path, #"{"days":1,"requestIdentifier":"o-2"}"#)
            #expect(second["expires"] == .string("2026-03-18T00:00:00Z"))
            let before = try await Tables(world.world.database)
            let third = try await client.ours(
                .post, path, #"{"days":1,"requestIdentifier":"o-3"}"#)
            #expect(third.status == 409)
            #expect(third.complaint == "notExtended")
            #expect(third.text.contains("within 365 days: it can be again from 2027-01-15 00:00"))
            #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
        }
    }

    @Test("All subscribers of a product are extended, and the list tells how far it is")
    func mass() async throws {
        let (world, _) = try await Self.subscribed("ada", "bob")
        try await world.with { client in
            let begun = try await client.ours(
                .post, Self.order, #"{"productId":"silver.monthly","days":7}"#)
            #expect(begun.status == 201, "\(begun.text)")
            #expect(begun["candidates"] == .integer(2))
            #expect(begun["complete"] == .bool(false))
            #expect(begun["repeated"] == nil)
            #expect(begun["reason"] == .string("undeclared"))
            let name = try #require(begun["requestIdentifier"]?.string)
            try await world.world.settle(
                telling: [
                    "2026-01-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-02-22",
                    "2026-01-15 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-02-22",
                    "2026-01-15 RENEWAL_EXTENSION/SUMMARY",
                ])
            // The identifier that the store chose names it, in any letter case.
            let again = try await client.ours(
                .post, Self.order,
                #"{"productId":"silver.monthly","days":7,"#
                    + #""requestIdentifier":"\#(name.uppercased())"}"#)
            #expect(again["id"] == begun["id"])
            #expect(again["repeated"] == .bool(true))
            #expect(again["complete"] == .bool(true))
            try await world.world.settle(telling: [])
            let listed = try await client.ours(.get, Self.list)
            let one = try #require(listed["massExtensions"]?.array?.first)
            #expect(one["succeeded"] == .integer(2))
            #expect(one["repeated"] == nil)
            #expect(one["failed"] == .integer(0))
            #expect(one["completed"] == .string("2026-01-15T00:00:00Z"))
            #expect(one["bundleId"] == .string(World.bundleID))
            #expect(listed["hasMore"] == .bool(false))
        }
        try await world.with(.sandbox) { client in
            let other = try await client.ours(.get, Self.list)
            #expect(other["massExtensions"] == .array([]))
        }
    }

    @Test("Storefronts narrow it, and the list comes in pages, newest first")
    func pages() async throws {
        let (world, _) = try await Self.subscribed("ada")
        try await world.with { client in
            for storefronts in [#"["DEU","DEU"]"#, #"["USA"]"#, #"["FRA","USA"]"#] {
                _ = try await client.ours(
                    .post, Self.order,
                    #"{"productId":"silver.monthly","days":1,"storefronts":\#(storefronts)}"#)
            }
            var found: [JSONValue] = []
            var before = ""
            while true {
                let reply = try await client.ours(.get, "\(Self.list)?limit=2\(before)")
                found += try #require(reply["massExtensions"]?.array)
                guard reply["hasMore"] == .bool(true) else { break }
                before = "&before=\(try #require(found.last?["id"]?.integer))"
            }
            #expect(found.map { $0["storefronts"]?.array?.count } == [2, 1, 1])
            #expect(found.compactMap { $0["candidates"]?.integer } == [1, 1, 0])
        }
    }

    @Test("Failures can be provoked in an app's settings")
    func provoked() async throws {
        let (world, ids) = try await Self.subscribed("ada")
        try await world.with { client in
            let app = "/connect/v1/apps/\(World.bundleID)"
            let usual = try await client.ours(.get, app)
            #expect(usual["failingExtensions"] == .integer(0))
            let set = try await client.ours(.patch, app, #"{"failingExtensions":100}"#)
            #expect(set["failingExtensions"] == .integer(100))
            for wrong in ["101", "-1", #""50""#] {
                let reply = try await client.ours(.patch, app, #"{"failingExtensions":\#(wrong)}"#)
                #expect(reply.complaint == "invalidMember")
            }
            _ = try await client.ours(
                .post, Self.order, #"{"productId":"silver.monthly","days":7}"#)
            try await world.world.settle(
                telling: [
                    "2026-01-15 RENEWAL_EXTENSION/FAILURE 1 silver.monthly 9.99 until 2026-02-15",
                    "2026-01-15 RENEWAL_EXTENSION/SUMMARY",
                ])
            let timeline = try await client.ours(
                .get, "/connect/v1/subscriptions/\(ids[0])/timeline")
            let last = try #require(timeline["entries"]?.array?.last)
            #expect(last["event"] == .string("extensionFailed"))
            #expect(last["note"]?.string?.hasPrefix("provoked ") == true)
        }
    }

    @Test(
        "An order that cannot be right begins nothing",
        arguments: [
            (#"{"productId":"silver.monthly"}"#, 400, "missingMember"),
            (#"{"productId":"silver.monthly","days":0}"#, 400, "invalidMember"),
            (#"{"productId":"silver.monthly","days":91}"#, 400, "invalidMember"),
            (#"{"productId":"silver.monthly","days":7,"storefronts":[]}"#, 400, "invalidMember"),
            (
                #"{"productId":"silver.monthly","days":7,"storefronts":["US"]}"#, 400,
                "invalidMember"
            ),
            (
                #"{"productId":"silver.monthly","days":7,"storefronts":"USA"}"#, 400,
                "invalidMember"
            ), (#"{"productId":"silver.monthly","days":7,"reason":3}"#, 400, "invalidMember"),
            (
                #"{"productId":"silver.monthly","days":7,"requestIdentifier":"x"}"#, 400,
                "invalidMember"
            ), (#"{"productId":"p","days":7}"#, 404, "unknownProduct"),
            (#"{"productId":"coins","days":7}"#, 409, "notASubscription"),
        ] as [(String, Int, String)])
    func refusedMass(body: String, status: Int, code: String) async throws {
        let (world, _) = try await Self.subscribed("ada")
        let before = try await Tables(world.world.database)
        try await world.with { client in
            let reply = try await client.ours(.post, Self.order, body)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.complaint == code)
        }
        #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
    }

    @Test("An extension that cannot be right changes nothing")
    func refused() async throws {
        let (world, ids) = try await Self.subscribed("ada")
        let trial = try await world.world.subscribe(
            "silver.trial", by: world.world.device("bob"))
        let before = try await Tables(world.world.database)
        let right = #"{"days":7,"requestIdentifier":"a"}"#
        try await world.with { client in
            for (id, body, status, code) in [
                ("\(ids[0])", #"{"days":7}"#, 400, "missingMember"),
                ("\(ids[0])", #"{"days":7,"requestIdentifier":""}"#, 400, "invalidMember"),
                ("\(ids[0])", #"{"days":99,"requestIdentifier":"a"}"#, 400, "invalidMember"),
                ("7", right, 404, "unknownSubscription"),
                ("x", right, 404, "unknownSubscription"), ("\(trial)", right, 409, "notExtended"),
            ] {
                let reply = try await client.ours(
                    .post, "/connect/v1/subscriptions/\(id)/extend", body)
                #expect(reply.status == status, "\(reply.text)")
                #expect(reply.complaint == code)
            }
        }
        try await world.with(.sandbox) { client in
            let reply = try await client.ours(
                .post, "/connect/v1/subscriptions/\(ids[0])/extend", right)
            #expect(reply.complaint == "unknownSubscription")
        }
        #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
    }
}
