import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

@Suite("Extend a Subscription Renewal Date")
struct ServerAPIExtensionTests {
    private func body(days: Int = 10, reason: Int = 3, identifier: String = "outage") -> String {
        #"{"extendByDays":\#(days),"extendReasonCode":\#(reason),"#
            + #""requestIdentifier":"\#(identifier)"}"#
    }

    private func extend(
        _ client: Client, _ id: some CustomStringConvertible, _ body: String
    ) async throws -> Reply {
        try await client.api(.put, "/v1/subscriptions/extend/\(id)", body)
    }

    @Test("The running period ends later, the renewal follows, and the developer is told")
    func extended() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        let end = World.instant("2026-02-11T00:00:00Z")
        try await world.with { client in
            let reply = try await extend(client, id, body())
            #expect(reply.status == 200)
            #expect(
                try reply.json()
                    == .object([
                        "effectiveDate": .integer(end.milliseconds),
                        "originalTransactionId": .string("\(id)"), "success": .bool(true),
                        "webOrderLineItemId": .string("\(id + 500_000_000_000_000)"),
                    ]))
        }
        try await world.world.store.settle()
        let arrival = try #require(world.world.listener.takeArrivals().only)
        #expect(
            arrival.line
                == "2026-01-01 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-02-11")
        #expect(arrival.transaction?.webOrderLineItemId == "\(id + 500_000_000_000_000)")
        try await world.world.advance(
            to: "2026-02-11T00:00:00Z",
            telling: ["2026-02-11 DID_RENEW 1 silver.monthly 9.99 until 2026-03-11"])
    }

    @Test("A repeated request finds the first answer, whatever else it says")
    func repeated() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        try await world.with { client in
            let first = try await extend(client, id, body())
            let before = try await world.everything()
            for days in [10, 20] {
                let again = try await extend(client, id, body(days: days, reason: 0))
                #expect(again.status == 200)
                #expect(again.text == first.text)
            }
            #expect(try await world.everything() == before)
        }
        try await world.world.settle(expecting: ["RENEWAL_EXTENDED"])
    }

    @Test("One identifier serves for as many subscriptions as one likes")
    func manySubscriptions() async throws {
        let world = try await HTTPWorld(isListening: false)
        var ids: [Int64] = []
        for account in ["ada", "bob"] {
            let device = try await world.world.device(account)
            ids.append(try await world.world.subscribe("silver.monthly", by: device))
        }
        let end = World.instant("2026-02-11T00:00:00Z").milliseconds
        try await world.with { [ids] client in
            for id in ids {
                let reply = try await extend(client, id, body())
                #expect(reply["effectiveDate"] == .integer(end))
            }
        }
    }

    @Test(
        "The longest and the shortest extension, and any reason and identifier",
        arguments: [
            (1, 0, "x", "2026-02-02T00:00:00Z"), (90, 1, "ü🌱", "2026-05-02T00:00:00Z"),
            (7, 2, String(repeating: "ß", count: 128), "2026-02-08T00:00:00Z"),
            (7, 3, "a/b c?", "2026-02-08T00:00:00Z"),
        ])
    func bounds(days: Int, reason: Int, identifier: String, end: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        try await world.with { client in
            let reply = try await extend(
                client, id, body(days: days, reason: reason, identifier: identifier))
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["effectiveDate"] == .integer(World.instant(end).milliseconds))
        }
    }

    @Test("In Sandbox days are as short as periods are: 30 of them last 5 minutes")
    func sandbox() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device(in: .sandbox)
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        try await world.with(.sandbox) { client in
            let reply = try await extend(client, id, body(days: 30))
            let end = World.instant("2026-01-01T00:10:00Z").milliseconds
            #expect(reply["effectiveDate"] == .integer(end))
            // A day is ten seconds.
            let small = try await extend(client, id, body(days: 1, identifier: "small"))
            #expect(small["success"] == .bool(true))
            #expect(small["effectiveDate"] == .integer(end + 10_000))
        }
    }

    // MARK: Refusals

    @Test(
        "A member that is missing or out of range has its code",
        arguments: [
            (#"{"extendReasonCode":0,"requestIdentifier":"r"}"#, APIError.invalidExtendByDays),
            (
                #"{"extendByDays":null,"extendReasonCode":0,"requestIdentifier":"r"}"#,
                .invalidExtendByDays
            ),
            (
                #"{"extendByDays":0,"extendReasonCode":0,"requestIdentifier":"r"}"#,
                .invalidExtendByDays
            ),
            (
                #"{"extendByDays":91,"extendReasonCode":0,"requestIdentifier":"r"}"#,
                .invalidExtendByDays
            ),
            (
                #"{"extendByDays":-1,"extendReasonCode":0,"requestIdentifier":"r"}"#,
                .invalidExtendByDays
            ),
            (
                #"{"extendByDays":9223372036854775807,"extendReasonCode":0,"#
                    + #""requestIdentifier":"r"}"#,
                .invalidExtendByDays
            ),
            (#"{"extendByDays":1,"requestIdentifier":"r"}"#, .invalidExtendReasonCode),
            (
                #"{"extendByDays":1,"extendReasonCode":4,"requestIdentifier":"r"}"#,
                .invalidExtendReasonCode
            ),
            (
                #"{"extendByDays":1,"extendReasonCode":-1,"requestIdentifier":"r"}"#,
                .invalidExtendReasonCode
            ),
            (#"{"extendByDays":1,"extendReasonCode":0}"#, .invalidRequestIdentifier),
            (
                #"{"extendByDays":1,"extendReasonCode":0,"requestIdentifier":""}"#,
                .invalidRequestIdentifier
            ),
            (
                #"{"extendByDays":1,"extendReasonCode":0,"requestIdentifier":"a\u0000b"}"#,
                .invalidRequestIdentifier
            ),
            (
                #"{"extendByDays":1,"extendReasonCode":0,"requestIdentifier":""#
                    + String(repeating: "r", count: 129) + #""}"#, .invalidRequestIdentifier
            ),
        ] as [(String, APIError)])
    func invalid(body: String, error: APIError) async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        let before = try await world.everything()
        try await world.with { client in expect(try await extend(client, id, body), error) }
        #expect(try await world.everything() == before)
    }

    @Test(
        "A body that is malformed or of another type is 4000000 and says what is wrong",
        arguments: [
            "", "{", "[]", "null", #"{"extendByDays":1"#,
            #"{"extendByDays":"1","extendReasonCode":0,"requestIdentifier":"r"}"#,
            #"{"extendByDays":1.5,"extendReasonCode":0,"requestIdentifier":"r"}"#,
            #"{"extendByDays":true,"extendReasonCode":0,"requestIdentifier":"r"}"#,
            #"{"extendByDays":1,"extendReasonCode":"0","requestIdentifier":"r"}"#,
            #"{"extendByDays":1,"extendReasonCode":0,"requestIdentifier":7}"#,
            #"{"extendByDays":1e99,"extendReasonCode":0,"requestIdentifier":"r"}"#,
        ])
    func malformed(body: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        let before = try await world.everything()
        try await world.with { client in expectMalformed(try await extend(client, id, body)) }
        #expect(try await world.everything() == before)
    }

    @Test("A member of another type is named, with what would be right")
    func namedMember() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let body = #"{"extendByDays":"5","extendReasonCode":0,"requestIdentifier":"r"}"#
            let reply = try await extend(client, 1, body)
            #expect(
                reply["errorMessage"]?.string
                    == "`extendByDays` is not valid: send a whole number from 1 to 90.")
        }
    }

    @Test("A body over the limit is not read")
    func huge() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let body = body(identifier: String(repeating: "r", count: 1 << 20))
            expectBare(try await extend(client, 1, body), 413)
        }
    }

    @Test("Only an original transaction of this app and environment names a subscription")
    func unknown() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        try await world.world.advance(by: "P1M", expecting: [])
        let history = try await world.world.history("\(id)")
        let renewal = try #require(history.last)
        #expect(renewal.transactionId != "\(id)")
        let before = try await world.everything()
        try await world.with { client in
            let app = try #require(renewal.appTransactionId)
            for unknown in ["1", "0", renewal.transactionId, app] {
                expect(
                    try await extend(client, unknown, body()), .originalTransactionIdNotFound)
            }
            for malformed in ["x", "-1", "01", "%20", "99999999999999999999"] {
                expect(
                    try await extend(client, malformed, body()), .invalidOriginalTransactionId)
            }
            expect(
                try await client.send(
                    .put, "/inApps/v1/subscriptions/extend/\(id)", body(),
                    as: .developerOf("com.other")), .appNotFound)
        }
        try await world.with(.sandbox) { client in
            expect(try await extend(client, id, body()), .originalTransactionIdNotFound)
        }
        #expect(try await world.everything() == before)
    }

    /// How a subscription comes to be one that is not extended.
    enum Standing: String, CaseIterable {
        case consumable, freeTrial, billingRetry, gracePeriod, expired, refunded
    }

    @Test("What is not active and paid for is not extended", arguments: Standing.allCases)
    func ineligible(_ standing: Standing) async throws {
        let world = try await HTTPWorld(isListening: false) { settings in
            if standing == .gracePeriod { settings.gracePeriod = .sixteenDays }
        }
        let store = world.world.store
        let ada = try await world.world.device()
        let product =
            switch standing {
            case .consumable: "coins"
            case .freeTrial: "silver.trial"
            case .billingRetry, .gracePeriod, .expired, .refunded: "silver.monthly"
            }
        let bought = try #require(try await world.world.buy(product, by: ada, expecting: []))
        let id = try #require(Int64(bought.transactionId))
        switch standing {
        case .consumable, .freeTrial: break
        case .billingRetry, .gracePeriod:
            try await world.world.pays(.declines(until: nil, left: nil))
            try await world.world.advance(by: "P1M", expecting: [])
        case .expired: try await store.end(subscription: id)
        case .refunded:
            try await store.refund(transaction: id, .full, reason: .other, in: .production)
        }
        let before = try await world.everything()
        try await world.with { client in
            expect(try await extend(client, id, body()), .subscriptionExtensionIneligible)
        }
        #expect(try await world.everything() == before)
    }

    @Test("Two extensions within 365 days are the most; the day after there is room again")
    func limit() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let id = try await world.world.subscribe("silver.monthly", by: ada)
        try await world.with { client in
            for identifier in ["first", "second"] {
                #expect(
                    try await extend(client, id, body(identifier: identifier)).status == 200)
            }
            _ = try await world.world.store.advance(
                to: World.instant("2026-12-31T23:59:59Z"))
            let before = try await world.everything()
            expect(
                try await extend(client, id, body(identifier: "third")), .subscriptionMaxExtension)
            #expect(try await world.everything() == before)
            _ = try await world.world.store.advance(to: World.instant("2027-01-01T00:00:00Z"))
            #expect(try await extend(client, id, body(identifier: "third")).status == 200)
        }
    }

    @Test("Single extensions are limited to 20 a second")
    func rateLimit() async throws {
        var options = StoreServer.Options()
        options.rateLimits = RateLimits(percent: 1)
        let world = try await HTTPWorld(isListening: false, options: options)
        try await world.with { client in
            for _ in 0..<720 {
                expect(try await extend(client, "x", body()), .invalidOriginalTransactionId)
            }
            expect(try await extend(client, "x", body()), .rateLimitExceeded)
        }
    }
}

extension Array {
    /// The element, where there is just one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
