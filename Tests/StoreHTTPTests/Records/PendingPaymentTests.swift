import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Payment methods that answer later, and who waits for them")
struct PendingPaymentTests {
    private static let method = "/connect/v1/customers/ada/payment-method"
    private static let app = "/connect/v1/apps/com.example.app"

    @Test(
        "A payment method that answers later is kept as it was given",
        arguments: [
            (#"{"behaviour":"later"}"#, #"{"behaviour":"later","answer":"paid"}"#),
            (
                #"{"behaviour":"later","answer":"declined"}"#,
                #"{"behaviour":"later","answer":"declined"}"#
            ),
            (
                #"{"behaviour":"later","after":"P4DT90M"}"#,
                #"{"behaviour":"later","after":"P4DT1H30M","answer":"paid"}"#
            ),
            (
                #"{"behaviour":"later","after":"P366D","answer":"paid"}"#,
                #"{"behaviour":"later","after":"P366D","answer":"paid"}"#
            ),
            (
                #"{"behaviour":"later","after":"PT1S"}"#,
                #"{"behaviour":"later","after":"PT1S","answer":"paid"}"#
            ),
        ] as [(String, String)])
    func kept(body: String, method: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.signIn()
            #expect(try await client.ours(.put, Self.method, body).status == 204)
            let reply = try await client.ours(.get, "/connect/v1/customers/ada")
            #expect(try reply["paymentMethod"] == JSONValue(parsing: method.utf8))
        }
    }

    @Test(
        "A payment method that cannot be changes nothing",
        arguments: [
            (#"{"behaviour":"later","after":"P1M"}"#, "invalidMember"),
            (#"{"behaviour":"later","after":"P1Y"}"#, "invalidMember"),
            (#"{"behaviour":"later","after":"soon"}"#, "invalidMember"),
            (#"{"behaviour":"later","after":4}"#, "invalidMember"),
            (#"{"behaviour":"later","after":"P367D"}"#, "invalidSetting"),
            (#"{"behaviour":"later","after":"P366DT1S"}"#, "invalidSetting"),
            (#"{"behaviour":"later","answer":"pending"}"#, "invalidMember"),
            (#"{"behaviour":"later","count":2}"#, "onlyWithAnotherBehaviour"),
            (#"{"behaviour":"later","until":"2027-01-01"}"#, "onlyWithAnotherBehaviour"),
            (#"{"behaviour":"approve","after":"P1D"}"#, "onlyWithAnotherBehaviour"),
            (#"{"behaviour":"decline","answer":"paid"}"#, "onlyWithAnotherBehaviour"),
        ] as [(String, String)])
    func refused(body: String, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.signIn()
            let before = try await world.everything()
            let reply = try await client.ours(.put, Self.method, body)
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            #expect(try await world.everything() == before)
        }
    }

    @Test("For how many days access lasts without an answer is set by app: six, or 0 to 28")
    func days() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            #expect(try await client.ours(.get, Self.app)["pendingRenewalDays"] == .integer(6))
            for days in [0, 28, 3] {
                let body = #"{"pendingRenewalDays":\#(days)}"#
                let set = try await client.ours(.patch, Self.app, body)
                #expect(set["pendingRenewalDays"] == .integer(Int64(days)))
            }
            let before = try await world.everything()
            for days in ["-1", "29", "1.5", #""3""#, "null"] {
                let reply = try await client.ours(
                    .patch, Self.app, #"{"pendingRenewalDays":\#(days)}"#)
                #expect(reply.status == 400, "\(days)")
                #expect(reply.complaint == "invalidMember", "\(days)")
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test(
        "A renewal is awaited with access for as many days as the app says",
        arguments: [(6, "2026-02-07T00:00:00Z"), (2, "2026-02-03T00:00:00Z"), (0, nil)]
            as [(Int, String?)])
    func renewal(days: Int, until: String?) async throws {
        let world = try await HTTPWorld(isListening: false) { $0.pendingRenewalDays = days }
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            _ = try await client.ours(.put, Self.method, #"{"behaviour":"later"}"#)
            let path = "/connect/v1/subscriptions/\(id)"
            _ = try await client.ours(
                .post, "/connect/v1/clock/advance", #"{"to":"2026-02-02T00:00:00Z"}"#)
            let waiting = try await client.ours(.get, path)
            #expect(
                waiting["state"] == .string(until == nil ? "retrying" : "awaitingPayment"))
            #expect(waiting["graceUntil"]?.string == until)
            #expect(waiting["entitled"] == .bool(until != nil))
            let bill = try #require(waiting["pendingBillId"]?.string)
            let shown = try await client.ours(.get, "/connect/v1/bills/\(bill)")
            #expect(shown["purpose"] == .string("renewal"))
            #expect(shown["originalTransactionId"] == .string(id))
            let entry = try await lastEntry(client, path)
            #expect(entry["pending"] == .integer(9990))
            #expect(entry["billId"] == .string(bill))
            #expect(entry["billProductId"] == nil)
            #expect(entry["graceUntil"]?.string == until)
            _ = try await client.ours(
                .post, "/connect/v1/bills/\(bill)/answer", #"{"answer":"paid"}"#)
            let paid = try await client.ours(.get, path)
            #expect(paid["state"] == .string("active"))
            #expect(paid["transactionId"] == .string(bill))
            #expect(paid["pendingBillId"] == nil)
            #expect(try await lastEntry(client, path)["event"] == .string("wasPaid"))
        }
    }

    @Test("While a plan change is pending nothing else can be chosen, which changes nothing")
    func planChange() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let id = try await client.buy("silver.monthly", as: token).transactionId
            _ = try await client.ours(.put, Self.method, #"{"behaviour":"later"}"#)
            let device = "/storefront/v1/subscriptions/\(id)"
            let asked = try await client.ours(
                .patch, device, #"{"productId":"gold.monthly"}"#, as: .bearer(token))
            #expect(asked.status == 200)
            let path = "/connect/v1/subscriptions/\(id)"
            let bill = try #require(
                try await client.ours(.get, path)["pendingBillId"]?.string)
            let entry = try await lastEntry(client, path)
            #expect(entry["productId"] == .string("silver.monthly"))
            #expect(entry["billProductId"] == .string("gold.monthly"))
            let before = try await world.everything()
            for (method, path, body) in [
                (HTTPRequest.Method.patch, device, #"{"productId":"bronze.monthly"}"#),
                (.post, "/storefront/v1/purchases", #"{"productId":"silver.monthly"}"#),
                (.post, "/storefront/v1/purchases", #"{"productId":"bronze.monthly"}"#),
            ] {
                let reply = try await client.ours(method, path, body, as: .bearer(token))
                #expect(reply.status == 409, "\(body)")
                #expect(reply.complaint == "paymentPending", "\(body)")
            }
            #expect(try await world.everything() == before)
            let again = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"gold.monthly"}"#,
                as: .bearer(token))
            #expect(again["billId"] == .string(bill))
            _ = try await client.ours(
                .post, "/connect/v1/bills/\(bill)/answer", #"{"answer":"declined"}"#)
            let declined = try await lastEntry(client, path)
            #expect(declined["event"] == .string("wasDeclined"))
            #expect(declined["billId"] == .string(bill))
            #expect(declined["billProductId"] == .string("gold.monthly"))
        }
    }

    private func lastEntry(_ client: Client, _ path: String) async throws -> JSONValue {
        let timeline = try await client.ours(.get, "\(path)/timeline")
        return try #require(timeline["entries"]?.array?.last)
    }
}
