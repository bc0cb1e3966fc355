import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Keys of apps over HTTP")
struct KeyHTTPTests {
    private let keys = "/connect/v1/apps/com.example.app/keys"
    private let path = "/inApps/v2/history/1"

    private func made(_ client: Client, _ body: String = "{}") async throws -> APIKey {
        let reply = try await client.ours(.post, keys, body)
        #expect(reply.status == 201, "\(reply.text)")
        #expect(reply.fields[.cacheControl] == "no-store")
        return try APIKey(
            keyID: try #require(reply["keyId"]?.string),
            issuerID: try #require(reply["issuerId"]?.string),
            privateKeyPEM: try #require(reply["privateKey"]?.string))
    }

    private func token(
        _ key: APIKey, _ client: Client, bundleID: String = World.bundleID
    ) throws -> String {
        try RequestToken.make(
            key: key, bundleID: bundleID,
            now: Double(client.world.machine.now.milliseconds) / 1000)
    }

    @Test("A key that is made signs request tokens until it is revoked (API-2)")
    func requests() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let key = try await made(client, #"{"name":"web server"}"#)
            #expect(APIKey.isKeyID(key.keyID) && key.issuerID == HTTPWorld.key.issuerID)
            let token = try token(key, client)
            for _ in 0..<2 {
                expect(
                    try await client.send(.get, path, as: .bearer(token)), .transactionIdNotFound)
            }
            // It is this app's alone, and the key of all apps goes on working.
            let other = try self.token(key, client, bundleID: "com.example.other")
            #expect(try await client.send(.get, path, as: .bearer(other)).status == 401)
            let revoked = try await client.ours(.post, "\(keys)/\(key.keyID)/revoke")
            #expect(revoked["revoked"] == .string("2026-01-01T00:00:00Z"), "\(revoked.text)")
            #expect(try await client.ours(.post, "\(keys)/\(key.keyID)/revoke").status == 200)
            // One that was good a moment ago, and is remembered, and a new one.
            for token in [token, try self.token(key, client)] {
                let reply = try await client.send(.get, path, as: .bearer(token))
                #expect(reply.status == 401)
                #expect(reply.text == "Unauthenticated\n")
            }
            expect(
                try await client.send(.get, path, as: .bearer(try world.token())),
                .transactionIdNotFound)
        }
    }

