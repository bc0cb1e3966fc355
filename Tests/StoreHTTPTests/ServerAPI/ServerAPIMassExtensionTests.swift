import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

/// Bodies of a mass extension, right but for something.
private enum Body {
    static let identifier = "7e3fb204-2d3b-4b4c-9f3e-1234567890ab"

    static func valid(_ members: String) -> String {
        #"{"requestIdentifier":"\#(identifier)",\#(members)}"#
    }

    static func product(_ id: String) -> String {
        Body.valid(#""extendByDays":1,"extendReasonCode":0,"productId":"\#(id)""#)
    }

    static func storefronts(_ list: String) -> String {
        valid(
            #""extendByDays":1,"extendReasonCode":0,"productId":"silver.monthly","#
                + #""storefrontCountryCodes":\#(list)"#)
    }
}

@Suite("Extend Subscription Renewal Dates for All Active Subscribers, and its status")
struct ServerAPIMassExtensionTests {
    private func body(
        identifier: String = Body.identifier, days: Int = 10, product: String = "silver.monthly",
        storefronts: String? = nil
    ) -> String {
        let storefronts = storefronts.map { #","storefrontCountryCodes":\#($0)"# } ?? ""
        return #"{"requestIdentifier":"\#(identifier)","extendByDays":\#(days),"#
            + #""extendReasonCode":3,"productId":"\#(product)"\#(storefronts)}"#
    }

    private func order(_ client: Client, _ body: String) async throws -> Reply {
        try await client.api(.post, "/v1/subscriptions/extend/mass", body)
    }

    private func status(
        _ client: Client, _ product: String = "silver.monthly",
        _ identifier: String = Body.identifier
    ) async throws -> Reply {
        try await client.api(.get, "/v1/subscriptions/extend/mass/\(product)/\(identifier)")
    }

    /// Ada in America and Bob in Germany pay, Cyd's renewal failed.
    private func crowd(isListening: Bool = true) async throws -> HTTPWorld {
        let world = try await HTTPWorld(isListening: isListening)
        for (account, storefront) in [("ada", "USA"), ("bob", "DEU"), ("cyd", "USA")] {
            let device = try await world.world.device(account, storefront: storefront)
            _ = try await world.world.subscribe("silver.monthly", by: device)
        }
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "cyd", in: .production)
        _ = try await world.world.store.advance(to: World.instant("2026-02-01T00:00:00Z"))
        _ = world.world.listener.takeArrivals()
        return world
    }

    @Test("Everybody gets a result, and the developer a summary")
    func everybody() async throws {
        let world = try await crowd()
        try await world.with { client in
            let reply = try await order(client, body())
            #expect(reply.status == 200)
            #expect(
                try reply.json() == .object(["requestIdentifier": .string(Body.identifier)]))
            #expect(
                try await status(client).json()
                    == .object([
                        "requestIdentifier": .string(Body.identifier), "complete": .bool(false),
                    ]))
        }
        try await world.world.store.settle()
        let arrivals = world.world.listener.takeArrivals()
        #expect(
            arrivals.map(\.line) == [
                "2026-02-01 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-11",
                "2026-02-01 RENEWAL_EXTENDED 1 silver.monthly 9.99 EUR until 2026-03-11",
                "2026-02-01 RENEWAL_EXTENSION/FAILURE 3 silver.monthly 9.99 until 2026-02-01",
                "2026-02-01 RENEWAL_EXTENSION/SUMMARY",
            ])
        let summary = try #require(arrivals.last?.notification.summary)
        #expect(arrivals.last?.notification.data == nil)
        #expect(summary.requestIdentifier == Body.identifier)
        #expect(summary.productId == "silver.monthly")
        #expect(summary.storefrontCountryCodes == nil)
        #expect((summary.succeededCount, summary.failedCount) == (2, 1))
        try await world.with { client in
            let reply = try await status(client)
            #expect(
                try reply.json()
                    == .object([
                        "requestIdentifier": .string(Body.identifier), "complete": .bool(true),
                        "completeDate": .integer(
                            World.instant("2026-02-01T00:00:00Z").milliseconds),
                        "succeededCount": .integer(2), "failedCount": .integer(1),
                    ]))
        }
    }

    @Test("Storefronts that are named are the only ones, each once")
    func storefronts() async throws {
        let world = try await crowd()
        try await world.with { client in
            let reply = try await order(client, body(storefronts: #"["DEU","JPN","DEU"]"#))
            #expect(reply.status == 200)
        }
        try await world.world.store.settle()
        let arrivals = world.world.listener.takeArrivals()
        #expect(arrivals.map(\.name) == ["RENEWAL_EXTENDED", "RENEWAL_EXTENSION/SUMMARY"])
        let summary = arrivals.last?.notification.summary
        #expect(summary?.storefrontCountryCodes == ["DEU", "JPN"])
        #expect(summary?.succeededCount == 1)
    }

    @Test("A repeated identifier starts nothing, in whichever letter case")
    func repeated() async throws {
        let world = try await crowd()
        try await world.with { client in
            #expect(try await order(client, body()).status == 200)
            let before = try await world.everything()
            let again = try await order(
                client, body(identifier: Body.identifier.uppercased(), days: 20))
            #expect(again["requestIdentifier"] == .string(Body.identifier))
            #expect(try await world.everything() == before)
            let status = try await status(client, "silver.monthly", Body.identifier.uppercased())
            #expect(status["requestIdentifier"] == .string(Body.identifier))
        }
    }

    @Test("The two environments and two apps know nothing of each other's orders")
    func apart() async throws {
        let world = try await crowd()
        try await world.with { client in
            let reply = try await order(client, body())
            #expect(reply.status == 200)
        }
        try await world.with(.sandbox) { client in
            expect(try await status(client), .statusRequestNotFound)
            #expect(try await order(client, body()).status == 200)
        }
        try await world.with { client in
            for path in ["/mass/silver.monthly/\(Body.identifier)", "/mass"] {
                let reply = try await client.send(
                    path == "/mass" ? .post : .get, "/inApps/v1/subscriptions/extend\(path)",
                    path == "/mass" ? body() : nil, as: .developerOf("com.other"))
                expect(reply, .appNotFound)
            }
        }
    }

    // MARK: Refusals

    @Test(
        "A member that is missing or not right has its code",
        arguments: [
            (
                #"{"extendByDays":1,"extendReasonCode":0,"productId":"silver.monthly"}"#,
                APIError.invalidRequestIdentifier
            ),
            (
                #"{"requestIdentifier":"outage","extendByDays":1,"extendReasonCode":0,"#
                    + #""productId":"silver.monthly"}"#, .invalidRequestIdentifier
            ),
            (
                Body.valid(#""extendReasonCode":0,"productId":"silver.monthly""#),
                .invalidExtendByDays
            ),
            (
                Body.valid(#""extendByDays":91,"extendReasonCode":0,"productId":"silver.monthly""#),
                .invalidExtendByDays
            ),
            (
                Body.valid(#""extendByDays":1,"productId":"silver.monthly""#),
                .invalidExtendReasonCode
            ),
            (
                Body.valid(#""extendByDays":1,"extendReasonCode":7,"productId":"silver.monthly""#),
                .invalidExtendReasonCode
            ),
            (Body.valid(#""extendByDays":1,"extendReasonCode":0"#), .invalidProductId),
            (Body.product(""), .invalidProductId), (Body.product("nothing"), .invalidProductId),
            (Body.product(#"no\nname"#), .invalidProductId),
            (Body.product("coins"), .invalidProductId),
            (Body.product("lifetime"), .invalidProductId),
            (Body.product("season"), .invalidProductId),
            (Body.storefronts("[]"), .invalidEmptyStorefrontCountryCodeList),
            (Body.storefronts(#"["USA","ZZZ"]"#), .invalidStorefrontCountryCode),
            (Body.storefronts(#"["usa"]"#), .invalidStorefrontCountryCode),
            (Body.storefronts(#"["US"]"#), .invalidStorefrontCountryCode),
            (Body.storefronts(#"[""]"#), .invalidStorefrontCountryCode),
        ] as [(String, APIError)])
    func invalid(body: String, error: APIError) async throws {
        let world = try await crowd(isListening: false)
        let before = try await world.everything()
        try await world.with { client in expect(try await order(client, body), error) }
        #expect(try await world.everything() == before)
    }

    @Test(
        "A body that is malformed or of another type is 4000000 and says what is wrong",
        arguments: [
            "", "{", "[]", #"{"requestIdentifier":7}"#, Body.storefronts(#""USA""#),
            Body.storefronts("[7]"), Body.storefronts(#"["USA",null]"#), Body.storefronts("{}"),
            Body.valid(#""extendByDays":"1","extendReasonCode":0,"productId":"silver.monthly""#),
            Body.valid(#""extendByDays":1,"extendReasonCode":0,"productId":7"#),
        ])
    func malformed(body: String) async throws {
        let world = try await crowd(isListening: false)
        let before = try await world.everything()
        try await world.with { client in expectMalformed(try await order(client, body)) }
        #expect(try await world.everything() == before)
    }

    @Test("The status of what was never ordered is not found")
    func unknownStatus() async throws {
        let world = try await crowd(isListening: false)
        try await world.with { client in
            #expect(try await order(client, body()).status == 200)
            let other = "00000000-0000-0000-0000-000000000000"
            expect(try await status(client, "silver.monthly", other), .statusRequestNotFound)
            expect(try await status(client, "gold.monthly"), .statusRequestNotFound)
            expect(try await status(client, "nothing"), .statusRequestNotFound)
            expect(
                try await status(client, "silver.monthly", "outage"), .invalidRequestIdentifier)
            expect(try await status(client, "no%0Aname"), .invalidProductId)
            expect(try await status(client, "%FF"), .invalidProductId)
        }
    }

    @Test("A mass extension is limited to 1 a second, its status is not")
    func rateLimit() async throws {
        var options = StoreServer.Options()
        options.rateLimits = RateLimits(percent: 1)
        let world = try await HTTPWorld(isListening: false, options: options)
        try await world.with { client in
            for _ in 0..<36 { expectMalformed(try await order(client, "")) }
            expect(try await order(client, ""), .rateLimitExceeded)
            for _ in 0..<100 { expect(try await status(client), .statusRequestNotFound) }
        }
    }
}
