import AppStoreWire
import Crypto
import FoundationEssentials

/// Verifies the tokens that clients send (API-2).
///
/// Claims are judged after the signature, so a refusal tells a stranger nothing of them.
public struct RequestTokenVerifier: Sendable {
    /// Longer tokens are not read, in bytes; Apple's clients make about 400.
    public static let sizeLimit = 8192
    /// The longest life of a token, in seconds.
    static let lifetimeLimit = 3600.0
    /// Allowed above `lifetimeLimit`, in seconds: a client may round `exp` up, and without `iat`
    /// its clock may be a little ahead of ours.
    static let lifetimeLeeway = 5.0
    /// How far a client's clock may be ahead, in seconds, for `iat` and `nbf`.
    static let clockLeeway = 60.0

    /// The public keys by key id.
    let keys: [String: VerificationKey]
    /// The team's issuer id.
    public let issuerID: String

    /// A verifier of some keys of one team.
    public init(keys: [String: VerificationKey], issuerID: String) {
        self.keys = keys
        self.issuerID = issuerID
    }

    /// A verifier for one team, of public keys in PEM by key id; throws if one is no P-256 key.
    public init(publicKeyPEMs: [String: String], issuerID: String) throws {
        let keys = try publicKeyPEMs.mapValues { try VerificationKey(publicKeyPEM: $0) }
        self.init(keys: keys, issuerID: issuerID)
    }

    /// A verifier of one more key.
    public func adding(_ key: VerificationKey, as keyID: String) -> RequestTokenVerifier {
        var keys = keys
        keys[keyID] = key
        return RequestTokenVerifier(keys: keys, issuerID: issuerID)
    }

    /// Whether it has a key of this identifier.
    public func knows(_ keyID: String) -> Bool { keys[keyID] != nil }

    /// Verifies `token` at `now`, the real time in seconds since 1970 UTC.
    public func verify(
        _ token: String, now: Double
    ) throws(RequestTokenError) -> RequestToken {
        guard token.utf8.count <= Self.sizeLimit else { throw .tooLarge }
        let jws: SignedToken
        do { jws = try SignedToken(token) } catch { throw .malformed }
        let keyID = try verifySignature(of: jws)
        guard let claims = try? JSONValue(parsing: jws.payload), claims.object != nil else {
            throw .malformed
        }
        return try judge(claims, keyID: keyID, now: now)
    }

    func verifySignature(of jws: SignedToken) throws(RequestTokenError) -> String {
        guard jws.header["alg"] == .string("ES256") else { throw .wrongAlgorithm }
        if let type = jws.header["typ"], type != .string("JWT") { throw .wrongType }
        guard let keyID = jws.header["kid"]?.string, let key = keys[keyID]?.key else {
            throw .unknownKey
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
            key.isValidSignature(signature, for: SHA256.hash(data: jws.signedText))
        else { throw .wrongSignature }
        return keyID
    }

    private func judge(
        _ claims: JSONValue, keyID: String, now: Double
    ) throws(RequestTokenError) -> RequestToken {
        guard claims["iss"] == .string(issuerID) else { throw .wrongIssuer }
        let audience = JSONValue.string(RequestToken.audience)
        guard claims["aud"] == audience || claims["aud"] == .array([audience]) else {
            throw .wrongAudience
        }
        guard let bundleID = claims["bid"]?.string, !bundleID.isEmpty else {
            throw .missingBundle
        }
        guard let expires = try time("exp", in: claims) else { throw .malformedTime }
        // Python and Java send no `iat`; Swift sends fractions (LIB-1).
        let issued = try time("iat", in: claims)
        if let issued, issued > now + Self.clockLeeway { throw .issuedInFuture }
        if let notBefore = try time("nbf", in: claims), notBefore > now + Self.clockLeeway {
            throw .notYetValid
        }
        guard expires > now else { throw .expired }
        guard expires <= (issued ?? now) + Self.lifetimeLimit + Self.lifetimeLeeway else {
            throw .livesTooLong
        }
        return RequestToken(bundleID: bundleID, keyID: keyID, expires: expires)
    }

    /// A NumericDate, which may have a fraction, or `nil` if it is absent.
    private func time(
        _ name: String, in claims: JSONValue
    ) throws(RequestTokenError) -> Double? {
        guard let value = claims[name] else { return nil }
        guard let seconds = value.number else { throw .malformedTime }
        return seconds
    }
}
