public import AppStoreWire
import Crypto
import FoundationEssentials

/// What a developer's server has signed for a purchase in Advanced Commerce, once it is verified.
///
/// What the request asks for is read with ``AppStoreWire/AdvancedCommerceInAppRequest``.
public struct InAppRequestToken: Sendable, Equatable {
    /// A UUID in lower case that no other token has.
    public let nonce: String
    /// The key that signed: `kid`.
    public let keyID: String
    /// When it was signed, in seconds since 1970 UTC.
    public let issued: Double
    /// The request as it was signed: JSON in UTF-8.
    public let request: [UInt8]
    /// The same, read.
    public let json: JSONValue

    /// Longer tokens are not read, in bytes. A hundred items with the longest texts take less.
    public static let sizeLimit = 524_288
    /// How long a token is good for unless somebody says otherwise, in seconds. Apple has a
    /// lifetime and does not publish it.
    public static let lifetime = 300.0

    package static let audience = "advanced-commerce-api"

    /// Takes the compact JWS out of what an app passes as its purchase option
    /// `advancedCommerceData`: `{"signatureInfo":{"token":"<JWS>"}}`.
    public static func unwrap(
        _ option: some Collection<UInt8>
    ) throws(InAppRequestTokenError) -> String {
        guard !option.isEmpty else { throw .missing }
        // The limit is the token's: white space around it is nobody's business.
        guard option.count <= sizeLimit + 1024 else { throw .tooLarge }
        guard let json = try? JSONValue(parsing: option),
            let token = json["signatureInfo"]?["token"]?.string
        else { throw .malformed }
        guard !token.isEmpty else { throw .missing }
        return token
    }

    /// Wraps a compact JWS as an app passes it, in UTF-8.
    public static func wrap(_ token: String) -> [UInt8] {
        var json = JSONWriter(capacity: token.utf8.count + 64)
        json.object { json in
            json.object("signatureInfo") { json in json.field("token", token) }
        }
        return json.bytes
    }
}

extension RequestTokenVerifier {
    /// Verifies a signed in-app request of Advanced Commerce.
    ///
    /// That its nonce is used once, and what the request asks for, is for the caller to see to.
    ///
    /// - Parameters:
    ///   - token: a compact JWS.
    ///   - bundleID: the app's that buys.
    ///   - lifetime: how long it is good for, in seconds.
    ///   - now: the real time, in seconds since 1970 UTC.
    public func verify(
        inAppRequest token: String, bundleID: String,
        lifetime: Double = InAppRequestToken.lifetime, now: Double
    ) throws(InAppRequestTokenError) -> InAppRequestToken {
        guard !token.isEmpty else { throw .missing }
        guard token.utf8.count <= InAppRequestToken.sizeLimit else { throw .tooLarge }
        guard let jws = try? SignedToken(token) else { throw .malformed }
        let keyID: String
        do { keyID = try verifySignature(of: jws) } catch {
            throw error == .unknownKey ? .unknownKey : .wrongSignature
        }
        guard let claims = try? JSONValue(parsing: jws.payload), claims.object != nil,
            let issued = claims["iat"]?.number, let request = claims["request"]?.string,
            let nonce = claims["nonce"]?.string.flatMap(UUID.init(uuidString:))
        else { throw .malformed }
        guard claims["iss"] == .string(issuerID), claims["bid"] == .string(bundleID),
            claims["aud"] == .string(InAppRequestToken.audience)
        else { throw .otherApp }
        guard claims["exp"] == nil else { throw .namesItsEnd }
        guard issued <= now + Self.clockLeeway else { throw .issuedInFuture }
        guard now < issued + lifetime else { throw .expired }
        guard let bytes = Data(base64Encoded: request).map(Array.init),
            let json = try? JSONValue(parsing: bytes)
        else { throw .malformedRequest }
        return InAppRequestToken(
            nonce: nonce.uuidString.lowercased(), keyID: keyID, issued: issued, request: bytes,
            json: json)
    }

    /// The key that a signed in-app request names; nothing of it is verified.
    public static func keyID(ofInAppRequest token: String) -> String? {
        guard token.utf8.count <= InAppRequestToken.sizeLimit, let jws = try? SignedToken(token)
        else { return nil }
        return jws.header["kid"]?.string
    }
}

extension APIKey {
    /// Signs an in-app request of Advanced Commerce, as a developer's server does.
    ///
    /// - Parameters:
    ///   - request: JSON in UTF-8, such as `AdvancedCommerceInAppRequest.jsonBytes()`; it is not
    ///     checked, so that wrong ones can be tried.
    ///   - nonce: a UUID in lower case.
    ///   - now: the real time, in seconds since 1970 UTC.
    public func sign(
        inAppRequest request: [UInt8], bundleID: String, nonce: String, now: Double
    ) throws -> String {
        try sign { json in
            json.field("iss", issuerID)
            json.field("iat", Int64(now.rounded(.down)))
            json.field("aud", InAppRequestToken.audience)
            json.field("bid", bundleID)
            json.field("nonce", nonce)
            json.field("request", Data(request).base64EncodedString())
        }
    }
}
