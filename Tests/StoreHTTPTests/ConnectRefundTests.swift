import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Connect: refunds")
struct ConnectRefundTests {
    private static let path = "/connect/v1"

    /// Silver, bought on 15 January 2026 and renewed on 15 February, on the 20th: 23 of the 28
    /// days of the second period are left.
    private struct Renewed {
        let http: HTTPWorld
        let ada: DeviceSession
        /// The subscription, which is its first transaction.
        let id: Int64
        let newest: Int64
        var world: World { http.world }

        init() async throws {
            http = try await HTTPWorld(at: "2026-01-15T00:00:00Z") {
                $0.refundPolicy = .operatorDecides
            }
            ada = try await http.world.device()
            id = try await http.world.subscribe("silver.monthly", by: ada)
            try await http.world.advance(
                to: "2026-02-20",
                telling: ["2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
            newest = try #require(
                try await http.world.history("\(id)").last.flatMap { Int64($0.transactionId) })
        }
    }

    private static let refunded = """
        2026-02-20 REFUND 5 silver.monthly 9.99 until 2026-03-15 REFUND_FULL 2026-02-20
        """
    private static let prorated = """
        2026-02-20 REFUND 5 silver.monthly 9.99 until 2026-03-15 REFUND_PRORATED 2026-02-20
        """
    private static let turnedOff = """
        2026-02-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 9.99 \
        until 2026-03-15
        """

    @Test("What was over when it was refunded shows both, with status 5")
    func refundedLater() async throws {
        let one = try await Renewed()
        try await one.world.store.end(subscription: one.id)
        try await one.http.with { client in
            let path = "\(Self.path)/transactions/\(one.newest)"
            #expect(try await client.ours(.post, "\(path)/refund", "{}").status == 200)
            let revoked = try await client.ours(.get, "\(Self.path)/subscriptions/\(one.id)")
            #expect(revoked["state"] == .string("expired"))
            #expect(revoked["status"] == .integer(5))
            #expect(revoked["expirationIntent"] == .integer(5))
            #expect(revoked["revoked"] == .string("2026-02-20T00:00:00Z"))
            #expect(revoked["refundedInFull"] == .bool(true))
            #expect(try await client.ours(.post, "\(path)/reverse-refund").status == 200)
            let over = try await client.ours(.get, "\(Self.path)/subscriptions/\(one.id)")
            #expect(over["status"] == .integer(2))
            #expect(over["revoked"] == nil)
        }
    }

