import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import HTTPTypes
import SubscriptionRules
import TestSupport
import Testing

/// What is said of an offer's signature that is wrong.
@Suite("Signatures of offers over HTTP")
struct OfferSignatureHTTPTests {
    private let tests = OfferHTTPTests()

    @Test("A signature that is encoded wrongly is named, with the text that is to be signed")
    func encodings() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(.post, tests.offers, tests.spring)
            let ada = try await client.signIn()
            let good = try HTTPWorld.key.sign(
                offer: "spring", of: "silver.monthly", bundleID: World.bundleID,
                appAccountToken: nil, nonce: tests.nonce(1), timestamp: tests.milliseconds(client))
            let twice = Data(good.signature.utf8).base64EncodedString()
            let url = good.signature.replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            let text = [
                World.bundleID, good.keyID, "silver.monthly", "spring", "", good.nonce,
                String(good.timestamp),
            ].joined(separator: #"\u2063"#)
            for (signature, words) in [
                (twice, "`signature` is Base64 twice."),
                (url, "`signature` is Base64url, not Base64."),
            ] where signature != good.signature {
                let reply = try await tests.purchase(
                    DetachedOfferSignature(
                        keyID: good.keyID, nonce: good.nonce, timestamp: good.timestamp,
                        signature: signature), by: ada, client)
                let message = reply["message"]?.string ?? ""
                #expect(message.hasPrefix(words), "\(message)")
                #expect(message.contains(text), "\(message)")
            }
        }
    }

    @Test("A compact JWS for something else is refused by the claim that says so")
    func otherClaims() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(.post, tests.offers, tests.spring)
            let ada = try await client.signIn()
            let now = Double(tests.milliseconds(client)) / 1000
            for (offer, product, app, words) in [
                ("autumn", "silver.monthly", World.bundleID, "another offer: `offerIdentifier`"),
                ("spring", "gold.monthly", World.bundleID, "another product: `productId`"),
                ("spring", "silver.monthly", "com.example.other", "another app: `bid`"),
                (nil, "silver.monthly", World.bundleID, "another purpose: `aud`"),
            ] as [(String?, String, String, String)] {
                let jws = try HTTPWorld.key.sign(
                    offerToken: offer, of: product, bundleID: app, nonce: tests.nonce(1), now: now)
                let reply = try await tests.purchase(jws: jws, by: ada, client)
                #expect(reply.complaint == "invalidOfferSignature")
                #expect(reply["message"]?.string?.contains(words) == true, "\(reply.text)")
            }
        }
    }
}
