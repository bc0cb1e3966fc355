import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Connect: limits of files, reasons of failures, names and tests")
struct ConnectNewcomerTests {
    private static let app = "/connect/v1/apps/\(World.bundleID)"

    @Test("A catalogue may be as long as a file on a disk, and nothing else may")
    func fileLimit() async throws {
        let world = try await HTTPWorld(isListening: false)
        #expect(world.server.options.fileLimit == 16 << 20)
        let blanks = String(repeating: " ", count: (1 << 20) + 1)
        let file =
            #"{"products":[{"productID":"rope","type":"Consumable","#
            + #""displayPrice":"1.00"}],"subscriptionGroups":[]}"#
        try await world.with { client in
            let long = try await client.ours(.put, "\(Self.app)/catalogue", file + blanks)
            #expect(long.status == 200, "\(long.text)")
            let before = try await world.everything()
            let other = try await client.ours(.patch, Self.app, "{}" + blanks)
            #expect(other.status == 413)
            #expect(other.complaint == "bodyTooLarge")
            #expect(try await world.everything() == before)
        }
    }

    @Test("A file over its own limit is refused, be its length told or not")
    func fileTooLarge() async throws {
        var options = StoreServer.Options()
        options.bodyLimit = 10
        options.fileLimit = 100
        let world = try await HTTPWorld(options: options)
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(
                .put, "\(Self.app)/catalogue", String(repeating: " ", count: 101))
            #expect(reply.status == 413)
            #expect(reply["message"]?.string?.contains("at most 100 bytes") == true)
        }
        #expect(try await world.everything() == before)
    }

    @Test("A product whose type changed is found at its place, and nothing is imported")
    func conflicts() async throws {
        let world = try await HTTPWorld(isListening: false)
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(
                .put, "\(Self.app)/catalogue",
                #"{"products":[{"productID":"rope","type":"Consumable","displayPrice":"1.00"},"#
                    + #"{"productID":"coins","type":"NonConsumable","displayPrice":"1.00"}],"#
                    + #""subscriptionGroups":[]}"#)
            #expect(reply.status == 400)
            #expect(reply.complaint == "invalidCatalogue")
            let findings = try #require(reply["findings"]?.array)
            #expect(findings.count == 1)
            #expect(findings.first?["path"]?.string == "$.products[1].productID")
            #expect(findings.first?["message"]?.string?.contains("Consumable") == true)
        }
        #expect(try await world.everything() == before)
    }

    @Test(
        "A name that is blank or has spaces at an end is no account's",
        arguments: ["", " ", " ada", "ada ", "\u{A0}ada", "ada\u{3000}", "\t"])
    func accounts(name: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(
                .post, "/storefront/v1/sign-in",
                #"{"bundleId":"\#(World.bundleID)","account":\#(name.jsonText())}"#)
            #expect(reply.status == 400)
            #expect(reply.complaint == "invalidMember")
            #expect(reply["field"]?.string == "account")
            #expect(reply["message"]?.string?.contains("spaces at either end") == true)
        }
        #expect(try await world.everything() == before)
        await #expect(throws: StoreError.self) { try await world.world.device(name) }
        #expect(try await world.everything() == before)
    }

    @Test("A name with spaces inside is an account's")
    func spacesInside() async throws {
        let world = try await HTTPWorld(isListening: false)
        #expect(Customer.isAccount("Ada Lovelace"))
        #expect(!Customer.isAccount(String(repeating: "a", count: 257)))
        try await world.with { client in _ = try await client.signIn("Ada Lovelace") }
    }

    @Test("TEST goes out without a subscription")
    func test() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let reply = try await client.ours(.post, "\(Self.app)/test-notification")
            #expect(reply.status == 201, "\(reply.text)")
            #expect(reply["notificationType"] == .string("TEST"))
            #expect(reply["provoked"] == .bool(true))
            #expect(reply["originalTransactionId"] == nil)
            try await world.world.settle(expecting: ["TEST"])
            let nobody = try await client.ours(
                .post, "/connect/v1/apps/nobody/test-notification")
            #expect(nobody.complaint == "unknownApp")
        }
        let silent = try await HTTPWorld(isListening: false)
        let before = try await silent.everything()
        try await silent.with { client in
            let reply = try await client.ours(.post, "\(Self.app)/test-notification")
            #expect(reply.complaint == "noNotificationURL")
        }
        #expect(try await silent.everything() == before)
    }

    @Test("A mass extension says why subscriptions failed, and which")
    func failures() async throws {
        let world = try await HTTPWorld(at: "2026-01-15T00:00:00Z", isListening: false) {
            $0.failingExtensions = 100
        }
        let id = try await world.world.subscribe("silver.monthly", by: world.world.device())
        try await world.with { client in
            let begun = try await client.ours(
                .post, "\(Self.app)/mass-extensions", #"{"productId":"silver.monthly","days":7}"#)
            #expect(begun["failures"] == .array([]))
            #expect(begun["environment"] == .string("Production"))
            let number = try #require(begun["id"]?.integer)
            try await world.world.store.settle()
            let list = try await client.ours(.get, "/connect/v1/mass-extensions")
            #expect(
                list["massExtensions"]?.array?.first?["failures"]
                    == .array([.object(["reason": .string("provoked"), "count": .integer(1)])]))
            let path = "/connect/v1/mass-extensions/\(number)/failures"
            let failures = try await client.ours(.get, path)
            #expect(
                failures["failures"]
                    == .array([
                        .object([
                            "originalTransactionId": .string(String(id)),
                            "account": .string("ada"), "reason": .string("provoked"),
                        ])
                    ]))
            #expect(failures["hasMore"] == .bool(false))
            let rest = try await client.ours(.get, "\(path)?after=\(id)&limit=1")
            #expect(rest["failures"] == .array([]))
            let unknown = try await client.ours(
                .get, "/connect/v1/mass-extensions/7/failures")
            #expect(unknown.complaint == "unknownMassExtension")
        }
    }

    @Test("A price that another one replaced says since when")
    func superseded() async throws {
        let world = try await HTTPWorld(at: "2026-01-15T00:00:00Z", isListening: false)
        _ = try await world.world.subscribe("silver.monthly", by: world.world.device())
        let silver = "\(Self.app)/products/silver.monthly/price-changes"
        try await world.with { client in
            for (storefront, price, day, until) in [
                ("DEU", 19_990, "10", "09"), ("USA", 19_990, "10", "10"),
                ("USA", 12_990, "20", "20"),
            ] {
                let reply = try await client.ours(
                    .put, "\(silver)/\(storefront)",
                    #"{"price":\#(price),"start":"2026-02-\#(day)T00:00:00Z","existing":"apply"}"#)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply["superseded"] == nil)
                _ = try await world.world.store.advance(
                    to: World.instant("2026-02-\(until)"))
            }
            let list = try await client.ours(.get, "\(Self.app)/price-changes")
            let changes = try #require(list["priceChanges"]?.array)
            #expect(changes.map { $0["superseded"]?.string } == [nil, "2026-02-20T00:00:00Z", nil])
            #expect(changes[1]["state"] == .string("done"))
        }
    }

    @Test("A subscription says which app it is of, and how it was extended")
    func subscription() async throws {
        let world = try await HTTPWorld(at: "2026-01-15T00:00:00Z", isListening: false)
        let id = try await world.world.subscribe("silver.monthly", by: world.world.device())
        try await world.with { client in
            let path = "/connect/v1/subscriptions/\(id)"
            let before = try await client.ours(.get, path)
            #expect(before["bundleId"] == .string(World.bundleID))
            #expect(before["environment"] == .string("Production"))
            #expect(before["extensions"] == .array([]))
            #expect(before["extendedMilliseconds"] == nil)
            _ = try await client.ours(
                .post, "\(path)/extend", #"{"days":10,"requestIdentifier":"a"}"#)
            let after = try await client.ours(.get, path)
            #expect(after["extensions"] == .array([.string("2026-01-15T00:00:00Z")]))
            #expect(after["extendedMilliseconds"] == .integer(864_000_000))
        }
    }
}
