import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import Synchronization
import TestSupport
import Testing

@Suite("Connect: fault rules")
struct FaultTests {
    private static let path = "/connect/v1/faults"

    @Test("Rules are added, listed and taken back, each environment its own")
    func rules() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let added = try await client.ours(
                .post, Self.path,
                #"""
                {"kind":"delayNotifications","by":"P1DT90M","notificationType":"EXPIRED",
                 "subtype":"VOLUNTARY","bundleId":"com.example.app","percent":50,"seed":"s",
                 "count":3}
                """#)
            #expect(added.status == 201)
            #expect(added["by"] == .string("P1DT1H30M"))
            #expect(added["created"] == .string("2026-01-01T00:00:00Z"))
            #expect(added["spent"] == .bool(false))
            for body in [
                #"{"kind":"dropNotifications"}"#, #"{"kind":"loseNotifications"}"#,
                #"{"kind":"repeatNotifications","times":2}"#, #"{"kind":"reorderNotifications"}"#,
                #"{"kind":"failCalls","errorCode":4040003,"operation":"getTransactionInfo"}"#,
                #"{"kind":"limitCalls"}"#, #"{"kind":"limitCalls","by":"PT1H"}"#,
                #"{"kind":"slowCalls","by":"PT30S"}"#,
            ] {
                #expect(try await client.ours(.post, Self.path, body).status == 201, "\(body)")
            }
            let list = try #require(
                try await client.ours(.get, Self.path)["faults"]?.array)
            #expect(
                list.compactMap { $0["kind"]?.string } == [
                    "delayNotifications", "dropNotifications", "loseNotifications",
                    "repeatNotifications", "reorderNotifications", "failCalls", "limitCalls",
                    "limitCalls", "slowCalls",
                ])
            #expect(list.first == (try added.json()))
            #expect(list[4]["by"] == .string("PT1M"))
            #expect(list[5]["operation"] == .string("getTransactionInfo"))
            #expect(list.allSatisfy { $0["seed"]?.string?.isEmpty == false })
            let id = try #require(added["id"]?.integer)
            try await world.with(.sandbox) { sandbox in
                let other = try await sandbox.ours(.get, Self.path)
                #expect(other.text == #"{"faults":[]}"#)
                let reply = try await sandbox.ours(.delete, "\(Self.path)/\(id)")
                #expect(reply.complaint == "unknownFault")
            }
            #expect(try await client.ours(.delete, "\(Self.path)/\(id)").status == 204)
            for wrong in ["\(id)", "x", "-1"] {
                let reply = try await client.ours(.delete, "\(Self.path)/\(wrong)")
                #expect(reply.status == 404)
                #expect(reply.complaint == "unknownFault")
            }
            let cleared = try await client.ours(.delete, Self.path)
            #expect(cleared.text == #"{"removed":8}"#)
            #expect(try await client.ours(.get, Self.path).text == #"{"faults":[]}"#)
        }
    }

    @Test(
        "A rule that cannot be changes nothing",
        arguments: [
            (#"{}"#, "missingMember"), (#"{"kind":"eatNotifications"}"#, "invalidMember"),
            (#"{"kind":"dropNotifications","percent":0}"#, "invalidMember"),
            (#"{"kind":"dropNotifications","count":0}"#, "invalidMember"),
            (#"{"kind":"dropNotifications","seed":""}"#, "invalidMember"),
            (#"{"kind":"dropNotifications","times":2}"#, "otherKind"),
            (#"{"kind":"dropNotifications","by":"PT1M"}"#, "otherKind"),
            (#"{"kind":"dropNotifications","operation":"getTransactionInfo"}"#, "otherKind"),
            (#"{"kind":"dropNotifications","subtype":"PENDING"}"#, "invalidSetting"),
            (
                #"{"kind":"dropNotifications","notificationType":"TEST","subtype":"PENDING"}"#,
                "invalidSetting"
            ),
            (#"{"kind":"repeatNotifications","times":101}"#, "invalidMember"),
            (#"{"kind":"delayNotifications"}"#, "missingMember"),
            (#"{"kind":"delayNotifications","by":"soon"}"#, "invalidMember"),
            (#"{"kind":"delayNotifications","by":"P1M"}"#, "invalidMember"),
            (#"{"kind":"delayNotifications","by":"PT0S"}"#, "invalidSetting"),
            (#"{"kind":"delayNotifications","by":"P31D"}"#, "invalidSetting"),
            (#"{"kind":"failCalls"}"#, "missingMember"),
            (#"{"kind":"failCalls","errorCode":1}"#, "invalidSetting"),
            (#"{"kind":"failCalls","errorCode":4290000}"#, "invalidSetting"),
            (#"{"kind":"failCalls","errorCode":"5000000"}"#, "invalidMember"),
            (
                #"{"kind":"failCalls","errorCode":5000000,"notificationType":"TEST"}"#,
                "otherKind"
            ),
            (#"{"kind":"limitCalls","operation":"getClock"}"#, "invalidMember"),
            (#"{"kind":"slowCalls","by":"PT31S"}"#, "invalidSetting"),
            (#"{"kind":"slowCalls","by":"PT1S","errorCode":5000000}"#, "otherKind"),
        ] as [(String, String)])
    func refusals(body: String, code: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(.post, Self.path, body)
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            let nobody = try await client.ours(
                .post, Self.path, #"{"kind":"dropNotifications","bundleId":"com.other"}"#)
            #expect(nobody.status == 404)
            #expect(nobody.complaint == "unknownApp")
        }
        #expect(try await world.everything() == before)
    }

    @Test("Without the operator's token there are no rules")
    func strangers() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for (method, path, body) in [
                (HTTPRequest.Method.get, Self.path, String?.none),
                (.post, Self.path, #"{"kind":"dropNotifications"}"#),
                (.delete, "\(Self.path)/1", nil), (.delete, Self.path, nil),
            ] {
                let reply = try await client.ours(method, path, body, as: .bearer("x"))
                #expect(reply.status == 401)
            }
        }
    }

    @Test("Every error of Apple's can be asked for")
    func everyError() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for error in APIError.all.values where error != .rateLimitExceeded {
                _ = try await client.send(
                    .post, Self.path, #"{"kind":"failCalls","count":1,"errorCode":\#(error.code)}"#,
                    as: .operatorToken)
                // Whatever the operation's description says: the operator wants it so.
                let reply = try await client.send(
                    .get, "/inApps/v1/transactions/7", as: .developer)
                expect(reply, error)
            }
            expect(try await client.api(.get, "/v1/transactions/7"), .transactionIdNotFound)
        }
    }

    @Test("What is refused by a rule has changed nothing, and the operator is never refused")
    func changesNothing() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            _ = try await client.ours(
                .post, Self.path, #"{"kind":"failCalls","errorCode":5000001,"seed":"s"}"#)
            let before = try await world.everything()
            expect(
                try await client.api(.post, "/v1/notifications/test"), .generalInternalRetryable)
            let after = try await world.everything()
            #expect(
                before.split(separator: "\n").filter { !$0.hasPrefix("fault:") }
                    == after.split(separator: "\n").filter { !$0.hasPrefix("fault:") })
            // Who shows no good token is told that first, and counts for nothing.
            #expect(try await client.send(.get, "/inApps/v1/transactions/7").status == 401)
            #expect(try await client.ours(.get, "/connect/v1/clock").status == 200)
            _ = try await client.signIn()
            let rule = try #require(
                try await client.ours(.get, Self.path)["faults"]?.array?.first)
            #expect(rule["applied"] == .integer(1))
            #expect(rule["candidates"] == .integer(1))
        }
    }

    @Test("One call too many is told when to come back, in milliseconds of the machine's clock")
    func limit() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            world.machine.now = World.instant("2026-03-01T12:20:00Z")
            for (body, next) in [
                (#"{"kind":"limitCalls","count":1}"#, "2026-03-01T13:00:00Z"),
                (#"{"kind":"limitCalls","count":1,"by":"PT90S"}"#, "2026-03-01T12:21:30Z"),
            ] {
                _ = try await client.ours(.post, Self.path, body)
                let reply = try await client.api(.get, "/v1/transactions/7")
                expect(reply, .rateLimitExceeded)
                #expect(reply.fields[.retryAfter] == "\(World.instant(next).milliseconds)")
                expect(try await client.api(.get, "/v1/transactions/7"), .transactionIdNotFound)
            }
        }
    }

    @Test("A slow call is answered as ever, only later")
    func slow() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            _ = try await client.ours(
                .post, Self.path,
                #"{"kind":"slowCalls","by":"PT2S","operation":"getTransactionInfo"}"#)
            expect(try await client.api(.get, "/v1/transactions/7"), .transactionIdNotFound)
            expect(try await client.api(.get, "/v2/history/7"), .transactionIdNotFound)
            #expect(world.machine.waits.withLock { $0 } == [.seconds(2)])
        }
    }

    @Test("The log says which rules were applied to a notification")
    func log() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let rule = try await client.ours(
                .post, Self.path, #"{"kind":"dropNotifications","count":1}"#)
            try await client.buy("silver.monthly", as: try await client.signIn())
            try await world.world.settle(telling: [])
            let log = try await client.ours(.get, "/connect/v1/notifications")
            let entry = try #require(log["notifications"]?.array?.first)
            #expect(entry["delivered"] == .bool(false))
            #expect(entry["nextAttempt"] == .string("2026-01-01T01:00:00Z"))
            let fault = try #require(entry["faults"]?.array?.first)
            #expect(fault["id"] == rule["id"])
            #expect(fault["kind"] == .string("dropNotifications"))
            #expect(fault["attempt"] == .integer(1))
            #expect(fault["at"] == .string("2026-01-01T00:00:00Z"))
            let step = try await client.ours(.post, "/connect/v1/clock/step", "{}")
            #expect(step["now"] == .string("2026-01-01T01:00:00Z"))
            #expect(
                world.world.listener.takeArrivals().map(\.line) == [
                    "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"
                ])
        }
    }
}
