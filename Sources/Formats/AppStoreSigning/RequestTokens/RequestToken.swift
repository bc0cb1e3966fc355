import AppStoreWire
import Crypto
import FoundationEssentials

/// What a verified request token says: who may act, and for which app (API-2).
public struct RequestToken: Sendable, Hashable {
    /// The app that the whole request is about: `bid`.
    public let bundleID: String
    /// The key that signed: `kid`.
    public let keyID: String
    /// The end of the token's life, in seconds since 1970 UTC: `exp`.
    public let expires: Double

    /// The audience that every token names.
    package static let audience = "appstoreconnect-v1"

    /// Makes a token for a client to send as `Authorization: Bearer …`.
    ///
    /// - Parameters:
    ///   - now: The real time, in seconds since 1970 UTC.
    ///   - lifetime: In seconds; Apple's clients use five minutes, servers refuse more than 3600.
    public static func make(
        key: APIKey, bundleID: String, now: Double, lifetime: Int64 = 300
    ) throws -> String {
        let issued = Int64(now.rounded(.down))
        return try key.sign { json in
            json.field("iss", key.issuerID)
            json.field("iat", issued)
            json.field("exp", issued + lifetime)
            json.field("aud", audience)
            json.field("bid", bundleID)
        }
    }

    /// Signs any header and claims, so that tests can make tokens that are wrong.
    static func sign(
        header: [UInt8], claims: [UInt8], with key: P256.Signing.PrivateKey
    ) throws -> String {
        var text: [UInt8] = []
        Base64URL.append(header, to: &text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(claims, to: &text)
        let signature = try key.signature(for: SHA256.hash(data: text))
        text.append(UInt8(ascii: "."))
        Base64URL.append(Array(signature.rawRepresentation), to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension APIKey {
    /// Signs claims as a compact JWS whose header names this key.
    func sign(claims write: (inout JSONWriter) -> Void) throws -> String {
        var header = JSONWriter(capacity: 128)
        header.object { json in
            json.field("alg", "ES256")
            json.field("kid", keyID)
            json.field("typ", "JWT")
        }
        var claims = JSONWriter(capacity: 512)
        claims.object { write(&$0) }
        return try RequestToken.sign(header: header.bytes, claims: claims.bytes, with: privateKey)
    }
}
