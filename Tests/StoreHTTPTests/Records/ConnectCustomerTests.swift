import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Outbox
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Connect: customers, subscriptions and notifications")
struct ConnectCustomerTests {
    private static let path = "/connect/v1"

    @Test("Accounts come in pages, those of this environment only")
    func customers() async throws {
        let world = try await HTTPWorld(isListening: false)
        _ = try await world.world.device("sandy", in: .sandbox)
        try await world.with { client in
            for account in ["a", "b", "c", "d", "e"] { _ = try await client.signIn(account) }
            var found: [String] = []
            var after = ""
            while true {
                let reply = try await client.ours(
                    .get, "\(Self.path)/customers?limit=2\(after)")
                let page = try #require(reply["customers"]?.array)
                found += page.compactMap { $0["account"]?.string }
                #expect(page.allSatisfy { $0["subscriptions"] == nil })
                guard reply["hasMore"] == .bool(true) else { break }
                after = "&after=\(try #require(page.last?["id"]?.integer))"
            }
            #expect(found == ["a", "b", "c", "d", "e"])
            let buyers = "\(Self.path)/customers?bundleId=\(World.bundleID)"
            #expect(try await client.ours(.get, buyers)["customers"] == .array([]))
            try await client.buy("silver.monthly", as: try await client.signIn("c"))
            let reply = try await client.ours(.get, buyers)
            #expect(reply["customers"]?.array?.map { $0["account"]?.string } == ["c"])
            let unknown = try await client.ours(.get, "\(Self.path)/customers?bundleId=nobody")
            #expect(unknown.complaint == "unknownApp")
        }
        try await world.with(.sandbox) { client in
            let reply = try await client.ours(.get, "\(Self.path)/customers")
            #expect(reply["customers"]?.array?.count == 1)
        }
    }

