import AppStoreWire
import Crypto
import Foundation
import TestFloor
import Testing

@testable import AppStoreSigning

@Suite("Request tokens")
struct RequestTokenTests {
    static let now = 1_735_689_600.25
    static let key: APIKey = {
        var generator = SeededGenerator(seed: 1)
        return APIKey.generate(using: &generator)
    }()
    static let verifier = RequestTokenVerifier(
        keys: [key.keyID: VerificationKey(key)], issuerID: key.issuerID)

    /// A token of the shared key with header and claims as JSON text, in which `KID`, `ISS` and
    /// `NOW+n` stand for the shared key's ids and whole seconds from now.
    static func token(
        header: String = #"{"alg":"ES256","kid":"KID","typ":"JWT"}"#, claims: String,
        signedBy key: P256.Signing.PrivateKey = Self.key.privateKey
    ) throws -> String {
        func fill(_ text: String) -> [UInt8] {
            let text = text.replacing("KID", with: Self.key.keyID)
                .replacing("ISS", with: Self.key.issuerID)
                .replacing(#/NOW([+-]\d+)/#) { "\(Int(now) + Int($0.output.1)!)" }
            return Array(text.utf8)
        }
        return try RequestToken.sign(header: fill(header), claims: fill(claims), with: key)
    }

    static func claims(
        iss: String? = #""ISS""#, iat: String? = "NOW+0", exp: String? = "NOW+300",
        aud: String? = #""appstoreconnect-v1""#, bid: String? = #""com.example.garden""#,
        nbf: String? = nil
    ) -> String {
        let members = [
            ("iss", iss), ("iat", iat), ("exp", exp), ("aud", aud), ("bid", bid), ("nbf", nbf),
        ]
        return "{"
            + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
            .joined(separator: ",") + "}"
    }

    @Test("A token of our own maker is accepted until it expires")
    func ownToken() throws {
        let token = try RequestToken.make(
            key: Self.key, bundleID: "com.example.garden", now: Self.now)
        let verified = try Self.verifier.verify(token, now: Self.now)
        #expect(verified.bundleID == "com.example.garden")
        #expect(verified.keyID == Self.key.keyID)
        #expect(verified.expires == 1_735_689_900)
        _ = try Self.verifier.verify(token, now: verified.expires - 0.01)
        #expect(throws: RequestTokenError.expired) {
            try Self.verifier.verify(token, now: verified.expires)
        }
    }

