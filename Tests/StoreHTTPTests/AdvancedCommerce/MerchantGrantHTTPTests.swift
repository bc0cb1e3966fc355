import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

/// The operator decides what merchants ask back: each answer says what was given back of the
/// transaction, and the store goes on.
@Suite("Refunds that merchants ask for, granted by the operator")
struct MerchantGrantHTTPTests {
    private typealias Make = MerchantHTTP
    private static let list = "/connect/v1/refund-requests"

    private static func items(
        _ sku: String, _ type: String, _ more: String = "", reason: String = "LEGAL"
    ) -> String {
        #""items":[{"SKU":"\#(sku)","refundReason":"\#(reason)","refundType":"\#(type)","#
            + #""revoke":false\#(more)}],"refundRiskingPreference":true"#
    }

    private static let revocation =
        #""refundReason":"LEGAL","refundType":"FULL","refundRiskingPreference":true"#

    /// Files a request, and grants it.
    private func grant(
        _ endpoint: AdvancedCommerceEndpoint, _ id: String, _ members: String, _ client: Client,
        _ body: String = "{}", number: Int = 70
    ) async throws -> (request: Int64, Reply) {
        let asked = try await client.call(endpoint, id, "{\(Make.info(number)),\(members)}")
        #expect(asked.status == 200, "\(asked.text)")
        let open = try await client.ours(.get, "\(Self.list)?state=open")
        let request = try #require(open["refundRequests"]?.array?.first?["id"]?.integer)
        return (request, try await client.ours(.post, "\(Self.list)/\(request)/grant", body))
    }

    @Test("A revocation is granted, whatever the extent", arguments: ["full", "prorated", nil])
    func revoked(extent: String?) async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let (request, granted) = try await grant(
                .revoke, id, Self.revocation, client,
                extent.map { #"{"extent":"\#($0)"}"# } ?? "{}")
            #expect(granted.status == 200, "\(granted.text)")
            #expect(granted["transactionId"] == .string(id))
            #expect(granted["refunded"] == .integer(12_980))
            #expect(granted["extent"] == .string("full"))
            let again = try await client.ours(.post, "\(Self.list)/\(request)/grant", "{}")
            #expect(again.complaint == "unknownRefundRequest")
            let over = try await client.ours(.get, "/connect/v1/subscriptions/\(id)")
            #expect(over["state"] == .string("revoked"))
        }
    }

    @Test("Items are given back as each says")
    func items() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let (_, custom) = try await grant(
                .requestRefund, id, Self.items("news", "CUSTOM", #","refundAmount":2000"#), client)
            #expect(custom.status == 200, "\(custom.text)")
            #expect(custom["refunded"] == .integer(2_000))
            #expect(custom["extent"] == .string("prorated"))
            // What is left of it.
            let (_, full) = try await grant(
                .requestRefund, id, Self.items("news", "FULL"), client, number: 71)
            #expect(full["refunded"] == .integer(7_990))
            let active = try await client.ours(.get, "/connect/v1/subscriptions/\(id)")
            #expect(active["state"] == .string("active"))
        }
    }

    @Test("A one-time charge is given back")
    func charge() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let token = try await client.signIn("ada")
            let bought = try await client.buy(
                Make.charge(1), nonce: 1, of: Make.charge, as: token)
            let signed = try #require(bought["signedTransactionInfo"]?.string)
            let id = try await client.verifier().verifyTransaction(signed).transactionId
            let (_, granted) = try await grant(
                .requestRefund, id, Self.items("lesson", "FULL"), client)
            #expect(granted.status == 200, "\(granted.text)")
            #expect(granted["refunded"] == .integer(24_990))
            #expect(granted["extent"] == .string("full"))
        }
    }

    @Test("The developer tells of it with version 1 of consumption, and not with version 2")
    func consumption() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let new =
                #"{"customerConsented":true,"deliveryStatus":"DELIVERED","#
                + #""sampleContentProvided":false}"#
            let refused = try await client.api(.put, "/v2/transactions/consumption/\(id)", new)
            #expect(refused.status == 400 && refused["errorCode"] == .integer(4_000_000))
            let old = try await client.api(
                .put, "/v1/transactions/consumption/\(id)", BodyV1.with())
            #expect(old.status == 202)
        }
    }

    @Test("What the merchant wants to see declined is declined and not granted")
    func simulated() async throws {
        let world = try await Make.world()
        try await world.with(.sandbox) { client in
            let id = try await client.bundle()
            let (request, refused) = try await grant(
                .requestRefund, id, Self.items("news", "FULL", reason: "SIMULATE_REFUND_DECLINE"),
                client)
            #expect(refused.status == 409 && refused.complaint == "notRefundable")
            let declined = try await client.ours(.post, "\(Self.list)/\(request)/decline")
            #expect(declined.status == 204)
        }
    }
}
