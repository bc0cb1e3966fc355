import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

/// Bodies of version 2, right but for something.
private enum Body {
    static func with(_ more: String = "", delivery: String = "DELIVERED") -> String {
        #"{"customerConsented":true,"deliveryStatus":"\#(delivery)","#
            + #""sampleContentProvided":false\#(more.isEmpty ? "" : ",")\#(more)}"#
    }
}

@Suite("Send Consumption Information, version 2")
struct ServerAPIConsumptionTests {
    private func send(
        _ client: Client, _ id: some CustomStringConvertible, _ body: String
    ) async throws -> Reply {
        try await client.api(.put, "/v2/transactions/consumption/\(id)", body)
    }

    private func world(
        policy: RefundPolicy = .developer, isListening: Bool = true
    ) async throws -> (HTTPWorld, DeviceSession) {
        let world = try await HTTPWorld(isListening: isListening) { settings in
            settings.refundPolicy = policy
        }
        return (world, try await world.world.device())
    }

    /// Buys a product and asks for the money back.
    private func requested(
        _ product: String, _ world: HTTPWorld, by device: DeviceSession,
        _ reason: RefundRequest.Reason = .unintendedPurchase
    ) async throws -> Int64 {
        let signed = try await world.world.store.purchase(
            PurchaseRequest(productID: product), by: device)
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        let id = try #require(Int64(transaction.transactionId))
        try await world.world.store.requestRefund(transaction: id, reason, by: device)
        try await world.world.store.settle()
        let asked = try #require(world.world.listener.takeArrivals().last)
        #expect(asked.name == "CONSUMPTION_REQUEST")
        #expect(asked.notification.data?.consumptionRequestReason?.rawValue == reason.rawValue)
        return id
    }

