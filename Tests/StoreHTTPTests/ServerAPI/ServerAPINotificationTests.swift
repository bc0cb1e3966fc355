import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Outbox
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Test notifications and notification history")
struct ServerAPINotificationTests {
    @Test("A test notification is sent, and its result can be asked for")
    func testNotification() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let reply = try await client.api(.post, "/v1/notifications/test")
            #expect(reply.status == 200)
            let token = try #require(reply["testNotificationToken"]?.string)
            let path = "/v1/notifications/test/\(token)"
            expect(try await client.api(.get, path), .testNotificationNotFound)
            try await world.world.settle(expecting: ["TEST"])
            let status = try await client.api(.get, path)
            #expect(status.status == 200)
            let signed = try #require(status["signedPayload"]?.string)
            let payload = try await client.verifier().verifyNotification(signed)
            #expect(payload.notificationType == .test)
            let attempts = try #require(status["sendAttempts"]?.array)
            #expect(attempts.count == 1)
            #expect(attempts[0]["sendAttemptResult"] == .string("SUCCESS"))
            #expect(attempts[0]["attemptDate"]?.integer != nil)
        }
        try await world.with(.production) { client in
            let unknown = "7e3fb204-2d3b-4b4c-9f3e-1234567890ab_1767225600000"
            expect(
                try await client.api(.get, "/v1/notifications/test/\(unknown)"),
                .testNotificationNotFound)
        }
    }

    @Test("Without a URL there is no test notification")
    func noURL() async throws {
        let world = try await HTTPWorld(isListening: false)
        let before = try await world.everything()
        try await world.with { client in
            expect(
                try await client.api(.post, "/v1/notifications/test"),
                .serverNotificationURLNotFound)
        }
        #expect(try await world.everything() == before)
    }

    @Test("What is no test token is refused", arguments: ["x", "%20", "a_b", "_1", "1_", "%FF"])
    func invalidToken(token: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            expect(
                try await client.api(.get, "/v1/notifications/test/\(token)"),
                .invalidTestNotificationToken)
        }
    }

    // MARK: History

    private static let start = World.instant("2026-01-01T00:00:00Z").milliseconds
    private static let day: Int64 = 86_400_000

    private func body(_ more: String = "", from: Int64 = start, to: Int64? = nil) -> String {
        #"{"startDate":\#(from),"endDate":\#(to ?? from + 30 * Self.day)\#(more)}"#
    }

    private func ask(
        _ client: Client, _ body: String, token: String? = nil
    ) async throws -> Reply {
        let query = token.map { "?paginationToken=\($0)" } ?? ""
        return try await client.api(.post, "/v1/notifications/history\(query)", body)
    }

    @Test("Forty-five notifications come in three pages, each verified and once")
    func paging() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        for _ in 0..<45 {
            try await world.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        }
        try await world.with { client in
            let verifier = try client.verifier()
            var token: String?
            var sizes: [Int] = []
            var uuids: Set<String> = []
            repeat {
                let reply = try await ask(client, body(), token: token)
                #expect(reply.status == 200, "\(reply.text)")
                let items = try #require(reply["notificationHistory"]?.array)
                for item in items {
                    let signed = try #require(item["signedPayload"]?.string)
                    uuids.insert(try await verifier.verifyNotification(signed).notificationUUID)
                    #expect(item["sendAttempts"]?.array?.count == 1)
                }
                sizes.append(items.count)
                token = reply["paginationToken"]?.string
                #expect(reply["hasMore"] == .bool(token != nil))
            } while token != nil
            #expect(sizes == [20, 20, 5])
            #expect(uuids.count == 45)
        }
    }

    @Test("Every filter takes its own")
    func filters() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        let bob = try await world.world.device("bob")
        let first = try #require(
            try await world.world.buy(
                "silver.monthly", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"]))
        world.world.listener.answer([.timedOut])
        try await world.world.buy("coins", by: bob, expecting: ["ONE_TIME_CHARGE"])
        try await world.world.advance(
            by: "P1M", expecting: ["ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "DID_RENEW"].suffix(2))
        let id = first.transactionId
        let end = Self.start + 40 * Self.day
        let counts: [(String, Int)] = [
            ("", 3), (#","notificationType":"SUBSCRIBED""#, 1),
            (#","notificationType":"SUBSCRIBED","notificationSubtype":"INITIAL_BUY""#, 1),
            (#","notificationType":"SUBSCRIBED","notificationSubtype":"RESUBSCRIBE""#, 0),
            (#","notificationType":"REFUND""#, 0), (#","transactionId":"\#(id)""#, 2),
            (#","originalTransactionId":"\#(id)""#, 2), (#","onlyFailures":false"#, 3),
            (#","onlyFailures":true"#, 0), (#","notificationType":null"#, 3), (#","x":1"#, 3),
        ]
        try await world.with { client in
            for (more, count) in counts {
                let reply = try await ask(client, body(more, to: end))
                #expect(reply["notificationHistory"]?.array?.count == count, "\(more)")
            }
            let early = try await ask(client, body(to: Self.start + Self.day))
            #expect(early["notificationHistory"]?.array?.count == 2)
        }
        try await world.with(.sandbox) { client in
            let reply = try await ask(client, body(from: Self.start + 5 * Self.day))
            #expect(reply["notificationHistory"] == .array([]))
            #expect(reply["hasMore"] == .bool(false))
            #expect(reply["paginationToken"] == nil)
        }
    }

    @Test("A notification that is not delivered yet is a failure")
    func onlyFailures() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        world.world.listener.answer([.timedOut])
        try await world.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        try await world.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        try await world.with { client in
            let reply = try await ask(client, body(#","onlyFailures":true"#))
            let items = try #require(reply["notificationHistory"]?.array)
            #expect(items.count == 1)
            let attempt = try #require(items.first?["sendAttempts"]?.array?.first)
            #expect(attempt["sendAttemptResult"] == .string("TIMED_OUT"))
        }
    }

    @Test(
        "A request that cannot be right has its own code",
        arguments: [
            (#"{}"#, APIError.invalidStartDate), (#"{"endDate":1}"#, .invalidStartDate),
            (#"{"startDate":1}"#, .invalidEndDate),
            (#"{"startDate":-1,"endDate":1}"#, .invalidStartDate),
            (#"{"startDate":1,"endDate":-1}"#, .invalidEndDate),
            (#"{"startDate":2,"endDate":2}"#, .startDateAfterEndDate),
            (#"{"startDate":3,"endDate":2}"#, .startDateAfterEndDate),
            (#"{"startDate":1,"endDate":2}"#, .startDateTooFarInPast),
        ] as [(String, APIError)])
    func invalidDates(body: String, error: APIError) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in expect(try await ask(client, body), error) }
    }

    @Test(
        "A filter that cannot be right has its own code",
        arguments: [
            (#","notificationType":"NOTHING""#, APIError.invalidNotificationType),
            (#","notificationType":"""#, .invalidNotificationType),
            (#","notificationSubtype":"UPGRADE""#, .invalidNotificationType),
            (
                #","notificationType":"REFUND","notificationSubtype":"UPGRADE""#,
                .invalidNotificationType
            ),
            (#","notificationType":"REFUND","transactionId":"1""#, .multipleFiltersSupplied),
            (#","transactionId":"x""#, .invalidTransactionId),
            (#","originalTransactionId":"""#, .invalidTransactionId),
            (#","transactionId":"77""#, .transactionIdNotFound),
        ] as [(String, APIError)])
    func invalidFilters(more: String, error: APIError) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in expect(try await ask(client, body(more)), error) }
    }

    @Test(
        "A member of another type makes the request malformed: 4000000 names it",
        arguments: [
            #"{"startDate":"1","endDate":2}"#, #"{"startDate":1.5,"endDate":2}"#,
            #"{"startDate":1,"endDate":true}"#,
            #"{"startDate":1767225600000,"endDate":1767225600001,"onlyFailures":"true"}"#,
            #"{"startDate":1767225600000,"endDate":1767225600001,"transactionId":7}"#,
            #"{"startDate":1767225600000,"endDate":1767225600001,"notificationType":[]}"#,
            "", "{", "[1,2]",
        ])
    func malformed(body: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in expectMalformed(try await ask(client, body)) }
    }

    @Test("History is kept for 180 days, in Sandbox for 30, by the store's clock")
    func age() async throws {
        let world = try await HTTPWorld()
        for (environment, days) in [(StoreEnvironment.production, 180), (.sandbox, 30)] {
            try await world.with(environment) { client in
                let oldest = Self.start - Int64(days) * Self.day
                #expect(try await ask(client, body(from: oldest)).status == 200)
                expect(
                    try await ask(client, body(from: oldest - 1)), .startDateTooFarInPast)
            }
        }
    }

    @Test("A pagination token fits only the body that it came with")
    func foreignToken() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        for _ in 0..<21 {
            try await world.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        }
        try await world.with { client in
            let token = try #require(
                try await ask(client, body())["paginationToken"]?.string)
            #expect(try await ask(client, body(), token: token).status == 200)
            expect(
                try await ask(client, body(#","onlyFailures":true"#), token: token),
                .paginationTokenExpired)
            for wrong in ["", "x", "x_y", "-1_\(token)", "%20", "\(token)&paginationToken=2"] {
                expect(try await ask(client, body(), token: wrong), .invalidPaginationToken)
            }
        }
    }
}
