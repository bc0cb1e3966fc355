import AppStoreWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Store
import SubscriptionRules
import TestSupport
import Testing
import TimeAndChance

@Suite("Connect: on demand")
struct OnDemandTests {
    private static let clock = "/connect/v1/clock"

    @Test("The clock is stepped to the next event, and says how far it came")
    func step() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            try await client.buy("silver.monthly", as: token)
            let first = try await client.ours(.post, "\(Self.clock)/step", "{}")
            #expect(first.text == #"{"now":"2026-02-01T00:00:00Z","steps":1,"changes":1}"#)
            #expect(
                world.world.listener.takeArrivals().map(\.line) == [
                    "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01",
                    "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01",
                ])
            let more = try await client.ours(.post, "\(Self.clock)/step", #"{"count":11}"#)
            #expect(more.text == #"{"now":"2027-01-01T00:00:00Z","steps":11,"changes":11}"#)
        }
    }

    @Test(
        "A step that cannot be made changes nothing",
        arguments: [
            ("{}", 409, "nothingAhead"), ("", 409, "nothingAhead"),
            (#"{"count":0}"#, 400, "invalidMember"),
            (#"{"count":1001}"#, 400, "invalidMember"), (#"{"count":"1"}"#, 400, "invalidMember"),
            (#"{"steps":1}"#, 400, "unknownMember"), ("[", 400, "malformedJSON"),
        ])
    func refusedStep(body: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(.post, "\(Self.clock)/step", body)
            #expect(reply.status == status)
            #expect(reply.complaint == code)
            let stranger = try await client.ours(
                .post, "\(Self.clock)/step", "{}", as: .bearer("wrong"))
            #expect(stranger.complaint == "unauthenticated")
        }
        #expect(try await world.everything() == before)
    }

    @Test("Time runs until a notification, which comes back as the log has it")
    func runUntil() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).originalTransactionId
            let reply = try await client.ours(
                .post, "\(Self.clock)/run-until",
                #"{"notification":"DID_RENEW","originalTransactionId":"\#(id)","limit":"P1Y"}"#)
            #expect(reply["now"] == .string("2026-02-01T00:00:00Z"))
            #expect(reply["changes"] == .integer(1))
            let notification = try #require(reply["notification"])
            #expect(notification["originalTransactionId"] == .string(id))
            #expect(notification["notificationType"] == .string("DID_RENEW"))
            #expect(notification["delivered"] == .bool(true))
            #expect(notification["provoked"] == .bool(false))
            let log = try await client.ours(.get, "/connect/v1/notifications?limit=1")
            #expect(log["notifications"]?.array?.first == notification)
            for (body, now) in [
                (#"{"notification":"EXPIRED","subtype":"VOLUNTARY","limit":"P1M"}"#, "2026-03-01"),
                (#"{"notification":"EXPIRED","limit":"2026-03-10T00:00:00Z"}"#, "2026-03-10"),
                (#"{"notification":"EXPIRED"}"#, "2028-03-10"),
            ] {
                let late = try await client.ours(.post, "\(Self.clock)/run-until", body)
                #expect(late.status == 409)
                #expect(late.complaint == "limitReached")
                #expect(late["message"]?.string?.contains("\(now) 00:00.") == true)
                let clock = try await client.ours(.get, Self.clock)
                #expect(clock["now"] == .string("\(now)T00:00:00Z"))
            }
        }
    }

    @Test(
        "A run that cannot begin changes nothing",
        arguments: [
            (#"{}"#, 400, "missingMember"), (#"{"notification":"RENEWED"}"#, 400, "invalidMember"),
            (#"{"notification":"DID_RENEW","subtype":"NEW"}"#, 400, "invalidMember"),
            (#"{"notification":"DID_RENEW","subtype":"PENDING"}"#, 400, "invalidSetting"),
            (#"{"notification":"DID_RENEW","limit":"soon"}"#, 400, "invalidMember"),
            (#"{"notification":"DID_RENEW","limit":"P90Y"}"#, 400, "clockOutOfRange"),
            (#"{"notification":"DID_RENEW","limit":"2025-12-31"}"#, 409, "clockWouldGoBack"),
            (
                #"{"notification":"DID_RENEW","originalTransactionId":"7"}"#, 404,
                "unknownSubscription"
            ),
            (
                #"{"notification":"DID_RENEW","originalTransactionId":"x"}"#, 400, "invalidMember"
            ),
            (#"{"notification":"DID_RENEW"}"#, 409, "nothingAhead"),
        ] as [(String, Int, String)])
    func refusedRun(body: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(.post, "\(Self.clock)/run-until", body)
            #expect(reply.status == status)
            #expect(reply.complaint == code)
            if code.hasPrefix("clock") || body.contains("soon") {
                #expect(reply["field"] == (code == "clockOutOfRange" ? nil : .string("limit")))
            }
        }
        #expect(try await world.everything() == before)
    }

    @Test("Where nobody listens nothing is waited for and nothing is sent")
    func nobodyListens() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).originalTransactionId
            let before = try await world.everything()
            for (path, body) in [
                ("\(Self.clock)/run-until", #"{"notification":"DID_RENEW"}"#),
                (
                    "/connect/v1/subscriptions/\(id)/notifications",
                    #"{"notificationType":"DID_RENEW"}"#
                ),
            ] {
                let reply = try await client.ours(.post, path, body)
                #expect(reply.status == 409)
                #expect(reply.complaint == "noNotificationURL")
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("Who hangs up stops the run", .timeLimit(.minutes(15)))
    func hangUp() async throws {
        let world = try await HTTPWorld()
        let ada = try await world.world.device()
        _ = try await world.world.subscribe("silver.monthly", by: ada)
        // The developer's server answers only when nobody waits for the run any more.
        let (arrived, signal) = AsyncStream<Void>.makeStream()
        let (stopped, end) = AsyncStream<Void>.makeStream()
        world.world.listener.onArrival { _ in
            signal.yield()
            // Ends when the task is cancelled; the test's time limit bounds it.
            await SystemTime.wait(.seconds(3600))
            end.yield()
        }
        try await world.with(.production, .live) { client in
            let caller = TestClient(host: "localhost", port: try #require(client.http.port))
            caller.connect()
            try await caller.executeAndDontWaitForResponse(
                TestClient.Request(
                    "\(Self.clock)/run-until", method: .post, authority: "localhost",
                    headers: [.authorization: "Bearer \(HTTPWorld.operatorToken)"],
                    body: ByteBuffer(string: #"{"notification":"EXPIRED"}"#)))
            for await _ in arrived { break }
            try await caller.shutdown()
            for await _ in stopped { break }
            world.world.listener.onArrival { _ in }
            let clock = try await client.ours(.get, Self.clock)
            #expect(clock["now"] == .string("2026-02-01T00:00:00Z"))
            // The next in turn goes on.
            #expect(try await world.world.store.step().now == World.instant("2026-03-01"))
        }
    }

    @Test("A notification is sent at will, and the log says so")
    func provoke() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).originalTransactionId
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            let path = "/connect/v1/subscriptions/\(id)/notifications"
            let reply = try await client.ours(
                .post, path, #"{"notificationType":"EXPIRED","subtype":"BILLING_RETRY"}"#)
            #expect(reply.status == 201)
            #expect(reply["provoked"] == .bool(true))
            #expect(reply["delivered"] == .bool(false))
            try await world.world.settle(
                telling: [
                    "2026-01-01 EXPIRED/BILLING_RETRY 1 silver.monthly 9.99 until 2026-02-01"
                ])
            let log = try await client.ours(.get, "/connect/v1/notifications?limit=1")
            let entry = try #require(log["notifications"]?.array?.first)
            #expect(entry["notificationUUID"] == reply["notificationUUID"])
            #expect(entry["delivered"] == .bool(true))
            let timeline = try await client.ours(
                .get, "/connect/v1/subscriptions/\(id)/timeline")
            let last = try #require(timeline["entries"]?.array?.last)
            #expect(last["event"] == .string("provokedNotification"))
            #expect(last["provoked"] == .string("EXPIRED/BILLING_RETRY"))
            let request = try await client.ours(
                .post, path,
                #"{"notificationType":"CONSUMPTION_REQUEST","consumptionRequestReason":"LEGAL"}"#)
            #expect(request.status == 201)

            let before = try await world.everything()
            for (body, status, code) in [
                (#"{}"#, 400, "missingMember"),
                (#"{"notificationType":"NEW"}"#, 400, "invalidMember"),
                (#"{"notificationType":"SUBSCRIBED"}"#, 400, "invalidSetting"),
                (#"{"notificationType":"REFUND","subtype":"PENDING"}"#, 400, "invalidSetting"),
                (
                    #"{"notificationType":"REFUND","consumptionRequestReason":"LEGAL"}"#, 400,
                    "invalidSetting"
                ),
                (
                    #"{"notificationType":"REFUND","consumptionRequestReason":"FUN"}"#, 400,
                    "invalidMember"
                ),
            ] {
                let refused = try await client.ours(.post, path, body)
                #expect(refused.status == status, "\(body)")
                #expect(refused.complaint == code, "\(body)")
            }
            let nobody = try await client.ours(
                .post, "/connect/v1/subscriptions/7/notifications",
                #"{"notificationType":"REFUND"}"#)
            #expect(nobody.complaint == "unknownSubscription")
            #expect(try await world.everything() == before)
            try await world.with(.sandbox) { sandbox in
                let other = try await sandbox.ours(.post, path, #"{"notificationType":"REFUND"}"#)
                #expect(other.complaint == "unknownSubscription")
            }
        }
    }
}
