import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Set App Account Token, Finish Transaction, Look Up Order ID")
struct ServerAPIChangeTests {
    private static let token = "7E3FB204-2D3B-4B4C-9F3E-1234567890AB"

    private func world() async throws -> (HTTPWorld, DeviceSession) {
        let world = try await HTTPWorld(isListening: false)
        return (world, try await world.world.device())
    }

    private func set(_ client: Client, _ id: String, _ body: String) async throws -> Reply {
        try await client.api(.put, "/v1/transactions/\(id)/appAccountToken", body)
    }

    @Test("A token holds for the newest transaction and for later ones, in lower case")
    func setToken() async throws {
        let (world, ada) = try await world()
        let first = try #require(
            try await world.world.buy("silver.monthly", by: ada, expecting: []))
        try await world.world.advance(by: "P1M", expecting: [])
        try await world.with { client in
            let reply = try await set(
                client, first.transactionId, #"{"appAccountToken":"\#(Self.token)","other":1}"#)
            expectBare(reply, 200)
        }
        try await world.world.advance(by: "P1M", expecting: [])
        let tokens = try await world.world.history(first.transactionId).map(\.appAccountToken)
        #expect(tokens == [nil, Self.token.lowercased(), Self.token.lowercased()])
    }

    @Test(
        "What is no UUID is refused",
        arguments: [
            #"{}"#, #"{"appAccountToken":null}"#, #"{"appAccountToken":""}"#,
            #"{"appAccountToken":"x"}"#,
            #"{"appAccountToken":"7e3fb204-2d3b-4b4c-9f3e-1234567890abc"}"#,
            #"{"appAccountToken":"7e3fb2042d3b4b4c9f3e1234567890abcdef"}"#,
            #"{"appAccountToken":"7e3fb204-2d3b-4b4c-9f3e-1234567890ag"}"#,
        ])
    func noUUID(body: String) async throws {
        let (world, ada) = try await world()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let before = try await world.everything()
        try await world.with { client in
            expect(try await set(client, bought.transactionId, body), .invalidAppAccountTokenUUID)
        }
        #expect(try await world.everything() == before)
    }

    @Test(
        "A body that is malformed or of another type is 4000000 and says what is wrong",
        arguments: [
            "", "{", "[]", "7", "null", #""text""#, #"{"appAccountToken":7}"#,
            #"{"appAccountToken":["a"]}"#, #"{"appAccountToken":"#,
            #"{"appAccountToken":"a","appAccountToken":"b"}"#,
        ])
    func malformed(body: String) async throws {
        let (world, ada) = try await world()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        try await world.with { client in
            expectMalformed(try await set(client, bought.transactionId, body))
        }
    }

    @Test("Only original transactions take a token")
    func notOriginal() async throws {
        let (world, ada) = try await world()
        let first = try #require(
            try await world.world.buy("silver.monthly", by: ada, expecting: []))
        try await world.world.advance(by: "P1M", expecting: [])
        let renewal = try #require(try await world.world.history(first.transactionId).last)
        let body = #"{"appAccountToken":"\#(Self.token)"}"#
        let before = try await world.everything()
        try await world.with { client in
            expect(
                try await set(client, renewal.transactionId, body),
                .transactionIdIsNotOriginalTransactionId)
            expect(try await set(client, "77", body), .originalTransactionIdNotFound)
            expect(try await set(client, "x", body), .invalidTransactionId)
        }
        try await world.with(.sandbox) { client in
            expect(
                try await set(client, first.transactionId, body), .originalTransactionIdNotFound)
        }
        #expect(try await world.everything() == before)
    }

    @Test("Finishing empties the queue, and finishing again is no error")
    func finish() async throws {
        let (world, ada) = try await world()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        @Sendable func queue() async throws -> Int {
            try await world.world.store.transactions(
                for: ada, unfinishedOnly: true, after: 0, limit: 10
            ).count
        }
        #expect(try await queue() == 1)
        try await world.with { client in
            for _ in 0..<2 {
                let reply = try await client.api(
                    .post, "/v1/transactions/\(bought.transactionId)/finish")
                expectBare(reply, 200)
            }
        }
        #expect(try await queue() == 0)
    }

    @Test("Only transactions of this app and environment can be finished")
    func finishRefused() async throws {
        let (world, ada) = try await world()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let before = try await world.everything()
        try await world.with(.sandbox) { client in
            let path = "/v1/transactions/\(bought.transactionId)/finish"
            expect(try await client.api(.post, path), .transactionIdNotFound)
            expect(
                try await client.api(.post, "/v1/transactions/-/finish"), .invalidTransactionId)
        }
        #expect(try await world.everything() == before)
    }

    @Test("An order is looked up as it stands on the receipt")
    func order() async throws {
        let (world, ada) = try await world()
        let bought = try #require(try await world.world.buy("coins", by: ada, expecting: []))
        let order = OrderID.text(Int64(bought.transactionId)!)
        try await world.with { client in
            let reply = try await client.api(.get, "/v1/lookup/\(order)")
            #expect(reply.status == 200)
            #expect(reply["status"] == .integer(0))
            let signed = try #require(reply["signedTransactions"]?.array?.first?.string)
            let payload = try await client.verifier().verifyTransaction(signed)
            #expect(payload.transactionId == bought.transactionId)
        }
    }

    @Test("An unknown order is 200 with status 1; what is no order is refused")
    func unknownOrder() async throws {
        let (world, _) = try await world()
        try await world.with { client in
            for order in ["MNOTHING", "W002182", "12345", "M0"] {
                let reply = try await client.api(.get, "/v1/lookup/\(order)")
                #expect(reply.status == 200)
                #expect(try reply.json() == .object(["status": .integer(1)]))
            }
            for order in ["%20", "M-1", "M_1", String(repeating: "M", count: 65), "%FF", "Mü"] {
                expect(try await client.api(.get, "/v1/lookup/\(order)"), .generalBadRequest)
            }
        }
        try await world.with(.sandbox) { client in
            expectBare(try await client.api(.get, "/v1/lookup/MX"), 404)
        }
    }
}
