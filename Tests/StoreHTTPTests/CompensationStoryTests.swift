import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A year's worth of trouble with one subscriber, all of it over HTTP: what has to happen is said
/// before each move of the clock.
@Suite("Story: an increase, outages, a refund")
struct CompensationStoryTests {
    private static let app = "/connect/v1/apps/\(World.bundleID)"

    @Test("Prices, extensions, refunds and money, over HTTP", arguments: Backend.available)
    func story(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend) { $0.refundPolicy = .developer }
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            try await world.world.settle(telling: [
                "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"
            ])
            try await increase(world, client, id, token)
            try await outages(world, client, id)
            try await refund(world, client, id, token)
            try await money(client)
            try await onDemand(world, client, id, token)
        }
    }

    /// 60 per cent and 6 dollars more need consent; the first renewal 27 days ahead is 1 March.
    private func increase(
        _ world: HTTPWorld, _ client: Client, _ id: String, _ token: String
    ) async throws {
        let reply = try await client.ours(
            .put, "\(Self.app)/products/silver.monthly/price-changes/USA",
            #"{"price":15990,"existing":"apply","start":"2026-01-15T00:00:00Z"}"#)
        #expect(reply.status == 200)
        try await world.world.advance(
            to: "2026-02-10",
            telling: [
                "2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01",
                "2026-02-02 PRICE_INCREASE/PENDING 1 silver.monthly 9.99 until 2026-03-01",
            ])
        let why = try await client.ours(.get, "/connect/v1/subscriptions/\(id)/price-increase")
        #expect(why.text.contains(#""path":"consent""#))
        #expect(why.text.contains("2026-03-01T00:00:00Z"))
        let agreed = try await client.ours(
            .patch, "/storefront/v1/subscriptions/\(id)", #"{"priceIncrease":"agree"}"#,
            as: .bearer(token))
        #expect(agreed.status == 200)
        try await world.world.settle(telling: [
            "2026-02-10 PRICE_INCREASE/ACCEPTED 1 silver.monthly 9.99 until 2026-03-01"
        ])
    }

    /// Ten days for one, five for everybody: the higher price comes with the moved renewal.
    private func outages(_ world: HTTPWorld, _ client: Client, _ id: String) async throws {
        let single = try await client.api(
            .put, "/v1/subscriptions/extend/\(id)",
            #"{"extendByDays":10,"extendReasonCode":3,"requestIdentifier":"outage"}"#)
        #expect(single["success"] == .bool(true))
        try await world.world.settle(telling: [
            "2026-02-10 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-11"
        ])
        try await world.world.advance(
            to: "2026-03-11",
            telling: ["2026-03-11 DID_RENEW 1 silver.monthly 15.99 until 2026-04-11"])
        let identifier = "7e3fb204-2d3b-4b4c-9f3e-1234567890ab"
        let mass = try await client.api(
            .post, "/v1/subscriptions/extend/mass",
            #"{"requestIdentifier":"\#(identifier)","extendByDays":5,"extendReasonCode":3,"#
                + #""productId":"silver.monthly"}"#)
        #expect(mass.text == #"{"requestIdentifier":"\#(identifier)"}"#)
        try await world.world.settle(telling: [
            "2026-03-11 RENEWAL_EXTENDED 1 silver.monthly 15.99 until 2026-04-16",
            "2026-03-11 RENEWAL_EXTENSION/SUMMARY",
        ])
        let status = try await client.api(
            .get, "/v1/subscriptions/extend/mass/silver.monthly/\(identifier)")
        #expect(status["complete"] == .bool(true))
        #expect(status["succeededCount"] == .integer(1))
        #expect(status["failedCount"] == .integer(0))
    }

    /// Of 36 days 26 are left: 15.99 × 26 ÷ 36 is 11.548, which is 11.55.
    private func refund(
        _ world: HTTPWorld, _ client: Client, _ id: String, _ token: String
    ) async throws {
        try await world.world.advance(to: "2026-03-21", telling: [])
        let bought = try await client.ours(
            .get, "/storefront/v1/transactions", as: .bearer(token))
        let newest = try #require(bought["transactions"]?.array?.last?["transactionId"]?.string)
        let asked = try await client.ours(
            .post, "/storefront/v1/transactions/\(newest)/refund-request",
            #"{"reason":"UNSATISFIED_WITH_PURCHASE"}"#, as: .bearer(token))
        #expect(asked.status == 202)
        try await world.world.settle(telling: [
            "2026-03-21 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.monthly 15.99 "
                + "until 2026-04-16",
            "2026-03-21 CONSUMPTION_REQUEST 1 silver.monthly 15.99 until 2026-04-16",
        ])
        let answer = try await client.api(
            .put, "/v2/transactions/consumption/\(newest)",
            #"{"customerConsented":true,"deliveryStatus":"DELIVERED","#
                + #""sampleContentProvided":false,"refundPreference":"GRANT_PRORATED"}"#)
        #expect(answer.status == 202)
        try await world.world.settle(telling: [
            "2026-03-21 REFUND 5 silver.monthly 15.99 until 2026-04-16 REFUND_PRORATED 2026-03-21"
        ])
        let history = try await client.api(.get, "/v2/refund/lookup/\(newest)")
        #expect(history["signedTransactions"]?.array?.count == 1)
        let entitled = try await client.ours(
            .get, "/storefront/v1/entitlements", as: .bearer(token))
        #expect(entitled.text.contains("silver.monthly") == false)
        let reversed = try await client.ours(
            .post, "/connect/v1/transactions/\(newest)/reverse-refund")
        #expect(reversed.status == 200)
        try await world.world.settle(telling: [
            "2026-03-21 REFUND_REVERSED 1 silver.monthly 15.99 until 2026-04-16"
        ])
    }

    /// Of 15.99 the store keeps 30 per cent, 4.797; what the refund took comes back.
    private func money(_ client: Client) async throws {
        let ledger = try await client.ours(.get, "/connect/v1/ledger")
        let entries = try #require(ledger["entries"]?.array)
        #expect(
            entries.map { entry in
                ["customer", "developer", "store"].map { "\(entry[$0]?.integer ?? 0)" }
                    .joined(separator: " ")
            } == [
                "-9990 6993 2997", "-9990 6993 2997", "-15990 11193 4797", "11550 -8085 -3465",
                "-11550 8085 3465",
            ])
        let proceeds = try await client.ours(.get, "\(Self.app)/proceeds?from=2026-03-01")
        let march = try #require(proceeds["lines"]?.array?.first)
        #expect(march["month"] == .string("2026-03"))
        #expect(march["proceeds"] == .integer(11_193))
        #expect(march["commission"] == .integer(4_797))
    }

    /// The renewal is waited for, a notification made up, another one lost on its way.
    private func onDemand(
        _ world: HTTPWorld, _ client: Client, _ id: String, _ token: String
    ) async throws {
        let subscription = "/connect/v1/subscriptions/\(id)"
        let on = try await client.ours(
            .patch, "/storefront/v1/subscriptions/\(id)", #"{"autoRenew":true}"#,
            as: .bearer(token))
        #expect(on.status == 200)
        let renewed = try await client.ours(
            .post, "/connect/v1/clock/run-until", #"{"notification":"DID_RENEW"}"#)
        #expect(renewed["now"] == .string("2026-04-16T00:00:00Z"))
        let expired = #"{"notificationType":"EXPIRED","subtype":"BILLING_RETRY"}"#
        #expect(
            try await client.ours(.post, "\(subscription)/notifications", expired).status == 201)
        try await world.world.settle(telling: [
            "2026-03-21 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED 1 silver.monthly 15.99 "
                + "until 2026-04-16",
            "2026-04-16 DID_RENEW 1 silver.monthly 15.99 until 2026-05-16",
            "2026-04-16 EXPIRED/BILLING_RETRY 1 silver.monthly 15.99 until 2026-05-16",
        ])
        let fault = try await client.ours(
            .post, "/connect/v1/faults", #"{"kind":"loseNotifications","count":1}"#)
        #expect(fault.status == 201)
        let step = try await client.ours(.post, "/connect/v1/clock/step", #"{"count":2}"#)
        #expect(step["now"] == .string("2026-06-16T00:00:00Z"))
        try await world.world.settle(telling: [
            "2026-06-16 DID_RENEW 1 silver.monthly 15.99 until 2026-07-16"
        ])
    }
}
