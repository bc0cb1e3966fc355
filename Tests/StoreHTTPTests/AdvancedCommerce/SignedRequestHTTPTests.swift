import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// The signed text that an app buys with: who signed it, for whom, when, and how often it is shown.
@Suite("Signed requests of Advanced Commerce at the door")
struct SignedRequestHTTPTests {
    private let bytes = MerchantHTTP.create(1)

    @Test(
        "A signed request is bought with, in both environments and in its wrapping too",
        arguments: StoreEnvironment.allCases)
    func good(environment: StoreEnvironment) async throws {
        let world = try await MerchantHTTP.world()
        try await world.with(environment) { client in
            let ada = try await client.signIn()
            let jws = try client.sign(MerchantHTTP.create(1), nonce: 1)
            let wrapped = String(decoding: InAppRequestToken.wrap(jws), as: UTF8.self)
            let bought = try await client.buy(jws: wrapped, as: ada)
            #expect(bought.status == 200, "\(bought.text)")
            let signed = try #require(bought["signedTransactionInfo"]?.string)
            let payload = try await client.verifier().verifyTransaction(signed)
            #expect(payload.price == 12_980 && payload.productId == MerchantHTTP.generic)
            // As people write JSON: with white space around what is said.
            let spaced = "{\n  \"signatureInfo\": { \"token\": \"\(jws)\" }\n}"
            let again = try await client.buy(jws: spaced, as: ada)
            #expect(again.status == 200, "\(again.text)")
            let same = try #require(again["signedTransactionInfo"]?.string)
            #expect(
                try await client.verifier().verifyTransaction(same).transactionId
                    == payload.transactionId)
        }
    }

    @Test("Without a signed request there is nothing to buy (4000171)")
    func missing() async throws {
        let world = try await MerchantHTTP.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let before = try await world.everything()
            for jws in ["", #"{"signatureInfo":{"token":""}}"#] {
                expect(
                    try await client.buy(jws: jws, as: ada),
                    onDevice: Errors.nullAdvancedCommerceData)
            }
            let bare = try await client.ours(
                .post, "/storefront/v1/purchases", #"{"productId":"generic.subscription"}"#,
                as: .bearer(ada))
            expect(bare, onDevice: Errors.nullAdvancedCommerceData)
            #expect(try await world.everything() == before)
        }
    }

    @Test("Forged, foreign, future, expired and unsigned texts are refused (4000174)")
    func forged() async throws {
        let world = try await MerchantHTTP.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let good = try client.sign(bytes, nonce: 1)
            let parts = good.split(separator: ".").map(String.init)
            let stranger = try APIKey(
                keyID: HTTPWorld.key.keyID, issuerID: HTTPWorld.key.issuerID,
                privateKeyPEM: HTTPWorld.makeKey().privateKeyPEM)
            let otherTeam = try APIKey(
                keyID: HTTPWorld.key.keyID, issuerID: "00000000-0000-4000-8000-000000000000",
                privateKeyPEM: HTTPWorld.key.privateKeyPEM)
            let unknown = try APIKey(
                keyID: "NOBODYSKEY", issuerID: HTTPWorld.key.issuerID,
                privateKeyPEM: HTTPWorld.key.privateKeyPEM)
            let now = Double(world.machine.now.milliseconds) / 1000
            let none = #"{"alg":"none","kid":"\#(HTTPWorld.key.keyID)","typ":"JWT"}"#.base64URL
            let texts = [
                "x", "..", "{}", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).",
                "\(none).\(parts[1]).", "\(parts[0]).e30.\(parts[2])", String(good.dropLast(2)),
                try client.sign(bytes, nonce: 1, key: stranger),
                try client.sign(bytes, nonce: 1, key: otherTeam),
                try client.sign(bytes, nonce: 1, key: unknown),
                try client.sign(bytes, nonce: 1, bundleID: "com.example.other"),
                try client.sign(bytes, nonce: 1, after: -300),
                try client.sign(bytes, nonce: 1, after: 61),
                try HTTPWorld.key.sign(
                    offerToken: "spring", of: MerchantHTTP.generic, bundleID: World.bundleID,
                    nonce: MerchantHTTP.nonce(1), now: now),
                try world.token(),
                try HTTPWorld.key.sign(
                    inAppRequest: Array(bytes.utf8), bundleID: World.bundleID, nonce: "once",
                    now: now),
            ]
            let before = try await world.everything()
            for text in texts {
                expect(
                    try await client.buy(jws: text, as: ada), onDevice: Errors.invalidSignature)
            }
            #expect(try await world.everything() == before)
            // To the last second of its life, by the machine's clock.
            let last = try client.sign(bytes, nonce: 1, after: -299)
            #expect(try await client.buy(jws: last, as: ada).status == 200)
        }
    }

    @Test("What is too large or carries no JSON is malformed (4000173)")
    func malformed() async throws {
        let world = try await MerchantHTTP.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let padded = MerchantHTTP.create(1) + String(repeating: " ", count: 400_000)
            let before = try await world.everything()
            for request in [padded, "", "no JSON", "[]", "7", #"{"operation":7}"#] {
                expect(
                    try await client.buy(request, nonce: 1, as: ada),
                    onDevice: Errors.malformedPayload)
            }
            let body = String(repeating: "A", count: 1 << 20)
            let reply = try await client.ours(
                .post, "/storefront/v1/purchases",
                #"{"productId":"x","advancedCommerce":{"jws":"\#(body)"}}"#, as: .bearer(ada))
            #expect(reply.status == 413)
            #expect(try await world.everything() == before)
        }
    }

    @Test("A nonce is used once, and a request is one customer's")
    func replayed() async throws {
        let world = try await MerchantHTTP.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let bob = try await client.signIn("bob")
            let jws = try client.sign(MerchantHTTP.create(1), nonce: 1)
            #expect(try await client.buy(jws: jws, as: ada).status == 200)
            let before = try await world.everything(besides: MerchantHTTP.spent)
            #expect(try await client.buy(jws: jws, as: ada).status == 200)
            // Neither what another bought, nor with the words of another.
            expect(
                try await client.buy(jws: jws, as: bob),
                onDevice: Errors.repeatedRequestReferenceId)
            expect(
                try await client.buy(MerchantHTTP.create(2), nonce: 1, as: bob),
                onDevice: Errors.invalidSignature)
            expect(
                try await client.buy(
                    MerchantHTTP.create(1, items: [MerchantHTTP.item("x", "990")]), nonce: 2,
                    as: bob), onDevice: Errors.repeatedRequestReferenceId)
            #expect(try await world.everything(besides: MerchantHTTP.spent) == before)
            #expect(
                try await client.buy(MerchantHTTP.create(2), nonce: 2, as: bob).status == 200)
        }
    }

    @Test("A key that is revoked signs nothing any more")
    func revoked() async throws {
        let world = try await MerchantHTTP.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let keys = "/connect/v1/apps/com.example.app/keys"
            let made = try await client.ours(.post, keys, "{}")
            let key = try APIKey(
                keyID: try #require(made["keyId"]?.string),
                issuerID: try #require(made["issuerId"]?.string),
                privateKeyPEM: try #require(made["privateKey"]?.string))
            let first = try client.sign(MerchantHTTP.charge(1), nonce: 1, key: key)
            #expect(
                try await client.buy(jws: first, of: MerchantHTTP.charge, as: ada).status == 200)
            _ = try await client.ours(.post, "\(keys)/\(key.keyID)/revoke")
            let before = try await world.everything()
            let second = try client.sign(MerchantHTTP.charge(2), nonce: 2, key: key)
            expect(
                try await client.buy(jws: second, of: MerchantHTTP.charge, as: ada),
                onDevice: Errors.invalidSignature)
            #expect(try await world.everything() == before)
        }
    }
}