    @Test("What the developer prefers is what a policy that asks the developer does at once")
    func prorated() async throws {
        let (world, ada) = try await world()
        let id = try await requested("coins", world, by: ada)
        try await world.with { client in
            let reply = try await send(
                client, id,
                Body.with(#""consumptionPercentage":25000,"refundPreference":"GRANT_PRORATED""#))
            expectBare(reply, 202)
        }
        // A quarter of 0.99 was used up: 0.7425 is left, and 0.74 is given back.
        try await world.world.settle(expecting: ["REFUND"])
        let refunded = try #require(try await world.world.history("\(id)").last)
        #expect(refunded.revocationType == .refundProrated)
        #expect(refunded.revocationPercentage == 74_747)
        #expect(refunded.revocationReason == .other)
        #expect(try await world.world.ledger() == ["2026-01-01 +0.99", "2026-01-01 -0.74"])
    }

    @Test("Refusing and granting are preferences too", arguments: ["DECLINE", "GRANT_FULL"])
    func preference(preference: String) async throws {
        let (world, ada) = try await world()
        let id = try await requested("silver.monthly", world, by: ada, .fulfillmentIssue)
        try await world.with { client in
            let body = Body.with(
                #""refundPreference":"\#(preference)""#, delivery: "UNDELIVERED_OTHER")
            expectBare(try await send(client, id, body), 202)
        }
        try await world.world.settle(
            expecting: [preference == "DECLINE" ? "REFUND_DECLINED" : "REFUND"])
        let transaction = try #require(try await world.world.history("\(id)").last)
        let isRefunded = preference != "DECLINE"
        #expect(transaction.revocationType == (isRefunded ? .refundFull : nil))
        #expect(
            transaction.revocationReason == (isRefunded ? .issueInApp : nil))
    }

    @Test("A developer who stays silent for twelve hours agrees")
    func silence() async throws {
        let (world, ada) = try await world()
        let id = try await requested("coins", world, by: ada)
        try await world.world.advance(to: "2026-01-01T11:59:59Z", expecting: [])
        try await world.world.advance(to: "2026-01-01T12:00:00Z", expecting: ["REFUND"])
        // What comes too late is taken and changes nothing.
        try await world.with { client in
            expectBare(
                try await send(client, id, Body.with(#""refundPreference":"DECLINE""#)), 202)
        }
        try await world.world.settle(expecting: [])
    }

    @Test(
        "Without a request it is taken and only noted",
        arguments: [
            "coins", "lifetime", "season", "silver.monthly",
        ])
    func unasked(product: String) async throws {
        let (world, ada) = try await world(isListening: false)
        let bought = try #require(try await world.world.buy(product, by: ada, expecting: []))
        try await world.with { client in
            for delivery in [
                "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
                "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
            ] {
                let body = Body.with(#""other":1"#, delivery: delivery)
                expectBare(try await send(client, bought.transactionId, body), 202)
            }
        }
        try await world.world.settle(expecting: [])
        #expect(try await world.world.history(bought.transactionId).last?.revocationDate == nil)
    }

    @Test(
        "A share of a product without periods is 0 to 100 per cent",
        arguments: [
            (#""consumptionPercentage":0"#, "DELIVERED"),
            (#""consumptionPercentage":100000"#, "DELIVERED"),
            (#""consumptionPercentage":0"#, "UNDELIVERED_OTHER"),
            (#""consumptionPercentage":null,"refundPreference":null"#, "DELIVERED"),
            (#""consumptionPercentage":1,"refundPreference":"GRANT_PRORATED""#, "DELIVERED"),
            (#""consumptionPercentage":99999,"refundPreference":"GRANT_PRORATED""#, "DELIVERED"),
        ])
    func shares(more: String, delivery: String) async throws {
        let (world, ada) = try await world(isListening: false)
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        try await world.with { client in
            let body = Body.with(more, delivery: delivery)
            expectBare(try await send(client, bought.transactionId, body), 202)
        }
    }

    // MARK: Refusals

    @Test(
        "What is missing or not right has its code",
        arguments: [
            (
                "coins", #"{"deliveryStatus":"DELIVERED","sampleContentProvided":true}"#,
                APIError.invalidCustomerConsented
            ),
            (
                "coins",
                #"{"customerConsented":false,"deliveryStatus":"DELIVERED","#
                    + #""sampleContentProvided":true}"#, .invalidCustomerConsented
            ),
            (
                "coins", #"{"customerConsented":true,"sampleContentProvided":true}"#,
                .invalidDeliveryStatus
            ),
            ("coins", Body.with(delivery: "delivered"), .invalidDeliveryStatus),
            ("coins", Body.with(delivery: ""), .invalidDeliveryStatus),
            (
                "coins", #"{"customerConsented":true,"deliveryStatus":"DELIVERED"}"#,
                .invalidSampleContentProvided
            ),
            ("coins", Body.with(#""refundPreference":"GRANT""#), .invalidRefundPreference),
            ("coins", Body.with(#""consumptionPercentage":-1"#), .generalBadRequest),
            ("coins", Body.with(#""consumptionPercentage":100001"#), .generalBadRequest),
            (
                "coins", Body.with(#""consumptionPercentage":1"#, delivery: "UNDELIVERED_OTHER"),
                .generalBadRequest
            ),
            ("coins", Body.with(#""refundPreference":"GRANT_PRORATED""#), .invalidRefundPreference),
            (
                "season",
                Body.with(#""refundPreference":"GRANT_PRORATED","consumptionPercentage":0"#),
                .invalidRefundPreference
            ),
            (
                "lifetime",
                Body.with(#""refundPreference":"GRANT_PRORATED","consumptionPercentage":100000"#),
                .invalidRefundPreference
            ),
            (
                "silver.monthly", Body.with(#""consumptionPercentage":0"#),
                .consumptionPercentageAutoRenewableSubscription
            ),
        ] as [(String, String, APIError)])
    func invalid(product: String, body: String, error: APIError) async throws {
        let (world, ada) = try await world(isListening: false)
        let bought = try #require(try await world.world.buy(product, by: ada, expecting: []))
        let before = try await world.everything()
        try await world.with { client in
            expect(try await send(client, bought.transactionId, body), error)
        }
        #expect(try await world.everything() == before)
    }

    @Test(
        "A body that is malformed or of another type is 4000000 and says what is wrong",
        arguments: [
            "", "{", "[]", "true", #"{"customerConsented":"true"}"#, #"{"customerConsented":1}"#,
            #"{"customerConsented":true,"deliveryStatus":0}"#,
            #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":0}"#,
            Body.with(#""refundPreference":1"#), Body.with(#""consumptionPercentage":"50""#),
            Body.with(#""consumptionPercentage":0.5"#), Body.with(#""customerConsented":true"#),
        ])
    func malformed(body: String) async throws {
        let (world, ada) = try await world(isListening: false)
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let before = try await world.everything()
        try await world.with { client in
            expectMalformed(try await send(client, bought.transactionId, body))
        }
        #expect(try await world.everything() == before)
    }

    @Test("Only transactions of this app and environment", arguments: ["v1", "v2"])
    func unknown(version: String) async throws {
        let (world, ada) = try await world(isListening: false)
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let body = version == "v1" ? BodyV1.with() : Body.with()
        let before = try await world.everything()
        @Sendable func send(_ client: Client, _ id: String) async throws -> Reply {
            try await client.api(.put, "/\(version)/transactions/consumption/\(id)", body)
        }
        try await world.with { client in
            expect(try await send(client, "x"), .invalidTransactionId)
            expect(try await send(client, "1"), .transactionIdNotFound)
            expect(
                try await send(client, try #require(bought.appTransactionId)),
                version == "v1" ? .transactionIdNotFound : .appTransactionIdNotSupported)
            let path = "/inApps/\(version)/transactions/consumption/\(bought.transactionId)"
            expect(
                try await client.send(.put, path, body, as: .developerOf("com.other")),
                .appNotFound)
            #expect(try await client.send(.put, path, body).status == 401)
            expectBare(try await client.api(.get, String(path.dropFirst(7))), 405)
        }
        try await world.with(.sandbox) { client in
            expect(try await send(client, bought.transactionId), .transactionIdNotFound)
        }
        #expect(try await world.everything() == before)
    }
}
