import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

@Suite("Get Refund History, versions 2 and 1")
struct ServerAPIRefundTests {
    private func world() async throws -> (HTTPWorld, DeviceSession) {
        let world = try await HTTPWorld(isListening: false)
        return (world, try await world.world.device())
    }

    private func bought(
        _ product: String, _ world: HTTPWorld, by device: DeviceSession
    ) async throws -> JWSTransactionDecodedPayload {
        let signed = try await world.world.store.purchase(
            PurchaseRequest(productID: product), by: device)
        return try JWSText.decode(try #require(signed))
    }

    private func refund(_ id: String, _ world: HTTPWorld) async throws {
        try await world.world.store.refund(
            transaction: try #require(Int64(id)), .full, reason: .other, in: .production)
    }

    private func transactions(
        _ reply: Reply, _ client: Client
    ) async throws -> [JWSTransactionDecodedPayload] {
        #expect(reply.status == 200, "\(reply.text)")
        let signed = try #require(reply["signedTransactions"]?.array).compactMap(\.string)
        var payloads: [JWSTransactionDecodedPayload] = []
        for text in signed { payloads.append(try await client.verifier().verifyTransaction(text)) }
        return payloads
    }

    @Test("Refunds come in pages of 20, in the order in which they were granted")
    func pages() async throws {
        let (world, ada) = try await world()
        var ids: [String] = []
        for _ in 0..<41 {
            ids.append(try await bought("coins", world, by: ada).transactionId)
        }
        ids.reverse()
        for id in ids { try await refund(id, world) }
        try await world.with { [ids] client in
            var found: [String] = []
            var query = ""
            for size in [20, 20, 1, 0] {
                let reply = try await client.api(.get, "/v2/refund/lookup/\(ids[0])\(query)")
                #expect(
                    try reply.json().object?.keys.sorted()
                        == ["hasMore", "revision", "signedTransactions"])
                let page = try await transactions(reply, client)
                #expect(page.count == size)
                #expect(page.allSatisfy { $0.revocationType == .refundFull })
                #expect(reply["hasMore"] == .bool(found.count + size < ids.count))
                found += page.map(\.transactionId)
                query = "?revision=\(try #require(reply["revision"]?.string))"
            }
            #expect(found == ids)
        }
    }

    @Test("Only refunds are in it, of every type, and a refund that was reversed is not")
    func content() async throws {
        let (world, ada) = try await world()
        var ids: [String: String] = [:]
        for product in ["coins", "lifetime", "season", "silver.monthly"] {
            ids[product] = try await bought(product, world, by: ada).transactionId
        }
        for product in ["silver.monthly", "coins", "lifetime"] {
            try await refund(try #require(ids[product]), world)
        }
        try await world.world.store.reverseRefund(
            transaction: try #require(ids["coins"].flatMap { Int64($0) }), in: .production)
        try await world.with { [ids] client in
            for path in ["/v2/refund/lookup", "/v1/refund/lookup"] {
                let reply = try await client.api(.get, "\(path)/\(ids["season"] ?? "")")
                let found = try await transactions(reply, client)
                #expect(found.map(\.productId) == ["silver.monthly", "lifetime"])
                #expect(found.allSatisfy { $0.revocationPercentage == 100_000 })
            }
        }
    }

    @Test("An upgrade gives money back and is no refund")
    func upgrade() async throws {
        let (world, ada) = try await world()
        let id = try await bought("silver.monthly", world, by: ada).transactionId
        _ = try await bought("gold.monthly", world, by: ada)
        try await world.with { client in
            let reply = try await client.api(.get, "/v2/refund/lookup/\(id)")
            #expect(reply["signedTransactions"] == .array([]))
            #expect(reply["hasMore"] == .bool(false))
            #expect(reply["revision"]?.string?.isEmpty == false)
        }
    }

    @Test("Any identifier of the customer does, also the app transaction's and a renewal's")
    func anyIdentifier() async throws {
        let (world, ada) = try await world()
        let first = try await bought("silver.monthly", world, by: ada)
        try await world.world.advance(by: "P1M", expecting: [])
        let renewal = try #require(try await world.world.history(first.transactionId).last)
        try await refund(first.transactionId, world)
        try await world.with { client in
            for id in [
                first.transactionId, renewal.transactionId, try #require(first.appTransactionId),
            ] {
                let reply = try await client.api(.get, "/v2/refund/lookup/\(id)")
                let found = try await transactions(reply, client)
                #expect(found.map(\.transactionId) == [first.transactionId])
            }
        }
    }

    @Test("Version 1 has the 50 newest refunds, the earliest first, without pages")
    func fifty() async throws {
        let (world, ada) = try await world()
        var ids: [String] = []
        for _ in 0..<51 {
            ids.append(try await bought("coins", world, by: ada).transactionId)
        }
        for id in ids { try await refund(id, world) }
        try await world.with { [ids] client in
            let reply = try await client.api(.get, "/v1/refund/lookup/\(ids[0])")
            #expect(try reply.json().object?.keys.sorted() == ["signedTransactions"])
            let found = try await transactions(reply, client)
            #expect(found.map(\.transactionId) == Array(ids.dropFirst()))
        }
    }

    // MARK: Refusals

    @Test("A revision is of this question and no other")
    func revision() async throws {
        let (world, ada) = try await world()
        let adas = try await bought("coins", world, by: ada).transactionId
        let bobs = try await bought("coins", world, by: world.world.device("bob")).transactionId
        try await world.with { client in
            let path = "/v2/refund/lookup/\(adas)"
            let other = try await client.api(.get, "/v2/refund/lookup/\(bobs)")
            let history = try await client.api(.get, "/v2/history/\(adas)")
            for revision in [
                "nonsense", "", "%00", try #require(other["revision"]?.string),
                try #require(history["revision"]?.string),
            ] {
                let reply = try await client.api(.get, "\(path)?revision=\(revision)")
                expect(reply, .invalidRequestRevision)
            }
            let own = try #require(try await client.api(.get, path)["revision"]?.string)
            expect(
                try await client.api(.get, "\(path)?revision=\(own)&revision=\(own)"),
                .invalidRequestRevision)
            #expect(
                try await client.api(.get, "\(path)?revision=\(own)&other=1").status == 200)
        }
    }

    @Test("What names nothing here is not found; version 1 takes original transactions only")
    func unknown() async throws {
        let (world, ada) = try await world()
        let first = try await bought("silver.monthly", world, by: ada)
        try await world.world.advance(by: "P1M", expecting: [])
        let renewal = try #require(try await world.world.history(first.transactionId).last)
        try await world.with { client in
            expect(try await client.api(.get, "/v2/refund/lookup/1"), .transactionIdNotFound)
            expect(try await client.api(.get, "/v2/refund/lookup/x"), .invalidTransactionId)
            for id in ["1", renewal.transactionId, try #require(first.appTransactionId)] {
                expect(
                    try await client.api(.get, "/v1/refund/lookup/\(id)"),
                    .originalTransactionIdNotFound)
            }
            for id in ["x", "01", "-1"] {
                expect(
                    try await client.api(.get, "/v1/refund/lookup/\(id)"),
                    .invalidOriginalTransactionId)
            }
            for version in ["v1", "v2"] {
                let reply = try await client.send(
                    .get, "/inApps/\(version)/refund/lookup/\(first.transactionId)",
                    as: .developerOf("com.other"))
                expect(reply, .appNotFound)
            }
        }
        try await world.with(.sandbox) { client in
            let id = first.transactionId
            expect(try await client.api(.get, "/v2/refund/lookup/\(id)"), .transactionIdNotFound)
            expect(
                try await client.api(.get, "/v1/refund/lookup/\(id)"),
                .originalTransactionIdNotFound)
        }
    }
}
