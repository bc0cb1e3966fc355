import AppStoreWire
import HTTPTypes
import Outbox
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Connect: notifications")
struct ConnectNotificationTests {
    private static let path = "/connect/v1/notifications"

    @Test("The log is narrowed by type, subtype and failure")
    func filtered() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            world.world.listener.answer([.socketIssue])
            try await client.buy("silver.monthly", as: try await client.signIn())
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            try await client.buy("coins", as: try await client.signIn())
            try await world.world.settle(expecting: ["ONE_TIME_CHARGE"])
            for (query, types) in [
                ("notificationType=ONE_TIME_CHARGE", ["ONE_TIME_CHARGE"]),
                ("notificationType=SUBSCRIBED&subtype=INITIAL_BUY", ["SUBSCRIBED"]),
                ("onlyFailures=true", ["SUBSCRIBED"]),
                ("onlyFailures=false", ["ONE_TIME_CHARGE", "SUBSCRIBED"]),
                ("notificationType=REFUND", []),
            ] as [(String, [String])] {
                let reply = try await client.ours(.get, "\(Self.path)?\(query)")
                #expect(
                    reply["notifications"]?.array?.compactMap { $0["notificationType"]?.string }
                        == types,
                    "\(query)")
            }
            for (query, code) in [
                ("notificationType=NEW", "invalidMember"), ("subtype=NEW", "invalidMember"),
                ("onlyFailures=yes", "invalidMember"), ("type=TEST", "unknownParameter"),
                ("notificationType=TEST&subtype=INITIAL_BUY", "invalidSetting"),
            ] {
                let reply = try await client.ours(.get, "\(Self.path)?\(query)")
                #expect(reply.status == 400, "\(query)")
                #expect(reply.complaint == code, "\(query)")
            }
        }
    }

    @Test("One notification is decoded, the signed texts within it too")
    func decoded() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).originalTransactionId
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            let log = try await client.ours(.get, Self.path)
            let entry = try #require(log["notifications"]?.array?.first)
            #expect(entry["payload"] == nil)
            let number = try #require(entry["id"]?.integer)
            let one = try await client.ours(.get, "\(Self.path)/\(number)")
            #expect(one.status == 200)
            let data = try #require(one["payload"]?["data"])
            #expect(data["transactionInfo"]?["originalTransactionId"] == .string(id))
            #expect(data["renewalInfo"]?["autoRenewProductId"] == .string("silver.monthly"))
            #expect(data["signedRenewalInfo"] == nil)
            let uuid = try #require(entry["notificationUUID"]?.string)
            let same = try await client.ours(.get, "\(Self.path)/\(uuid)")
            #expect(same["id"] == .integer(number))
            for name in ["0", "x", "%00", String(repeating: "9", count: 99)] {
                let none = try await client.ours(.get, "\(Self.path)/\(name)")
                #expect(none.status == 404, "\(name)")
                #expect(none.complaint == "unknownNotification", "\(name)")
            }
        }
    }

    @Test("A notification is sent again, and the log counts the attempt")
    func resent() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            try await client.buy("silver.monthly", as: try await client.signIn())
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            let log = try await client.ours(.get, "\(Self.path)?limit=1")
            let number = try #require(log["notifications"]?.array?.first?["id"]?.integer)
            let reply = try await client.ours(.post, "\(Self.path)/\(number)/resend")
            #expect(reply.status == 200)
            #expect(reply["nextAttempt"] == .string("2026-01-01T00:00:00Z"))
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            let one = try await client.ours(.get, "\(Self.path)/\(number)")
            #expect(
                one["attempts"]?.array?.compactMap { $0["result"]?.string }
                    == ["SUCCESS", "SUCCESS"])
            let none = try await client.ours(.post, "\(Self.path)/0/resend")
            #expect(none.complaint == "unknownNotification")
            let stranger = try await client.ours(
                .post, "\(Self.path)/\(number)/resend", as: .bearer("wrong"))
            #expect(stranger.complaint == "unauthenticated")
            try await world.world.settle(expecting: [])
        }
    }
}