    @Test("The private half is given out once and kept nowhere", arguments: Backend.available)
    func secrecy(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            let key = try await made(client)
            let list = try await client.ours(.get, keys)
            #expect(list["keys"]?.array?.first?["privateKey"] == nil)
            #expect(list["keys"]?.array?.first?["keyId"] == .string(key.keyID))
            let body = key.privateKeyPEM.split(separator: "\n")[1]
            #expect(!list.text.contains(body))
            let tables = try await Tables(client.world.world.database)
            #expect(!"\(tables)".contains(body))
            #expect(!"\(key)".contains(body))
            try await client.world.world.check()
        }
    }

    @Test("A public half is taken over, and signs both forms of offers until it is revoked (PRO-1)")
    func offers() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            var chance = SeededGenerator(seed: 7)
            let own = APIKey.generate(using: &chance, issuerID: HTTPWorld.key.issuerID)
            let pem = own.publicKeyPEM.replacing("\n", with: "\\n")
            let added = try await client.ours(
                .post, keys, #"{"keyId":"\#(own.keyID)","publicKey":"\#(pem)"}"#)
            #expect(added.status == 201 && added["privateKey"] == nil, "\(added.text)")
            _ = try await client.ours(
                .post, "/connect/v1/apps/com.example.app/products/silver.monthly/offers",
                #"{"type":"PROMOTIONAL","id":"spring","mode":"FREE_TRIAL","period":"P1M"}"#)
            let ada = try await client.signIn()
            try await client.buy("silver.monthly", as: ada)
            let now = client.world.machine.now.milliseconds
            func buy(_ number: Int, asJWS: Bool) async throws -> Reply {
                let nonce = "00000000-0000-4000-8000-00000000\(1000 + number)"
                var offer = ""
                if asJWS {
                    let jws = try own.sign(
                        offerToken: "spring", of: "silver.monthly", bundleID: World.bundleID,
                        nonce: nonce, now: Double(now) / 1000)
                    offer = #""jws":"\#(jws)""#
                } else {
                    let signed = try own.sign(
                        offer: "spring", of: "silver.monthly", bundleID: World.bundleID,
                        appAccountToken: nil, nonce: nonce, timestamp: now)
                    offer = """
                        "keyId":"\(signed.keyID)","nonce":"\(nonce)","timestamp":\(now),
                        "signature":"\(signed.signature)"
                        """
                }
                return try await client.ours(
                    .post, "/storefront/v1/purchases",
                    """
                    {"productId":"silver.monthly",
                    "offer":{"type":"promotional","id":"spring",\(offer)}}
                    """, as: .bearer(ada))
            }
            for (number, asJWS) in [(1, true), (2, false)] {
                let reply = try await buy(number, asJWS: asJWS)
                #expect(reply.status == 200, "\(reply.text)")
            }
            _ = try await client.ours(.post, "\(keys)/\(own.keyID)/revoke")
            for (number, asJWS) in [(3, true), (4, false)] {
                let reply = try await buy(number, asJWS: asJWS)
                #expect(reply.status == 403 && reply.complaint == "invalidOfferSignature")
            }
        }
    }

    @Test("What is no key, or one that is there, is refused and told to nobody")
    func refused() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let key = try await made(client)
            let pem = key.publicKeyPEM.replacing("\n", with: "\\n")
            let secret = key.privateKeyPEM.replacing("\n", with: "\\n")
            let large = """
                -----BEGIN PUBLIC KEY-----\\n\(String(repeating: "A", count: 900))\\n\
                -----END PUBLIC KEY-----
                """
            let before = try await client.world.everything()
            for (body, status, code) in [
                (#"{"publicKey":"\#(pem)"}"#, 409, "keyTaken"),
                (#"{"keyId":"\#(key.keyID)"}"#, 409, "keyTaken"),
                (#"{"keyId":"\#(HTTPWorld.key.keyID)"}"#, 409, "keyTaken"),
                (#"{"keyId":"abcdefghij"}"#, 400, "invalidSetting"),
                (#"{"keyId":"ABC"}"#, 400, "invalidMember"),
                (#"{"publicKey":"\#(secret)"}"#, 400, "invalidPublicKey"),
                (#"{"publicKey":"\#(large)"}"#, 400, "invalidPublicKey"),
                (#"{"publicKey":"nonsense"}"#, 400, "invalidPublicKey"),
                (#"{"publicKey":""}"#, 400, "invalidMember"),
                (#"{"name":"two\nlines"}"#, 400, "invalidMember"),
            ] {
                let reply = try await client.ours(.post, keys, body)
                #expect(reply.status == status && reply.complaint == code, "\(body) \(reply.text)")
                #expect(!reply.text.contains(secret.prefix(60)))
            }
            #expect(
                try await client.ours(.post, "\(keys)/ABCDEFGHIJ/revoke").complaint == "unknownKey")
            #expect(try await client.world.everything() == before)
            // One that was revoked comes not back.
            _ = try await client.ours(.post, "\(keys)/\(key.keyID)/revoke")
            #expect(
                try await client.ours(.post, keys, #"{"publicKey":"\#(pem)"}"#).complaint
                    == "keyTaken")
        }
    }

    @Test("A world that is put back leaves its keys as they are", arguments: Backend.available)
    func rewound(_ backend: Backend) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with { client in
            let early = try await made(client)
            _ = try await client.ours(.post, "/connect/v1/snapshots", #"{"name":"here"}"#)
            _ = try await client.ours(.post, "\(keys)/\(early.keyID)/revoke")
            let late = try await made(client)
            let back = try await client.ours(.post, "/connect/v1/snapshots/here/rewind")
            #expect(back.status == 200, "\(back.text)")
            let tokens = try (early: token(early, client), late: token(late, client))
            #expect(try await client.send(.get, path, as: .bearer(tokens.early)).status == 401)
            expect(
                try await client.send(.get, path, as: .bearer(tokens.late)), .transactionIdNotFound)
        }
    }
}
