import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Get Transaction Info and Get App Transaction Info")
struct ServerAPIInfoTests {
    @Test(
        "The very transaction that was asked for comes back, signed",
        arguments: StoreEnvironment.allCases)
    func information(environment: StoreEnvironment) async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device(in: environment)
        let first = try #require(
            try await world.world.buy("silver.monthly", by: ada, expecting: []))
        try await world.world.advance(by: "P2M", expecting: [])
        try await world.with(environment) { client in
            let reply = try await client.api(.get, "/v1/transactions/\(first.transactionId)")
            #expect(reply.status == 200)
            #expect(reply.fields[.contentType] == "application/json")
            #expect(try reply.json().object?.keys.sorted() == ["signedTransactionInfo"])
            let signed = try #require(reply["signedTransactionInfo"]?.string)
            let payload = try await client.verifier().verifyTransaction(signed)
            #expect(payload.transactionId == first.transactionId)
            #expect(payload.transactionReason == .purchase)
            #expect(payload.environment == environment.wire)
        }
    }

    @Test(
        "What is no identifier is refused",
        arguments: [
            "abc", "12x", "-1", "+1", "%20", "1.0", "9223372036854775808", "00000000000000000001",
            "01", "1e3", "%00", "%ZZ", "%FF", "٣",
        ])
    func malformed(id: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for path in ["/v1/transactions/\(id)", "/v1/transactions/appTransactions/\(id)"] {
                expect(try await client.api(.get, path), .invalidTransactionId)
            }
        }
    }

    @Test("An identifier that names nothing is not found")
    func unknown() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for id in ["0", "1", "400000000009999", "9223372036854775807"] {
                expect(
                    try await client.api(.get, "/v1/transactions/\(id)"), .transactionIdNotFound)
                expect(
                    try await client.api(.get, "/v1/transactions/appTransactions/\(id)"),
                    .transactionIdNotFound)
            }
        }
    }

    @Test("An identifier may be percent-encoded, and a question mark may follow")
    func encoded() async throws {
        let world = try await HTTPWorld(isListening: false)
        let id = try #require(
            try await world.world.buy(
                "coins", by: try await world.world.device(), expecting: [])
        ).transactionId
        let encoded = id.utf8.map { "%3" + String($0 - 0x30) }.joined()
        try await world.with { client in
            for text in [encoded, "\(id)?", "\(id)?&a&=b", "\(id)/"] {
                let reply = try await client.api(.get, "/v1/transactions/\(text)")
                #expect(reply.status == 200, "\(text)")
            }
        }
    }

    @Test("Data never crosses from one environment to the other, nor from app to app")
    func separation() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.world.store.addApp(
            bundleID: "com.example.other", appleID: 2, settings: App.Settings(name: "Other"))
        let ada = try await world.world.device(in: .sandbox)
        let id = try #require(
            try await world.world.buy("coins", by: ada, expecting: [])
        ).transactionId
        try await world.with(.production) { client in
            expect(try await client.api(.get, "/v1/transactions/\(id)"), .transactionIdNotFound)
            for path in ["history", "subscriptions"] {
                expect(try await client.api(.get, "/v1/\(path)/\(id)"), .transactionIdNotFound)
            }
        }
        try await world.with(.sandbox) { client in
            #expect(try await client.api(.get, "/v1/transactions/\(id)").status == 200)
            let other = try await client.send(
                .get, "/inApps/v1/transactions/\(id)", as: .developerOf("com.example.other"))
            expect(other, .transactionIdNotFound)
        }
    }

    @Test("A token that names no app finds no app")
    func unknownApp() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.get, "/v1/transactions/1", nil), (.get, "/v2/history/1", nil),
                (.get, "/v1/subscriptions/1", nil),
                (.get, "/v1/transactions/appTransactions/1", nil),
                (.post, "/v1/transactions/1/finish", nil), (.post, "/v1/notifications/test", nil),
                (
                    .put, "/v1/transactions/1/appAccountToken",
                    #"{"appAccountToken":"7e3fb204-2d3b-4b4c-9f3e-111111111111"}"#
                ),
            ]
            for (method, path, body) in calls {
                let reply = try await client.send(
                    method, "/inApps\(path)", body, as: .developerOf("com.example.nobody"))
                expect(reply, .appNotFound)
            }
        }
    }

    @Test("An app transaction is found by any identifier of the customer")
    func appTransaction() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let copy = try #require(bought.appTransactionId)
        try await world.with { client in
            for id in [bought.transactionId, copy] {
                let reply = try await client.api(
                    .get, "/v1/transactions/appTransactions/\(id)")
                let signed = try #require(reply["signedAppTransactionInfo"]?.string)
                let payload = try await client.verifier().verifyAppTransaction(signed)
                #expect(payload.appTransactionId == copy)
            }
        }
    }

    @Test("An app transaction's identifier is refused where only transactions are meant")
    func appTransactionNotSupported() async throws {
        let world = try await HTTPWorld(isListening: false)
        let ada = try await world.world.device()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let copy = try #require(bought.appTransactionId)
        try await world.with { client in
            expect(
                try await client.api(.get, "/v1/transactions/\(copy)"),
                .appTransactionIdNotSupported)
            expect(
                try await client.api(.post, "/v1/transactions/\(copy)/finish"),
                .appTransactionIdNotSupported)
            expect(
                try await client.api(
                    .put, "/v1/transactions/\(copy)/appAccountToken",
                    #"{"appAccountToken":"7e3fb204-2d3b-4b4c-9f3e-111111111111"}"#),
                .appTransactionIdNotSupported)
        }
    }
}

extension Client {
    /// Judges what the store signs as the app's server would.
    func verifier() throws -> SignedDataVerifier {
        SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: World.chain.rootDER), bundleID: World.bundleID,
            environment: environment.wire, appAppleID: World.appleID)
    }
}
