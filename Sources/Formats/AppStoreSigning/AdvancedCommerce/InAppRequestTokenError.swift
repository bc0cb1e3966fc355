public import AppStoreWire

/// Why a signed in-app request of Advanced Commerce is refused.
public enum InAppRequestTokenError: String, Error, Sendable, Hashable, CaseIterable {
    /// There is none: the purchase option is empty.
    case missing
    /// Longer than ``InAppRequestToken/sizeLimit``.
    case tooLarge
    /// Neither a compact JWS nor one in its wrapping, or without a claim that it needs.
    case malformed
    /// No key has its identifier.
    case unknownKey
    /// It does not fit its key.
    case wrongSignature
    /// It is another app's or team's, or for another purpose.
    case otherApp
    /// It names an end of its own, which Apple refuses: the store counts from `iat`.
    case namesItsEnd
    /// Its lifetime is over.
    case expired
    /// Its time is still to come.
    case issuedInFuture
    /// The signature holds, and `request` is no JSON in Base64.
    case malformedRequest
}

extension InAppRequestTokenError {
    /// The documented error that it is told as, with words that fit.
    public var apiError: APIError {
        let error =
            switch self {
            case .missing: APIError.AdvancedCommerce.nullAdvancedCommerceData
            case .tooLarge, .malformedRequest: APIError.AdvancedCommerce.malformedPayload
            case .malformed, .unknownKey, .wrongSignature, .otherApp, .namesItsEnd, .expired,
                .issuedInFuture:
                APIError.AdvancedCommerce.invalidSignature
            }
        return error.saying(description)
    }
}

extension InAppRequestTokenError: CustomStringConvertible {
    /// What is wrong and what to do; never any part of the token.
    public var description: String {
        switch self {
        case .missing: APIError.AdvancedCommerce.nullAdvancedCommerceData.message
        case .tooLarge:
            "The signed request is too large: at most \(InAppRequestToken.sizeLimit) bytes are "
                + "read."
        case .malformed:
            "The signed request is not a compact JWS with `iss`, `iat`, `aud`, `bid`, `nonce` (a "
                + "UUID) and `request`: sign it as Apple's libraries do."
        case .unknownKey:
            "The signed request's `kid` names no key that is good for this app: use one of its "
                + "keys."
        case .wrongSignature:
            "The signature of the request does not fit its key, or is not ES256: sign anew."
        case .otherApp:
            "The signed request is for another app, team or purpose: `bid` is the bundle id, "
                + "`iss` the issuer id and `aud` advanced-commerce-api."
        case .namesItsEnd:
            "The signed request has `exp`: leave it out, its life is counted from `iat`."
        case .expired: "The signed request has expired: sign anew for each purchase."
        case .issuedInFuture: "The signed request's `iat` is in the future: check the clock."
        case .malformedRequest:
            "`request` is not JSON in UTF-8 and standard Base64 with padding: encode it anew."
        }
    }
}
