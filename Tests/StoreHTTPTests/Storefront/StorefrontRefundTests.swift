import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Storefront: asking for refunds")
struct StorefrontRefundTests {
    private static let path = "/storefront/v1"

    private func ask(
        _ client: Client, _ id: String, _ token: String, _ reason: String = "OTHER"
    ) async throws -> Reply {
        try await client.ours(
            .post, "\(Self.path)/transactions/\(id)/refund-request", #"{"reason":"\#(reason)"}"#,
            as: .bearer(token))
    }

    private func entitled(_ client: Client, _ token: String) async throws -> [String] {
        let reply = try await client.ours(.get, "\(Self.path)/entitlements", as: .bearer(token))
        return try #require(reply["entitlements"]?.array).compactMap { $0["productId"]?.string }
    }

    private func subscription(_ client: Client, _ token: String) async throws -> JSONValue {
        let reply = try await client.ours(.get, "\(Self.path)/subscriptions", as: .bearer(token))
        return try #require(reply["subscriptions"]?.array?.first)
    }

    @Test("A refund of the running period takes the access away, a reversal gives it back")
    func refunded() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            try await world.world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
            let reply = try await ask(client, id, token, "UNSATISFIED_WITH_PURCHASE")
            #expect(reply.status == 202)
            var members = try #require(try reply.json().object)
            #expect(try #require(members.removeValue(forKey: "id")?.integer) > 0)
            #expect(
                members == [
                    "transactionId": .string(id),
                    "reason": .string("UNSATISFIED_WITH_PURCHASE"), "state": .string("open"),
                    "requested": .string("2026-01-01T00:00:00Z"),
                    "decides": .string("2026-01-01T12:00:00Z"),
                ])
            try await world.world.settle(telling: [
                "2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 9.99 "
                    + "until 2026-02-01",
                "2026-01-01 CONSUMPTION_REQUEST 1 silver.monthly 9.99 until 2026-02-01",
            ])
            #expect(try await entitled(client, token) == ["silver.monthly"])
            try await world.world.advance(
                to: "2026-01-01T12:00:00Z",
                telling: [
                    "2026-01-01 12:00 REFUND 5 silver.monthly 9.99 until 2026-02-01 "
                        + "REFUND_FULL 2026-01-01 12:00"
                ])
            try await revoked(client, token)
            try await world.world.store.reverseRefund(
                transaction: try #require(Int64(id)), in: .production)
            try await world.world.settle(expecting: ["REFUND_REVERSED"])
            #expect(try await entitled(client, token) == ["silver.monthly"])
            let again = try await subscription(client, token)
            #expect(again["status"] == .integer(1))
            #expect(again["autoRenew"] == .bool(false))
            #expect(again["expires"] == .string("2026-02-01T00:00:00Z"))
        }
    }

    private func revoked(_ client: Client, _ token: String) async throws {
        #expect(try await entitled(client, token) == [])
        let subscription = try await subscription(client, token)
        #expect(subscription["status"] == .integer(5))
        #expect(subscription["entitled"] == .bool(false))
        #expect(subscription["autoRenew"] == .bool(false))
        let transaction = try await client.verifier().verifyTransaction(
            try #require(subscription["signedTransactionInfo"]?.string))
        #expect(
            transaction.revocationDate == World.instant("2026-01-01T12:00:00Z").milliseconds)
        #expect(transaction.revocationReason == .issueInApp)
        let change = try await client.ours(
            .patch, "\(Self.path)/subscriptions/\(transaction.originalTransactionId)",
            #"{"autoRenew":true}"#, as: .bearer(token))
        #expect(change.complaint == "notActive")
    }

    @Test("A refund of a period that is over leaves the running one as it is")
    func oldPeriod() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            _ = try await world.world.store.advance(to: World.instant("2026-02-01T00:00:00Z"))
            _ = world.world.listener.takeArrivals()
            #expect(try await ask(client, id, token).status == 202)
            try await world.world.settle(telling: [
                "2026-02-01 CONSUMPTION_REQUEST 1 silver.monthly 9.99 until 2026-02-01"
            ])
            try await world.world.advance(
                to: "2026-02-01T12:00:00Z",
                telling: [
                    "2026-02-01 12:00 REFUND 1 silver.monthly 9.99 until 2026-02-01 "
                        + "REFUND_FULL 2026-02-01 12:00"
                ])
            #expect(try await entitled(client, token) == ["silver.monthly"])
            #expect(try await subscription(client, token)["autoRenew"] == .bool(true))
        }
    }

    @Test("A product without periods is refunded and gone", arguments: ["lifetime", "season"])
    func once(product: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy(product, as: token).transactionId
            try await world.world.settle(expecting: ["ONE_TIME_CHARGE"])
            #expect(try await ask(client, id, token, "LEGAL").status == 202)
            try await world.world.settle(expecting: ["CONSUMPTION_REQUEST"])
            #expect(try await entitled(client, token) == [product])
            try await world.world.advance(to: "2026-01-01T12:00:00Z", expecting: ["REFUND"])
            #expect(try await entitled(client, token) == [])
        }
    }

    @Test("Where the operator decides, nobody knows when")
    func byHand() async throws {
        let world = try await HTTPWorld { $0.refundPolicy = .operatorDecides }
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("coins", as: token).transactionId
            let reply = try await ask(client, id, token)
            #expect(reply["state"] == .string("open"))
            #expect(reply["decides"] == nil)
        }
    }

    @Test("In Sandbox the developer has as many shortened hours: 5 seconds")
    func sandbox() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            let reply = try await ask(client, id, token)
            #expect(reply["decides"] == .string("2026-01-01T00:00:05Z"))
        }
    }

    @Test("Every published reason can be given", arguments: RefundRequest.Reason.allCases)
    func reasons(reason: RefundRequest.Reason) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("coins", as: token).transactionId
            let reply = try await ask(client, id, token, reason.rawValue)
            #expect(reply["reason"] == .string(reason.rawValue))
            try await world.world.store.settle()
            let asked = try #require(world.world.listener.takeArrivals().last?.notification.data)
            #expect(asked.consumptionRequestReason?.rawValue == reason.rawValue)
        }
    }

    @Test(
        "A reason may be given in any spelling, and is told in Apple's",
        arguments: ["unintendedPurchase", "unintended-purchase", "Unintended_Purchase"])
    func spelling(typed: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("coins", as: token).transactionId
            let reply = try await ask(client, id, token, typed)
            #expect(reply.status == 202, "\(reply.text)")
            #expect(reply["reason"] == .string("UNINTENDED_PURCHASE"))
        }
    }

    // MARK: Refusals

    @Test(
        "A request without a published reason is refused",
        arguments: [
            (#"{}"#, "missingMember"), (#"{"reason":"others"}"#, "invalidMember"),
            (#"{"reason":null}"#, "invalidMember"), (#"{"reason":1}"#, "invalidMember"),
            (#"{"reason":"OTHER","note":"x"}"#, "unknownMember"), (#"{"#, "malformedJSON"),
        ])
    func invalid(body: String, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("coins", as: token).transactionId
            let before = try await world.everything()
            let reply = try await client.ours(
                .post, "\(Self.path)/transactions/\(id)/refund-request", body, as: .bearer(token))
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            #expect(try await world.everything() == before)
        }
    }

    @Test("What cannot be refunded is not asked for")
    func refused() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let coins = try await client.buy("coins", as: token).transactionId
            let season = try await client.buy("season", as: token).transactionId
            let trial = try await client.buy("silver.trial", as: token).transactionId
            try await world.world.store.refund(
                transaction: try #require(Int64(season)), .full, reason: .other, in: .production)
            #expect(try await ask(client, coins, token).status == 202)
            let bob = try await client.signIn("bob")
            let upgraded = try await client.buy("silver.monthly", as: bob).transactionId
            try await client.buy("gold.monthly", as: bob)
            let before = try await world.everything()
            for (id, token, status, code) in [
                (coins, token, 409, "refundAlreadyRequested"),
                (season, token, 409, "alreadyRevoked"), (trial, token, 409, "nothingPaid"),
                (upgraded, bob, 409, "notRefundable"), (coins, bob, 404, "unknownTransaction"),
                ("1", token, 404, "unknownTransaction"), ("x", token, 404, "unknownTransaction"),
            ] {
                let reply = try await ask(client, id, token)
                #expect(reply.status == status)
                #expect(reply.complaint == code)
            }
            #expect(try await world.everything() == before)
        }
    }
}
