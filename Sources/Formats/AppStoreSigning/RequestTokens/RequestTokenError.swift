/// Why a request token is refused; on the wire each is 401 without a defined body (API-2).
public enum RequestTokenError: String, Error, Sendable, Hashable, CaseIterable {
    /// Longer than ``RequestTokenVerifier/sizeLimit``.
    case tooLarge
    /// No compact JWS of two JSON objects and a signature.
    case malformed
    /// `alg` is not ES256.
    case wrongAlgorithm
    /// `typ` is there and not JWT.
    case wrongType
    /// `kid` is missing or names no key.
    case unknownKey
    /// The signature is not that key's.
    case wrongSignature
    /// `iss` is missing or another team's.
    case wrongIssuer
    /// `aud` is missing or not the App Store Connect API's.
    case wrongAudience
    /// `bid` is missing or empty.
    case missingBundle
    /// `exp`, `iat` or `nbf` is no number, or `exp` is missing.
    case malformedTime
    /// `exp` has passed.
    case expired
    /// `exp` is too far from `iat`, or from now if there is no `iat`.
    case livesTooLong
    /// `iat` is still to come.
    case issuedInFuture
    /// `nbf` is still to come.
    case notYetValid
}

extension RequestTokenError: CustomStringConvertible {
    /// What is wrong and what to do; never any part of the token.
    public var description: String {
        switch self {
        case .tooLarge: "The token is too large: at most 8192 bytes are read."
        case .malformed: "The token is not a signed JWT: send three base64url parts."
        case .wrongAlgorithm: "The token is not signed with ES256."
        case .wrongType: "The token's `typ` is not JWT."
        case .unknownKey: "The token's `kid` names no key that is good for its app."
        case .wrongSignature: "The token's signature does not fit its key."
        case .wrongIssuer: "The token's `iss` is not this team's issuer id."
        case .wrongAudience: "The token's `aud` is not appstoreconnect-v1."
        case .missingBundle: "The token has no `bid`: name the app's bundle id."
        case .malformedTime: "The token's times are not UNIX seconds, or `exp` is missing."
        case .expired: "The token has expired: make a new one."
        case .livesTooLong: "The token lives too long: `exp` may be 60 minutes after `iat`."
        case .issuedInFuture: "The token's `iat` is in the future: check the clock."
        case .notYetValid: "The token's `nbf` is in the future: check the clock."
        }
    }
}
