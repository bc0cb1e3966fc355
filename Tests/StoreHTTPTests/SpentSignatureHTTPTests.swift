import AppStoreSigning
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Signatures of offers that are spent, over HTTP")
struct SpentSignatureHTTPTests {
    private static let offers =
        "/connect/v1/apps/com.example.app/products/silver.monthly/offers"

    private func sign(
        _ number: Int, _ client: Client, ago: Span = .days(0)
    ) throws -> DetachedOfferSignature {
        try HTTPWorld.key.sign(
            offer: "spring", of: "silver.monthly", bundleID: World.bundleID, appAccountToken: nil,
            nonce: "00000000-0000-4000-8000-00000000000\(number)",
            timestamp: (client.world.machine.now - ago).milliseconds)
    }

    private func purchase(
        _ signature: DetachedOfferSignature, by token: String, _ client: Client
    ) async throws -> Reply {
        try await client.ours(
            .post, "/storefront/v1/purchases",
            """
            {"productId":"silver.monthly","offer":{"type":"promotional","id":"spring",
            "keyId":"\(signature.keyID)","nonce":"\(signature.nonce)",
            "timestamp":\(signature.timestamp),"signature":"\(signature.signature)"}}
            """, as: .bearer(token))
    }

    @Test("An attempt that the store refuses has spent its signature (PRO-1)")
    func refused() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(
                .post, Self.offers,
                #"{"type":"PROMOTIONAL","id":"spring","mode":"FREE_TRIAL","period":"P1M"}"#)
            let ada = try await client.signIn()
            let first = try sign(1, client)
            let refused = try await purchase(first, by: ada, client)
            #expect(refused.status == 409 && refused.complaint == "ineligibleForOffer")
            try await client.buy("silver.monthly", as: ada)
            let again = try await purchase(first, by: ada, client)
            #expect(again.status == 403 && again.complaint == "invalidOfferSignature")
            #expect(again.text.contains("one attempt"), "\(again.text)")
            #expect(try await purchase(try sign(2, client), by: ada, client).status == 200)
        }
    }

    @Test("How old a signature is goes by the machine's clock, and that is said (PRO-1)")
    func age() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(
                .post, Self.offers,
                #"{"type":"PROMOTIONAL","id":"spring","mode":"FREE_TRIAL","period":"P1M"}"#)
            let ada = try await client.signIn()
            try await client.buy("silver.monthly", as: ada)
            for ago in [Span.days(1), .minutes(-2)] {
                let reply = try await purchase(try sign(3, client, ago: ago), by: ada, client)
                #expect(reply.complaint == "invalidOfferSignature")
                #expect(reply.text.contains("by the machine's clock"), "\(reply.text)")
            }
        }
    }
}
