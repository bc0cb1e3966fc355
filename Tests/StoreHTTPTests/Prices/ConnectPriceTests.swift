import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Connect: price changes")
struct ConnectPriceTests {
    private static let app = "/connect/v1/apps/\(World.bundleID)"
    private static let silver = "\(app)/products/silver.monthly/price-changes"

    /// Silver, bought on 15 January 2026 for 9.99 USD.
    private static func subscribed() async throws -> (world: HTTPWorld, id: Int64) {
        let world = try await HTTPWorld(at: "2026-01-15T00:00:00Z")
        let id = try await world.world.subscribe(
            "silver.monthly", by: world.world.device())
        return (world, id)
    }

    @Test("A price is scheduled, overwritten, listed and withdrawn")
    func schedule() async throws {
        let (world, _) = try await Self.subscribed()
        try await world.with { client in
            let first = try await client.ours(
                .put, "\(Self.silver)/USA",
                #"{"price":19990,"start":"2026-03-10T00:00:00Z","existing":"apply"}"#)
            #expect(first.status == 200)
            #expect(first["currency"] == .string("USD"))
            #expect(first["state"] == .string("scheduled"))
            #expect(first["cohortPrice"] == .integer(9_990))
            let second = try await client.ours(
                .put, "\(Self.silver)/USA",
                #"{"price":7990,"start":"2026-02-10T00:00:00Z"}"#)
            #expect(second["existing"] == .string("preserve"))
            #expect(second["start"] == .string("2026-02-10T00:00:00Z"))
            _ = try await client.ours(
                .put, "\(Self.silver)/JPN", #"{"price":1500000,"existing":"preserve"}"#)
            let all = try await client.ours(.get, "\(Self.app)/price-changes")
            let changes = try #require(all["priceChanges"]?.array)
            #expect(
                changes.compactMap { $0["price"]?.integer } == [1_500_000, 7_990, 19_990])
            #expect(changes[2]["state"] == .string("replaced"))
            #expect(changes[2]["replaced"] == .string("2026-01-15T00:00:00Z"))
            #expect(changes[2]["replacedBy"] == second["id"])
            #expect(changes[2]["withdrawn"] == nil)
            #expect(changes[2]["scheduled"] == .string("2026-01-15T00:00:00Z"))
            #expect(all["hasMore"] == .bool(false))
            let page = try await client.ours(.get, "\(Self.app)/price-changes?limit=1")
            #expect(page["hasMore"] == .bool(true))
            let newest = try #require(page["priceChanges"]?.array?.first)
            #expect(newest == changes[0])
            let rest = try await client.ours(
                .get, "\(Self.app)/price-changes?limit=1&before=\(newest["id"]?.integer ?? 0)")
            #expect(rest["priceChanges"] == .array([changes[1]]))
            #expect(rest["hasMore"] == .bool(true))
            let other = try await client.ours(
                .get, "\(Self.app)/price-changes?product=gold.monthly")
            #expect(other["priceChanges"] == .array([]))
            let withdrawn = try await client.ours(.delete, "\(Self.silver)/USA")
            #expect(withdrawn.status == 200)
            #expect(withdrawn["id"] == second["id"])
            #expect(withdrawn["state"] == .string("withdrawn"))
            #expect(withdrawn["withdrawn"] == .string("2026-01-15T00:00:00Z"))
            #expect(withdrawn["replaced"] == nil && withdrawn["replacedBy"] == nil)
            let left = try await client.ours(
                .get, "\(Self.app)/price-changes?product=silver.monthly&limit=2")
            let states = left["priceChanges"]?.array?.compactMap { $0["state"]?.string }
            #expect(states?.last == "withdrawn")
            #expect(left["hasMore"] == .bool(true))
            let again = try await client.ours(.delete, "\(Self.silver)/USA")
            #expect(again.status == 404)
            #expect(again.complaint == "noScheduledPrice")
        }
        // What was withdrawn never happens.
        try await world.world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
    }

    @Test("Of an increase that ended the subscription nothing is planned any more")
    func ended() async throws {
        let (world, id) = try await Self.subscribed()
        try await world.with { client in
            _ = try await client.ours(
                .put, "\(Self.silver)/USA", #"{"price":19990,"existing":"apply"}"#)
            try await world.world.advance(
                to: "2026-02-15", expecting: ["PRICE_INCREASE/PENDING", "EXPIRED/PRICE_INCREASE"])
            let why = try await client.ours(.get, "/connect/v1/subscriptions/\(id)/price-increase")
            #expect(why.status == 404)
            #expect(why.complaint == "noIncreasePlanned")
            let subscription = try await client.ours(.get, "/connect/v1/subscriptions/\(id)")
            #expect(subscription["state"] == .string("expired"))
            #expect(subscription["priceIncrease"] == nil)
        }
    }

    @Test("A price that the clock never comes to is refused")
    func tooLate() async throws {
        let (world, _) = try await Self.subscribed()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(
                .put, "\(Self.silver)/USA",
                #"{"price":19990,"existing":"apply","start":"2100-01-01T00:00:00Z"}"#)
            #expect(reply.status == 400)
            #expect(reply.complaint == "clockOutOfRange")
        }
        #expect(try await world.everything() == before)
    }

    @Test("What was scheduled goes live, and the list tells how many it reached")
    func goesLive() async throws {
        let (world, id) = try await Self.subscribed()
        try await world.with { client in
            _ = try await client.ours(
                .put, "\(Self.silver)/USA",
                #"{"price":7990,"start":"2026-02-10T00:00:00Z","existing":"preserve"}"#)
            try await world.world.advance(
                to: "2026-02-15",
                telling: ["2026-02-15 DID_RENEW 1 silver.monthly 7.99 until 2026-03-15"])
            let list = try await client.ours(.get, "\(Self.app)/price-changes")
            let change = try #require(list["priceChanges"]?.array?.first)
            #expect(change["state"] == .string("done"))
            #expect(change["subscribers"] == .integer(1))
            let timeline = try await client.ours(
                .get, "/connect/v1/subscriptions/\(id)/timeline")
            let event = try #require(
                timeline["entries"]?.array?.first { $0["event"] == .string("priceWasChanged") })
            #expect(event["oldPrice"] == .integer(9_990))
            #expect(event["newPrice"] == .integer(7_990))
            #expect(event["newPriceFrom"] == nil)
        }
    }

    @Test("An increase is explained subscriber by subscriber, with every date")
    func explained() async throws {
        let (world, id) = try await Self.subscribed()
        let path = "/connect/v1/subscriptions/\(id)/price-increase"
        try await world.with { client in
            let nothing = try await client.ours(.get, path)
            #expect(nothing.status == 404)
            #expect(nothing.complaint == "noIncreasePlanned")
            _ = try await client.ours(
                .put, "\(Self.silver)/USA",
                #"{"price":19990,"start":"2026-03-10T00:00:00Z","existing":"apply"}"#)
            try await world.world.advance(
                to: "2026-03-19",
                telling: [
                    "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15",
                    "2026-03-15 DID_RENEW 1 silver.monthly 9.99 until 2026-04-15",
                    "2026-03-19 PRICE_INCREASE/PENDING 1 silver.monthly 9.99 until 2026-04-15",
                ])
            let explained = try await client.ours(.get, path)
            #expect(explained.status == 200, "\(explained.text)")
            #expect(explained["path"] == .string("consent"))
            #expect(explained["oldPrice"] == .integer(9_990))
            #expect(explained["newPrice"] == .integer(19_990))
            #expect(
                explained["firstRenewalAtNewPrice"] == .string("2026-04-15T00:00:00Z"))
            #expect(explained["withoutAnswer"] == .string("expires"))
            let reasons = try #require(explained["reasons"]?.array)
            #expect(reasons.contains { $0["demandsConsent"] == .bool(true) })
            #expect(reasons.allSatisfy { $0["rule"]?.string?.isEmpty == false })
            #expect(
                explained["messages"]?.array?.first?["at"] == .string("2026-03-19T00:00:00Z"))
            let timeline = try await client.ours(
                .get, "/connect/v1/subscriptions/\(id)/timeline")
            let told = try #require(timeline["entries"]?.array?.last)
            #expect(told["newPrice"] == .integer(19_990))
            #expect(told["newPriceFrom"] == .string("2026-04-15T00:00:00Z"))
        }
    }

    @Test("An increase that waits says for what")
    func waiting() async throws {
        let (world, id) = try await Self.subscribed()
        let ada = try await world.world.device()
        try await world.world.store.change(
            subscription: id, [.renewal(isOn: false)], by: ada)
        try await world.with { client in
            _ = try await client.ours(
                .put, "\(Self.silver)/USA", #"{"price":19990,"existing":"apply"}"#)
            try await world.world.store.settle()
            let reply = try await client.ours(
                .get, "/connect/v1/subscriptions/\(id)/price-increase")
            #expect(reply.status == 404)
            #expect(reply.complaint == "increaseWaiting")
            #expect(reply.text.contains("renewal is turned off"))
        }
        try await world.with(.sandbox) { client in
            let other = try await client.ours(
                .get, "/connect/v1/subscriptions/\(id)/price-increase")
            #expect(other.complaint == "unknownSubscription")
        }
    }

    @Test("Preserved cohorts are shown nearest to the list price first, and moved one by one")
    func cohorts() async throws {
        let (world, _) = try await Self.subscribed()
        let cohorts = "\(Self.app)/products/silver.monthly/price-cohorts"
        try await world.with { client in
            for (price, account) in [(11_990, "bob"), (14_990, "eve")] {
                _ = try await client.ours(
                    .put, "\(Self.silver)/USA", #"{"price":\#(price),"existing":"preserve"}"#)
                try await world.world.store.settle()
                _ = try await world.world.subscribe(
                    "silver.monthly", by: world.world.device(account))
            }
            let shown = try await client.ours(.get, cohorts)
            let list = try #require(shown["cohorts"]?.array)
            #expect(list.compactMap { $0["price"]?.integer } == [9_990, 11_990, 14_990])
            #expect(list.map { $0["moveOrder"]?.integer } == [2, 1, nil])
            #expect(list.map { $0["isListPrice"]?.bool } == [false, false, true])
            #expect(list.allSatisfy { $0["subscribers"] == .integer(1) })
            #expect(list.allSatisfy { $0["sandboxSubscribers"] == .integer(0) })
            #expect(shown["advice"]?.string?.contains("nobody gets two increases") == true)

            // Without a price the cohort is moved to the list price.
            let moved = try await client.ours(
                .post, "\(Self.silver)/USA/unpreserve",
                #"{"cohortPrice":11990,"start":"2026-02-01T00:00:00Z"}"#)
            #expect(moved["price"] == .integer(14_990))
            #expect(moved["cohortPrice"] == .integer(11_990))
            #expect(moved["forCohort"] == .bool(true))
            // Ada keeps 9.99; Bob is told and pays 14.99 from the second renewal on.
            try await world.world.advance(
                to: "2026-03-15",
                telling: [
                    "2026-02-15 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15",
                    "2026-02-15 DID_RENEW 1 silver.monthly 11.99 until 2026-03-15",
                    "2026-02-15 DID_RENEW 1 silver.monthly 14.99 until 2026-03-15",
                    "2026-02-16 PRICE_INCREASE/ACCEPTED 1 silver.monthly 11.99 until 2026-03-15",
                    "2026-03-15 DID_RENEW 1 silver.monthly 9.99 until 2026-04-15",
                    "2026-03-15 DID_RENEW 1 silver.monthly 14.99 until 2026-04-15",
                    "2026-03-15 DID_RENEW 1 silver.monthly 14.99 until 2026-04-15",
                ])
            let after = try await client.ours(.get, cohorts)
            #expect(
                after["cohorts"]?.array?.compactMap { $0["subscribers"]?.integer } == [1, 2])
            #expect(after["advice"] == nil)
        }
    }

    @Test(
        "A price that cannot be scheduled changes nothing",
        arguments: [
            ("USA", #"{"price":14990}"#, 400, "invalidSetting"),
            (
                "USA", #"{"price":7990,"start":"2026-01-14T23:00:00Z"}"#, 400, "invalidSetting"
            ),
            (
                "USA/unpreserve", #"{"cohortPrice":9990,"start":"2026-01-14T23:00:00Z"}"#, 400,
                "invalidSetting"
            ),
            ("USA", #"{"existing":"apply"}"#, 400, "missingMember"),
            ("USA", #"{"price":14990,"existing":"keep"}"#, 400, "invalidMember"),
            ("USA", #"{"price":"14.99","existing":"apply"}"#, 400, "invalidMember"),
            ("USA", #"{"price":14995,"existing":"apply"}"#, 400, "invalidSetting"),
            ("USA", #"{"price":14990,"existing":"apply","start":"soon"}"#, 400, "invalidMember"),
            ("USA", #"{"price":0,"existing":"apply"}"#, 400, "invalidSetting"),
            ("USA", #"{"price":14990,"existing":"apply","from":1}"#, 400, "unknownMember"),
            ("JPN", #"{"price":300500,"existing":"apply"}"#, 400, "invalidSetting"),
            ("ZZZ", #"{"price":14990,"existing":"apply"}"#, 404, "unknownStorefront"),
            ("USA/unpreserve", #"{"cohortPrice":8990}"#, 404, "unknownCohort"),
            ("USA/unpreserve", #"{"cohortPrice":9990}"#, 400, "invalidSetting"),
            ("USA/unpreserve", #"{"cohortPrice":9990,"price":5990}"#, 400, "invalidSetting"),
            ("USA/unpreserve", #"{}"#, 400, "missingMember"),
        ] as [(String, String, Int, String)])
    func refused(place: String, body: String, status: Int, code: String) async throws {
        let (world, _) = try await Self.subscribed()
        let before = try await Tables(world.world.database)
        try await world.with { client in
            let isPost = place.hasSuffix("unpreserve")
            let reply = try await client.ours(
                isPost ? .post : .put, "\(Self.silver)/\(place)", body)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.complaint == code)
        }
        #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
    }

    @Test("Who has an increase under way is no cohort that could be moved, and one is told so")
    func underWay() async throws {
        let (world, _) = try await Self.subscribed()
        _ = try await world.world.subscribe(
            "silver.monthly", by: world.world.device("bob", in: .sandbox))
        try await world.with { client in
            _ = try await client.ours(
                .put, "\(Self.silver)/USA", #"{"price":12990,"existing":"apply"}"#)
            try await world.world.store.settle()
            let before = try await Tables(world.world.database)
            for (price, words) in [
                (9_990, "keeps 9.99 USD for silver.monthly in USA, since all who pay it (2)"),
                (8_990, "Nobody pays 8.99 USD for silver.monthly in USA: list the cohorts"),
            ] {
                let reply = try await client.ours(
                    .post, "\(Self.silver)/USA/unpreserve", #"{"cohortPrice":\#(price)}"#)
                #expect(reply.status == 404)
                #expect(reply.complaint == "unknownCohort")
                #expect(reply.text.contains(words), "\(reply.text)")
            }
            #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
            let shown = try await client.ours(
                .get, "\(Self.app)/products/silver.monthly/price-cohorts")
            let one = try #require(shown["cohorts"]?.array?.first)
            #expect(one["moving"] == .integer(2))
            #expect(one["sandboxMoving"] == .integer(1))
        }
    }

    @Test("What is not there is not found, and needs the operator's token")
    func unknown() async throws {
        let (world, _) = try await Self.subscribed()
        let before = try await Tables(world.world.database)
        let body = #"{"price":14990,"existing":"apply"}"#
        try await world.with { client in
            let calls: [(HTTPRequest.Method, String, String?, String)] = [
                (.put, "\(Self.app)/products/p/price-changes/USA", body, "unknownProduct"),
                (.delete, "\(Self.app)/products/p/price-changes/USA", nil, "unknownProduct"),
                (.delete, "\(Self.silver)/USA", nil, "noScheduledPrice"),
                (.delete, "\(Self.silver)/usa", nil, "unknownStorefront"),
                (
                    .put, "/connect/v1/apps/no/products/p/price-changes/USA", body, "unknownApp"
                ), (.get, "/connect/v1/apps/no/price-changes", nil, "unknownApp"),
                (.get, "\(Self.app)/price-changes?product=p", nil, "unknownProduct"),
                (.get, "\(Self.app)/products/p/price-cohorts", nil, "unknownProduct"),
                (.get, "/connect/v1/subscriptions/7/price-increase", nil, "unknownSubscription"),
            ]
            for (method, path, body, code) in calls {
                let reply = try await client.ours(method, path, body)
                #expect(reply.status == 404, "\(path)")
                #expect(reply.complaint == code, "\(path)")
                let stranger = try await client.ours(method, path, body, as: .bearer("x"))
                #expect(stranger.status == 401, "\(path)")
            }
        }
        #expect(try await Tables(world.world.database).differences(from: before).isEmpty)
    }

    @Test("A price of what nobody subscribes to says nothing of subscribers")
    func purchases() async throws {
        let world = try await HTTPWorld(at: "2026-01-15T00:00:00Z")
        let path = "\(Self.app)/products/coins/price-changes/USA"
        try await world.with { client in
            let before = try await world.everything()
            for existing in ["apply", "preserve"] {
                let reply = try await client.ours(
                    .put, path, #"{"price":1990,"existing":"\#(existing)"}"#)
                #expect(reply.status == 400)
                #expect(reply.complaint == "invalidSetting")
                #expect(reply.text.contains("coins is no auto-renewable subscription"))
            }
            #expect(try await world.everything() == before)
            let scheduled = try await client.ours(.put, path, #"{"price":1990}"#)
            #expect(scheduled.status == 200, "\(scheduled.text)")
            #expect(scheduled["cohortPrice"] == .integer(990))
            #expect(scheduled["existing"] == nil)
            let list = try await client.ours(.get, "\(Self.app)/price-changes")
            #expect(list["priceChanges"]?.array?.first?["existing"] == nil)
        }
    }
}
