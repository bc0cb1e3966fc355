import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Storage
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

/// Bodies of version 1.
enum BodyV1 {
    static let members = [
        ("customerConsented", "true"), ("appAccountToken", #""""#), ("consumptionStatus", "0"),
        ("platform", "1"), ("sampleContentProvided", "true"), ("deliveryStatus", "0"),
        ("accountTenure", "7"), ("playTime", "0"), ("lifetimeDollarsPurchased", "2"),
        ("lifetimeDollarsRefunded", "1"), ("userStatus", "4"),
    ]

    /// A body that is right, but for a member that has another value, or none.
    static func with(_ changed: String = "", _ value: String? = nil) -> String {
        let others = members.filter { $0.0 != changed }
        let all = others + (value.map { [(changed, $0)] } ?? [])
        return "{\(all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}"
    }
}

@Suite("Send Consumption Information, version 1")
struct ServerAPIConsumptionV1Tests {
    private func send(
        _ client: Client, _ id: some CustomStringConvertible, _ body: String
    ) async throws -> Reply {
        try await client.api(.put, "/v1/transactions/consumption/\(id)", body)
    }

    private func world() async throws -> (HTTPWorld, DeviceSession) {
        let world = try await HTTPWorld { $0.refundPolicy = .developer }
        return (world, try await world.world.device())
    }

    @Test(
        "The number of a preference is what a policy that asks the developer does",
        arguments: [
            (nil, "REFUND"), ("0", "REFUND"), ("1", "REFUND"), ("2", "REFUND_DECLINED"),
            ("3", "REFUND"),
        ])
    func preference(number: String?, news: String) async throws {
        let (world, ada) = try await world()
        let bought = try #require(
            try await world.world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"]))
        let id = try #require(Int64(bought.transactionId))
        try await world.world.store.requestRefund(transaction: id, .legal, by: ada)
        try await world.world.settle(expecting: ["CONSUMPTION_REQUEST"])
        try await world.with { client in
            let body = BodyV1.with("refundPreference", number)
            expectBare(try await send(client, id, body), 202)
        }
        try await world.world.settle(expecting: [news])
        let transaction = try #require(try await world.world.history("\(id)").last)
        #expect(transaction.revocationType == (news == "REFUND" ? .refundFull : nil))
    }

    @Test("The request keeps what was told, without what Apple does not publish")
    func kept() async throws {
        let (world, ada) = try await world()
        let bought = try #require(
            try await world.world.buy(
                "silver.monthly", by: ada,
                telling: [
                    "2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 until 2026-02-01"
                ]))
        let id = try #require(Int64(bought.transactionId))
        try await world.world.store.requestRefund(transaction: id, .other, by: ada)
        let token = "7E3FB204-2D3B-4B4C-9F3E-1234567890AB"
        try await world.with { client in
            let body = BodyV1.with("appAccountToken", #""\#(token)","mine":{"a":[1]}"#)
            expectBare(try await send(client, id, body), 202)
        }
        // What is kept of a request, as the operator reads it.
        let row = try #require(
            try await world.world.database.read { session in
                try session.row("SELECT consumption, decide_at FROM refund_request")
            })
        let consumption = try JSONValue(parsing: try row.text(0).utf8)
        let kept = try JSONValue(parsing: try #require(consumption["body"]?.string).utf8)
        #expect(kept["appAccountToken"] == .string(token.lowercased()))
        #expect(kept["userStatus"] == .integer(4))
        #expect(kept.object?.count == BodyV1.members.count)
        #expect(try row.integer(1) == World.instant("2026-01-01T00:00:00Z").milliseconds)
    }

    @Test(
        "Every member but the preference has to be there, and in its range",
        arguments: [
            ("customerConsented", ["false"], APIError.invalidCustomerConsented),
            (
                "appAccountToken", [#""me""#, #"" ""#, #""7e3fb2042d3b4b4c9f3e1234567890ab""#],
                .invalidAppAccountToken
            ),
            ("consumptionStatus", ["-1", "4"], .invalidConsumptionStatus),
            ("platform", ["-1", "3"], .invalidPlatform),
            ("sampleContentProvided", [], .invalidSampleContentProvided),
            ("deliveryStatus", ["-1", "6"], .invalidDeliveryStatus),
            ("accountTenure", ["-1", "8"], .invalidAccountTenure),
            ("playTime", ["-1", "8", "9223372036854775807"], .invalidPlayTime),
            ("lifetimeDollarsPurchased", ["-1", "8"], .invalidLifetimeDollarsPurchased),
            ("lifetimeDollarsRefunded", ["-1", "8"], .invalidLifetimeDollarsRefunded),
            ("userStatus", ["-1", "5"], .invalidUserStatus),
        ] as [(String, [String], APIError)])
    func invalid(member: String, values: [String], error: APIError) async throws {
        let (world, ada) = try await world()
        let signed = try await world.world.store.purchase(
            PurchaseRequest(productID: "coins"), by: ada)
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        let before = try await world.everything()
        try await world.with { client in
            for value in [nil, "null"] + values {
                let reply = try await send(
                    client, bought.transactionId, BodyV1.with(member, value))
                expect(reply, error)
            }
        }
        #expect(try await world.everything() == before)
    }

    @Test("A preference is 0 to 3", arguments: ["-1", "4"])
    func invalidPreference(value: String) async throws {
        let (world, ada) = try await world()
        let signed = try await world.world.store.purchase(
            PurchaseRequest(productID: "coins"), by: ada)
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        try await world.with { client in
            let body = BodyV1.with("refundPreference", value)
            expect(try await send(client, bought.transactionId, body), .invalidRefundPreference)
        }
    }

    @Test(
        "A member of another type makes the request malformed: version 2 has texts here",
        arguments: [
            ("deliveryStatus", #""DELIVERED""#), ("refundPreference", #""DECLINE""#),
            ("customerConsented", "1"), ("appAccountToken", "7"), ("accountTenure", #""1""#),
            ("playTime", "1.5"), ("userStatus", "true"), ("platform", "[1]"),
        ])
    func malformed(member: String, value: String) async throws {
        let (world, ada) = try await world()
        let signed = try await world.world.store.purchase(
            PurchaseRequest(productID: "coins"), by: ada)
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        try await world.with { client in
            let reply = try await send(client, bought.transactionId, BodyV1.with(member, value))
            expectMalformed(reply)
        }
    }

    @Test(
        "Only consumables and subscriptions have consumption here",
        arguments: [
            ("coins", true), ("silver.monthly", true), ("lifetime", false), ("season", false),
        ])
    func types(product: String, isTaken: Bool) async throws {
        let (world, ada) = try await world()
        let signed = try await world.world.store.purchase(
            PurchaseRequest(productID: product), by: ada)
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        try await world.with { client in
            let reply = try await send(client, bought.transactionId, BodyV1.with())
            if isTaken {
                expectBare(reply, 202)
            } else {
                expect(reply, .invalidTransactionTypeNotSupported)
            }
        }
    }
}