    @Test("An account is found by its name, whatever the name is")
    func customer() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn("Zoë / 50%", storefront: "DEU")
            try await client.buy("silver.monthly", as: token)
            let path = "\(Self.path)/customers/Zo%C3%AB%20%2F%2050%25"
            let reply = try await client.ours(.get, path)
            #expect(reply.status == 200)
            #expect(reply["account"] == .string("Zoë / 50%"))
            let subscription = try #require(reply["subscriptions"]?.array?.first)
            #expect(subscription["state"] == .string("active"))
            #expect(subscription["currency"] == .string("EUR"))
            let moved = try await client.ours(.patch, path, #"{"storefront":"FRA"}"#)
            #expect(moved["storefront"] == .string("FRA"))
            let same = try await client.ours(.patch, path, "{}")
            #expect(same.body == moved.body)
        }
    }

    @Test("The speed of Sandbox is Sandbox's business")
    func speed() async throws {
        let world = try await HTTPWorld(isListening: false)
        for environment in StoreEnvironment.allCases {
            try await world.with(environment) { client in
                _ = try await client.signIn("ada")
                let path = "\(Self.path)/customers/ada"
                let reply = try await client.ours(.patch, path, #"{"sandboxSpeed":60}"#)
                switch environment {
                case .production:
                    #expect(reply.status == 409)
                    #expect(reply.complaint == "sandboxOnly")
                case .sandbox:
                    #expect(reply["sandboxSpeed"] == .integer(60))
                }
                for wrong in [#"{"sandboxSpeed":7}"#, #"{"sandboxSpeed":"60"}"#] {
                    #expect(try await client.ours(.patch, path, wrong).status == 400)
                }
            }
        }
    }

    @Test("A payment method declines until, so often, or for good")
    func paymentMethod() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.signIn("ada")
            let path = "\(Self.path)/customers/ada"
            for (body, method) in [
                (
                    #"{"behaviour":"decline","until":"2026-03-01T00:00:00Z","count":3}"#,
                    #"{"behaviour":"decline","until":"2026-03-01T00:00:00Z","count":3}"#
                ), (#"{"behaviour":"decline"}"#, #"{"behaviour":"decline"}"#),
                (#"{"behaviour":"approve"}"#, #"{"behaviour":"approve"}"#),
            ] {
                let set = try await client.ours(.put, "\(path)/payment-method", body)
                #expect(set.status == 204)
                let reply = try await client.ours(.get, path)
                let expected = try JSONValue(parsing: method.utf8)
                #expect(reply["paymentMethod"] == expected)
            }
            for (body, code) in [
                (#"{"behaviour":"approve","count":1}"#, "onlyWithAnotherBehaviour"),
                (#"{"behaviour":"decline","count":0}"#, "invalidMember"),
                (#"{"behaviour":"perhaps"}"#, "invalidMember"), (#"{}"#, "missingMember"),
                (#"{"behaviour":"decline","until":"soon"}"#, "invalidMember"),
                (#"{"behaviour":"decline","until":"2020-01-01T00:00:00Z"}"#, "invalidSetting"),
            ] {
                let reply = try await client.ours(.put, "\(path)/payment-method", body)
                #expect(reply.status == 400)
                #expect(reply.complaint == code)
            }
        }
    }

    @Test("A payment method that approves pays at once what is owed")
    func recovery() async throws {
        let world = try await HTTPWorld(isListening: false) {
            $0.gracePeriod = .sixteenDays
        }
        try await world.with { client in
            let token = try await client.signIn("ada")
            let id = try await client.buy("silver.monthly", as: token).transactionId
            let method = "\(Self.path)/customers/ada/payment-method"
            _ = try await client.ours(.put, method, #"{"behaviour":"decline"}"#)
            _ = try await client.ours(
                .post, "\(Self.path)/clock/advance", #"{"by":"P32D"}"#)
            let path = "\(Self.path)/subscriptions/\(id)"
            let grace = try await client.ours(.get, path)
            #expect(grace["state"] == .string("grace"))
            #expect(grace["status"] == .integer(4))
            #expect(grace["graceUntil"] == .string("2026-02-17T00:00:00Z"))
            let again = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"silver.monthly"}"#,
                as: .bearer(token))
            #expect(again.complaint == "alreadySubscribed")
            let words = "the grace period runs until 2026-02-17T00:00:00Z"
            #expect(again["message"]?.string?.contains(words) == true, "\(again.text)")
            _ = try await client.ours(.put, method, #"{"behaviour":"approve"}"#)
            let paid = try await client.ours(.get, path)
            #expect(paid["state"] == .string("active"))
            #expect(paid["graceUntil"] == nil)
            _ = try await client.ours(.put, method, #"{"behaviour":"decline"}"#)
            _ = try await client.ours(.post, "\(Self.path)/clock/advance", #"{"by":"P2M"}"#)
            let retrying = try await client.ours(.get, path)
            #expect(retrying["state"] == .string("retrying"))
            #expect(retrying["entitled"] == .bool(false))
            _ = try await client.ours(.post, "\(Self.path)/clock/advance", #"{"by":"P2M"}"#)
            let over = try await client.ours(.get, path)
            #expect(over["state"] == .string("expired"))
            #expect(over["expirationIntent"] == .integer(2))
            #expect(over["nextEvent"] == nil)
        }
    }

    @Test("The timeline tells the life of a subscription, page by page")
    func timeline() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn("ada")
            let id = try await client.buy("silver.monthly", as: token).transactionId
            _ = try await client.ours(.post, "\(Self.path)/clock/advance", #"{"by":"P5M"}"#)
            let path = "\(Self.path)/subscriptions/\(id)/timeline"
            let whole = try await client.ours(.get, path)
            let entries = try #require(whole["entries"]?.array)
            #expect(whole["hasMore"] == .bool(false))
            #expect(whole["subscription"]?["account"] == .string("ada"))
            #expect(
                entries.compactMap { $0["amount"]?.integer } == Array(repeating: 9990, count: 6))
            #expect(entries.first?["notices"] == .array([.string("SUBSCRIBED/INITIAL_BUY")]))
            #expect(entries.last?["notices"] == .array([.string("DID_RENEW")]))
            var found: [JSONValue] = []
            var after = ""
            while true {
                let reply = try await client.ours(.get, "\(path)?limit=2\(after)")
                let page = try #require(reply["entries"]?.array)
                found += page
                guard reply["hasMore"] == .bool(true) else { break }
                after = "&after=\(try #require(page.last?["sequence"]?.integer))"
            }
            #expect(found == entries)
        }
    }

    @Test("A subscription of the other environment does not exist here")
    func otherEnvironment() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device(in: .sandbox)
        let id = try #require(
            try await world.world.buy("silver.monthly", by: ada, expecting: [])
        ).transactionId
        let before = try await world.everything()
        try await world.with(.production) { client in
            for (method, path) in [
                (HTTPRequest.Method.get, ""), (.get, "/timeline"), (.post, "/expire"),
            ] {
                let reply = try await client.ours(
                    method, "\(Self.path)/subscriptions/\(id)\(path)")
                #expect(reply.complaint == "unknownSubscription")
            }
        }
        #expect(try await world.everything() == before)
        try await world.with(.sandbox) { client in
            let path = "\(Self.path)/subscriptions/\(id)/expire"
            #expect(try await client.ours(.post, path).status == 204)
            let again = try await client.ours(.post, path)
            #expect(again.status == 409)
            #expect(again.complaint == "notActive")
        }
    }

    @Test("Notifications are listed newest first, with what was tried")
    func notifications() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        world.world.listener.answer([.timedOut])
        for _ in 0..<5 {
            try await world.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        }
        try await world.with { client in
            let verifier = try client.verifier()
            var found: [JSONValue] = []
            var before = ""
            while true {
                let reply = try await client.ours(
                    .get, "\(Self.path)/notifications?limit=2\(before)")
                let page = try #require(reply["notifications"]?.array)
                found += page
                guard reply["hasMore"] == .bool(true) else { break }
                before = "&before=\(try #require(page.last?["id"]?.integer))"
            }
            #expect(found.count == 5)
            let ids = found.compactMap { $0["id"]?.integer }
            #expect(ids == ids.sorted(by: >))
            let failed = try #require(found.last)
            #expect(failed["delivered"] == .bool(false))
            #expect(failed["nextAttempt"] == .string("2026-01-01T01:00:00Z"))
            #expect(
                failed["attempts"]?.array?.first?["result"] == .string("TIMED_OUT"))
            let newest = try #require(found.first)
            #expect(newest["delivered"] == .bool(true))
            #expect(newest["nextAttempt"] == nil)
            let payload = try await verifier.verifyNotification(
                try #require(newest["signedPayload"]?.string))
            #expect(newest["notificationUUID"] == .string(payload.notificationUUID))
        }
        try await world.with(.sandbox) { client in
            let reply = try await client.ours(.get, "\(Self.path)/notifications")
            #expect(reply["notifications"] == .array([]))
        }
    }
}