    @Test(
        "What Apple's clients send is accepted",
        arguments: [
            claims(), claims(iat: nil), claims(iat: "NOW+0.5", exp: "NOW+300.5123"),
            claims(aud: #"["appstoreconnect-v1"]"#), claims(exp: "NOW+3600"),
            claims(exp: "NOW+3605"), claims(iat: nil, exp: "NOW+3600"), claims(exp: "NOW+1"),
            claims(iat: "NOW-3000", exp: "NOW+600"), claims(iat: "NOW+60", exp: "NOW+3660"),
            claims(nbf: "NOW-10"), claims(nbf: "NOW+60"), claims(iat: "1.735689600e9"),
            claims().replacing("}", with: #","nonce":"x","scope":["GET"]}"#),
        ])
    func accepted(claims: String) throws {
        let verified = try Self.verifier.verify(Self.token(claims: claims), now: Self.now)
        #expect(verified.bundleID == "com.example.garden")
    }

    @Test("A verifier made of stored keys accepts what the key signs")
    func storedKeys() throws {
        let verifier = try RequestTokenVerifier(
            publicKeyPEMs: [Self.key.keyID: Self.key.publicKeyPEM], issuerID: Self.key.issuerID)
        _ = try verifier.verify(Self.token(claims: Self.claims()), now: Self.now)
        #expect(throws: (any Error).self) {
            try RequestTokenVerifier(publicKeyPEMs: ["K": "nonsense"], issuerID: "I")
        }
    }

    @Test("A token without `typ` is accepted")
    func noType() throws {
        let token = try Self.token(
            header: #"{"alg":"ES256","kid":"KID"}"#, claims: Self.claims())
        _ = try Self.verifier.verify(token, now: Self.now)
    }

    @Test(
        "Wrong claims are refused, each for its reason",
        arguments: [
            (claims(iss: nil), .wrongIssuer), (claims(iss: #""other""#), .wrongIssuer),
            (claims(iss: "7"), .wrongIssuer), (claims(aud: nil), .wrongAudience),
            (claims(aud: #""appstoreconnect-v2""#), .wrongAudience),
            (claims(aud: "[]"), .wrongAudience), (claims(aud: #"["other"]"#), .wrongAudience),
            (claims(aud: #"["appstoreconnect-v1","other"]"#), .wrongAudience),
            (claims(bid: nil), .missingBundle), (claims(bid: #""""#), .missingBundle),
            (claims(bid: "7"), .missingBundle), (claims(exp: nil), .malformedTime),
            (claims(exp: #""NOW+300""#), .malformedTime), (claims(exp: "null"), .malformedTime),
            (claims(iat: #""NOW+0""#), .malformedTime), (claims(nbf: "true"), .malformedTime),
            (claims(exp: "NOW+0"), .expired), (claims(iat: "NOW-300", exp: "NOW-1"), .expired),
            (claims(exp: "-1"), .expired), (claims(exp: "NOW+3660"), .livesTooLong),
            (claims(exp: "NOW+3606"), .livesTooLong),
            (claims(iat: nil, exp: "NOW+3660"), .livesTooLong),
            (claims(iat: "NOW-3000", exp: "NOW+3000"), .livesTooLong),
            (claims(exp: "1e300"), .livesTooLong), (claims(iat: "NOW+61"), .issuedInFuture),
            (claims(iat: "NOW+86400", exp: "NOW+86700"), .issuedInFuture),
            (claims(nbf: "NOW+61"), .notYetValid), ("[]", .malformed), ("nonsense", .malformed),
            (#"{"iss":"ISS","iss":"ISS"}"#, .malformed), (claims(exp: "1e400"), .malformed),
        ] as [(String, RequestTokenError)])
    func refused(claims: String, error: RequestTokenError) throws {
        let token = try Self.token(claims: claims)
        #expect(throws: error) { try Self.verifier.verify(token, now: Self.now) }
    }

    @Test(
        "Wrong headers are refused, each for its reason",
        arguments: [
            (#"{"alg":"HS256","kid":"KID","typ":"JWT"}"#, .wrongAlgorithm),
            (#"{"alg":"none","kid":"KID"}"#, .wrongAlgorithm),
            (#"{"alg":"es256","kid":"KID"}"#, .wrongAlgorithm),
            (#"{"kid":"KID"}"#, .wrongAlgorithm), (#"{"alg":"ES256"}"#, .unknownKey),
            (#"{"alg":"ES256","kid":"OTHER"}"#, .unknownKey),
            (#"{"alg":"ES256","kid":7}"#, .unknownKey),
            (#"{"alg":"ES256","kid":"KID","typ":"JWE"}"#, .wrongType),
            (#"{"alg":"ES256","kid":"KID","typ":null}"#, .wrongType),
            (#"{"alg":"ES256","kid":"KID","crit":["exp"]}"#, .malformed),
            ("[]", .malformed), ("", .malformed),
        ] as [(String, RequestTokenError)])
    func refusedHeader(header: String, error: RequestTokenError) throws {
        let token = try Self.token(header: header, claims: Self.claims())
        #expect(throws: error) { try Self.verifier.verify(token, now: Self.now) }
    }

    @Test("A forged signature is refused before the claims are looked at")
    func forged() throws {
        let stranger = P256.Signing.PrivateKey()
        for claims in [Self.claims(), Self.claims(exp: "NOW-1"), "nonsense"] {
            let token = try Self.token(claims: claims, signedBy: stranger)
            #expect(throws: RequestTokenError.wrongSignature) {
                try Self.verifier.verify(token, now: Self.now)
            }
        }
        let parts = try Self.token(claims: Self.claims()).split(separator: ".")
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        #expect(throws: RequestTokenError.wrongAlgorithm) {
            try Self.verifier.verify("\(none).\(parts[1]).", now: Self.now)
        }
        #expect(throws: RequestTokenError.wrongSignature) {
            try Self.verifier.verify("\(parts[0]).\(parts[1]).", now: Self.now)
        }
    }

    @Test("What is no token is malformed, and what is huge is not read")
    func noToken() throws {
        for text in ["", ".", "..", "a.b.c.d", "Bearer x", "\u{0}"] {
            #expect(throws: RequestTokenError.malformed) {
                try Self.verifier.verify(text, now: Self.now)
            }
        }
        let huge = String(repeating: "a", count: 8193)
        #expect(throws: RequestTokenError.tooLarge) {
            try Self.verifier.verify(huge, now: Self.now)
        }
        #expect(throws: RequestTokenError.tooLarge) {
            try RequestTokenCache().verify(huge, now: Self.now, with: Self.verifier)
        }
    }

    @Test("Every refusal is a sentence that names no key", arguments: RequestTokenError.allCases)
    func sentences(error: RequestTokenError) {
        #expect(error.description.hasSuffix("."))
        #expect(!error.description.contains(Self.key.keyID))
    }

    @Test("Ids come from the generator, the key does not")
    func generated() throws {
        var one = SeededGenerator(seed: 7)
        var two = SeededGenerator(seed: 7)
        let first = APIKey.generate(using: &one)
        let second = APIKey.generate(using: &two)
        #expect(first.keyID == second.keyID)
        #expect(first.issuerID == second.issuerID)
        #expect(first.privateKeyPEM != second.privateKeyPEM)
        #expect(first.keyID.wholeMatch(of: /[A-Z0-9]{10}/) != nil)
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(first.issuerID.wholeMatch(of: uuid) != nil)
        #expect(first.privateKeyPEM.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        let third = APIKey.generate(using: &one, issuerID: first.issuerID)
        #expect(third.issuerID == first.issuerID)
        #expect(third.keyID != first.keyID)
        let read = try APIKey(
            keyID: first.keyID, issuerID: first.issuerID, privateKeyPEM: first.privateKeyPEM)
        #expect(read.publicKeyPEM == first.publicKeyPEM)
        #expect(throws: (any Error).self) {
            try APIKey(keyID: "K", issuerID: "I", privateKeyPEM: first.publicKeyPEM)
        }
    }
}