    @Test("A transaction is refunded without a request, and the refund is reversed")
    func refund() async throws {
        let one = try await Renewed()
        try await one.http.with { client in
            let path = "\(Self.path)/transactions/\(one.newest)"
            let reply = try await client.ours(
                .post, "\(path)/refund", #"{"reason":"problemWithApp"}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["refunded"] == .integer(9_990))
            #expect(reply["productId"] == .string("silver.monthly"))
            #expect(reply["purchased"] == .string("2026-02-15T00:00:00Z"))
            #expect(reply["expires"] == .string("2026-03-15T00:00:00Z"))
            #expect(reply["extent"] == .string("full"))
            #expect(reply["percentage"] == .integer(100_000))
            #expect(reply["reason"] == .string("problemWithApp"))
            #expect(reply["revoked"] == .string("2026-02-20T00:00:00Z"))
            try await one.world.store.settle()
            let names = one.world.listener.takeArrivals().map(\.name)
            #expect(names == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
            let revoked = try await client.ours(.get, "\(Self.path)/subscriptions/\(one.id)")
            #expect(revoked["state"] == .string("revoked"))
            #expect(revoked["entitled"] == .bool(false))
            let again = try await client.ours(.post, "\(path)/refund", "{}")
            #expect(again.complaint == "alreadyRevoked")

            let reversed = try await client.ours(.post, "\(path)/reverse-refund")
            #expect(reversed.status == 200)
            #expect(reversed["transactionId"] == .string(String(one.newest)))
            #expect(reversed["originalTransactionId"] == .string(String(one.id)))
            #expect(reversed["price"] == .integer(9_990))
            #expect(reversed["environment"] == .string("Production"))
            try await one.world.settle(
                telling: ["2026-02-20 REFUND_REVERSED 1 silver.monthly 9.99 until 2026-03-15"])
            let active = try await client.ours(.get, "\(Self.path)/subscriptions/\(one.id)")
            #expect(active["state"] == .string("active"))
            let twice = try await client.ours(.post, "\(path)/reverse-refund")
            #expect(twice.status == 409)
            #expect(twice.complaint == "notRefunded")
            #expect(twice.text.contains("was reversed already"))
        }
    }

    @Test("Customer support cancels: the unused share is given back, and it ends at once")
    func cancel() async throws {
        let one = try await Renewed()
        try await one.http.with { client in
            let path = "\(Self.path)/subscriptions/\(one.id)/cancel"
            // 9.99 × 23 / 28 = 8.206, which is 8.21.
            let reply = try await client.ours(.post, path, #"{"extent":"prorated"}"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["transactionId"] == .string("\(one.newest)"))
            #expect(reply["refunded"] == .integer(8_210))
            #expect(reply["price"] == .integer(9_990))
            #expect(reply["quantity"] == .integer(1))
            #expect(reply["extent"] == .string("prorated"))
            #expect(reply["percentage"] == .integer(82_182))
            try await one.world.store.settle()
            #expect(one.world.listener.takeArrivals().last?.line == Self.prorated)
            let before = try await Tables(one.world.database)
            let again = try await client.ours(.post, path, "{}")
            #expect(again.status == 409)
            #expect(again.complaint == "notActive")
            #expect(try await Tables(one.world.database).differences(from: before).isEmpty)
        }
        #expect(try await one.world.store.entitlements(for: one.ada).isEmpty)
        try await one.world.advance(to: "2026-04-01", telling: [])
    }

    @Test("Requests are listed with what the developer says, and granted")
    func granted() async throws {
        let one = try await Renewed()
        try await one.world.store.requestRefund(
            transaction: one.newest, .unsatisfiedWithPurchase, by: one.ada)
        try await one.world.settle(
            telling: [
                Self.turnedOff,
                "2026-02-20 CONSUMPTION_REQUEST 1 silver.monthly 9.99 until 2026-03-15",
            ])
        try await one.world.store.consumption(
            of: one.newest,
            Consumption(
                preference: .grantProrated, percentage: nil,
                body: #"{"customerConsented":true,"refundPreference":"GRANT_PRORATED"}"#),
            for: one.world.caller())
        try await one.http.with { client in
            let list = "\(Self.path)/refund-requests"
            let open = try await client.ours(.get, "\(list)?state=open")
            let request = try #require(open["refundRequests"]?.array?.first)
            #expect(request["account"] == .string("ada"))
            #expect(request["transactionId"] == .string("\(one.newest)"))
            #expect(request["originalTransactionId"] == .string("\(one.id)"))
            #expect(request["price"] == .integer(9_990))
            #expect(request["reason"] == .string("UNSATISFIED_WITH_PURCHASE"))
            #expect(request["quantity"] == .integer(1))
            #expect(request["decides"] == nil)
            #expect(request["refunded"] == nil)
            let consumption = try #require(request["consumption"])
            #expect(consumption["preference"] == .string("GRANT_PRORATED"))
            #expect(consumption["answer"]?["customerConsented"] == .bool(true))
            let id = try #require(request["id"]?.integer)
            let granted = try await client.ours(.post, "\(list)/\(id)/grant", "{}")
            #expect(granted["refunded"] == .integer(9_990))
            try await one.world.settle(telling: [Self.refunded])
            for verb in ["grant", "decline"] {
                let late = try await client.ours(
                    .post, "\(list)/\(id)/\(verb)", verb == "grant" ? "{}" : nil)
                #expect(late.complaint == "unknownRefundRequest")
            }
            let none = try await client.ours(.get, "\(list)?state=open")
            #expect(none["refundRequests"] == .array([]))
            let done = try await client.ours(.get, "\(list)?state=granted")
            let last = try #require(done["refundRequests"]?.array?.first)
            #expect(last["decided"] == .string("2026-02-20T00:00:00Z"))
            #expect(last["refunded"] == .integer(9_990))
            #expect(last["percentage"] == .integer(100_000))
        }
    }

    @Test("A declined request leaves access, and requests come in pages, newest first")
    func declined() async throws {
        let one = try await Renewed()
        let list = "\(Self.path)/refund-requests"
        try await one.http.with { client in
            for _ in 1...3 {
                let request = try await one.world.store.requestRefund(
                    transaction: one.newest, .other, by: one.ada)
                let reply = try await client.ours(.post, "\(list)/\(request.id)/decline")
                #expect(reply.status == 204)
            }
            try await one.world.store.settle()
            let names = one.world.listener.takeArrivals().map(\.name)
            #expect(names.count { $0 == "REFUND_DECLINED" } == 3)
            let active = try await client.ours(.get, "\(Self.path)/subscriptions/\(one.id)")
            #expect(active["state"] == .string("active"))
            let first = try await client.ours(.get, "\(list)?state=declined&limit=2")
            let page = try #require(first["refundRequests"]?.array)
            #expect(page.count == 2)
            #expect(first["hasMore"] == .bool(true))
            let last = try #require(page.last?["id"]?.integer)
            let second = try await client.ours(.get, "\(list)?limit=2&before=\(last)")
            #expect(second["refundRequests"]?.array?.count == 1)
            #expect(second["hasMore"] == .bool(false))
        }
        try await one.http.with(.sandbox) { client in
            let other = try await client.ours(.get, list)
            #expect(other["refundRequests"] == .array([]))
        }
    }

    @Test("Who decides, and the commission, are settings of the app")
    func settings() async throws {
        let world = try await HTTPWorld()
        let path = "\(Self.path)/apps/\(World.bundleID)"
        try await world.with { client in
            let usual = try await client.ours(.get, path)
            #expect(usual["refundPolicy"] == .string("approve"))
            #expect(usual["smallBusiness"] == .bool(false))
            let set = try await client.ours(
                .patch, path,
                #"{"refundPolicy":"manual","sandboxRefundPolicy":"developer","smallBusiness":true}"#
            )
            #expect(set["refundPolicy"] == .string("manual"))
            #expect(set["sandboxRefundPolicy"] == .string("developer"))
            #expect(set["smallBusiness"] == .bool(true))
            #expect(try await client.ours(.get, path).body == set.body)
            let before = try await Tables(world.world.database)
            for wrong in [
                #"{"refundPolicy":"operatorDecides"}"#, #"{"sandboxRefundPolicy":1}"#,
                #"{"smallBusiness":"yes"}"#, #"{"smallBusiness":true,"refundPolicy":"no"}"#,
            ] {
                #expect(try await client.ours(.patch, path, wrong).complaint == "invalidMember")
            }
            #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
        }
    }

    @Test("An app in the Small Business Program says how much of its limit is used up")
    func smallBusinessStanding() async throws {
        let world = try await HTTPWorld()
        let path = "\(Self.path)/apps/\(World.bundleID)"
        try await world.with { client in
            let usual = try await client.ours(.get, path)
            #expect(usual["smallBusinessLimit"] == .bool(true))
            #expect(usual["smallBusinessStanding"] == nil)
            let set = try await client.ours(
                .patch, path, #"{"smallBusiness":true,"smallBusinessLimit":false}"#)
            #expect(set["smallBusinessLimit"] == .bool(false))
            _ = try await world.world.subscribe("silver.monthly", by: world.world.device())
            let standing = try await client.ours(.get, path)["smallBusinessStanding"]
            #expect(standing?["limit"] == .integer(1_000_000_000))
            // 85 per cent of 9.99, to the thousandth.
            #expect(standing?["proceedsThisYear"] == .integer(8_492))
            #expect(standing?["proceedsLastYear"] == .integer(0))
            #expect(standing?["isExceeded"] == .bool(false))
            #expect(standing?["notCounted"] == .array([]))
            let wrong = try await client.ours(.patch, path, #"{"smallBusinessLimit":1}"#)
            #expect(wrong.complaint == "invalidMember")
        }
    }

    @Test("What cannot be refunded changes nothing")
    func refused() async throws {
        let one = try await Renewed()
        let trial = try await one.world.subscribe(
            "silver.trial", by: one.world.device("bob"))
        let before = try await Tables(one.world.database)
        let calls: [(String, String?, Int, String)] = [
            ("transactions/7/refund", "{}", 404, "unknownTransaction"),
            ("transactions/x/refund", "{}", 404, "unknownTransaction"),
            ("transactions/\(trial)/refund", "{}", 409, "nothingPaid"),
            ("transactions/\(one.id)/refund", #"{"extent":"prorated"}"#, 409, "nothingLeft"),
            ("transactions/\(one.id)/refund", #"{"extent":"half"}"#, 400, "invalidMember"),
            ("transactions/\(one.id)/refund", #"{"reason":1}"#, 400, "invalidMember"),
            ("transactions/\(one.id)/refund", #"{"amount":1}"#, 400, "unknownMember"),
            ("transactions/\(one.id)/reverse-refund", nil, 409, "notRefunded"),
            ("transactions/7/reverse-refund", nil, 404, "unknownTransaction"),
            ("subscriptions/7/cancel", "{}", 404, "unknownSubscription"),
            ("subscriptions/\(one.newest)/cancel", "{}", 404, "unknownSubscription"),
            ("subscriptions/\(trial)/cancel", "{}", 409, "nothingPaid"),
            ("refund-requests/7/grant", "{}", 404, "unknownRefundRequest"),
            ("refund-requests/x/grant", "{}", 404, "unknownRefundRequest"),
            ("refund-requests/7/grant", #"{"reason":"other"}"#, 400, "unknownMember"),
            ("refund-requests/7/decline", nil, 404, "unknownRefundRequest"),
        ]
        for environment in StoreEnvironment.allCases {
            try await one.http.with(environment) { client in
                for (path, body, status, code) in calls {
                    let reply = try await client.ours(.post, "\(Self.path)/\(path)", body)
                    if environment == .production || status == 400 {
                        #expect(reply.status == status, "\(path) \(reply.text)")
                        #expect(reply.complaint == code, "\(path)")
                    } else {
                        // Nothing of Production is there.
                        #expect(reply.status == 404, "\(path) \(reply.text)")
                    }
                }
                let state = try await client.ours(
                    .get, "\(Self.path)/refund-requests?state=closed")
                #expect(state.complaint == "invalidMember")
                let open = try await client.ours(.get, "\(Self.path)/refund-requests?state=OPEN")
                #expect(open.status == 200, "\(open.text)")
            }
        }
        #expect(try await Tables(one.world.database).differences(from: before).isEmpty)
    }
}
